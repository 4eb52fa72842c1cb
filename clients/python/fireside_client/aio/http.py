"""Asynchronous HTTP calls and event streams of a service, with retries: `AsyncHttp`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final, Self

import httpx

from fireside_client import core
from fireside_client.core import Backoff, Call, EventParser


class AsyncHttp:
    """Connections to one service."""

    def __init__(
        self,
        url: str,
        *,
        api_key: str = "",
        locale: str = "",
        retry_seconds: float = 30.0,
        on_outage: Callable[[bool], None] = lambda is_out: None,
    ) -> None:
        """Raises `ValueError` for an invalid URL."""
        self.url: Final = core.base_url(url)
        self.locale: Final = locale
        headers = {"x-api-key": api_key, "accept-language": locale}
        self._http: Final = httpx.AsyncClient(
            base_url=self.url,
            headers={name: value for name, value in headers.items() if value},
            timeout=core.HTTP_TIMEOUT_SECONDS,
        )
        self._retry_seconds: Final = retry_seconds
        self._on_outage: Final = on_outage

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    def backoff(self) -> Backoff:
        """The pauses of one call."""
        return Backoff(self._retry_seconds, self._on_outage)

    async def send(self, call: Call) -> httpx.Response:
        """Make a call with retries."""
        backoff = self.backoff()
        while True:
            try:
                response = await self._http.send(call.build(self._http))
                core.raise_for_error(response)
                backoff.reset()
                return response
            except core.FAULTS as error:
                pause = backoff.pause(error)
            await asyncio.sleep(pause)

    async def lines(self, call: Call) -> AsyncGenerator[str]:
        """The lines of a response while they arrive, without retries."""
        response = await self._http.send(call.build(self._http), stream=True)
        try:
            if not response.is_success:
                await response.aread()
            core.raise_for_error(response)
            rest = ""
            async for text in response.aiter_text():  # aiter_lines would split at U+2028, which may be in a name
                *lines, rest = (rest + text).split("\n")
                for line in lines:
                    yield line
        finally:
            await response.aclose()

    async def messages(self, call: Callable[[int | str], Call], after: int | str) -> AsyncGenerator[dict[str, object]]:
        """The messages of a stream of events after a position, resumed whenever a connection breaks.

        `call` gives the call for the messages after a position.
        """
        backoff, parser = self.backoff(), EventParser(after)
        while True:
            parser = EventParser(parser.position)  # what a broken connection left unfinished comes again
            try:
                async with aclosing(self.lines(call(parser.position))) as lines:
                    async for line in lines:
                        if message := parser.feed(line):
                            backoff.reset()
                            yield message
                raise ConnectionError("the stream has ended")
            except core.FAULTS as error:
                pause = backoff.pause(error)
            await asyncio.sleep(pause)
