"""A small client of the REST interface, for the commands that play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

import httpx


class SeatToken(TypedDict):
    """A seat and its key."""

    seat: int
    token: str


class NewMatch(TypedDict):
    """The answer to NewGame, as far as it is used here."""

    matchId: str
    commitment: str
    seats: list[SeatToken]


class Match(TypedDict):
    """A match as an observer sees it; `view` is a message of the game."""

    matchId: str
    revision: int
    toMove: list[int]
    over: bool
    view: dict[str, object]


class Reveal(TypedDict):
    """A move that became public."""

    seat: int
    notation: str


class Event(TypedDict, total=False):
    """A line of the log; `seat` is missing for nature."""

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


class Game(TypedDict):
    """An entry of the catalogue."""

    name: str
    title: str
    minSeats: int
    maxSeats: int


class Rest:
    """Calls on one service. Raises `httpx.HTTPStatusError` for an answer that is an error."""

    def __init__(self, url: str) -> None:
        self._http = httpx.Client(base_url=url, timeout=30)

    def games(self) -> list[Game]:
        """The catalogue."""
        games: list[Game] = self._get("/v1/games", None).json()["games"]
        return games

    def new_match(self, game: str, names: list[str], options: dict[str, object], client_seed: str) -> NewMatch:
        """Begin a match."""
        body = {"seats": [{"name": name} for name in names], "options": options, "clientSeed": client_seed}
        answer: NewMatch = self._post(_matches(game), None, body).json()
        return answer

    def match(self, game: str, match_id: str, token: str | None) -> Match:
        """The match as the holder of the token, or a spectator, sees it."""
        answer: Match = self._get(f"{_matches(game)}/{match_id}", token).json()
        return answer

    def legal_moves(self, game: str, match_id: str, token: str) -> list[str]:
        """The legal moves of the token's seat, in notation."""
        answer = self._get(f"{_matches(game)}/{match_id}/legal-moves", token).json()
        return [move["notation"] for move in answer["moves"]]

    def apply(self, game: str, match_id: str, token: str, notation: str) -> list[Event]:
        """Make a move; what was added to the log."""
        answer = self._post(f"{_matches(game)}/{match_id}/moves", token, {"notation": notation}).json()
        events: list[Event] = answer["events"]
        return events

    def score(self, game: str, match_id: str) -> Score:
        """The score as it stands."""
        answer: Score = self._get(f"{_matches(game)}/{match_id}/score", None).json()
        return answer

    def _get(self, path: str, token: str | None) -> httpx.Response:
        return self._http.get(path, headers=_authorization(token)).raise_for_status()

    def _post(self, path: str, token: str | None, body: Mapping[str, object]) -> httpx.Response:
        return self._http.post(path, headers=_authorization(token), json=body).raise_for_status()


def _matches(game: str) -> str:
    return f"/v1/{game.replace('_', '-')}/matches"


def _authorization(token: str | None) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"} if token else {}
