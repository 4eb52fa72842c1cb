"""REST client of the commands that play matches, and the types of its JSON responses."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from typing import Final, NotRequired, Self, TypedDict

import httpx

from cli.retries import RetryPolicy
from cli.translation import gettext, locale


class SeatTokenJson(TypedDict):
    """A seat and its secret token."""

    seat: int
    token: str


class NewMatchJson(TypedDict):
    """The response to NewGame; only the fields that are used here."""

    matchId: str
    commitment: str
    seats: list[SeatTokenJson]


class SeatJson(TypedDict):
    """A seat of a match: the name of its player."""

    name: str


class MatchJson(TypedDict):
    """A match as a seat or a spectator sees it; `view` is the game's View message; a spectator has no `seat`."""

    matchId: str
    revision: int
    toMove: list[int]
    over: bool
    seat: NotRequired[int]
    seats: list[SeatJson]
    deadline: NotRequired[str | None]
    view: dict[str, object]


class RevealJson(TypedDict):
    """A sealed move that was revealed."""

    seat: int
    notation: str
    text: str


class EventJson(TypedDict, total=False):
    """An entry of the match log; without `seat` it is a chance draw."""

    revision: int
    seat: int
    notation: str
    text: str
    reveals: list[RevealJson]


class PointsJson(TypedDict):
    """One line of the breakdown of a seat's points."""

    label: str
    points: int
    text: str


class StandingJson(TypedDict):
    """The points and rank of a seat."""

    seat: int
    points: int
    rank: int
    breakdown: list[PointsJson]


class ScoreJson(TypedDict):
    """The score of a match; `winners` and `reason` are empty before its end."""

    reason: str
    reasonText: str
    winners: list[int]
    standings: list[StandingJson]


class OptionJson(TypedDict):
    """An option of a game; its `type` ends with `[]` if it takes several values."""

    name: str
    type: str
    values: list[str]


class GameJson(TypedDict):
    """A game in the catalogue."""

    name: str
    title: str
    minSeats: int
    maxSeats: int
    options: list[OptionJson]


class RestError(ValueError):
    """An error response as one line of text; `reason` is the service's error reason, or empty."""

    def __init__(self, detail: str, reason: str = "") -> None:
        super().__init__(detail)
        self.reason: Final = reason


