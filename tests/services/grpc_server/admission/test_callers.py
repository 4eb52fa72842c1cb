"""Callers are identified by API key or by origin."""

from __future__ import annotations

import grpc
import pytest
from fireside.match.v1.match_pb2 import SeatSpec
from fireside.match.v1.match_record_pb2 import MatchHeader
from google.protobuf.message import Message

from runtime import api_keys
from runtime.api_keys import CALLER_METADATA
from services.engine.codecs import CODECS
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.grpc_server.admission import callers
from tests.services.client import Client
from tests.services.registry import GameClient, field


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("ipv4:1.2.3.4:5", ""), ("ipv4:1.2.3.4:6", ""), True),
        (("ipv4:1.2.3.4:5", ""), ("ipv4:1.2.3.5:5", ""), False),
        (("ipv4:1.2.3.4:5", "key:a"), ("ipv4:1.2.3.4:5", "key:b"), False),
        (("ipv4:1.2.3.4:5", "key:a"), ("ipv4:9.9.9.9:5", "key:a"), False),
        (("ipv6:%5B2001:db8::1%5D:5", ""), ("ipv6:%5B2001:db8::2%5D:6", ""), True),
        (("ipv6:%5B2001:db8::1%5D:5", ""), ("ipv6:%5B2001:db8:0:1::1%5D:5", ""), False),
        (("unix:", ""), ("unix:", ""), True),
    ],
)
def test_fault06_a_caller_is_identified_by_its_peer_and_the_gateway_metadata(
    one: tuple[str, str], other: tuple[str, str], same: bool
) -> None:
    digests = []
    for peer, forwarded in (one, other):
        callers.set_call_origin(peer, {CALLER_METADATA: forwarded} if forwarded else {})
        digests.append(callers.caller_digest(""))
    assert (digests[0] == digests[1]) is same
    assert all(len(digest) == 16 and digest.isalnum() for digest in digests)


async def test_fault06_a_match_stores_the_caller_that_created_it(engine: Engine, client: Client) -> None:
    caller_digests = []
    for forwarded in ("address:1.2.3.4", "address:1.2.3.4", "address:5.6.7.8"):
        game_client = GameClient(client.channel, CODECS["fire_bulls"])
        game_client.metadata = [(CALLER_METADATA, forwarded)]
        match = await game_client.call("NewGame", seats=[SeatSpec(bot="random"), SeatSpec()])
        caller_digests.append(await caller_of(engine, match))
    assert caller_digests[0] == caller_digests[1] != caller_digests[2]
    assert "1.2.3.4" not in caller_digests[0]


async def test_fault06_an_api_key_identifies_the_caller_at_every_address() -> None:
    key = api_keys.new_key()
    engine = Engine(EngineSettings(port=0, grace_seconds=1, api_keys=api_keys.parse(api_keys.key_entry("ours", key))))
    await engine.start()
    caller_digests = []
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        for forwarded in ("address:1.2.3.4", "address:5.6.7.8"):
            game_client = GameClient(channel, CODECS["fire_bulls"])
            game_client.metadata = [(CALLER_METADATA, forwarded), ("x-api-key", key)]
            caller_digests.append(
                await caller_of(engine, await game_client.call("NewGame", seats=[SeatSpec(), SeatSpec()]))
            )
    await engine.stop()
    assert caller_digests[0] == caller_digests[1] != ""


async def caller_of(engine: Engine, new_game: Message) -> str:
    """The caller that is stored with a match."""
    return MatchHeader.FromString((await engine.store.load(str(field(new_game, "match_id")))).header).caller
