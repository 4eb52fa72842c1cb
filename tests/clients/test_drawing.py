"""A client in TypeScript draws matches and counts their scores as the terminal boards and the rules do.

It has the components and the views of each position as REST sends them, and no rule: what it needs and does not find
there is missing in the components.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any, Final, cast

import pytest
from fireside.fireship.v1 import fireship_pb2 as pb
from google.protobuf.message_factory import GetMessageClass
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from cli.boards import board_of, fireship
from engine_core.bots import SERVED_LIMITS
from engine_core.chance import Luck
from engine_core.game import SPECTATOR, Options
from engine_core.games import GAMES
from engine_core.games.fireship.state import FireshipOptions
from engine_core.games.spring_festival.state import SIGN_CHOICES, SpringFestivalOptions
from engine_core.match import AnyMatch, Match
from gateway.app import create_app
from gateway.protojson.printing import print_bytes
from gateway.settings import GatewaySettings
from services.engine.codecs import CODECS
from services.engine.presentation.components import ComponentsCalls
from services.engine.presentation.localization import LocaleRequest, Localization
from services.engine.responses import INLINE, Responses, repeated_field
from tests.conformance.game_setups import ROOT, random_choice

CLIENT: Final = Path(__file__).parent / "drawing"
MODULES: Final = ROOT / "build/clients/node_modules"
OPTIONS: Final[dict[str, list[Options]]] = {
    "fire_bulls": list(GAMES["fire_bulls"].presets().values()),
    "fireship": [FireshipOptions(rounds=5), FireshipOptions(fortification=False, rounds=5, movement_dice=3)],
    "spring_festival": [SpringFestivalOptions(sign, extra_compositions=sign == "ox") for sign in SIGN_CHOICES],
}
"""Options to play in turn: all editions and signs, and short matches of Fireship, of which a board takes 7 ms."""
OWNERS: Final = {style: pb.Colour.Name(colour) for colour, style in fireship.STYLES.items()}
MATCHES: Final = 10
"""Matches of each game, or one with each of its options if these are more."""
Json = dict[str, Any]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled client, strictly checked against the types that a generator makes of the OpenAPI document."""
    folder = tmp_path_factory.mktemp("drawing")
    for source in CLIENT.iterdir():
        shutil.copy(source, folder)
    document = folder / "openapi.json"
    document.write_text(json.dumps(create_app(GatewaySettings()).openapi()))
    run_command(str(MODULES / ".bin/openapi-typescript"), str(document), "--output", str(folder / "schema.ts"))
    run_command(str(MODULES / ".bin/tsc"), "--project", str(folder))
    return folder


