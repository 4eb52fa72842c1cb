"""Asynchronous client of a Fireside service: `AsyncFiresideClient`."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from typing import Final, Self, cast

import httpx

from fireside_client import core
from fireside_client.async_game import AsyncGameClient
from fireside_client.core import Backoff, Call, EventParser
from fireside_client.types.game_name import GameName
from fireside_client.types.shared import (
    ComponentsT,
    CreateWebhookResponse,
    Game,
    ListPlatformMatchesResponse,
    MoveT,
    OptionsT,
    PlatformEvent,
    PlatformMatch,
    SigningKey,
    StateT,
    ViewT,
    WebhookDelivery,
    WebhookEndpoint,
)


class AsyncFiresideClient:
    """Client of one service. Its methods raise `FiresideError` for an error response, `ConnectionError` for none.

    Every call is repeated while the service is out of reach or overloaded, for `retry_seconds` at most; none is made
    twice, since calls that change something have idempotency keys. `on_outage` is called with True when such an outage
    begins, and with False when it ends. `locale` is the language of texts, as in `fr`; without it there are none.
    """

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

    async def games(self) -> list[Game]:
        """The games of the service."""
        games: list[Game] = (await self.send(Call("GET", "/v1/games"))).json()["games"]
        return games

    def game(
        self, game: GameName[ComponentsT, MoveT, OptionsT, StateT, ViewT]
    ) -> AsyncGameClient[ComponentsT, MoveT, OptionsT, StateT, ViewT]:
        """The client of a game: `GAME` of the module of its types, or `AnyGame(name)`."""
        return AsyncGameClient(self, game)

    async def signing_keys(self) -> list[SigningKey]:
        """The public keys with which the service signs the records of matches."""
        keys: list[SigningKey] = (await self.send(Call("GET", "/v1/keys"))).json()["keys"]
        return keys

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

    async def platform_events(self, after: str = "") -> AsyncGenerator[PlatformEvent]:
        """What happens in the matches of the API key, without end: new events, or those after the one with an id.

        The stream is resumed whenever a connection breaks, and leaves out no event. Raises `FiresideError` with the
        reason `EVENTS_DELETED` if later events than that one have been deleted.
        """

        def call(after: int | str) -> Call:
            return Call("GET", "/v1/events", params={"fromEventId": after or None})

        async with aclosing(self.messages(call, after)) as messages:
            async for message in messages:
                if "event" in message:
                    yield cast("PlatformEvent", message["event"])

    async def platform_matches(
        self, player_id: str = "", state: str = "", game: str = "", *, listed: bool = False
    ) -> AsyncIterator[PlatformMatch]:
        """The matches of the API key, newest first, read page by page; only those of a player, a state or a game.

        `listed`: the public lists of all games instead, for which no key is needed.
        """
        token: str | None = None
        filters: dict[str, str | bool | None] = {"playerId": player_id or None, "state": state or None}
        filters |= {"game": game or None, "listed": listed or None}
        while token != "":
            params = {**filters, "pageToken": token, "pageSize": core.LIST_PAGE_SIZE}
            page: ListPlatformMatchesResponse = (await self.send(Call("GET", "/v1/matches", params=params))).json()
            for match in page["matches"]:
                yield match
            token = page["nextPageToken"]

    async def create_webhook(
        self, url: str, types: Sequence[str] = (), *, secret: str = "", request_id: str = ""
    ) -> CreateWebhookResponse:
        """Have the events of the API key sent to a URL from now on, all or those of some types, such as `match.turn`.

        Only this response has the secret; `webhooks.read_webhook` verifies requests with it.
        """
        body = {"url": url, "types": types, "secret": secret, "requestId": request_id or secrets.token_urlsafe()}
        created: CreateWebhookResponse = (await self.send(Call("POST", "/v1/webhooks", body=body))).json()
        return created

    async def webhooks(self) -> list[WebhookEndpoint]:
        """The webhooks of the API key, oldest first: since when one fails, and why it is disabled."""
        webhooks: list[WebhookEndpoint] = (await self.send(Call("GET", "/v1/webhooks"))).json()["webhooks"]
        return webhooks

    async def delete_webhook(self, webhook_id: str) -> None:
        """Delete a webhook, with the events that it has not received."""
        await self.send(Call("POST", f"/v1/webhooks/{webhook_id}:delete", body={}))

    async def test_webhook(self, webhook_id: str) -> WebhookDelivery:
        """Send an event of the type `webhook.test` once, and return what came back."""
        call = Call("POST", f"/v1/webhooks/{webhook_id}:test", body={})
        delivery: WebhookDelivery = (await self.send(call)).json()["delivery"]
        return delivery

    async def webhook_deliveries(self, webhook_id: str) -> list[WebhookDelivery]:
        """The last 100 attempts of a webhook, newest first."""
        call = Call("GET", f"/v1/webhooks/{webhook_id}/deliveries")
        deliveries: list[WebhookDelivery] = (await self.send(call)).json()["deliveries"]
        return deliveries
