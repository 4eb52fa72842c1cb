"""Echo server, the baseline for the cost of a gRPC call: `python -m bench.baselines.echo KIND SIZE [REDIS_URL]`.

KIND is `aio`, `uvloop` or `threads`. Every call returns SIZE bytes; with a Redis, after one read and one write there.
It prints its port, and serves until it is terminated. `Cpu` returns the processor time used so far, in seconds.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from time import process_time
from typing import TypeAlias

import grpc
import redis
import redis.asyncio

SERVICE = "fireside.bench.Echo"
ECHO_METHOD = f"/{SERVICE}/Echo"
CPU_METHOD = f"/{SERVICE}/Cpu"

REDIS_KEY = "bench:echo"
THREADS = 16
LISTEN_ADDRESS = "127.0.0.1:0"

AsyncMethod: TypeAlias = "Callable[[bytes, grpc.aio.ServicerContext[bytes, bytes]], Awaitable[bytes]]"
Method: TypeAlias = Callable[[bytes, grpc.ServicerContext], bytes]
Methods: TypeAlias = "dict[str, grpc.RpcMethodHandler[bytes, bytes]]"


def announce(port: int) -> None:
    """Print the port for the parent process."""
    print(port, flush=True)


def async_echo(response: bytes, url: str) -> AsyncMethod:
    """Echo method of an asyncio server."""
    if not url:

        async def echo(request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
            return response

        return echo

    store = redis.asyncio.from_url(url)

    async def stored_echo(request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
        await store.get(REDIS_KEY)
        await store.set(REDIS_KEY, request)
        return response

    return stored_echo


def threaded_echo(response: bytes, url: str) -> Method:
    """Echo method of a threaded server."""
    if not url:
        return lambda request, context: response
    store = redis.from_url(url)

    def stored_echo(request: bytes, context: grpc.ServicerContext) -> bytes:
        store.get(REDIS_KEY)
        store.set(REDIS_KEY, request)
        return response

    return stored_echo


async def serve_async(response: bytes, url: str) -> None:
    """Serve with asyncio."""

    async def processor_time(request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
        return str(process_time()).encode()

    methods: Methods = {
        "Echo": grpc.unary_unary_rpc_method_handler(async_echo(response, url)),
        "Cpu": grpc.unary_unary_rpc_method_handler(processor_time),
    }
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, methods),))
    port = server.add_insecure_port(LISTEN_ADDRESS)
    await server.start()
    announce(port)
    await server.wait_for_termination()


def serve_threads(response: bytes, url: str) -> None:
    """Serve with a thread pool."""
    methods: Methods = {
        "Echo": grpc.unary_unary_rpc_method_handler(threaded_echo(response, url)),
        "Cpu": grpc.unary_unary_rpc_method_handler(lambda request, context: str(process_time()).encode()),
    }
    server = grpc.server(ThreadPoolExecutor(THREADS))
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, methods),))
    port = server.add_insecure_port(LISTEN_ADDRESS)
    server.start()
    announce(port)
    server.wait_for_termination()


def main(kind: str, size: int, url: str) -> None:
    """Serve until the process is terminated."""
    response = bytes(size)
    if kind == "threads":
        serve_threads(response, url)
    elif kind == "uvloop":
        import uvloop

        uvloop.run(serve_async(response, url))
    else:
        asyncio.run(serve_async(response, url))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "")
