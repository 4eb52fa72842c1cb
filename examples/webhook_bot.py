"""A third-party bot of any game, called by webhook, that makes the last legal move. Usage: webhook_bot.py [PORT]"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class LastMoveHandler(BaseHTTPRequestHandler):
    """Chooses the last legal move; a better bot looks at `turn["match"]["view"]`."""

    def do_POST(self) -> None:
        turn = json.loads(self.rfile.read(int(self.headers["content-length"])))
        body = json.dumps({"notation": turn["moves"][-1]["notation"]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), LastMoveHandler)
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()
