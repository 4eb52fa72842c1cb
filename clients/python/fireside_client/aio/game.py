"""Asynchronous client of one game, its matches and inline states: `AsyncGameClient`."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final, Generic

import httpx

from fireside_client import core
from fireside_client.aio.http import AsyncHttp
from fireside_client.aio.match import AsyncMatchClient
from fireside_client.core import Call
from fireside_client.types.shared import (
    ApplyResponse,
    BatchApplyResult,
    Clock,
    ComponentsT,
    GetComponentsResponse,
    HintResponse,
    LegalMove,
    ListMatchesResponse,
    MatchRecord,
    MatchSummary,
    MoveT,
    NewGameResponse,
    OptionsT,
    ReplayResponse,
    ScoreResponse,
    SeatSpec,
    StateT,
    ViewT,
)


class AsyncGameClient(Generic[ComponentsT, MoveT, OptionsT, StateT, ViewT]):
    """Client of one game of a service."""

    def __init__(self, http: AsyncHttp, name: str) -> None:
        self._http: Final = http
        self._path: Final = core.game_path(name)
        self.name: Final = str(name)

    async def components(self) -> GetComponentsResponse[ComponentsT, OptionsT]:
        """What is needed to draw positions, and names of all that is in them in the client's language."""
        response = await self._http.send(Call("GET", f"{self._path}/components"))
        components: GetComponentsResponse[ComponentsT, OptionsT] = response.json()
        return components

    async def new_match(
        self,
        seats: Sequence[SeatSpec],
        options: OptionsT | None = None,
        *,
        client_seed: str = "",
        clock: Clock | None = None,
        private: bool = False,
        listed: bool = False,
        hints: bool = False,
        spectator_delay: int = 0,
        open_after: bool = False,
        wait_seconds: int | None = None,
        request_id: str = "",
    ) -> NewGameResponse[StateT, ViewT]:
        """Start a match. The response has the tokens of its seats; a seat with a `bot` is played by the service.

        `private`: only its seats may see it. `listed`: it is in the public list (`list_matches`), where anybody may
        take its open seats. For `open` seats the response has join codes: the match waits until all are taken,
        `wait_seconds` at most, and `hostToken` is for the calls of its host. Spectators see the match
        `spectator_delay` log entries late until it is over; with `open_after` they may then see it as each seat.
        """
        body: dict[str, object] = {
            "seats": seats,
            "options": options,
            "clientSeed": client_seed,
            "clock": clock,
            "private": private,
            "listed": listed,
            "hints": hints,
            "spectatorDelay": spectator_delay,
            "openAfter": open_after,
            "waitSeconds": wait_seconds,
        }
        response = await self._http.send(
            Call(
                "POST",
                f"{self._path}/matches",
                body=core.given(body),
                headers={"idempotency-key": request_id or secrets.token_urlsafe()},
            )
        )
        begun: NewGameResponse[StateT, ViewT] = response.json()
        return begun

    async def list_matches(self, state: str = "") -> AsyncIterator[MatchSummary]:
        """The public list, newest first, read page by page: matches that were started with `listed`.

        `state`: only matches in play (`MATCH_STATE_IN_PLAY`), or only finished ones (`MATCH_STATE_FINISHED`).
        """
        token: str | None = None
        while token != "":
            params = {"state": state or None, "pageToken": token, "pageSize": core.LIST_PAGE_SIZE}
            response = await self._http.send(Call("GET", f"{self._path}/matches", params=params))
            page: ListMatchesResponse = response.json()
            for match in page["matches"]:
                yield match
            token = page["nextPageToken"]

    def match(self, match_id: str, token: str = "") -> AsyncMatchClient[MoveT, OptionsT, StateT, ViewT]:
        """The client of a match, for the seat of the token, or for the host; without a token for a spectator."""
        return AsyncMatchClient(self._http, f"{self._path}/matches/{core.segment(match_id)}", match_id, token)

    async def replay(
        self,
        record: MatchRecord[MoveT, OptionsT],
        revision: int | None = None,
        seat: int | None = None,
        *,
        after: int | None = None,
    ) -> ReplayResponse[MoveT, StateT, ViewT]:
        """The position of a record after so many log entries, as a seat or a spectator saw it; the last by default.

        `after`: the response also has the log entries after this revision, as the seat saw them; 0 for all.
        """
        body: dict[str, object] = {"record": record, "revision": revision, "seat": seat, "fromRevision": after}
        replayed: ReplayResponse[MoveT, StateT, ViewT] = (await self._post(":replay", body)).json()
        return replayed

    async def new_state(
        self, seats: Sequence[SeatSpec], options: OptionsT | None = None, *, client_seed: str = ""
    ) -> NewGameResponse[StateT, ViewT]:
        """The first position of a match that the service does not store, as an inline `state` with all secrets.

        The caller keeps the state, and sends it to the methods below. `client_seed`: of nature's first draws, which are
        random without it.
        """
        body = {"seats": seats, "options": options, "clientSeed": client_seed}
        begun: NewGameResponse[StateT, ViewT] = (await self._post(":newGame", body)).json()
        return begun

    async def legal_moves(self, state: StateT, seat: int) -> list[LegalMove[MoveT]]:
        """The legal moves of a seat on an inline state; none when it is not to move."""
        response = await self._post(":legalMoves", {"state": state, "seat": seat})
        moves: list[LegalMove[MoveT]] = response.json()["moves"]
        return moves

    async def apply(
        self, state: StateT, seat: int, move: MoveT | str, *, seed: str = "", next: bool = False
    ) -> ApplyResponse[MoveT, StateT, ViewT]:
        """Make a move of a seat on an inline state; the response has the next state.

        `seed`: of nature's draws, which are random without it; the same seed gives the same draws. `next`: the response
        has the next legal moves of the seat, if it is to move again.
        """
        body = {"state": state, "seat": seat, **core.choice(move), "seed": seed, "next": next}
        applied: ApplyResponse[MoveT, StateT, ViewT] = (await self._post(":apply", body)).json()
        return applied

    async def batch_apply(
        self, requests: Sequence[Mapping[str, object]], *, legal_moves: bool = False, encodings: bool = False
    ) -> list[BatchApplyResult[MoveT, StateT, ViewT]]:
        """Make up to 1,024 moves on inline states, each with its own result: a `response` or a `problem`.

        A request has a `state`, a `seat`, one of `move`, `notation` and `action`, and perhaps the `seed` of draws.
        `legal_moves`: a result has those of the seats that are then to move. `encodings`: instead of a response it has
        `encoded`, numbers for programs that learn, where `observation` is signed bytes in base64.
        With `encodings` a request without a move only encodes its state.
        """
        body = {"requests": requests, "legalMoves": legal_moves, "encodings": encodings}
        results: list[BatchApplyResult[MoveT, StateT, ViewT]] = (await self._post(":batchApply", body)).json()[
            "results"
        ]
        return results

    async def score(self, state: StateT) -> ScoreResponse:
        """Points and ranks of an inline state."""
        score: ScoreResponse = (await self._post(":score", {"state": state})).json()
        return score

    async def picture(self, state: StateT, seat: int | None = None, *, theme: str = "light") -> str:
        """The picture of an inline state as a seat sees it, or a spectator: an SVG document."""
        return (await self._post(":picture", {"state": state, "seat": seat, "theme": theme})).text

    async def hint(self, state: StateT, seat: int, *, bot: str = "", seed: str = "") -> HintResponse[MoveT]:
        """Every legal move of a seat on an inline state with its value; by `mcts` unless a bot is named."""
        body = {"state": state, "seat": seat, "bot": bot, "seed": seed}
        hint: HintResponse[MoveT] = (await self._post(":hint", body)).json()
        return hint

    async def _post(self, suffix: str, body: Mapping[str, object]) -> httpx.Response:
        return await self._http.send(Call("POST", self._path + suffix, body=core.given(body)))
