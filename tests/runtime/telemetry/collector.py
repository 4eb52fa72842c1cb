"""Trace collector of the tests: receives OTLP over HTTP and stores the spans."""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span


class Collector:
    """The trace requests received."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[ExportTraceServiceRequest] = []

    def spans(self) -> list[tuple[str, Span]]:
        """All spans, each with the name of its service."""
        found = []
        for request in self.requests:
            for resource in request.resource_spans:
                [name] = [
                    each.value.string_value for each in resource.resource.attributes if each.key == "service.name"
                ]
                found += [(name, span) for scope in resource.scope_spans for span in scope.spans]
        return found

    def wait_for(self, name: str, seconds: float = 10) -> list[tuple[str, Span]]:
        """Wait until a span of that name has arrived; all spans."""
        deadline = time.monotonic() + seconds
        while name not in [span.name for _, span in self.spans()]:
            assert time.monotonic() < deadline, [span.name for _, span in self.spans()]
            time.sleep(0.05)
        return self.spans()


@contextmanager
def running_collector() -> Iterator[Collector]:
    """Run a collector."""
    collector = Collector()

    class OtlpHandler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                data = gzip.decompress(data)
            collector.requests.append(ExportTraceServiceRequest.FromString(data))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), OtlpHandler) as server:
        collector.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield collector
        finally:
            server.shutdown()
            thread.join()
