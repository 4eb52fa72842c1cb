"""The SSRF guard: names may have public addresses only, and connections are made to what was checked."""

from __future__ import annotations

import asyncio
import datetime
import socket
import ssl
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from services.bots.remote import guard, webhook
from services.bots.remote.allowed import bot_address
from services.bots.remote.failure import UNREACHABLE, BotFailed
from services.bots.remote.guard import GuardedTransport, is_public, resolve_public
from services.bots.remote.remote_bots import RemoteBots, remote_bot
from services.store.webhooks.store import WebhookTarget
from services.webhooks.sender import WebhookSender
from tests.services.bots.remote.test_bot import BOT_CALL, LEGAL_MOVE, encode_response, replying
from tests.services.bots.third_parties import choice_response, grpc_bot
from tests.services.bots.third_parties import webhook as web_server
from tests.services.webhooks.receivers import SECRET

NAME = "club.example"


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_addresses(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "0.0.0.0",
        "10.1.2.3",
        "172.31.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "224.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "fe80::1%1",
        "fec0::1",
        "fd00:ec2::254",
        "ff02::1",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::1",
    ],
)
def test_private_loopback_link_local_and_metadata_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


class Dns:
    """Answers of the resolver of the system, one after the other; the last one again and again."""

    def __init__(self, *answers: list[str]) -> None:
        self.left = [*answers]

    def __call__(self, host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        addresses = self.left.pop(0) if len(self.left) > 1 else self.left[0]
        families = [socket.AF_INET6 if ":" in each else socket.AF_INET for each in addresses]
        return [
            (family, socket.SOCK_STREAM, 6, "", (each, port)) for family, each in zip(families, addresses, strict=True)
        ]


@pytest.fixture
def dns(monkeypatch: pytest.MonkeyPatch) -> Dns:
    """The resolver of the system, which says that every name has the address 127.0.0.1."""
    dns = Dns(["127.0.0.1"])
    monkeypatch.setattr(socket, "getaddrinfo", dns)
    return dns


@pytest.mark.parametrize("host", [NAME, "localhost", "127.1", "0x7f000001", "2130706433"])
@pytest.mark.usefixtures("dns")
async def test_no_other_writing_of_a_private_address_is_taken(host: str) -> None:
    with pytest.raises(guard.PrivateAddress):
        await resolve_public(host, 80)
    assert await resolve_public("127.0.0.1", 80) == ["127.0.0.1"]


async def test_only_the_public_addresses_of_a_name_are_taken(dns: Dns) -> None:
    dns.left = [["10.0.0.1", "8.8.8.8", "::1", "8.8.8.8", "2606:4700::1111"]]
    assert await resolve_public(NAME, 80) == ["8.8.8.8", "2606:4700::1111"]


async def test_a_name_that_cannot_be_looked_up_is_an_os_error() -> None:
    with pytest.raises(OSError, match="no such name"):
        await resolve_public("a" * 64 + ".example", 80)


@pytest.mark.usefixtures("dns")
async def test_no_bot_or_webhook_with_a_listed_name_is_called_at_a_private_address() -> None:
    requests: list[bytes] = []

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        requests.append(request)
        writer.write(choice_response(LEGAL_MOVE))

    async def choose(data: bytes) -> bytes:
        requests.append(data)
        return encode_response(notation=LEGAL_MOVE)

    async with web_server(handler) as url, grpc_bot(choose) as bot:
        for name in (url.replace("127.0.0.1", NAME), bot.replace("127.0.0.1", NAME)):
            bots = RemoteBots([bot_address(name)])
            with pytest.raises(BotFailed) as failed:
                await bots.client_of(name).choose(BOT_CALL, 2)
            assert (failed.value.kind, failed.value.detail) == (UNREACHABLE, "its name has no public address")
            await bots.close()
        name = url.replace("127.0.0.1", NAME)
        sender = WebhookSender([bot_address(name)], 2)
        result = await sender.send(WebhookTarget(name, SECRET), "id", b"{}")
        assert (result.status, result.error) == (0, "its name has no public address")
        await sender.close()
    assert requests == []


@pytest.mark.parametrize("scheme", ["http", "grpc"])
async def test_a_name_that_changes_after_the_check_is_not_followed(
    dns: Dns, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check gets an address at which nothing listens; any later answer would lead to the bot at 127.0.0.1."""
    monkeypatch.setattr(guard, "is_public", lambda address: address == "127.0.0.2")
    requests: list[bytes] = []

    async def handler(request: bytes, writer: asyncio.StreamWriter) -> None:
        requests.append(request)
        writer.write(choice_response(LEGAL_MOVE))

    async def choose(data: bytes) -> bytes:
        requests.append(data)
        return encode_response(notation=LEGAL_MOVE)

    async with web_server(handler) as url, grpc_bot(choose) as bot:
        name = (url if scheme == "http" else bot).replace("127.0.0.1", NAME)
        dns.left = [["127.0.0.2"], ["127.0.0.1"]]
        client = remote_bot(bot_address(name))
        with pytest.raises(BotFailed):
            await client.choose(BOT_CALL, 0.5)
        await client.close()
    assert requests == []


@pytest.mark.parametrize("scheme", ["http", "grpc"])
async def test_another_address_is_tried_if_one_does_not_respond(dns: Dns, scheme: str) -> None:
    dns.left = [["127.0.0.2", "127.0.0.1"]]

    async def choose(data: bytes) -> bytes:
        return encode_response(notation=LEGAL_MOVE)

    async with web_server(replying(choice_response(LEGAL_MOVE))) as url, grpc_bot(choose) as bot:
        name = (url if scheme == "http" else bot).replace("127.0.0.1", NAME)
        client = remote_bot(bot_address(name), resolve=guard.resolve)
        await client.choose(BOT_CALL, 2)
        await client.close()


@pytest.mark.usefixtures("dns")
async def test_a_grpc_bot_that_moves_is_called_at_its_new_address(dns: Dns) -> None:
    async def choose(data: bytes) -> bytes:
        return encode_response(notation=LEGAL_MOVE)

    async with grpc_bot(choose) as bot:
        client = remote_bot(bot_address(bot.replace("127.0.0.1", NAME)), resolve=guard.resolve)
        dns.left = [["127.0.0.2"], ["127.0.0.1"]]
        await client.choose(BOT_CALL, 2)
        await client.close()


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of `NAME` that signs itself, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "certificate.pem"
    path.write_bytes(
        signed.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return path


@pytest.mark.usefixtures("dns")
async def test_the_certificate_must_be_that_of_the_name(certificate: Path) -> None:
    heads: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        writer.close()

    served = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    served.load_cert_chain(certificate)
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=served)
    port = server.sockets[0].getsockname()[1]
    trusting = ssl.create_default_context(cafile=str(certificate))
    transport = GuardedTransport(guard.resolve, 1, trusting)
    async with server, httpx.AsyncClient(transport=transport) as client:
        assert (await client.get(f"https://{NAME}:{port}/")).status_code == 204
        for host in ("another.example", "127.0.0.1"):
            with pytest.raises(httpx.ConnectError, match="mismatch"):
                await client.get(f"https://{host}:{port}/")
    assert [b"host: " + f"{NAME}:{port}".encode() in head.lower() for head in heads] == [True]


def test_the_client_of_third_parties_is_guarded() -> None:
    assert isinstance(webhook.webhook_client(1)._transport, GuardedTransport)
