"""HTTP rules (RFC 9110, RFC 9112) on every route, event streams included, over sockets.

The routes are those of the application itself. Of a route that every game has, that of one game is tested, each route
with another game. Matches and a tournament are there, so that each answers as it does to its users.
"""

from __future__ import annotations

import gzip
import json
import re
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from starlette.routing import Route

from gateway.app import create_app
from gateway.page.routes import EMBED_PATHS, VIEWS
from gateway.routing import registry
from gateway.routing.route_index import path_template
from gateway.settings import GatewaySettings
from tests.raw_http import HttpResponse, connection_to, encode_request, response_to
from tests.runtime.telemetry.stack import Stack, running_stack

PAGE_FILES = re.compile("/page/(?!main.js|rules/)")
"""Files of the page but its first script: they have one endpoint."""
ALL_ROUTES: dict[str, set[str]] = {}
for route in create_app(GatewaySettings()).routes:
    if isinstance(route, Route) and not PAGE_FILES.match(route.path):
        ALL_ROUTES.setdefault(path_template(route), set()).update(route.methods or ())
"""The methods of every route."""
GAMES = [game.replace("_", "-") for game in registry.GAMES]
SHARED_ROUTES = [path.removeprefix(f"/v1/{GAMES[0]}") for path in ALL_ROUTES if path.startswith(f"/v1/{GAMES[0]}")]
"""The routes that every game has, without the beginning that names the game."""
OF_ANY_GAME = {f"/v1/{game}{path}" for game in GAMES for path in SHARED_ROUTES}
OF_ONE_GAME = {f"/v1/{GAMES[number % len(GAMES)]}{path}" for number, path in enumerate(SHARED_ROUTES)}
ROUTES = {path: methods for path, methods in ALL_ROUTES.items() if path in OF_ONE_GAME or path not in OF_ANY_GAME}
"""The methods of every route that is tested."""
GET_PATHS = sorted(path for path, methods in ROUTES.items() if "GET" in methods)
PLATFORM_PATHS = {"/v1/events", "/v1/matches", "/v1/webhooks", "/v1/webhooks/{webhook_id}/deliveries"}
"""Routes that need an API key, while the service has none."""
STREAM_PATHS = [path for path in GET_PATHS if path.endswith("/events") and path not in PLATFORM_PATHS]
POST_PATHS = sorted(path for path, methods in ROUTES.items() if "POST" in methods)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "get", "MADE-UP")
HEALTH_REQUEST = encode_request("GET", "/healthz")
TOURNAMENT_SPEC = {"game": "fireship", "entrants": ["greedy", "random"], "blocks": 100}
UNREACHABLE_SCHEDULER = "tcp://127.0.0.1:1"
"""A scheduler that does not answer, so that the tournament is never over."""
VARYING_HEADERS = {"date", "x-request-id"}


@dataclass(frozen=True)
class ServiceUnderTest:
    """A service with a match of every game and a tournament that goes on."""

    port: int
    stack: Stack
    matches: dict[str, str]
    tournament: str

    def target(self, path: str) -> str:
        """A request target of the route, with the ids of a match or of the tournament."""
        game = path.split("/")[2].partition(":")[0] if path.startswith("/v1/") else "fireship"
        values = {
            "game": game,
            "locale": "fr",
            "match_id": self.matches.get(game, ""),
            "tournament_id": self.tournament,
            "match": "0",
            "webhook_id": "w1",
            "reason": "STALE_REVISION",
            "name": "swagger-ui.css",
        }
        return re.sub(r"{(\w+)}", lambda found: values[found[1]], path)

    def call(self, method: str, path: str, *headers: str, body: bytes = b"") -> HttpResponse:
        """Call a route that is not a stream; its response."""
        return response_to(self.port, encode_request(method, self.target(path), *headers, body=body), method)

    def streams(self) -> float:
        """How many streams the gateway and the engine hold."""
        lines = re.findall(r"^(?:fireside_streams|fireside_http_event_streams)\S* (\S+)$", self.stack.metrics(), re.M)
        return sum(map(float, lines))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceUnderTest]:
    folder: Path = tmp_path_factory.mktemp("served")
    with (
        running_stack(folder, REDIS_URL="", DASK_SCHEDULER_ADDRESS=UNREACHABLE_SCHEDULER) as running,
        httpx.Client(base_url=running.url, timeout=60) as rest,
    ):
        new_matches = {
            game: rest.post(f"/v1/{game}/matches", json={"seats": [{}, {}]}).raise_for_status() for game in GAMES
        }
        tournament = (
            rest.post("/v1/tournaments", json={"spec": TOURNAMENT_SPEC}).raise_for_status().json()["tournamentId"]
        )
        matches = {game: answer.json()["matchId"] for game, answer in new_matches.items()}
        yield ServiceUnderTest(int(running.url.rpartition(":")[2]), running, matches, tournament)
        rest.post(f"/v1/tournaments/{tournament}:cancel", json={}).raise_for_status()


