"""Secrecy: responses to a seat do not depend on information that is hidden from it."""

from __future__ import annotations

from random import Random

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_log_pb2 as log
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.match_record_pb2 import MatchHeader
from google.protobuf.message import Message

from engine_core.chance import commitment
from services.store.keys import match_keys
from tests.redis_clients import redis_at
from tests.services.client import Client, FireBullsDriver, Refusal, new_driver

CARD_KINDS = ("blue", "yellow", "brown", "red", "green", "warrior")


def hands(match: verbs.Match) -> list[int]:
    """The seats whose hand is shown."""
    return [number for number, seat in enumerate(match.view.seats) if seat.HasField("hand")]


def drawn_card(event: log.Event) -> tuple[int, int] | None:
    """Seat and card of a draw to a hand."""
    qi = event.move.qi
    return (qi.seat, qi.card) if event.move.WhichOneof("kind") == "qi" and qi.HasField("seat") else None


async def test_a_hand_is_shown_only_to_its_seat(client: Client) -> None:
    driver = await new_driver(client, 3)
    random = Random(4)
    while not driver.match.over:
        for seat, token in enumerate(driver.tokens):
            assert hands(await client.match(driver.match_id, token)) == [seat]
        assert hands(await client.match(driver.match_id)) == []
        seat = driver.seat
        answer = await driver.play(random.choice(await driver.moves()).move)
        assert hands(answer.match) == [seat]


async def test_a_draw_is_shown_only_to_its_seat(client: Client) -> None:
    driver = await new_driver(client, 3)
    await driver.play_at_random(Random(2))
    for observer, token in enumerate(["", *driver.tokens], -1):
        history = await client.history(driver.match_id, token)
        draws = [draw for draw in map(drawn_card, history.events) if draw]
        assert len(draws) > 9
        assert all((card != 0) == (seat == observer) for seat, card in draws)
        assert all(
            ("?" in event.notation) == (drawn_card(event) is not None) for event in history.events if is_hidden(event)
        )


def is_hidden(event: log.Event) -> bool:
    draw = drawn_card(event)
    return draw is not None and draw[1] == 0


async def test_the_events_of_a_move_are_those_of_the_history_of_its_seat(client: Client) -> None:
    driver = await new_driver(client, 3)
    random = Random(6)
    for _ in range(60):
        token, before = driver.token, driver.match.revision
        answer = await driver.play(random.choice(await driver.moves()).move)
        history = await client.history(driver.match_id, token, before)
        assert list(answer.events) == list(history.events)


async def responses_to(driver: FireBullsDriver, token: str) -> bytes:
    """All that is ever sent to one observer about a match."""
    answers: list[Message] = [
        await driver.client.match(driver.match_id, token),
        await driver.client.history(driver.match_id, token),
        await driver.client.legal_moves(verbs.LegalMovesRequest(match_id=driver.match_id), token),
        await driver.client.score(verbs.ScoreRequest(match_id=driver.match_id)),
    ]
    return b"".join(answer.SerializeToString(deterministic=True) for answer in answers)


async def secret_seed(redis_url: str, match_id: str) -> bytes:
    async with redis_at(redis_url) as redis:
        header = await redis.hget(match_keys(match_id)[0], "header")
        assert isinstance(header, bytes)
        return MatchHeader.FromString(header).secret_seed


@pytest.mark.parametrize("store_url", ["redis"], indirect=True)
async def test_the_secret_seed_is_never_sent(client: Client, redis_url: str) -> None:
    driver = await new_driver(client)
    await driver.play_at_random(Random(1), 10)
    secret = await secret_seed(redis_url, driver.match_id)
    assert driver.match.commitment == commitment(secret).hex()
    for token in ["", *driver.tokens]:
        sent = await responses_to(driver, token)
        assert secret not in sent
        assert secret.hex().encode() not in sent


@pytest.mark.parametrize("store_url", ["redis"], indirect=True)
async def test_the_cards_of_a_hand_change_nothing_for_the_others(client: Client, redis_url: str) -> None:
    driver = await new_driver(client, 3)
    await driver.play_at_random(Random(8), 30)
    before = [await responses_to(driver, token) for token in ["", *driver.tokens]]
    changed = await swap_hand_with_deck(redis_url, driver.match_id)
    after = [await responses_to(driver, token) for token in ["", *driver.tokens]]
    for observer in range(-1, 3):
        assert (after[observer + 1] == before[observer + 1]) == (observer != changed)


async def swap_hand_with_deck(redis_url: str, match_id: str) -> int:
    """Give a seat that is not to move another card in secret; the seat."""
    key = match_keys(match_id)[0]
    async with redis_at(redis_url) as redis:
        data = await redis.hget(key, "state")
        assert isinstance(data, bytes)
        state = pb.State.FromString(data)
        for number, seat in enumerate(state.seats):
            if number != state.active_seat and exchange_hidden_card(seat, state.deck):
                await redis.hset(key, "state", state.SerializeToString())
                return number
    raise AssertionError("no seat holds a card that could be another")


def exchange_hidden_card(seat: pb.SeatState, deck: pb.AttackCards) -> bool:
    """Exchange a card of the hand, not publicly known, for one of another kind of the deck."""
    for given in CARD_KINDS:
        for taken in CARD_KINDS:
            is_hidden = getattr(seat.hand, given) > getattr(seat.known, given)
            if (
                given != taken
                and is_hidden
                and getattr(deck, taken)
                and getattr(deck, given) < getattr(seat.deck_at_most, given)
            ):
                for cards, kind, change in (
                    (seat.hand, given, -1),
                    (seat.hand, taken, 1),
                    (deck, taken, -1),
                    (deck, given, 1),
                ):
                    setattr(cards, kind, getattr(cards, kind) + change)
                return True
    return False


@pytest.mark.parametrize("store_url", ["redis"], indirect=True)
async def test_a_stored_state_that_cannot_be_read_is_an_internal_error_without_details(
    client: Client, redis_url: str
) -> None:
    driver = await new_driver(client)
    async with redis_at(redis_url) as redis:
        await redis.hset(match_keys(driver.match_id)[0], "state", pb.State().SerializeToString())
    with pytest.raises(Refusal) as caught:
        await client.match(driver.match_id)
    error = caught.value
    assert (error.code, error.reason, error.fields) == (grpc.StatusCode.INTERNAL, "INTERNAL", [])
