"""Texts for people, in each language: names of a game's things, and its moves as sentences.

A game has a file `words.<locale>.json` in the folder of its rules, with a `title`, a `summary`, and two groups of
texts: `names` by kind and key, and `sentences` by key, whose places `{0}`, `{1}` are the arguments of a move. What all
games share is in `engine_core/words/`. A kind may have two more tables: `<kind>.one` has the names with an
article, as sentences need them, and `<kind>.several` those for more than one, with `{0}` for the number.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Final

LOCALES: Final = ["en", "fr", "it"]
"""Languages with texts, as tags of BCP 47; the first is the default."""
SHARED: Final = "engine_core.words"
"""The package with the texts that all games share."""

Texts = dict[str, str]


class Words:
    """The texts of one game in one language. All lookups raise `KeyError` for a text that is missing."""

    def __init__(
        self,
        locale: str,
        title: str,
        summary: str,
        names: dict[str, Texts],
        sentences: Texts,
        players: tuple[str, ...] = (),
    ) -> None:
        self.locale: Final = locale
        self.title: Final = title
        """Name of the game."""
        self.summary: Final = summary
        """What the game is about, in two or three sentences."""
        self.names: Final = names
        """Names by kind and key."""
        self.sentences: Final = sentences
        """Sentences by key, with their places."""
        self.players: Final = players
        """What sentences call the players, by seat; empty for a player without a name, or none at all."""

    def with_players(self, players: tuple[str, ...]) -> Words:
        """These texts with names of players."""
        return Words(self.locale, self.title, self.summary, self.names, self.sentences, players)

    def player(self, seat: int) -> str:
        """A player by name, or by the number of the seat, counted from 1 as people do.

        Sentences use it as a subject, or after a preposition that merges with no article: `du joueur 2` would become
        `du Ada`.
        """
        name = self.players[seat] if seat < len(self.players) else ""
        return name or self.name("player", "seat").format(seat + 1)

    def name(self, kind: str, key: str) -> str:
        """A name without article, for lists and labels."""
        return self.names[kind][key]

    def one(self, kind: str, key: str) -> str:
        """A name as it stands in a sentence, with an article where the language needs one."""
        table = self.names.get(f"{kind}.one")
        return self.name(kind, key) if table is None else table[key]

    def several(self, kind: str, key: str, number: int) -> str:
        """So many of one kind of thing, for example `two blue bulls`; a single one as `one` names it."""
        if number == 1:
            return self.one(kind, key)
        return self.names[f"{kind}.several"][key].format(self.names["number"].get(str(number), str(number)))

    def joined(self, parts: list[str]) -> str:
        """A list in a sentence: `a, b and c`."""
        *most, last = parts
        return self.names["list"]["and"].join([", ".join(most), last]) if most else last

    def sentence(self, key: str, *parts: str) -> str:
        """A sentence with its places filled, without a full stop."""
        return capitalised(self.clause(key, *parts))

    def clause(self, key: str, *parts: str) -> str:
        """A sentence with its places filled, to stand within another one."""
        return self.sentences[key].format(*parts)

    def with_consequences(self, sentence: str, clauses: Sequence[str]) -> str:
        """The sentence of a move, followed by one of what the move brought, if there are clauses that say it."""
        if not clauses:
            return sentence
        return self.clause("consequences", sentence, capitalised(self.names["list"]["clauses"].join(clauses)))


def capitalised(text: str) -> str:
    """A text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def language_of(tag: str) -> str:
    """The language of `LOCALES` for a tag of BCP 47, such as `fr` or `fr-CH`; empty if there are no texts in it."""
    language = tag.replace("_", "-").partition("-")[0].lower()
    return language if language in LOCALES else ""


_LOADED: Final[dict[tuple[str, str], Words]] = {}


def words_of(package: str, locale: str) -> Words:
    """The texts in the package of a game, those that all games share among them; `locale` is one of `LOCALES`."""
    words = _LOADED.get((package, locale))
    if words is None:
        own, shared = _texts(package, locale), _texts(SHARED, locale)
        kinds = [*shared["names"], *[kind for kind in own["names"] if kind not in shared["names"]]]
        names = {kind: {**shared["names"].get(kind, {}), **own["names"].get(kind, {})} for kind in kinds}
        sentences = {**shared["sentences"], **own["sentences"]}
        words = _LOADED[package, locale] = Words(locale, own["title"], own["summary"], names, sentences)
    return words


def _texts(package: str, locale: str):  # type: ignore[no-untyped-def] # JSON, whose shape a test checks
    return json.loads(files(package).joinpath(f"words.{locale}.json").read_text("utf-8"))


def package_of(instance: object) -> str:
    """The package of an object's class: for a game, or one of its views, the package of its rules."""
    return type(instance).__module__.rpartition(".")[0]
