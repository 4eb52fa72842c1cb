"""Synchronous client of a Fireside service: `FiresideClient`."""

from __future__ import annotations

import secrets
from base64 import b64encode
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from typing import cast

from fireside_client import core
from fireside_client.core import Call
from fireside_client.sync.game import GameClient
from fireside_client.sync.http import Http
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


class FiresideClient(Http):
    """Client of one service. Its methods raise `FiresideError` for an error response, `ConnectionError` for none.

    Every call is repeated while the service is out of reach or overloaded, for `retry_seconds` at most; none is made
    twice, since calls that change something have idempotency keys. `on_outage` is called with True when such an outage
    begins, and with False when it ends. `locale` is the language of texts, as in `fr`; without it there are none.
    """

    def games(self) -> list[Game]:
        """The games of the service."""
        games: list[Game] = (self.send(Call("GET", "/v1/games"))).json()["games"]
        return games

    def game(
        self, game: GameName[ComponentsT, MoveT, OptionsT, StateT, ViewT]
    ) -> GameClient[ComponentsT, MoveT, OptionsT, StateT, ViewT]:
        """The client of a game: `GAME` of the module of its types, or `AnyGame(name)`."""
        return GameClient(self, game)

    def signing_keys(self) -> list[SigningKey]:
        """The public keys with which the service signs the records of matches."""
        keys: list[SigningKey] = (self.send(Call("GET", "/v1/keys"))).json()["keys"]
        return keys

    def platform_events(self, after: str = "") -> Generator[PlatformEvent]:
        """What happens in the matches of the API key, without end: new events, or those after the one with an id.

        The stream is resumed whenever a connection breaks, and leaves out no event. Raises `FiresideError` with the
        reason `EVENTS_DELETED` if later events than that one have been deleted.
        """

        def call(after: int | str) -> Call:
            return Call("GET", "/v1/events", params={"fromEventId": after or None})

        with closing(self.messages(call, after)) as messages:
            for message in messages:
                if "event" in message:
                    yield cast("PlatformEvent", message["event"])

    def platform_matches(
        self, player_id: str = "", state: str = "", game: str = "", *, listed: bool = False
    ) -> Iterator[PlatformMatch]:
        """The matches of the API key, newest first, read page by page; only those of a player, a state or a game.

        `listed`: the public lists of all games instead, for which no key is needed.
        """
        token: str | None = None
        filters: dict[str, str | bool | None] = {"playerId": player_id or None, "state": state or None}
        filters |= {"game": game or None, "listed": listed or None}
        while token != "":
            params = {**filters, "pageToken": token, "pageSize": core.LIST_PAGE_SIZE}
            page: ListPlatformMatchesResponse = (self.send(Call("GET", "/v1/matches", params=params))).json()
            yield from page["matches"]
            token = page["nextPageToken"]

    def create_webhook(
        self, url: str, types: Sequence[str] = (), *, secret: str = "", request_id: str = ""
    ) -> CreateWebhookResponse:
        """Have the events of the API key sent to a URL from now on, all or those of some types, such as `match.turn`.

        Only this response has the secret; `webhooks.read_webhook` verifies requests with it.
        """
        body = {"url": url, "types": types, "secret": secret, "requestId": request_id or secrets.token_urlsafe()}
        created: CreateWebhookResponse = (self.send(Call("POST", "/v1/webhooks", body=body))).json()
        return created

    def webhooks(self) -> list[WebhookEndpoint]:
        """The webhooks of the API key, oldest first: since when one fails, and why it is disabled."""
        webhooks: list[WebhookEndpoint] = (self.send(Call("GET", "/v1/webhooks"))).json()["webhooks"]
        return webhooks

    def delete_webhook(self, webhook_id: str) -> None:
        """Delete a webhook, with the events that it has not received."""
        self.send(Call("POST", f"/v1/webhooks/{core.segment(webhook_id)}:delete", body={}))

    def enable_webhook(self, webhook_id: str) -> None:
        """Put a disabled webhook in use again, which is sent what it has missed."""
        self.send(Call("POST", f"/v1/webhooks/{core.segment(webhook_id)}:enable", body={}))

    def rotate_webhook_secret(self, webhook_id: str, secret: str = "") -> str:
        """Give a webhook another secret, a new one by default, and return it; the old one signs too for 24 hours."""
        # Made here, a repeated call has the same secret, and replaces none twice.
        body = {"secret": secret or "whsec_" + b64encode(secrets.token_bytes(32)).decode()}
        call = Call("POST", f"/v1/webhooks/{core.segment(webhook_id)}:rotateSecret", body=body)
        rotated: str = (self.send(call)).json()["secret"]
        return rotated

    def test_webhook(self, webhook_id: str) -> WebhookDelivery:
        """Send an event of the type `webhook.test` once, and return what came back."""
        call = Call("POST", f"/v1/webhooks/{core.segment(webhook_id)}:test", body={})
        delivery: WebhookDelivery = (self.send(call)).json()["delivery"]
        return delivery

    def webhook_deliveries(self, webhook_id: str) -> list[WebhookDelivery]:
        """The last 100 attempts of a webhook, newest first."""
        call = Call("GET", f"/v1/webhooks/{core.segment(webhook_id)}/deliveries")
        deliveries: list[WebhookDelivery] = (self.send(call)).json()["deliveries"]
        return deliveries
