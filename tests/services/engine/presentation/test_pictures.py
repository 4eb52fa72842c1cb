"""Pictures of stored matches and inline states: what is drawn for whom, as which file."""

from __future__ import annotations

import struct
from collections.abc import AsyncIterator
from typing import Any
from xml.etree import ElementTree

import grpc
import pytest
from fireside.match.v1.match_pb2 import SeatSpec
from google.protobuf.message_factory import GetMessageClass

from engine_core.games import AnyGame
from engine_core.pictures import Setting, pictures_of
from engine_core.pictures.themes import DARK, THEMES
from engine_core.words import package_of
from services.engine.codecs import CODECS
from services.engine.main import Engine
from services.engine.presentation.players import player_names
from services.engine.settings import EngineSettings
from tests.services.client import Refusal
from tests.services.engine.inline.inline_client import InlineClient

DRAWN = [codec for codec in CODECS.values() if pictures_of(package_of(codec.game))]
UNDRAWN = [codec for codec in CODECS.values() if codec not in DRAWN]
NAMES = ["Ann", "Ben <&> \x00\x1b\ufffe", "鈴木"]


@pytest.fixture
async def channel() -> AsyncIterator[grpc.aio.Channel]:
    engine = Engine(EngineSettings(port=0, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield channel
    await engine.stop()


@pytest.fixture(params=DRAWN, ids=[codec.game.name for codec in DRAWN])
def client(request: pytest.FixtureRequest, channel: grpc.aio.Channel) -> InlineClient:
    return InlineClient(channel, request.param)


async def new_match(client: InlineClient, **fields: Any) -> Any:
    count = client.codec.game.min_seats
    return await client.call("NewGame", seats=[{"name": name} for name in NAMES[:count]], **fields)


def drawn(game: AnyGame, state: object, observer: int, setting: Setting) -> bytes:
    pictures = pictures_of(package_of(game))
    assert pictures is not None
    return pictures.draw(game.view(state, observer), setting).encode()


def named(client: InlineClient, locale: str = "en") -> Setting:
    return Setting(client.codec.game.words(locale), names=NAMES[: client.codec.game.min_seats])


async def test_a_match_is_drawn_as_the_caller_may_see_it(client: InlineClient) -> None:
    match = await new_match(client)
    spectator = await client.call("GetPicture", match_id=match.match_id)
    assert (spectator.content_type, ElementTree.fromstring(spectator.data).tag) == (
        "image/svg+xml",
        "{http://www.w3.org/2000/svg}svg",
    )
    tokens = {seat.seat: seat.token for seat in match.seats}
    for seat, token in tokens.items():
        sampled = await client.call("Sample", token, match_id=match.match_id, count=1)
        state = client.codec.decode_state(sampled.states[0])
        own = await client.call("GetPicture", token, match_id=match.match_id, seat=seat)
        assert own.data == drawn(client.codec.game, state, seat, named(client))
        assert own.data != spectator.data
    with pytest.raises(Refusal) as caught:
        await client.call("GetPicture", tokens[0], match_id=match.match_id, seat=1)
    assert caught.value.code is grpc.StatusCode.PERMISSION_DENIED


async def test_a_private_match_has_no_picture_for_spectators(client: InlineClient) -> None:
    match = await new_match(client, private=True)
    with pytest.raises(Refusal) as caught:
        await client.call("GetPicture", match_id=match.match_id)
    assert caught.value.code is grpc.StatusCode.NOT_FOUND
    assert (await client.call("GetPicture", match.seats[0].token, match_id=match.match_id)).data


async def test_a_revision_is_drawn_as_it_was(client: InlineClient) -> None:
    match = await new_match(client)
    token = next(seat.token for seat in match.seats if seat.seat == match.match.to_move[0])
    before = await client.call("GetPicture", token, match_id=match.match_id)
    moves = await client.call("LegalMoves", token, match_id=match.match_id)
    await client.call("Apply", token, match_id=match.match_id, move=moves.moves[-1].move)
    now = await client.call("GetPicture", token, match_id=match.match_id)
    then = await client.call("GetPicture", token, match_id=match.match_id, revision=match.revision)
    assert now.data != before.data == then.data


def test_players_are_named_by_their_names_their_bots_and_the_observer_as_itself() -> None:
    words = DRAWN[0].game.words("it")
    seats = [SeatSpec(name="Ann"), SeatSpec(), SeatSpec(bot="greedy:samples=8"), SeatSpec(bot="my-bot")]
    assert player_names(seats, -1, words) == ["Ann", "", "Opportunista", "my-bot"]
    assert player_names(seats, 0, words) == ["Ann", "", "Opportunista", "my-bot"]
    assert player_names(seats, 1, words) == ["Ann", "Giocatore 2 (tu)", "Opportunista", "my-bot"]
    bots = [SeatSpec(), SeatSpec(bot="greedy"), SeatSpec(bot="greedy")]
    assert player_names(bots, 0, words) == ["Giocatore 1 (tu)", "Opportunista (2)", "Opportunista (3)"]
    assert player_names([], 0, words) == []


async def test_a_player_without_a_name_is_drawn_as_you_for_itself(client: InlineClient) -> None:
    game, count = client.codec.game, client.codec.game.min_seats
    match = await client.call("NewGame", seats=[{}] * count)
    token = match.seats[0].token
    sampled = await client.call("Sample", token, match_id=match.match_id, count=1)
    state = client.codec.decode_state(sampled.states[0])
    own = await client.call("GetPicture", token, match_id=match.match_id)
    assert own.data == drawn(game, state, 0, Setting(game.words("en"), names=["Seat 1 (you)"]))


async def test_an_inline_state_is_drawn_for_the_seat_that_the_request_names(client: InlineClient) -> None:
    begun = await client.begin(client.codec.game.min_seats)
    state = client.codec.decode_state(begun.state)
    for seat in (None, 0, 1):
        picture = await client.call("GetPicture", state=begun.state, locale="fr-CH", theme="dark", seat=seat)
        setting = Setting(client.codec.game.words("fr"), DARK)
        assert picture.data == drawn(client.codec.game, state, -2 if seat is None else seat, setting)


async def test_a_png_has_the_width_of_the_request(client: InlineClient) -> None:
    begun = await client.begin(client.codec.game.min_seats)
    for width in (0, 200):
        picture = await client.call("GetPicture", state=begun.state, file="picture.png", width=width)
        assert (picture.content_type, picture.data[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
        assert struct.unpack(">I", picture.data[16:20]) == (width or 800,)


@pytest.mark.parametrize(
    ("field", "value"),
    [("file", "picture.gif"), ("theme", "red"), ("width", 199), ("width", 2001), ("width", -1), ("locale", "de")],
)
async def test_a_wrong_field_is_refused(client: InlineClient, field: str, value: Any) -> None:
    begun = await client.begin(client.codec.game.min_seats)
    with pytest.raises(Refusal) as caught:
        await client.call("GetPicture", state=begun.state, **{field: value})
    assert (caught.value.code, caught.value.fields) == (grpc.StatusCode.INVALID_ARGUMENT, [field])


async def test_legal_moves_have_the_parts_that_a_person_clicks(client: InlineClient) -> None:
    begun = await client.begin(client.codec.game.min_seats)
    game, seat = client.codec.game, begun.match.to_move[0]
    pictures = pictures_of(package_of(game))
    assert pictures is not None
    with_texts = await client.call("LegalMoves", state=begun.state, seat=seat, locale="en")
    expected = [pictures.parts(game.parse(move.notation)) for move in with_texts.moves]
    assert [tuple(move.parts) for move in with_texts.moves] == expected
    assert all(expected)
    without = await client.call("LegalMoves", state=begun.state, seat=seat)
    assert not any(move.parts for move in without.moves)


async def test_the_moves_of_a_turn_in_a_stream_have_parts(client: InlineClient) -> None:
    match = await new_match(client)
    mover = match.match.to_move[0]
    method = client.codec.service.methods_by_name["Watch"]
    watch: Any = client.channel.unary_stream(
        f"/{client.codec.service.full_name}/Watch", None, GetMessageClass(method.output_type).FromString
    )
    request = client.request("Watch", match_id=match.match_id, views=True, locale="fr")
    [token] = [seat.token for seat in match.seats if seat.seat == mover]
    responses = watch(request.SerializeToString(), metadata=[("authorization", f"Bearer {token}")])
    turn = await anext(response.turn async for response in responses if response.HasField("turn"))
    assert [move.text for move in turn.moves]
    assert all(move.parts for move in turn.moves)


async def test_the_next_moves_of_a_seat_have_parts(client: InlineClient) -> None:
    position = await client.begin(client.codec.game.min_seats, client_seed="next")
    found = []
    for _ in range(20):
        if position.match.over:
            break
        seat = position.match.to_move[0]
        moves = (await client.call("LegalMoves", state=position.state, seat=seat)).moves
        fields = {"state": position.state, "seat": seat, "move": moves[-1].move, "seed": "next"}
        position = await client.call("Apply", **fields, next=True, locale="it")
        found += position.moves
    assert all(move.text and move.parts for move in found)
    assert found or client.codec.game.name == "kuhn_poker"  # in which no seat moves twice in a row


async def test_every_theme_has_its_own_picture(client: InlineClient) -> None:
    begun = await client.begin(client.codec.game.min_seats)
    pictures = [await client.call("GetPicture", state=begun.state, theme=theme) for theme in THEMES]
    assert len({picture.data for picture in pictures}) == len(THEMES)


async def test_a_game_without_pictures_says_so(channel: grpc.aio.Channel) -> None:
    for codec in UNDRAWN:
        client = InlineClient(channel, codec)
        begun = await client.begin(codec.game.min_seats)
        with pytest.raises(Refusal) as caught:
            await client.call("GetPicture", state=begun.state)
        assert caught.value.code is grpc.StatusCode.UNIMPLEMENTED
        assert "has no pictures" in str(caught.value)
