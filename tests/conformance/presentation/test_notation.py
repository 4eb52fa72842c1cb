"""Laws: a notation is read whatever its capitals and blanks, and in any order where order means nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_core.errors import MalformedMove
from engine_core.games import GAMES
from services.engine.codecs import CODECS
from services.engine.codecs.move_kinds import MoveMessage
from tests.conformance.game_setups import GAME_SETUPS, GameSetup, game_folder, random_choice

SETUPS = st.sampled_from(GAME_SETUPS)
SEEDS = st.integers(0, 2**32 - 1)
BLANKS = [" ", "  ", "\t", " \t ", "\n"]


def equal_variants(text: str, random: Random) -> Iterator[str]:
    """The same notation, written otherwise."""
    yield text.upper()
    yield text.title()
    yield "".join(random.choice([letter.upper(), letter]) for letter in text)
    yield f"\t {text}\r\n"
    yield "".join(random.choice(BLANKS) if letter == " " else letter for letter in text)
    yield text.replace(": ", ":")
    yield text.replace(":", " : ").upper()


@settings(max_examples=12, deadline=None)
@given(SETUPS, SEEDS)
def test_fault25_notation_ignores_case_and_extra_blanks(setup: GameSetup, seed: int) -> None:
    match, random, game = setup.match(seed), Random(seed), setup.game
    while not match.is_over():
        for seat in match.to_move():
            for move in random.sample(moves := match.legal_moves(seat), min(5, len(moves))):
                written = game.notation(move)
                for text in equal_variants(written, random):
                    assert game.parse(text) == move, text
                    assert game.notation(game.parse(text)) == written
        for entry in match.play(*random_choice(match, random)):
            assert entry.move is not None
            for text in equal_variants(game.notation(entry.move), random):
                assert game.parse(text) == entry.move, text


@settings(max_examples=12, deadline=None)
@given(SETUPS, SEEDS)
def test_fault25_lookalike_characters_are_refused(setup: GameSetup, seed: int) -> None:
    match, random, game = setup.match(seed), Random(seed), setup.game
    for _ in range(30):
        if match.is_over():
            break
        seat, move = random_choice(match, random)
        text = game.notation(move)
        for wrong in (
            f"{text}\xa0",
            f"\u2009{text}",
            f"{text}:",
            f":{text}",
            f"{text} {text}",
            text.replace("k", "\u212a") + "\u0661",
        ):
            with pytest.raises(MalformedMove):
                game.parse(wrong)
        match.play(seat, move)


EQUAL_NOTATIONS = {
    "fire_bulls": [
        ("general: red red red red blue blue blue", "general: blue red blue red red blue red"),
        ("attack 2: blue blue warrior", "attack 2: warrior blue blue"),
    ],
    "fireship": [
        ("choose_pawn plane f2 arrived fast", "choose_pawn plane f2 fast arrived"),
        ("fortify 1: b3 e4", "fortify 1: e4 b3"),
    ],
}
"""Texts of one move, by game."""


@pytest.mark.parametrize("game", [game for game in EQUAL_NOTATIONS if game in GAMES])
def test_fault25_notation_ignores_the_order_of_equal_parts(game: str) -> None:
    rules = GAMES[game]
    for texts in EQUAL_NOTATIONS[game]:
        assert len({rules.notation(rules.parse(text)) for text in texts}) == 1


@pytest.mark.parametrize("game", sorted(GAMES))
def test_fault25_every_notation_that_the_docs_print_is_read(game: str) -> None:
    codec = CODECS[game]
    moves = [codec.game.parse(text) for text in _printed_notations(game)]
    printed = {cast(MoveMessage, codec.encode_move(move)).WhichOneof("kind") for move in moves}
    assert printed == {field.name for field in codec.messages.move.DESCRIPTOR.oneofs_by_name["kind"].fields}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_fault25_every_notation_that_a_comment_of_the_protos_gives_is_read(game: str) -> None:
    comments = " ".join(
        path.read_text() for path in (game_folder(game) / "proto/fireside" / game / "v1").glob("*.proto")
    )
    examples = re.findall(r"[Nn]otation, for example `([^`]+)`", comments)
    assert examples
    for text in examples:
        GAMES[game].parse(text)


def _printed_notations(game: str) -> Iterator[str]:
    """What stands in the first column of the table of notations."""
    lines = (game_folder(game) / "docs/games" / f"{game}.md").read_text().splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("| notation |"))
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            return
        yield from re.findall("`([^`]+)`", line.split("|")[1])
