"""Synchronous HTTP calls and event streams of a service, with retries: `Http`."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import closing
from typing import Final, Self

import httpx

from fireside_client import core
from fireside_client.core import Backoff, Call, EventParser


class Http:
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
        self._http: Final = httpx.Client(
            base_url=self.url,
            headers={name: value for name, value in headers.items() if value},
            timeout=core.HTTP_TIMEOUT_SECONDS,
        )
        self._retry_seconds: Final = retry_seconds
        self._on_outage: Final = on_outage

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def backoff(self) -> Backoff:
        """The pauses of one call."""
        return Backoff(self._retry_seconds, self._on_outage)

    def send(self, call: Call) -> httpx.Response:
        """Make a call with retries."""
        backoff = self.backoff()
        while True:
            try:
                response = self._http.send(call.build(self._http))
                core.raise_for_error(response)
                backoff.reset()
                return response
            except core.FAULTS as error:
                pause = backoff.pause(error)
            time.sleep(pause)

    def lines(self, call: Call) -> Generator[str]:
        """The lines of a response while they arrive, without retries."""
        response = self._http.send(call.build(self._http), stream=True)
        try:
            if not response.is_success:
                response.read()
            core.raise_for_error(response)
            rest = ""
            for text in response.iter_text():  # iter_lines would split at U+2028, which may be in a name
                *lines, rest = (rest + text).split("\n")
                yield from lines
        finally:
            response.close()

    def messages(self, call: Callable[[int | str], Call], after: int | str) -> Generator[dict[str, object]]:
        """The messages of a stream of events after a position, resumed whenever a connection breaks.

        `call` gives the call for the messages after a position.
        """
        backoff, parser = self.backoff(), EventParser(after)
        while True:
            parser = EventParser(parser.position)  # what a broken connection left unfinished comes again
            try:
                with closing(self.lines(call(parser.position))) as lines:
                    for line in lines:
                        if message := parser.feed(line):
                            backoff.reset()
                            yield message
                raise ConnectionError("the stream has ended")
            except core.FAULTS as error:
                pause = backoff.pause(error)
            time.sleep(pause)