def run_command(*command: str) -> None:
    """Run a command, which must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr


def new_matches(game: str) -> list[AnyMatch]:
    """Matches with the options and the numbers of seats in turn."""
    rules, options = GAMES[game], OPTIONS[game]
    matches = []
    for number in range(max(MATCHES, len(options))):
        seats = rules.min_seats + number % (rules.max_seats - rules.min_seats + 1)
        start = rules.start(seats, options[number % len(options)])
        matches.append(Match(rules, start, Luck(number.to_bytes(32, "big"), [])))
        matches[-1].begin()
    return matches


def random_positions(match: AnyMatch, seed: int) -> Iterator[Json]:
    """Each position of a match that is played at random, in JSON from REST, as one observer after the other sees it."""
    codec = CODECS[match.game.name]
    responses, random = Responses(codec), Random(seed)
    kind = codec.service.methods_by_name["GetMatch"].output_type
    for observer in cycle([SPECTATOR, *range(match.game.seat_count(match.state))]):
        response = repeated_field([responses.match(match, observer, INLINE)])
        yield json.loads(print_bytes(response, kind))["match"]
        if match.is_over():
            return
        match.play(*random_choice(match, random))


def game_components(game: str) -> Json:
    """The response to `GetComponents` of a game, in JSON from REST."""
    method = CODECS[game].service.methods_by_name["GetComponents"]
    calls = ComponentsCalls(CODECS[game], Localization(CODECS[game].game), SERVED_LIMITS)
    request = GetMessageClass(method.input_type)()
    response = calls.get_components(cast(LocaleRequest, request))
    return cast(Json, json.loads(print_bytes(response, method.output_type)))


@pytest.mark.parametrize("game", sorted(OPTIONS))
def test_a_client_without_rules_draws_every_position_and_counts_the_score(
    game: str, client: Path, tmp_path: Path
) -> None:
    matches = new_matches(game)
    recorded = [list(random_positions(match, seed)) for seed, match in enumerate(matches)]
    sent = game_components(game) | {"matches": [[position["view"] for position in match] for match in recorded]}
    (tmp_path / "recorded.json").write_text(json.dumps(sent))
    run_command("node", str(client / "js/main.js"), str(tmp_path / "recorded.json"), str(tmp_path / "drawn.json"))
    drawn = json.loads((tmp_path / "drawn.json").read_text())
    board, facts = board_of(game), FACTS[game]
    for match, positions_of_match, client_of_match in zip(matches, recorded, drawn, strict=True):
        for position, lines in zip(positions_of_match, client_of_match["positions"], strict=True):
            assert lines == facts(board.legend(position), *cast(Group, board.draw(position)).renderables)
        standings = match.game.score(match.state).standings
        expected = [[[line.label, line.points] for line in standing.breakdown] for standing in standings]
        assert client_of_match["score"] == expected


# The facts that the terminal boards show, line by line as the client writes them


def plain_text(shown: object) -> str:
    return (shown.plain if isinstance(shown, Text) else str(shown)).strip()


def cell_texts(table: RenderableType) -> list[list[str]]:
    """The texts of a table by row, without its headers."""
    assert isinstance(table, Table)
    return [[plain_text(cell) for cell in row] for row in zip(*[column.cells for column in table.columns], strict=True)]


def fire_bulls_facts(_: RenderableType, *shown: RenderableType) -> list[str]:
    """The grid with the places of all pawns in one row, the Reserve, the deck, what is to be chosen, and the seats."""
    columns, reserve, status, seats = shown
    assert isinstance(columns, Table)
    *squares, ahead, [first, _, last] = cell_texts(columns)
    pawns = [first.removesuffix("↗").strip(), *ahead, last.removeprefix("↖").strip()]
    grid = [[plain_text(column.header) for column in columns.columns], *squares, pawns]
    table = re.split(r" +(?=deck)", plain_text(reserve))
    lines = [" | ".join(row) for row in grid] + table + [plain_text(status)]
    return lines + ["; ".join(row[1:]) for row in cell_texts(seats)]


def fireship_facts(legend: RenderableType, sea: RenderableType, *others: RenderableType) -> list[str]:
    """The board with the colours of flags, bases and pawns; the powers of pawns; and the seats."""
    _, seats = others
    powers = plain_text(legend).splitlines()[0]
    return (
        in_colours(sea).splitlines()[2:]
        + [powers.partition(": ")[2]]
        + ["; ".join(row[1:5]) for row in cell_texts(seats)]
    )


def in_colours(text: RenderableType) -> str:
    """A text with what is in the colour of an owner as `{COLOUR_GREEN:text}`."""
    assert isinstance(text, Text)
    shown, end = "", 0
    for span in sorted(text.spans):
        colour = OWNERS.get(str(span.style).split()[-1])
        if colour:
            shown += f"{text.plain[end : span.start]}{{{colour}:{text.plain[span.start : span.end]}}}"
            end = span.end
    return shown + text.plain[end:]


def spring_festival_facts(_: RenderableType, *shown: RenderableType) -> list[str]:
    """The heading, the store and what its positions give, and the display, tiles and cards of each seat."""
    *lines, displays = shown
    assert isinstance(displays, Columns)
    for panel in displays.renderables:
        assert isinstance(panel, Panel)
        assert isinstance(panel.renderable, Group)
        lines += panel.renderable.renderables
    return [line.plain.strip("\n").rstrip() for line in lines if isinstance(line, Text)]


FACTS: Final[dict[str, Callable[..., list[str]]]] = {
    "fire_bulls": fire_bulls_facts,
    "fireship": fireship_facts,
    "spring_festival": spring_festival_facts,
}
