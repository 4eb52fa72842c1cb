"""A small client of the REST interface, for the commands that play."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from typing import Final, NotRequired, Self, TypedDict

import httpx

from cli.retries import Patience


class SeatToken(TypedDict):
    """A seat and its key."""

    seat: int
    token: str


class NewMatch(TypedDict):
    """The answer to NewGame, as far as it is used here."""

    matchId: str
    commitment: str
    seats: list[SeatToken]


class Seat(TypedDict):
    """Who sits on a seat."""

    name: str


class Match(TypedDict):
    """A match as an observer sees it; `view` is a message of the game, and only a spectator has no `seat`."""

    matchId: str
    revision: int
    toMove: list[int]
    over: bool
    seat: NotRequired[int]
    seats: list[Seat]
    deadline: NotRequired[str | None]
    view: dict[str, object]


class Reveal(TypedDict):
    """A move that became public."""

    seat: int
    notation: str


class Event(TypedDict, total=False):
    """A line of the log; `seat` is missing for nature."""

    revision: int
    seat: int
    notation: str
    reveals: list[Reveal]


class Points(TypedDict):
    """One line of a seat's breakdown."""

    label: str
    points: int


class Standing(TypedDict):
    """The result of a seat."""

    seat: int
    points: int
    rank: int
    breakdown: list[Points]


class Score(TypedDict):
    """Standings; `winners` and `reason` are empty before the end."""

    reason: str
    winners: list[int]
    standings: list[Standing]


class Option(TypedDict):
    """Something that can be chosen before a match; `[]` ends the type of one that takes several values."""

    name: str
    type: str
    values: list[str]


class Game(TypedDict):
    """An entry of the catalogue."""

    name: str
    title: str
    minSeats: int
    maxSeats: int
    options: list[Option]


class Refused(ValueError):
    """An answer that is an error, in one line; `reason` is one of the service's, or empty."""

    def __init__(self, detail: str, reason: str = "") -> None:
        super().__init__(detail)
        self.reason: Final = reason


