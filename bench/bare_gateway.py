"""A bare FastAPI route that forwards over gRPC: `python -m bench.bare_gateway ECHO_PORT REQUEST_SIZE ANSWER_SIZE`.

Each POST is read, so many bytes are sent to an echo, and when that has answered so many bytes go back as JSON. It
neither reads nor writes JSON: what a gateway does beside that is what it is measured for.
"""

from __future__ import annotations

import asyncio
import socket
import sys

import grpc
from fastapi import FastAPI, Request, Response
from uvicorn import Config, Server

from bench.echo import ECHO


async def main(echo_port: int, request_size: int, answer_size: int) -> None:
    """Serve until the process is ended."""
    forwarded, answer = bytes(request_size), b'"' + b"x" * (answer_size - 2) + b'"'
    async with grpc.aio.insecure_channel(f"127.0.0.1:{echo_port}") as channel:
        echo: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(ECHO)
        app = FastAPI()

        @app.post("/echo")
        async def forward(request: Request) -> Response:
            await request.body()
            await echo(forwarded)
            return Response(answer, media_type="application/json")

        listening = socket.socket(proto=socket.IPPROTO_TCP)  # unnamed, asyncio would let small packets wait for others
        listening.bind(("127.0.0.1", 0))
        print(listening.getsockname()[1], flush=True)
        await Server(Config(app, log_config=None, access_log=False)).serve([listening])


if __name__ == "__main__":
    asyncio.run(main(*[int(word) for word in sys.argv[1:4]]))
