"""Nothing that a seat is sent lets it tell what it may not know."""

from __future__ import annotations

from random import Random

from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from google.protobuf.message import Message

from services.engine.servicer import Servicer
from tests.services.client import Client, Table, new_table


def hands(match: verbs.Match) -> list[int]:
    """The seats whose hand is shown."""
    return [number for number, seat in enumerate(match.view.seats) if seat.HasField("hand")]


def drawn(event: pb.Event) -> tuple[int, int] | None:
    """Seat and card of a draw to a hand."""
    qi = event.move.qi
    return (qi.seat, qi.card) if event.move.WhichOneof("kind") == "qi" and qi.HasField("seat") else None


async def test_a_hand_is_shown_to_its_seat_only(client: Client) -> None:
    table = await new_table(client, 3)
    random = Random(4)
    while not table.match.over:
        for seat, token in enumerate(table.tokens):
            assert hands(await client.match(table.match_id, token)) == [seat]
        assert hands(await client.match(table.match_id)) == []
        seat = table.seat
        answer = await table.play(random.choice(await table.moves()).move)
        assert hands(answer.match) == [seat]


async def test_a_draw_is_told_to_its_drawer_only(client: Client) -> None:
    table = await new_table(client, 3)
    await table.play_at_random(Random(2))
    for observer, token in enumerate(["", *table.tokens], -1):
        history = await client.history(table.match_id, token)
        draws = [draw for draw in map(drawn, history.events) if draw]
        assert len(draws) > 30
        assert all((card != 0) == (seat == observer) for seat, card in draws)
        assert all(("?" in event.notation) == (drawn(event) is not None) for event in history.events if hidden(event))


def hidden(event: pb.Event) -> bool:
    draw = drawn(event)
    return draw is not None and draw[1] == 0


async def test_the_events_of_a_move_are_the_history_of_its_seat(client: Client) -> None:
    table = await new_table(client, 3)
    random = Random(6)
    for _ in range(60):
        token, before = table.token, table.match.revision
        answer = await table.play(random.choice(await table.moves()).move)
        history = await client.history(table.match_id, token, before)
        assert list(answer.events) == list(history.events)


async def canaries(table: Table, seat: int) -> bytes:
    """All that is ever sent to a seat, or to a spectator, about a match."""
    token = table.tokens[seat] if seat >= 0 else ""
    request = verbs.LegalMovesRequest(match_id=table.match_id)
    answers: list[Message] = [
        await table.client.match(table.match_id, token),
        await table.client.history(table.match_id, token),
        await table.client.legal_moves(request, token),
        await table.client.score(verbs.ScoreRequest(match_id=table.match_id)),
    ]
    return b"".join(answer.SerializeToString(deterministic=True) for answer in answers)


async def test_the_secret_seed_is_sent_to_nobody(client: Client, engine_secrets: list[bytes]) -> None:
    table = await new_table(client)
    await table.play_at_random(Random(1), 10)
    assert engine_secrets
    for seat in (-1, 0, 1):
        sent = await canaries(table, seat)
        assert not any(secret in sent or secret.hex().encode() in sent for secret in engine_secrets)


__all__ = ["Servicer"]