class Rest:
    """Calls on one service. Raises `Refused` for an answer that is an error, `OSError` when there is none."""

    def __init__(self, url: str, patience: Patience | None = None) -> None:
        """Raises `ValueError` for what is no URL."""
        try:
            self._http: Final = httpx.Client(base_url=url, timeout=30)
        except httpx.InvalidURL:
            raise ValueError(f"{url!r} is no URL") from None
        self._patience: Final = patience or Patience(0)
        self._tags: Final[dict[tuple[str, str | None], tuple[int, str]]] = {}
        """Revision and tag of the newest answer about a match, as the holder of a token sees it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def games(self) -> list[Game]:
        """The catalogue."""
        games: list[Game] = self._read("/v1/games", None).json().get("games", [])
        return games

    def new_match(
        self,
        game: str,
        names: list[str],
        options: Mapping[str, object],
        client_seed: str = "",
        extra: Mapping[str, object] | None = None,
    ) -> NewMatch:
        """Begin a match; `extra` are further fields of NewGame. The environment may hold an API key for it."""
        seats = [{"name": name} for name in names]
        body = {"seats": seats, "options": options, "clientSeed": client_seed, **(extra or {})}
        headers = {**_api_key(), **_once()}
        request = self._http.build_request("POST", _matches(game), headers=headers, json=body)
        answer: NewMatch = self._answered(request, repeatable=True).json()
        return answer

    def match(self, game: str, match_id: str, token: str | None) -> Match:
        """The match as the holder of the token, or a spectator, sees it."""
        return _match(self._read(f"{_matches(game)}/{match_id}", token))

    def match_beyond(self, game: str, match_id: str, token: str | None, revision: int) -> Match | None:
        """The same, if it has another revision than the given one."""
        path = f"{_matches(game)}/{match_id}"
        seen, tag = self._tags.get((path, token), (-1, ""))
        answer = self._read(path, token, {"if-none-match": tag} if tag and seen == revision else None)
        if answer.status_code == httpx.codes.NOT_MODIFIED:
            return None
        match = _match(answer)
        self._tags[path, token] = match["revision"], answer.headers.get("etag", "")
        return match if match["revision"] != revision else None

    def legal_moves(self, game: str, match_id: str, token: str) -> list[str]:
        """The legal moves of the token's seat, in notation."""
        answer = self._read(f"{_matches(game)}/{match_id}/legal-moves", token).json()
        return [move["notation"] for move in answer["moves"]]

    def apply(
        self, game: str, match_id: str, token: str, notation: str, revision: int | None = None, request_id: str = ""
    ) -> list[Event]:
        """Make a move, in answer to a revision; what was added to the log. One with a request id can be repeated."""
        body: dict[str, object] = {"notation": notation, "requestId": request_id}
        if revision is not None:
            body["expectedRevision"] = revision
        answer = self._write(f"{_matches(game)}/{match_id}/moves", token, body, repeatable=bool(request_id))
        events: list[Event] = answer.json()["events"]
        return events

    def history(self, game: str, match_id: str, token: str | None, revision: int = 0) -> list[Event]:
        """The log after a revision, page by page."""
        events: list[Event] = []
        after: int | None = revision
        while after is not None:
            page = self._read(f"{_matches(game)}/{match_id}/history?fromRevision={after}", token).json()
            events += page["events"]
            after = page.get("nextRevision")
        return events

    def score(self, game: str, match_id: str, token: str | None = None) -> Score:
        """The score as it stands."""
        answer: Score = self._read(f"{_matches(game)}/{match_id}/score", token).json()
        return answer

    def leave(self, game: str, match_id: str, token: str) -> None:
        """Take the token's player out of the match."""
        body = {"requestId": secrets.token_urlsafe()}
        self._write(f"{_matches(game)}/{match_id}:leave", token, body, repeatable=True)

    def _read(self, path: str, token: str | None, headers: Mapping[str, str] | None = None) -> httpx.Response:
        request = self._http.build_request("GET", path, headers={**_authorization(token), **(headers or {})})
        return self._answered(request, repeatable=True)

    def _write(self, path: str, token: str | None, body: Mapping[str, object], *, repeatable: bool) -> httpx.Response:
        request = self._http.build_request("POST", path, headers=_authorization(token), json=body)
        return self._answered(request, repeatable)

    def _answered(self, request: httpx.Request, repeatable: bool) -> httpx.Response:
        answer = self._patience.answer(lambda: self._http.send(request), repeatable)
        if answer.status_code == httpx.codes.NOT_MODIFIED:
            return answer
        if not answer.is_success:
            raise _refused(answer)
        if not answer.headers.get("content-type", "").startswith("application/json"):
            raise Refused(f"{self._http.base_url} is not a Fireside service")
        return answer


def _refused(answer: httpx.Response) -> Refused:
    try:
        problem = answer.json()
        faults = [f"{fault['field']}: {fault['description']}" for fault in problem["violations"]]
        return Refused(_printable("; ".join(faults) or problem["detail"]), problem["reason"])
    except (ValueError, KeyError, TypeError):
        return Refused(f"the service answers {answer.status_code} {answer.reason_phrase}")


def _match(answer: httpx.Response) -> Match:
    match: Match = answer.json()
    for seat in match["seats"]:
        seat["name"] = _printable(seat["name"])
    return match


def _printable(text: str) -> str:
    """A text that others have written, without what would steer a terminal."""
    return "".join(character if character.isprintable() else "?" for character in text)


def _matches(game: str) -> str:
    return f"/v1/{game.replace('_', '-')}/matches"


def _authorization(token: str | None) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"} if token else {}


def _once() -> dict[str, str]:
    """What makes a repeat of a request harmless."""
    return {"idempotency-key": secrets.token_urlsafe()}


def _api_key() -> dict[str, str]:
    key = os.environ.get("FIRESIDE_API_KEY", "")
    return {"x-api-key": key} if key else {}