class RestClient:
    """HTTP client of one service. Methods raise `RestError` for an error response, `OSError` for no response."""

    def __init__(self, url: str, retries: RetryPolicy | None = None) -> None:
        """Raises `ValueError` for an invalid URL."""
        try:
            self._http: Final = httpx.Client(base_url=url, timeout=30, headers={"accept-language": locale()})
        except httpx.InvalidURL:
            raise ValueError(gettext("{url} is not a URL", url=repr(url))) from None
        self._retries: Final = retries or RetryPolicy(0)
        self._tags: Final[dict[tuple[str, str | None], tuple[int, str]]] = {}
        """Revision and ETag of the latest response, by path of the match and token."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def games(self) -> list[GameJson]:
        """The catalogue of games."""
        games: list[GameJson] = self._read("/v1/games", None).json().get("games", [])
        return games

    def new_match(
        self,
        game: str,
        names: list[str],
        options: Mapping[str, object],
        client_seed: str = "",
        extra: Mapping[str, object] | None = None,
    ) -> NewMatchJson:
        """Start a match; `extra` are further fields of NewGame. An API key is read from `FIRESIDE_API_KEY`."""
        seats = [{"name": name} for name in names]
        body = {"seats": seats, "options": options, "clientSeed": client_seed, **(extra or {})}
        headers = {**_api_key(), **_idempotency_key()}
        request = self._http.build_request("POST", _matches_path(game), headers=headers, json=body)
        response: NewMatchJson = self._send(request, is_idempotent=True).json()
        return response

    def match(self, game: str, match_id: str, token: str | None) -> MatchJson:
        """The match as the seat of the token sees it; without a token, as a spectator does."""
        return _parse_match(self._read(f"{_matches_path(game)}/{match_id}", token))

    def match_if_changed(self, game: str, match_id: str, token: str | None, revision: int) -> MatchJson | None:
        """The match if its revision differs from the given one, else None; sends a conditional request by ETag."""
        path = f"{_matches_path(game)}/{match_id}"
        seen, tag = self._tags.get((path, token), (-1, ""))
        response = self._read(path, token, {"if-none-match": tag} if tag and seen == revision else None)
        if response.status_code == httpx.codes.NOT_MODIFIED:
            return None
        match = _parse_match(response)
        self._tags[path, token] = match["revision"], response.headers.get("etag", "")
        return match if match["revision"] != revision else None

    def legal_moves(self, game: str, match_id: str, token: str) -> dict[str, str]:
        """The legal moves of the token's seat: a sentence by notation."""
        response = self._read(f"{_matches_path(game)}/{match_id}/legal-moves", token).json()
        return {move["notation"]: move["text"] for move in response["moves"]}

    def apply(
        self, game: str, match_id: str, token: str, notation: str, revision: int | None = None, request_id: str = ""
    ) -> list[EventJson]:
        """Make a move, and return the new log entries. Retried only with a `request_id`, which makes it idempotent."""
        body: dict[str, object] = {"notation": notation, "requestId": request_id}
        if revision is not None:
            body["expectedRevision"] = revision
        response = self._write(f"{_matches_path(game)}/{match_id}/moves", token, body, is_idempotent=bool(request_id))
        events: list[EventJson] = response.json()["events"]
        return events

    def history(self, game: str, match_id: str, token: str | None, revision: int = 0) -> list[EventJson]:
        """The log entries after a revision; reads all pages."""
        events: list[EventJson] = []
        after: int | None = revision
        while after is not None:
            page = self._read(f"{_matches_path(game)}/{match_id}/history?fromRevision={after}", token).json()
            events += page["events"]
            after = page.get("nextRevision")
        return events

    def score(self, game: str, match_id: str, token: str | None = None) -> ScoreJson:
        """The current score."""
        response: ScoreJson = self._read(f"{_matches_path(game)}/{match_id}/score", token).json()
        return response

    def leave(self, game: str, match_id: str, token: str) -> None:
        """Leave the match for good with the seat of the token."""
        body = {"requestId": secrets.token_urlsafe()}
        self._write(f"{_matches_path(game)}/{match_id}:leave", token, body, is_idempotent=True)

    def _read(self, path: str, token: str | None, headers: Mapping[str, str] | None = None) -> httpx.Response:
        request = self._http.build_request("GET", path, headers={**_authorization(token), **(headers or {})})
        return self._send(request, is_idempotent=True)

    def _write(
        self, path: str, token: str | None, body: Mapping[str, object], *, is_idempotent: bool
    ) -> httpx.Response:
        request = self._http.build_request("POST", path, headers=_authorization(token), json=body)
        return self._send(request, is_idempotent)

    def _send(self, request: httpx.Request, is_idempotent: bool) -> httpx.Response:
        response = self._retries.call(lambda: self._http.send(request), is_idempotent)
        if response.status_code == httpx.codes.NOT_MODIFIED:
            return response
        if not response.is_success:
            raise _rest_error(response)
        if not response.headers.get("content-type", "").startswith("application/json"):
            raise RestError(gettext("{url} is not a Fireside service", url=self._http.base_url))
        return response


def _rest_error(response: httpx.Response) -> RestError:
    try:
        problem = response.json()
        faults = [f"{fault['field']}: {fault['description']}" for fault in problem["violations"]]
        return RestError(_printable("; ".join(faults) or problem["detail"]), problem["reason"])
    except (ValueError, KeyError, TypeError):
        return RestError(
            gettext("the service answers {status}", status=f"{response.status_code} {response.reason_phrase}")
        )


def _parse_match(response: httpx.Response) -> MatchJson:
    match: MatchJson = response.json()
    for seat in match["seats"]:
        seat["name"] = _printable(seat["name"])
    return match


def _printable(text: str) -> str:
    """Replace control characters in a text of other users, which could manipulate the terminal."""
    return "".join(character if character.isprintable() else "?" for character in text)


def _matches_path(game: str) -> str:
    return f"/v1/{game.replace('_', '-')}/matches"


def _authorization(token: str | None) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"} if token else {}


def _idempotency_key() -> dict[str, str]:
    """A header with a fresh idempotency key, so that the request is safe to retry."""
    return {"idempotency-key": secrets.token_urlsafe()}


def _api_key() -> dict[str, str]:
    key = os.environ.get("FIRESIDE_API_KEY", "")
    return {"x-api-key": key} if key else {}
