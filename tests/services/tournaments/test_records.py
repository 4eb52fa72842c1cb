"""Match records of tournaments: replayed from the stored moves, they verify, and end as the match did."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine_core.bots import BOTS, BotKind
from engine_core.games import GAMES
from services.engine.records.reading import read
from services.engine.records.verification import verify
from services.grpc_server.errors import MatchNotOver
from services.tournaments.plan.plan import Block, Spec
from services.tournaments.play.blocks import play_block
from services.tournaments.records import replay_match
from services.tournaments.results.results import BlockResult, decode_moves
from tests.services.tournaments.plans import SPEC
from tests.services.tournaments.play.test_blocks import RaisingBot


def check_record(spec: Spec, result: BlockResult, index: int) -> None:
    """The record of a match verifies, and has the result of the match."""
    replayed = replay_match("cup", spec, result, result.encode_moves(), index)
    record = replayed.record()
    verify(*read(record))
    fields, match = json.loads(record), result.matches[index]
    assert fields["matchId"] == f"cup-{result.index * spec.table_size + index}"
    assert len(fields["events"]) == match.moves
    assert [standing["points"] for standing in fields["result"]["standings"]] == list(match.points)
    assert fields["result"]["reason"] == match.reason
    assert [seat["bot"] for seat in fields["seats"]] == [spec.entrants[entrant] for entrant in match.entrants]
    assert fields["signature"] == ""


@pytest.mark.parametrize("name", GAMES)
def test_the_record_of_a_match_verifies_in_every_game_and_preset(name: str) -> None:
    game = GAMES[name]
    for number, preset in enumerate(game.presets()):
        seat_count = (game.min_seats, game.max_seats)[number % 2]
        spec = Spec(name, ("random", "random"), seat_count, preset, seed=7)
        result = play_block(spec, Block(3, (0, 1, 0, 1, 0)[:seat_count]))
        for index in range(seat_count):
            check_record(spec, result, index)


def test_a_forfeit_is_in_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "raisingbot", BotKind(RaisingBot))
    spec = replace(SPEC, entrants=("raisingbot", "random"), table_size=2)
    result = play_block(spec, Block(0, (0, 1)))
    assert result.matches[0].forfeits
    check_record(spec, result, 0)


def test_two_entrants_of_one_bot_are_told_apart_by_their_labels() -> None:
    spec = replace(SPEC, entrants=("random", "random"))
    result = play_block(spec, Block(0, (0, 1)))
    fields = json.loads(replay_match("cup", spec, result, result.encode_moves(), 0).record())
    assert {(seat["name"], seat["bot"]) for seat in fields["seats"]} == {("", "random"), ("random #2", "random")}


def test_a_match_that_the_limit_of_moves_ended_has_no_record() -> None:
    result = play_block(SPEC, Block(0, (0, 2)), move_limit=30)
    replayed = replay_match("cup", SPEC, result, result.encode_moves(), 1)
    assert len(replayed.entries) == result.matches[1].moves
    with pytest.raises(MatchNotOver):
        replayed.record()


def test_a_match_without_moves_has_none_after_decoding() -> None:
    result = play_block(SPEC, Block(0, (0, 2)), move_limit=1)
    assert decode_moves(result.encode_moves()) == [list(match.notations) for match in result.matches] == [[], []]
