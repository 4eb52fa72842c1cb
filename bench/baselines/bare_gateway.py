"""Baseline of the gateway: a bare FastAPI route that forwards over gRPC.

Usage: `python -m bench.baselines.bare_gateway ECHO_PORT REQUEST_SIZE ANSWER_SIZE`. For each POST it sends REQUEST_SIZE
bytes to an echo server, and returns ANSWER_SIZE bytes as JSON. It neither parses nor writes JSON: what the real gateway
costs in addition is what the benchmark measures.
"""

from __future__ import annotations

import asyncio
import sys

import grpc
from fastapi import FastAPI, Request, Response
from granian.constants import HTTPModes, Interfaces
from granian.server.embed import Server

from bench.baselines.echo import ECHO_METHOD
from bench.harness.processes import free_port, wait_for_port


async def main(echo_port: int, request_size: int, response_size: int) -> None:
    """Print the port and serve until the process is terminated."""
    request_bytes, response = bytes(request_size), b'"' + b"x" * (response_size - 2) + b'"'
    async with grpc.aio.insecure_channel(f"127.0.0.1:{echo_port}") as channel:
        echo: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(ECHO_METHOD)
        app = FastAPI()

        @app.post("/echo")
        async def forward(request: Request) -> Response:
            await request.body()
            await echo(request_bytes)
            return Response(response, media_type="application/json")

        port = free_port()
        bare = Server(
            app, port=port, interface=Interfaces.ASGI, http=HTTPModes.http1, websockets=False, log_enabled=False
        )
        serving = asyncio.ensure_future(bare.serve())
        await asyncio.to_thread(wait_for_port, port)
        print(port, flush=True)
        await serving


if __name__ == "__main__":
    asyncio.run(main(*[int(word) for word in sys.argv[1:4]]))
