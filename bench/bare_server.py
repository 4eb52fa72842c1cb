"""A server of grpcio that serves nothing, prints its port and waits: an engine that starts is measured beside it."""

from __future__ import annotations

import asyncio

import grpc


async def main() -> None:
    """Serve until the process is ended."""
    server = grpc.aio.server()
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"127.0.0.1:{port}", flush=True)
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(main())
