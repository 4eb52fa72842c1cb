"""Writes the generated modules of `fireside_client`: types of the API's JSON, and the sync client from the async one.

Usage: generate.py [FOLDER]: the folder of the package, by default the one next to this file. A maintained generator was
no help for the types: datamodel-code-generator neither makes a union of a oneof, without which `in` narrows nothing,
nor sees that all games have the same `Match` around a view of their own.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, cast

from gateway.app import create_app
from gateway.openapi.schema import Json, Schema, Usage, component_name, field_types, message_schemas
from gateway.routing import registry
from gateway.routing.bindings import BATCH_FIELD
from gateway.settings import GatewaySettings

PACKAGE: Final = Path(__file__).parent / "fireside_client"
GAMES: Final = {component_name(f"fireside.{game}.v1"): game for game in registry.GAMES}
"""Prefixes of the games' components, with their names: `FireBulls` is `fire_bulls`."""
UNUSED: Final = frozenset({"Sample"})
"""Methods that the client does not call."""
ROOTS: Final = (
    "Problem",
    "Catalog.ListGamesResponse",
    "Catalog.ListKeysResponse",
    "Platform.ListPlatformMatchesResponse",
    "Platform.PlatformEvent",
    "Platform.CreateWebhookResponse",
    "Platform.ListWebhooksResponse",
    "Platform.ListWebhookDeliveriesResponse",
)
"""Components that are no response of a game."""
SCALARS: Final = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
HEADER: Final = '"""{}; written by `generate.py`, not to be edited."""\n\nfrom __future__ import annotations\n\n'
SYNC: Final = (
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"__a(enter|exit|iter)__", r"__\1__"),
    (r"\basyncio\.sleep", "time.sleep"),
    (r"\bimport asyncio\b", "import time"),
    (r"\bwebsockets\.asyncio\b", "websockets.sync"),
    (r"\ba(close|closing|read|iter_text|iter_lines)\b", r"\1"),
    (r"\bfireside_client\.aio\b", "fireside_client.sync"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\bAsynchronous", "Synchronous"),
)
"""Patterns of the async client, with what the sync one has instead."""


def schemas() -> dict[str, Schema]:
    """The components of the OpenAPI document, and the messages of Watch, whose kinds are types of events over REST."""
    app = create_app(GatewaySettings(engine_address="127.0.0.1:1"))
    document = cast("dict[str, dict[str, dict[str, Schema]]]", app.openapi())
    found = document["components"]["schemas"]
    for service in registry.GAMES.values():
        for kind in (service.methods_by_name[method].output_type for method in ("Watch", "Play")):
            name = component_name(kind.full_name)  # the client unpacks batches
            found |= cast("dict[str, Schema]", message_schemas(kind, name, Usage.RESPONSE, without=[BATCH_FIELD]))
    return found


def roots() -> Iterator[str]:
    """Names of the components that the client has types of, with those that they refer to."""
    yield from ROOTS
    for prefix, game in GAMES.items():
        yield f"{prefix}.NewGameBody"
        for method in registry.GAMES[game].methods:
            if method.name not in UNUSED:
                kind = method.output_type
                parts = field_types([field for field in kind.fields if field.name != BATCH_FIELD])
                yield from (component_name(each.full_name) for each in [kind, *parts])


def references(schema: Json) -> Iterator[str]:
    """Names of the components that a schema refers to, in order, some of them more than once."""
    if isinstance(schema, Mapping):
        if isinstance(target := schema.get("$ref"), str):
            yield target.rpartition("/")[2]
        for value in schema.values():
            yield from references(value)
    elif isinstance(schema, Sequence) and not isinstance(schema, str):
        for value in schema:
            yield from references(value)


def reachable(found: Mapping[str, Schema], names: Iterator[str]) -> dict[str, Schema]:
    """The named components that exist, and what they refer to."""
    reached: dict[str, Schema] = {}
    waiting = [name for name in names if name in found]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached[name] = found[name]
            waiting += references(found[name])
    # Unions are last: an alias is evaluated when it is defined.
    return dict(sorted(reached.items(), key=lambda item: ("oneOf" in item[1], item[0])))


def without_prefix(schema: Json, prefix: str) -> Json:
    """A schema without its texts, and with references to components of one game as if they were anybody's."""
    if isinstance(schema, Mapping):
        return {key: without_prefix(value, prefix) for key, value in schema.items() if key != "description"}
    if isinstance(schema, Sequence) and not isinstance(schema, str):
        return [without_prefix(value, prefix) for value in schema]
    return schema.replace(f"/{prefix}.", "/") if isinstance(schema, str) else schema


