"""Baseline of start-up: a grpcio server without services, which prints its port and waits."""

from __future__ import annotations

import asyncio

import grpc


async def main() -> None:
    """Print the port and serve until the process is terminated."""
    server = grpc.aio.server()
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"127.0.0.1:{port}", flush=True)
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(main())
