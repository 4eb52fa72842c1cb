"""A third-party bot of Fire Bulls over gRPC that makes the first legal move. Usage: grpc_bot.py [PORT]"""

from __future__ import annotations

import asyncio
import sys

import grpc
from fireside.fire_bulls.v1.fire_bulls_bot_service_pb2 import ChooseRequest, ChooseResponse
from fireside.fire_bulls.v1.fire_bulls_bot_service_pb2_grpc import (
    FireBullsBotServiceServicer,
    add_FireBullsBotServiceServicer_to_server,
)


class FirstMoveBot(FireBullsBotServiceServicer):
    """Chooses the first legal move; a better bot looks at `request.match.view`."""

    async def Choose(
        self, request: ChooseRequest, context: grpc.aio.ServicerContext[ChooseRequest, ChooseResponse]
    ) -> ChooseResponse:
        return ChooseResponse(notation=request.moves[0].notation)


async def serve(port: int) -> None:
    """Serve until the process is stopped."""
    server = grpc.aio.server()
    add_FireBullsBotServiceServicer_to_server(FirstMoveBot(), server)
    port = server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    print(f"grpc:127.0.0.1:{port}", flush=True)
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]) if len(sys.argv) > 1 else 0))
