"""A service of a platform whose calls are counted by route, and the receiver of its webhooks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread
from typing import Final

import httpx
from prometheus_client.parser import text_string_to_metric_families

from runtime import api_keys
from tests.redis_server import free_port
from tests.services.processes import Process

KEY: Final = api_keys.new_key()
GAME: Final = "fireship"
SEARCH: Final = "programs that search call it for thousands of positions, by gRPC (docs/programs.md)"
BOT_AUTHORS: Final = "for authors of bots, who have `fireside tournament` and the page"
WITHOUT_METHOD: Final = {"batchApply": SEARCH, "sample": SEARCH, "/v1/tournaments": BOT_AUTHORS}
"""Parts of paths of the routes that a ready client needs no method for, with the reason."""


class Platform:
    """A service with the key of one platform."""

    def __init__(self, url: str, metrics_url: str, receiver_url: str) -> None:
        self.url: Final = url
        self.receiver_url: Final = receiver_url
        self.requests: Final[Queue[tuple[dict[str, str], bytes]]] = Queue()
        """Headers and bodies that the receiver of webhooks was sent."""
        self._metrics_url: Final = metrics_url

    def uncalled_routes(self) -> set[str]:
        """Routes of the document for which clients have a method, and which no call has succeeded at."""
        paths = httpx.get(f"{self.url}/openapi.json").json()["paths"]
        games = [game["route"] for game in httpx.get(f"{self.url}/v1/games").json()["games"] if game["name"] != GAME]
        expected = {
            f"{method.upper()} {path}"
            for path, operations in paths.items()
            for method in operations
            if not path.startswith(tuple(games)) and not any(part in path for part in WITHOUT_METHOD)
        }
        families = text_string_to_metric_families(httpx.get(self._metrics_url).text)
        called = {
            f"{sample.labels['method']} {sample.labels['route']}"
            for family in families
            if family.name == "fireside_http_requests"
            for sample in family.samples
            if sample.name.endswith("_total") and sample.labels["status"].startswith("2")
        }
        assert expected & called, called
        return expected - called


@contextmanager
def platform_service() -> Iterator[Platform]:
    """Run a service and the receiver that its webhooks may call."""
    metrics = free_port()
    with ThreadingHTTPServer(("127.0.0.1", 0), _Receiver) as receiver:
        receiver_url = f"http://127.0.0.1:{receiver.server_port}/hooks"
        settings = {
            "REDIS_URL": "",
            "FIRESIDE_API_KEYS": api_keys.key_entry("club", KEY),
            "FIRESIDE_METRICS_PORT": str(metrics),
            "FIRESIDE_WEBHOOK_ALLOW": receiver_url,
        }
        Thread(target=receiver.serve_forever, kwargs={"poll_interval": 0.05}).start()
        try:
            with Process("serve", "--port", "0", "--grpc-port", "0", **settings) as process:
                url = process.line().split()[3]
                platform = Platform(url, f"http://127.0.0.1:{metrics}/metrics", receiver_url)
                _Receiver.requests = platform.requests
                yield platform
        finally:
            receiver.shutdown()


class _Receiver(BaseHTTPRequestHandler):
    requests: Queue[tuple[dict[str, str], bytes]]

    def do_POST(self) -> None:
        self.requests.put((dict(self.headers), self.rfile.read(int(self.headers["content-length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Print nothing."""
