"""Client of the service for commands: in the language of this process, with its API key, and translated errors."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias
from urllib.parse import quote

import httpx

from cli.translation import gettext, locale
from fireside_client import FiresideClient, FiresideError, GameClient, MatchClient
from fireside_client.types.any_game import AnyGame, Components, Move, Options, State, View
from runtime.connection_faults import connection_fault

AnyGameClient: TypeAlias = GameClient[Components, Move, Options, State, View]
AnyMatchClient: TypeAlias = MatchClient[Move, Options, State, View]


@contextmanager
def connect(
    url: str, retry_seconds: float = 0.0, report: Callable[[str], None] = lambda text: None
) -> Iterator[FiresideClient]:
    """A client whose API key is `FIRESIDE_API_KEY`. `report` is called when an outage that is retried begins or ends.

    Raises `ValueError` for an invalid URL. The block raises a translated `OSError` for no response, and a translated
    `ValueError` for a response that no Fireside service sends.
    """

    def report_outage(is_out: bool) -> None:
        again = gettext("The service answers again.")
        report(gettext("The service does not answer; trying again ...") if is_out else again)

    key = os.environ.get("FIRESIDE_API_KEY", "")
    try:
        client = FiresideClient(url, api_key=key, locale=locale(), retry_seconds=retry_seconds, on_outage=report_outage)
    except ValueError:
        raise ValueError(gettext("{url} is not a URL", url=repr(url))) from None
    with client:
        try:
            yield client
        except ConnectionError as error:
            fault = gettext(connection_fault(error.__cause__))
            # Not another ConnectionError, which the block of a second client would translate again.
            raise OSError(gettext("the service does not answer: {fault}", fault=fault)) from None
        except FiresideError as error:
            if error.reason:
                raise
            if error.status < httpx.codes.BAD_REQUEST:
                raise ValueError(gettext("{url} is not a Fireside service", url=url)) from None
            raise ValueError(gettext("the service answers {status}", status=error.status)) from None


def page_link(url: str, game: str, match_id: str, secret: str, kind: str = "token") -> str:
    """The address of a seat on the page for browsers, by its `token` or join `code`, which they send to no server."""
    return f"{url.rstrip('/')}/match/{game}/{quote(match_id)}#{kind}={quote(secret)}"


def game_client(client: FiresideClient, game: str) -> AnyGameClient:
    """The client of a game by its name."""
    return client.game(AnyGame(game))