def expected_status(path: str) -> int:
    """The status of a GET: only of a match that is over, or was played in a tournament, is there a record."""
    if path in PLATFORM_PATHS:
        return 401
    if path.endswith("/record.json"):
        return 404
    return 409 if path.endswith("/record") else 200


def header_names(answer: HttpResponse) -> dict[str, str]:
    """The headers that do not differ from answer to answer."""
    return {name.lower(): value for name, value in answer.headers.items() if name.lower() not in VARYING_HEADERS}


def test_every_kind_of_route_is_covered() -> None:
    assert len(GET_PATHS) > 15
    assert len(POST_PATHS) > 15
    assert len(STREAM_PATHS) == 2
    games = [path.split("/")[2].partition(":")[0] for path in OF_ONE_GAME]
    assert all(games.count(game) >= len(SHARED_ROUTES) // len(GAMES) > 5 for game in GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_the_same_routes_and_methods(game: str) -> None:
    prefix = f"/v1/{game}"
    found = {path.removeprefix(prefix): methods for path, methods in ALL_ROUTES.items() if path.startswith(prefix)}
    assert found == {path: ALL_ROUTES[f"/v1/{GAMES[0]}{path}"] for path in SHARED_ROUTES}


@pytest.mark.parametrize("path", GET_PATHS)
def test_fault12_head_is_like_get_without_a_body_and_keeps_the_connection(path: str, service: ServiceUnderTest) -> None:
    with connection_to(service.port) as connection:
        connection.send(encode_request("HEAD", service.target(path)))
        head = connection.read_response("HEAD")
        connection.send(HEALTH_REQUEST)
        assert connection.read_response().status == 200
    with connection_to(service.port) as connection:
        connection.send(encode_request("GET", service.target(path)))
        got = connection.read_head()
    assert (head.status, head.body) == (got.status, b"")
    differing = (
        {"transfer-encoding"} if path in STREAM_PATHS else {"content-length", "etag"} if "match" in path else set()
    )
    of_get = {name.lower(): value for name, value in got.headers.items() if name.lower() not in VARYING_HEADERS}
    assert {k: v for k, v in header_names(head).items() if k not in differing} == {
        k: v for k, v in of_get.items() if k not in differing
    }


@pytest.mark.parametrize("path", STREAM_PATHS)
def test_fault12_head_of_an_event_stream_ends_and_holds_no_stream(path: str, service: ServiceUnderTest) -> None:
    with connection_to(service.port) as connection:
        for _ in range(20):
            connection.send(encode_request("HEAD", service.target(path)))
            answer = connection.read_response("HEAD")
            assert (answer.status, answer.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
        wait_for_no_streams(service)
        connection.send(encode_request("HEAD", service.target(path), "Connection: close"))
        assert connection.read_response("HEAD").headers["connection"] == "close"
        assert connection.is_closed()


def wait_for_no_streams(service: ServiceUnderTest, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while service.streams():
        assert time.monotonic() < deadline, service.streams()
        time.sleep(0.1)


@pytest.mark.parametrize("path", sorted(ROUTES))
def test_an_unsupported_method_is_405_with_the_allowed_methods(path: str, service: ServiceUnderTest) -> None:
    methods = ROUTES[path]
    for method in METHODS:
        if method not in methods:
            answer = service.call(method, path)
            assert answer.status == 405, method
            assert set(answer.headers["allow"].split(", ")) == methods | {"OPTIONS"}
    answer = service.call("OPTIONS", path)
    assert (answer.status, answer.body) == (204, b"")
    assert set(answer.headers["allow"].split(", ")) == methods | {"OPTIONS"}


def test_proxy_requests_are_refused(service: ServiceUnderTest) -> None:
    answer = response_to(service.port, b"CONNECT elsewhere:80 HTTP/1.1\r\nHost: elsewhere:80\r\n\r\n")
    assert (answer.status, answer.headers["connection"]) == (501, "close")


def test_options_lists_the_allowed_methods_of_the_server(service: ServiceUnderTest) -> None:
    answer = response_to(service.port, encode_request("OPTIONS", "*"))
    assert (answer.status, answer.headers["allow"]) == (204, "GET, HEAD, OPTIONS, POST")


@pytest.mark.parametrize("path", GET_PATHS)
def test_fault12_http_1_0_requests_get_http_1_0_responses(path: str, service: ServiceUnderTest) -> None:
    with connection_to(service.port) as connection:
        connection.send(f"GET {service.target(path)} HTTP/1.0\r\n\r\n")
        head = connection.read_head()
        assert (head.version, head.status) == (10, expected_status(path))
        assert head.headers["transfer-encoding"] is None
        if path in STREAM_PATHS:
            assert connection.makefile("rb").read(3) == b":\n\n"
        else:
            head.read()
            assert connection.is_closed()


def test_http_1_0_keeps_a_connection_only_when_requested(service: ServiceUnderTest) -> None:
    keep_alive_request = encode_request("GET", "/healthz", "Connection: keep-alive", version="1.0")
    with connection_to(service.port) as connection:
        for sent in (keep_alive_request, keep_alive_request):
            connection.send(sent)
            assert connection.read_response().headers["connection"] == "keep-alive"
        connection.send(encode_request("GET", "/healthz", version="1.0"))
        assert connection.read_response().status == 200
        assert connection.is_closed()


@pytest.mark.parametrize("path", sorted(set(GET_PATHS) - set(STREAM_PATHS)))
def test_connection_close_is_honoured(path: str, service: ServiceUnderTest) -> None:
    with connection_to(service.port) as connection:
        connection.send(encode_request("GET", service.target(path), "Connection: close"), HEALTH_REQUEST)
        assert connection.read_response().headers["connection"] == "close"
        assert connection.is_closed()


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ("", 400),
        ("Host: a\r\nHost: a\r\n", 400),
        ("Host: a\r\nHost: b\r\n", 400),
        ("Host: a b\r\n", 400),
        ("Host: a/b\r\n", 400),
        ("Host: user@a\r\n", 400),
        ("Host: a:b\r\n", 400),
        ("Host: [::1\r\n", 400),
        ("Host: \xe9\r\n", 400),
        ("Host:\r\n", 400),
        ("Host: :80\r\n", 400),
        ("Host: a\r\n", 200),
        ("Host: a:8080\r\n", 200),
        ("Host: [::1]:8080\r\n", 200),
        ("Host: 127.0.0.1:\r\n", 200),
    ],
)
def test_exactly_one_valid_host_header_is_required(lines: str, status: int, service: ServiceUnderTest) -> None:
    for path in ("/healthz", "/v1/games", "/nowhere"):
        answer = response_to(service.port, f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode("latin-1"))
        assert answer.status == (404 if path == "/nowhere" and status == 200 else status)
        if status == 400:
            assert answer.reason == "INVALID_REQUEST"


@pytest.mark.parametrize("name", ["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID", "X-Api-Key"])
def test_a_repeated_singular_header_is_refused(name: str, service: ServiceUnderTest) -> None:
    answer = service.call("POST", "/v1/fire-bulls:newGame", f"{name}: a", f"{name}: b", body=b"{}")
    assert (answer.status, answer.reason) == (400, "INVALID_REQUEST")
    assert f"{name.title()} is repeated" in answer.body.decode()


SMUGGLED_REQUEST = "GET /smuggled HTTP/1.1\r\nHost: gateway\r\n\r\n"


@pytest.mark.parametrize(
    "lines",
    [
        "Content-Length: 2\r\nContent-Length: 45\r\n",
        "Content-Length: 2, 45\r\n",
        "Content-Length: -2\r\n",
        "Content-Length: +2\r\n",
        "Content-Length: 0x2\r\n",
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n",
        "Transfer-Encoding: identity\r\nContent-Length: 2\r\n",
        "Transfer-Encoding: xchunked\r\nContent-Length: 2\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        "Transfer-Encoding : chunked\r\nContent-Length: 2\r\n",
        "Content-Length: 2\r\n X: folded\r\n",
    ],
)
def test_a_body_of_ambiguous_length_is_refused_and_the_connection_closed(lines: str, service: ServiceUnderTest) -> None:
    with connection_to(service.port) as connection:
        head = f"POST /v1/fire-bulls:newGame HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\n{lines}\r\n"
        connection.send(head, "{}", SMUGGLED_REQUEST)
        answer = connection.read_response("POST")
        assert answer.status in (400, 501)
        assert answer.headers["connection"] == "close"
        assert connection.is_closed()


@pytest.mark.parametrize("coding", ["gzip", "gzip, chunked", "deflate, chunked"])
def test_fault14_an_unknown_transfer_coding_is_refused(coding: str, service: ServiceUnderTest) -> None:
    sent = encode_request("POST", "/v1/fire-bulls:newGame", f"Transfer-Encoding: {coding}")
    assert response_to(service.port, sent + b"2\r\n{}\r\n0\r\n\r\n").status in (400, 501)


@pytest.mark.parametrize("path", POST_PATHS)
def test_fault14_an_encoded_body_is_415_with_the_accepted_encodings(path: str, service: ServiceUnderTest) -> None:
    for coding in ("gzip", "deflate", "br", "identity, gzip", "GZIP", "x"):
        answer = service.call("POST", path, f"Content-Encoding: {coding}", body=gzip.compress(b"{}"))
        assert (answer.status, answer.headers["accept-encoding"]) == (415, "identity"), coding
        assert answer.reason == "INVALID_REQUEST"
    assert service.call("POST", path, "Content-Encoding: identity", body=b"[]").status == 400


@pytest.mark.parametrize("path", POST_PATHS)
def test_fault14_a_body_in_another_charset_is_refused_with_our_own_text(path: str, service: ServiceUnderTest) -> None:
    for charset in ("latin-1", "utf-16", '"UTF-16LE"', "x" * 1000):
        answer = service.call("POST", path, f"Content-Type: application/json; charset={charset}", body=b"{}")
        assert (answer.status, answer.reason) == (415, "INVALID_REQUEST")
        assert len(answer.body) < 1000
    for body in (b"\xff", b"\x8b", '{"é": 1}'.encode("latin-1"), "{}".encode("utf-16"), gzip.compress(b"{}")):
        answer = service.call("POST", path, 'Content-Type: application/json; charset="UTF-8"', body=body)
        assert (answer.status, answer.reason) == (400, "INVALID_REQUEST")
        assert b"codec" not in answer.body


TRAILER_NAMES = (
    "X-Forwarded-For",
    "Authorization",
    "Host",
    "Content-Length",
    "Content-Type",
    "X-Api-Key",
    "Idempotency-Key",
)


@pytest.mark.parametrize("path", POST_PATHS)
def test_fault03_trailers_are_not_headers(path: str, service: ServiceUnderTest) -> None:
    plain = service.call("POST", path, "Content-Type: application/json", body=b"[]")
    head = encode_request("POST", service.target(path), "Content-Type: application/json", "Transfer-Encoding: chunked")
    with connection_to(service.port) as connection:
        for name in TRAILER_NAMES:
            connection.send(head, f"2\r\n[]\r\n0\r\n{name}: text/plain\r\n\r\n")
            answer = connection.read_response("POST")
            assert (answer.status, answer.body) == (plain.status, plain.body), name
        connection.send(HEALTH_REQUEST)
        assert connection.read_response().status == 200


ESCAPED_SEGMENTS = (
    "a%2Fb",
    "a%2fb",
    "..%2F..",
    "%2e%2e",
    "%00",
    "%0d%0aX-A%3A1",
    "%c0%af",
    "%ff",
    "%25",
    "%252F",
    "%E2%82%AC",
)


@pytest.mark.parametrize("path", [path for path in sorted(ROUTES) if "{match_id}" in path and path.startswith("/v1/")])
def test_percent_escapes_in_a_path_are_data(path: str, service: ServiceUnderTest) -> None:
    method = "GET" if "GET" in ROUTES[path] else "POST"
    for segment in ESCAPED_SEGMENTS:
        body = b'{"move": {}}' if method == "POST" else b""
        answer = response_to(
            service.port, encode_request(method, path.replace("{match_id}", segment), body=body), method
        )
        assert answer.status in (400, 404), segment
        assert answer.status == 400 or answer.reason == "UNKNOWN_MATCH", segment


def test_an_escaped_slash_is_not_a_separator(service: ServiceUnderTest) -> None:
    match = service.matches["fire-bulls"]
    paths = {
        f"/v1/fire-bulls/matches/{match}%3Aleave": ("POST", 405),
        f"/v1/fire-bulls/matches/{match}%2Fmoves": ("POST", 405),
        f"/v1/fire-bulls/matches/{match}%2Fevents": ("GET", 404),
        f"/v1/fire-bulls%2Fmatches/{match}": ("GET", 404),
        "/v1/fire-bulls%3AnewGame": ("POST", 404),
        "/v1%2Fgames": ("GET", 404),
        "/docs%2Fassets%2Fswagger-ui.css": ("GET", 404),
    }
    for path, (method, status) in paths.items():
        assert response_to(service.port, encode_request(method, path, body=b"{}"), method).status == status, path


def test_escaped_letters_equal_plain_letters(service: ServiceUnderTest) -> None:
    match = service.matches["fire-bulls"]
    for path in (f"/v1/fire%2Dbulls/matches/{match}", f"/%76%31/fire-bulls/matche%73/{match}", "/%68ealthz"):
        assert response_to(service.port, encode_request("GET", path)).status == 200, path


@pytest.mark.parametrize(
    "path", ["//", "//healthz", "/healthz/", "/v1//games", "/v1/games/", "/./healthz", "/healthz;a"]
)
def test_paths_are_not_normalized(path: str, service: ServiceUnderTest) -> None:
    answer = response_to(service.port, encode_request("GET", path))
    assert (answer.status, answer.reason) == (404, "UNKNOWN_ROUTE")


def test_an_absolute_target_is_routed_by_its_path(service: ServiceUnderTest) -> None:
    assert response_to(service.port, encode_request("GET", "http://elsewhere/healthz")).status == 200


@pytest.mark.parametrize("path", [path for path in GET_PATHS if path.startswith("/v1/")])
def test_unknown_or_repeated_query_parameters_are_400(path: str, service: ServiceUnderTest) -> None:
    for query in ("nothing=1", "=1", "pageSize=1&pageSize=2", "fromRevision=1&fromRevision=2", "a%00=1"):
        answer = response_to(service.port, encode_request("GET", f"{service.target(path)}?{query}"))
        assert (answer.status, answer.reason) == (400, "INVALID_REQUEST"), query


@pytest.mark.parametrize("path", [path for path in GET_PATHS if path not in STREAM_PATHS])
def test_an_empty_query_a_range_a_body_or_an_accept_header_changes_nothing(
    path: str, service: ServiceUnderTest
) -> None:
    for query, headers in (("?", ()), ("", ("Range: bytes=0-1",)), ("", ("Accept: image/png",))):
        sent = encode_request("GET", service.target(path) + query, *headers)
        assert response_to(service.port, sent).status == expected_status(path), (query, headers)
    with connection_to(service.port) as connection:
        connection.send(encode_request("GET", service.target(path), body=b"x" * 1000), HEALTH_REQUEST)
        assert [connection.read_response().status, connection.read_response().body] == [
            expected_status(path),
            b'{"status":"up"}',
        ]


def test_pipelined_requests_are_answered_in_order(service: ServiceUnderTest) -> None:
    paths = ["/healthz", "/nowhere/1", "/v1/games", "/nowhere/2", "/openapi.json", "/nowhere/3"] * 5
    with connection_to(service.port) as connection:
        connection.send(*(encode_request("GET", path) for path in paths))
        for path in paths:
            answer = connection.read_response()
            assert json.loads(answer.body)["instance"] == path if "nowhere" in path else answer.status == 200


def test_a_pipelined_request_waits_for_the_end_of_a_stream(service: ServiceUnderTest) -> None:
    game, match = next(iter(service.matches.items()))
    with connection_to(service.port) as connection:
        connection.send(encode_request("GET", f"/v1/{game}/matches/{match}/events"), HEALTH_REQUEST)
        assert connection.read_head().status == 200
        assert connection.makefile("rb").read(8) == b"3\r\n:\n\n\r\n"
    wait_for_no_streams(service)


def test_expect_100_continue_is_answered_before_the_body(service: ServiceUnderTest) -> None:
    with connection_to(service.port) as connection:
        head = encode_request("POST", "/v1/fire-bulls:newGame", "Expect: 100-continue", "Content-Length: 24")
        connection.send(head)
        assert connection.makefile("rb").readline() == b"HTTP/1.1 100 Continue\r\n"
        assert connection.makefile("rb").readline() == b"\r\n"
        connection.send('{"seats": [{}, {}, {}]} ')
        assert connection.read_response("POST").status == 200
    refused = encode_request("POST", "/v1/fire-bulls:newGame", "Expect: 100-continue", "Content-Length: 2000000")
    assert response_to(service.port, refused).status == 413
    assert service.call("POST", "/v1/fire-bulls:newGame", "Expect: tea", body=b"{}").status == 417


@pytest.mark.parametrize("path", [*GET_PATHS, *POST_PATHS])
def test_a_half_closed_connection_counts_as_disconnected(path: str, service: ServiceUnderTest) -> None:
    """hyper, which granian is made of, reads the end of a request's connection as the end of its client."""
    method = "GET" if path in GET_PATHS else "POST"
    with connection_to(service.port) as connection:
        connection.send(encode_request(method, service.target(path), body=b"" if method == "GET" else b"[]"))
        connection.socket.shutdown(socket.SHUT_WR)
        connection.makefile("rb").read()
    if path in STREAM_PATHS:
        wait_for_no_streams(service)


DOCUMENT_PATHS = (
    "/openapi.json",
    "/docs/assets/swagger-ui-bundle.js",
    "/docs/assets/swagger-ui.css",
    "/",
    "/page/main.js",
    "/page/rules/{game}/{locale}",
)


@pytest.mark.parametrize("path", DOCUMENT_PATHS)
def test_fault28_documents_are_compressed_if_accepted(path: str, service: ServiceUnderTest) -> None:
    plain = service.call("GET", path)
    assert "content-encoding" not in plain.headers
    for accepted in ("gzip", "br, gzip;q=0.5", "*", "GZIP"):
        zipped = service.call("GET", path, f"Accept-Encoding: {accepted}")
        assert (zipped.headers["content-encoding"], zipped.headers["vary"]) == ("gzip", "Accept-Encoding")
        assert gzip.decompress(zipped.body) == plain.body
        assert len(zipped.body) < 0.6 * len(plain.body)
        assert zipped.headers["etag"] != plain.headers["etag"]
    for accepted in ("identity", "br", "gzip;q=0", "gzip; q=0.000, *", ""):
        answer = service.call("GET", path, f"Accept-Encoding: {accepted}")
        assert (answer.headers["content-encoding"], answer.body) == (None, plain.body)


@pytest.mark.parametrize("path", DOCUMENT_PATHS)
@pytest.mark.parametrize("accepted", ["identity", "gzip"])
def test_fault28_cached_documents_are_304(path: str, accepted: str, service: ServiceUnderTest) -> None:
    coding = f"Accept-Encoding: {accepted}"
    answer = service.call("GET", path, coding)
    tag = answer.headers["etag"]
    assert (tag[0], answer.headers["cache-control"]) == ('"', "public, no-cache")
    for method in ("GET", "HEAD"):
        for known in (tag, f'"other", {tag}', f"W/{tag}", "*"):
            not_modified = service.call(method, path, coding, f"If-None-Match: {known}")
            assert (not_modified.status, not_modified.body, not_modified.headers["etag"]) == (304, b"", tag)
    assert service.call("GET", path, coding, 'If-None-Match: "other"').status == 200
    assert int(service.call("HEAD", path, coding).headers["content-length"]) == len(answer.body)


def test_only_documents_are_compressed(service: ServiceUnderTest) -> None:
    for path in set(GET_PATHS) - set(STREAM_PATHS) - {*DOCUMENT_PATHS, "/docs/assets/{name}", *VIEWS, *EMBED_PATHS}:
        assert service.call("GET", path, "Accept-Encoding: gzip").headers["content-encoding"] is None, path
