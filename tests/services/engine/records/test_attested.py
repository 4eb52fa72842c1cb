"""The signature of a record, made when its match ends, by a published key."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import cast

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from fireside.catalog.v1.catalog_service_pb2 import ListKeysRequest, ListKeysResponse
from google.protobuf.descriptor import Descriptor
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message

from cli.main import main
from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.records.records import record_class
from services.engine.settings import EngineSettings
from tests.conformance.records import chains
from tests.services.registry import GameClient, MatchDriver, field

EVERY_GAME = pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
OLD_KEY, NEW_KEY = {"old": b"o" * 32}, {"new": b"n" * 32}


@asynccontextmanager
async def game_client(codec: AnyCodec, url: str, keys: dict[str, bytes]) -> AsyncIterator[GameClient]:
    engine = Engine(EngineSettings(port=0, redis_url=url, grace_seconds=1, signing_keys=keys))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield GameClient(channel, codec)
    await engine.stop()


async def list_keys(game_client: GameClient) -> ListKeysResponse:
    stub = game_client.channel.unary_unary(
        "/fireside.catalog.v1.CatalogService/ListKeys",
        request_serializer=ListKeysRequest.SerializeToString,
        response_deserializer=ListKeysResponse.FromString,
    )
    return await stub(ListKeysRequest(), timeout=30)


async def get_record(driver: MatchDriver) -> Message:
    return cast(Message, field(await driver.call("GetRecord"), "record"))


@EVERY_GAME
async def test_fault15_the_record_of_a_played_match_is_verified_with_the_published_keys(
    codec: AnyCodec, redis_url: str, tmp_path: Path
) -> None:
    async with game_client(codec, redis_url, {}) as first, game_client(codec, redis_url, {}) as second:
        assert await list_keys(first) == await list_keys(second), "one key for all who share a store"
        driver = await first.begin(2, client_seed="Ada")
        random = Random(codec.game.name)
        while not field(driver.match, "over"):
            await driver.play(random, 7)
            driver.game_client = second if driver.game_client is first else first
        played = await get_record(driver)
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(str(field(played, "public_key")))).verify(
            bytes.fromhex(str(field(played, "signature"))), chains.signed_message(played)
        )
        listed = MessageToJson(await list_keys(second))
        heads = {
            name: str(field(await driver.call("GetMatch", token), "match", "head"))
            for name, token in zip(["spectator", "0", "1"], ["", *driver.tokens], strict=True)
        }
    (tmp_path / "record.json").write_text(MessageToJson(played))
    (tmp_path / "keys.json").write_text(listed)
    assert "private" not in listed.lower()
    verify = ["verify", str(tmp_path / "record.json"), "--commitment", str(field(played, "commitment"))]
    assert main([*verify, "--keys", str(tmp_path / "keys.json")]) == 0
    for name, head in heads.items():
        assert main([*verify, "--seat", name, "--head", head]) == 0
    assert main(verify) == 3


async def test_keys_are_rotated_and_old_ones_stay_published(redis_url: str) -> None:
    codec = CODECS["fireship"]
    async with game_client(codec, redis_url, OLD_KEY) as before:
        driver = await before.begin(2)
        await driver.play(Random(1))
        assert field(await get_record(driver), "key_id") == "old"
    async with game_client(codec, redis_url, {**NEW_KEY, **OLD_KEY}) as after:
        assert [key.key_id for key in (await list_keys(after)).keys] == ["new", "old"]
        driver.game_client = after
        assert field(await get_record(driver), "key_id") == "old"
        other = await after.begin(2)
        await other.play(Random(1))
        assert field(await get_record(other), "key_id") == "new"
        secrets = [seed.hex() for seed in (*OLD_KEY.values(), *NEW_KEY.values())]
        listed = str(await list_keys(after))
        assert all(secret not in listed for secret in secrets)


@EVERY_GAME
async def test_a_match_in_play_shows_no_signature(codec: AnyCodec, redis_url: str) -> None:
    async with game_client(codec, redis_url, {}) as playing:
        driver = await playing.begin(2)
        for name in ("GetMatch", "History", "Score"):
            assert "signature" not in str(await driver.call(name, driver.tokens[0]))


@EVERY_GAME
def test_hashed_messages_have_one_canonical_form(codec: AnyCodec) -> None:
    seen: set[str] = set()

    def walk(kind: Descriptor) -> None:
        if kind.full_name in seen:
            return
        seen.add(kind.full_name)
        assert not kind.GetOptions().map_entry, kind.full_name
        for each in kind.fields:
            assert each.type not in (each.TYPE_FLOAT, each.TYPE_DOUBLE), each.full_name
            if each.message_type is not None:
                walk(each.message_type)

    walk(cast(Descriptor, record_class(codec).DESCRIPTOR))
    assert len(seen) > 5
