"""Error texts are our own: none of the interpreter or of a library reaches a client."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import httpx
import pytest
from google.protobuf.descriptor import MethodDescriptor

from cli.main import main
from gateway.routing import registry
from gateway.routing.bindings import bindings
from tests.redis_server import free_port
from tests.services.client import refusal
from tests.services.processes import Process

LIBRARY_TEXTS = (
    *("codec", "decode", "utf-8'", "invalid literal", "base 10", "Expecting", "char ", "delimiter", "Extra data"),
    *("recursion", "Exceeds the limit", "surrogate", "Traceback", "object has no", "NoneType", "Error:", "Errno"),
    *("Failed to parse", "Couldn't parse", "no field named", "ParseError", "DecodeError", "wire type", "protobuf"),
    *("larger than max", "Stream removed", "Exception calling", "Exception iterating", "Unexpected <class"),
    *("Method not found", "RST_STREAM", "httpx", "aiohttp", "redis", "urlopen", "cast to integer", "out of range 0-"),
    *("Invalid IPv6", "NFKC", "netloc", "NOSCRIPT", "WRONGTYPE", "Errno", "grpc_message", "urllib", "starlette"),
)
MALFORMED_BODIES = [
    b"\x8b\x00",
    b'{"seats": "\xff"}',
    b"\xef\xbb\xbf{}",
    "{}".encode("utf-16"),
    b"{",
    b"{}}",
    b'{"seats": [}',
    b"{'seats': []}",
    b'{"a": 1, "a": 2}',
    b'{"seats": NaN}',
    b'{"seats": -Infinity}',
    b'{"seats": ' + b"9" * 5000 + b"}",
    b"[" * 20_000,
    b'{"seats":' * 20_000,
    b'"\\ud800"',
    b'{"clientSeed": "\\ud800"}',
    b'{"seats": [{"name": 1}]}',
    b'{"seats": 7, "clock": {"moveSeconds": "x"}, "options": {"rounds": "1e999"}}',
    b'{"state": {"rulesVersion": 1}, "seat": "one"}',
    b'{"notation": 1, "seat": 99999999999, "expectedRevision": "0x1"}',
    b'{"seats": [{"bot": "http://[::1"}, {"bot": "grpc:x:y"}]}',
    b'{"seats": [{"bot": "grpc:x:99999"}, {}]}',
    b'{"seats": [{}, {"bot": "mcts:iterations=x"}]}',
    b"null",
    b"\x00",
]
MALFORMED_BOTS = [
    "http://[::1",
    "http://x:y",
    "http://x:99999",
    "grpc:[::1:1",
    "grpc:h:-1",
    "mcts:iterations=x",
    "mcts:depth=1e9",
]
MALFORMED_QUERIES = [
    "fromRevision=x",
    "fromRevision=1e3",
    "fromRevision=99999999999",
    "pageSize=%ff",
    "pageToken=%00",
    "seat=%ed%a0%80",
]


@pytest.fixture(scope="module")
def service() -> Iterator[tuple[str, str]]:
    """The URL of a whole service, and its address for gRPC."""
    with Process("serve", "--port", "0", "--grpc-port", "0", REDIS_URL="") as process:
        words = process.line().rstrip(")").split()
        yield words[3], words[5]


def is_ours(text: str) -> bool:
    return not any(phrase.lower() in text.lower() for phrase in LIBRARY_TEXTS)


@pytest.mark.parametrize("game", [*sorted(registry.GAMES), "tournaments"])
def test_fault17_errors_over_rest_have_our_own_texts(game: str, service: tuple[str, str]) -> None:
    found = registry.GAMES.get(game, registry.TOURNAMENTS)
    with httpx.Client(base_url=service[0], timeout=60) as rest:
        for route in bindings(game, found):
            path = route.path.replace("{match_id}", "m%ff").replace("{tournament_id}", "t%00")
            if route.has_body:
                answers = [
                    rest.request(route.verb, path, content=body, headers={"Content-Type": "application/json"})
                    for body in MALFORMED_BODIES
                ]
            else:
                answers = [rest.request(route.verb, f"{path}?{query}") for query in MALFORMED_QUERIES]
            for answer in answers:
                assert answer.status_code < 500, answer.text
                assert answer.is_success or is_ours(answer.text), answer.text


def test_fault17_errors_about_bots_have_our_own_texts(service: tuple[str, str]) -> None:
    for bot in MALFORMED_BOTS:
        spec = {"game": "fireship", "entrants": [bot, "random"], "blocks": 1}
        for path, body in (
            ("/v1/tournaments", {"spec": spec}),
            ("/v1/fireship/matches", {"seats": [{"bot": bot}, {}]}),
        ):
            answer = httpx.post(service[0] + path, json=body)
            assert answer.status_code == 400, answer.text
            assert is_ours(answer.text), answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain; charset=x"},
        {"Authorization": "Bearer a.b.c"},
        {"Authorization": "Bearer eyJhbGciOiJub25lIn0.e30."},
        {"Authorization": "Bearer ..."},
        {"X-Api-Key": "\x7f"},
        {"If-Match": "W/x"},
        {"Last-Event-ID": "x"},
    ],
    ids=str,
)
def test_fault17_errors_about_headers_have_our_own_texts(headers: dict[str, str], service: tuple[str, str]) -> None:
    new_game = httpx.post(f"{service[0]}/v1/fireship/matches", json={"seats": [{}, {}]}).json()
    path = f"{service[0]}/v1/fireship/matches/{new_game['matchId']}"
    for answer in (httpx.post(f"{path}/moves", content=b"{}", headers=headers), httpx.get(path, headers=headers)):
        assert answer.is_success or is_ours(answer.text), answer.text


@pytest.mark.parametrize("found", registry.GAMES.values(), ids=lambda each: each.name)
def test_fault17_errors_over_grpc_have_our_own_texts(found: object, service: tuple[str, str]) -> None:
    methods: list[MethodDescriptor] = found.methods  # type: ignore[attr-defined]
    names = [f"/{method.containing_service.full_name}/{method.name}" for method in methods]
    with grpc.insecure_channel(service[1]) as channel:
        for name in [*names, f"{names[0]}x", "/nothing/At.All"]:
            for data in (b"\xff\xff", b"\x0a\x02\xff\xfe", b"\x0b" * 500, b""):
                refused = _error_message(channel, name, data)
                assert refused is None or is_ours(refused), (name, data, refused)


def _error_message(channel: grpc.Channel, name: str, data: bytes) -> str | None:
    call: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(name)
    try:
        next(call(iter([data]), timeout=30), None)
    except grpc.RpcError as error:
        refused = refusal(error)  # type: ignore[arg-type] # of the other kind of channel, with the same methods
        assert refused.reason, refused
        return refused.message
    return None


def test_fault17_errors_of_the_command_line_have_our_own_texts(capsys: pytest.CaptureFixture[str]) -> None:
    for url in (f"http://127.0.0.1:{free_port()}", "http://[::1", "ftp://x", "x"):
        assert main(["play", "fireship", "--url", url]) == 2
        assert is_ours(capsys.readouterr().err)