class Types:
    """The types of all components: those that games share, once, with their games' own types as parameters."""

    def __init__(self, found: Mapping[str, Schema]) -> None:
        self._games: Final = {
            prefix: {name.partition(".")[2]: schema for name, schema in found.items() if name.startswith(f"{prefix}.")}
            for prefix in GAMES
        }
        first, *others = self._games
        alike = {
            name: schema
            for name, schema in self._games[first].items()
            if all(
                name in self._games[other]
                and without_prefix(schema, first) == without_prefix(self._games[other][name], other)
                for other in others
            )
        }
        # A variant, such as `Move.First`, is only shared if the union is.
        self.shared: Final = {name: schema for name, schema in alike.items() if name.partition(".")[0] in alike}
        self._general: Final = {name: schema for name, schema in found.items() if name.partition(".")[0] not in GAMES}

    def parameters(self, name: str) -> list[str]:
        """The types of the game that a shared type depends on, by name: `View` of `Match`."""
        return sorted({each for each in self._reached(name) if each not in self.shared})

    def _reached(self, name: str) -> set[str]:
        reached: set[str] = set()
        waiting = [name]
        while waiting:
            each = waiting.pop()
            if each not in reached:
                reached.add(each)
                if each in self.shared:
                    own = [target.partition(".") for target in references(self.shared[each])]
                    waiting += [target for prefix, _, target in own if prefix in GAMES]
        return reached

    def nouns(self) -> list[str]:
        """Types of a game that shared types depend on."""
        return sorted({each for name in self.shared for each in self.parameters(name)})

    def shared_module(self) -> str:
        """The module of the types that all games share."""
        typevars = "".join(f'{noun}T = TypeVar("{noun}T")\n' for noun in self.nouns())
        header = HEADER.format("Types of the API that all games share, generic in the types of a game")
        general = [self._declaration(plain_name(name), schema, "") for name, schema in self._general.items()]
        shared = [
            self._declaration(python_name(name), schema, self._generic(name)) for name, schema in self.shared.items()
        ]
        imports = "from typing import Generic, Literal, NotRequired, TypeAlias, TypedDict, TypeVar, final\n\n"
        return header + imports + typevars + "\n".join([*general, *shared])

    def game_module(self, prefix: str) -> str:
        """The module of one game: its own types, and the shared ones of it."""
        own = [
            self._declaration(python_name(name), schema, "")
            for name, schema in self._games[prefix].items()
            if name not in self.shared
        ]
        header = HEADER.format(f"Types of the API of `{GAMES[prefix]}`")
        imports = "from typing import Final, Literal, NotRequired, TypeAlias, TypedDict, final\n\n"
        game = f'GAME: Final[GameName[{", ".join(self.nouns())}]] = GameName("{GAMES[prefix]}")\n'
        return header + imports + self._game_imports() + "\n".join(own) + self._aliases() + game

    def any_module(self) -> str:
        """The module of a game that is known by its name only."""
        nouns = "".join(f"{noun}: TypeAlias = dict[str, object]\n" for noun in self.nouns())
        named = f"AnyGame: TypeAlias = GameName[{', '.join(self.nouns())}]\n"
        header = HEADER.format("Types of the API of any game")
        return f"{header}from typing import TypeAlias\n\n{self._game_imports()}{nouns}{self._aliases()}{named}"

    def name_module(self) -> str:
        """The module of the class that ties the name of a game to its types."""
        parameters = ", ".join(f"{noun}T" for noun in self.nouns())
        header = HEADER.format("Name of a game, which carries the types of the game")
        line = f"from typing import Generic\n\nfrom fireside_client.types.shared import {parameters}\n\n"
        text = '"""A name such as `fire_bulls`; type checkers know the types of its game."""'
        return f"{header}{line}class GameName(str, Generic[{parameters}]):\n    {text}\n"

    def _game_imports(self) -> str:
        modules = "from fireside_client.types import shared\nfrom fireside_client.types.game_name import GameName\n"
        general = ", ".join(f"{name} as {name}" for name in sorted(map(plain_name, self._general)))
        return f"{modules}from fireside_client.types.shared import {general}\n\n"

    def _aliases(self) -> str:
        lines = [
            f"{python_name(name)}: TypeAlias = shared.{python_name(name)}"
            + (f"[{', '.join(parameters)}]" if parameters else "")
            for name in self.shared
            for parameters in [self.parameters(name)]
        ]
        return "\n" + "\n".join(lines) + "\n"

    def _generic(self, name: str) -> str:
        return ", ".join(f"{noun}T" for noun in self.parameters(name))

    def _declaration(self, name: str, schema: Schema, parameters: str) -> str:
        """The declaration of one type. `parameters`: those of a generic type, or empty."""
        text = re.split(r"(?<=[.:])\s", str(schema.get("description", "")), maxsplit=1)[0].replace("\n", " ")
        properties = cast("Mapping[str, Schema]", schema.get("properties", {}))
        if "properties" not in schema:
            return f'{name}: TypeAlias = {self._type(schema, bool(parameters))}\n"""{text}"""\n'
        required = cast("Sequence[str]", schema.get("required", ()))
        fields = {
            key: kind if key in required else f"NotRequired[{kind}]"
            for key, value in properties.items()
            for kind in [self._type(value, bool(parameters))]
        }
        return _typed_dict(name, fields, text, parameters)

    def _type(self, schema: Schema, is_generic: bool) -> str:
        if isinstance(target := schema.get("$ref"), str):
            return self._reference(target.rpartition("/")[2], is_generic)
        if isinstance(values := schema.get("enum"), Sequence):
            return f"Literal[{', '.join(repr(value) for value in values)}]"
        if isinstance(values := schema.get("anyOf"), Sequence):  # an open enum: its values, or any other string
            return self._type(cast(Schema, values[0]), is_generic)
        if isinstance(values := schema.get("oneOf"), Sequence):
            variants = [self._type(cast(Schema, value), is_generic) for value in values]
            # A generic alias has its parameters in the order in which they occur.
            return " | ".join(sorted(variants, key=lambda variant: (-variant.count(","), "[" not in variant)))
        if schema.get("type") == "array":
            return f"list[{self._type(cast(Schema, schema['items']), is_generic)}]"
        if schema.get("type") == "object":
            return f"dict[str, {self._type(cast(Schema, schema['additionalProperties']), is_generic)}]"
        return SCALARS[str(schema["type"])]

    def _reference(self, target: str, is_generic: bool) -> str:
        prefix, _, name = target.partition(".")
        if prefix not in GAMES:
            return plain_name(target)
        if is_generic and name not in self.shared:
            return f"{name}T"
        parameters = self._generic(name) if is_generic and name in self.shared else ""
        return f"{python_name(name)}[{parameters}]" if parameters else python_name(name)


