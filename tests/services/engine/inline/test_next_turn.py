"""The next turn in the response to a move: the legal moves of the seat that moved, if it is to move again."""

from __future__ import annotations

from random import Random

import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.match_pb2 import SeatSpec

from tests.services.client import Client, FireBullsDriver


async def test_the_next_turn_equals_the_list_of_legal_moves(driver: FireBullsDriver) -> None:
    random = Random(11)
    lists: list[bool] = []
    while not driver.match.over and len(lists) < 200:
        move, seat, token = random.choice(await driver.moves()).move, driver.seat, driver.token
        move_response = await driver.client.apply(
            verbs.ApplyRequest(match_id=driver.match_id, move=move, next=True), token
        )
        listed = await driver.client.legal_moves(verbs.LegalMovesRequest(match_id=driver.match_id, seat=seat), token)
        assert move_response.moves == listed.moves
        assert bool(move_response.moves) == (seat in move_response.match.to_move)
        lists.append(bool(move_response.moves))
        driver.match = move_response.match
    assert {True, False} == {*lists}


@pytest.mark.parametrize("request_id", ["", "r1"])
async def test_the_next_turn_is_absent_unless_requested(driver: FireBullsDriver, request_id: str) -> None:
    [move, *_] = await driver.moves()
    request = verbs.ApplyRequest(match_id=driver.match_id, move=move.move, request_id=request_id)
    assert not (await driver.client.apply(request, driver.token)).moves


async def test_a_validated_move_has_no_next_turn(driver: FireBullsDriver, client: Client) -> None:
    [move, *_] = await driver.moves()
    request = verbs.ApplyRequest(match_id=driver.match_id, move=move.move, next=True, validate_only=True)
    assert not (await client.apply(request, driver.token)).moves
    game = await client.new_game(verbs.NewGameRequest(seats=[SeatSpec(), SeatSpec()], ephemeral=True))
    seat = game.match.to_move[0]
    request = verbs.ApplyRequest(state=game.state, seat=seat, notation="draw", next=True, validate_only=True)
    assert not (await client.apply(request)).moves


async def test_an_inline_move_has_the_next_turn(client: Client) -> None:
    game = await client.new_game(verbs.NewGameRequest(seats=[SeatSpec(), SeatSpec()], ephemeral=True))
    seat = game.match.to_move[0]
    moves = (await client.legal_moves(verbs.LegalMovesRequest(state=game.state, seat=seat))).moves
    [attack] = [move for move in moves if move.notation == "draw"]
    move_response = await client.apply(
        verbs.ApplyRequest(state=game.state, seat=seat, move=attack.move, seed="s", next=True)
    )
    listed = await client.legal_moves(verbs.LegalMovesRequest(state=move_response.state, seat=seat))
    assert move_response.moves == listed.moves
    assert move_response.moves