def python_name(name: str) -> str:
    """The name of the type of a component of a game: `Move.Take` is `MoveTake`."""
    return name.replace(".", "")


def plain_name(name: str) -> str:
    """The name of the type of a component of no game: `Match.Problem` is `MatchProblem`, `Match.Points` is `Points`."""
    _, _, own = name.partition(".")
    return (name if own in ("", "Problem") else own).replace(".", "")


def _typed_dict(name: str, fields: Mapping[str, str], text: str, parameters: str) -> str:
    bases = f"TypedDict, Generic[{parameters}]" if parameters else "TypedDict"
    lines = [f"    {key}: {kind}" for key, kind in fields.items()]
    if text:
        lines.insert(0, f'    """{text}"""\n')
    return f"@final\nclass {name}({bases}):\n" + ("\n".join(lines) or "    pass") + "\n"


def sync_module(text: str) -> str:
    """The sync client, made of the async one."""
    for pattern, replacement in SYNC:
        text = re.sub(pattern, replacement, text)
    return text


def formatted(text: str) -> str:
    """A module as ruff checks and formats it."""
    ruff = str(Path(sys.executable).with_name("ruff"))
    fixes = ["check", "--quiet", "--select", "I,F401,UP028", "--fix", "--unsafe-fixes", "--stdin-filename"]
    for words in ([*fixes, str(PACKAGE / "made.py"), "-"], ["format", "-"]):
        text = subprocess.run([ruff, *words], input=text, capture_output=True, text=True, check=True).stdout
    return text


def modules() -> dict[str, str]:
    """The generated modules, by their paths in the package."""
    types = Types(reachable(schemas(), roots()))
    made = {f"types/{game}.py": types.game_module(prefix) for prefix, game in GAMES.items()}
    made |= {"types/shared.py": types.shared_module(), "types/any_game.py": types.any_module()}
    made |= {"types/game_name.py": types.name_module()}
    for name in ("http", "client", "game", "match", "play"):
        made[f"sync/{name}.py"] = sync_module((PACKAGE / "aio" / f"{name}.py").read_text())
    return {name: formatted(text) for name, text in made.items()}


if __name__ == "__main__":
    folder = Path(*(sys.argv[1:] or [str(PACKAGE)]))
    for name, text in modules().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
