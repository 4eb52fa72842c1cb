"""Synchronous client of one match: `MatchClient`."""

from __future__ import annotations

import secrets
from collections.abc import Generator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Final, Generic, cast

import httpx

from fireside_client import core
from fireside_client.core import Call
from fireside_client.sync.http import Http
from fireside_client.types.shared import (
    ApplyResponse,
    Event,
    ForkResponse,
    HintResponse,
    InviteResponse,
    JoinResponse,
    LeaveResponse,
    LegalMove,
    Match,
    MatchRecord,
    MoveT,
    OptionsT,
    ReissueResponse,
    RematchResponse,
    ScoreResponse,
    StateT,
    SubstituteResponse,
    ViewT,
    WatchResponse,
)

if TYPE_CHECKING:
    from fireside_client.sync.play import PlaySession


class MatchClient(Generic[MoveT, OptionsT, StateT, ViewT]):
    """Client of one match, for one seat or a spectator."""

    def __init__(self, http: Http, path: str, match_id: str, token: str) -> None:
        self._http: Final = http
        self._path: Final = path
        self.match_id: Final = match_id
        self.token: Final = token
        self._tag = ""

    def get(self, revision: int | None = None, *, seat: int | None = None) -> Match[ViewT]:
        """The match as the seat sees it, or as it could see it at a revision.

        `seat`: as another seat saw it, once a match that was started with `open_after` is over.
        """
        match: Match[ViewT] = (self._read("", revision=revision, seat=seat)).json()
        return match

    def get_if_changed(self, revision: int) -> Match[ViewT] | None:
        """The match, or None while it has this revision, which the service says in a few bytes (304)."""
        is_known = self._tag.startswith(f'"{revision}-')
        response = self._read("", {"if-none-match": self._tag} if is_known else {})
        if response.status_code == httpx.codes.NOT_MODIFIED:
            return None
        self._tag = response.headers.get("etag", "")
        match: Match[ViewT] = response.json()
        return match if match["revision"] != revision else None

    def legal_moves(self, revision: int | None = None, *, seat: int | None = None) -> list[LegalMove[MoveT]]:
        """The legal moves of the seat; none when it is not to move. `seat`: of another one, as with `get`."""
        response = self._read("/legal-moves", revision=revision, seat=seat)
        moves: list[LegalMove[MoveT]] = response.json()["moves"]
        return moves

    def apply(
        self,
        move: MoveT | str,
        *,
        expected_revision: int | None = None,
        request_id: str = "",
        next: bool = False,
    ) -> ApplyResponse[MoveT, StateT, ViewT]:
        """Make a move, as a message or in notation.

        `expected_revision`: fail with `STALE_REVISION` if the match has moved on from it. `next`: the response has the
        legal moves of the seat, if it is to move again. A `request_id` is made if none is given.
        """
        body: dict[str, object] = {**core.choice(move), "next": next}
        if expected_revision is not None:
            body["expectedRevision"] = expected_revision
        applied: ApplyResponse[MoveT, StateT, ViewT] = (self._write("/moves", request_id, body)).json()
        return applied

    def leave(self, *, request_id: str = "") -> LeaveResponse[MoveT, ViewT]:
        """Leave the match for good; one that has not begun opens the seat again."""
        left: LeaveResponse[MoveT, ViewT] = (self._write(":leave", request_id, {})).json()
        return left

    def join(self, code: str = "", name: str = "", *, player_id: str = "", request_id: str = "") -> JoinResponse[ViewT]:
        """Take the seat that a join code gives; without a code an open seat of a public match. Returns its token."""
        body = {"code": code, "name": name, "playerId": player_id}
        joined: JoinResponse[ViewT] = (self._write(":join", request_id, body)).json()
        return joined

    def invite(self, seat: int | None = None) -> InviteResponse:
        """The join code of an open seat, as host; with a seat's token one that hands over the seat."""
        invited: InviteResponse = (self._post(":invite", {"seat": seat})).json()
        return invited

    def reissue(self, seat: int | None = None) -> ReissueResponse:
        """A new token of a seat, by the host or the seat itself; its earlier tokens and codes are refused then."""
        reissued: ReissueResponse = (self._write(":reissue", "", {"seat": seat})).json()
        return reissued

    def substitute(self, bot: str, seat: int | None = None) -> SubstituteResponse[ViewT]:
        """Let a bot take a seat, or play on in it, by the host or the seat itself."""
        substituted: SubstituteResponse[ViewT] = (self._post(":substitute", {"bot": bot, "seat": seat})).json()
        return substituted

    def withdraw(self) -> None:
        """Delete a match that has not begun, as host."""
        self._post(":withdraw", {})

    def rematch(self) -> RematchResponse[ViewT]:
        """Take the seat in the rematch of a match that is over; it begins when all players have called this."""
        rematch: RematchResponse[ViewT] = (self._post(":rematch", {})).json()
        return rematch

    def hint(
        self, revision: int | None = None, seat: int | None = None, *, bot: str = "", seed: str = ""
    ) -> HintResponse[MoveT]:
        """Every legal move with its value for the seat; of a finished match for any seat at any revision."""
        body = {"revision": revision, "seat": seat, "bot": bot, "seed": seed}
        hint: HintResponse[MoveT] = (self._post(":hint", body)).json()
        return hint

    def fork(self, revision: int | None = None) -> ForkResponse[StateT, ViewT]:
        """A position of a match that is over as an inline state, to play on from there; the last by default."""
        fork: ForkResponse[StateT, ViewT] = (self._post(":fork", {"revision": revision})).json()
        return fork

    def score(self, revision: int | None = None) -> ScoreResponse:
        """Points and ranks, now or at a revision."""
        score: ScoreResponse = (self._read("/score", revision=revision)).json()
        return score

    def picture(self, revision: int | None = None, *, seat: int | None = None, theme: str = "light") -> str:
        """The picture of the position, an SVG document, now or at a revision; `theme` is `light` or `dark`.

        `seat`: as another one saw it, as with `get`.
        """
        return (self._read("/picture.svg", revision=revision, seat=seat, theme=theme)).text

    def picture_png(
        self, revision: int | None = None, *, seat: int | None = None, theme: str = "light", width: int | None = None
    ) -> bytes:
        """The same picture as PNG, `width` pixels wide: 200 to 2000, by default 800."""
        return (self._read("/picture.png", revision=revision, seat=seat, theme=theme, width=width)).content

    def history(self, after: int = 0, *, seat: int | None = None) -> list[Event[MoveT]]:
        """All log entries after a revision. `seat`: as another one saw them, as with `get`."""
        events: list[Event[MoveT]] = []
        page: int | None = after
        while page is not None:
            response = (self._read("/history", fromRevision=page, seat=seat)).json()
            events += response["events"]
            page = response.get("nextRevision")
        return events

    def record(self) -> MatchRecord[MoveT, OptionsT]:
        """The whole record of a match that is over, for `fireside verify`."""
        record: MatchRecord[MoveT, OptionsT] = (self._read("/record")).json()
        return record

    def events(self, after: int = 0, *, views: bool = False) -> Generator[WatchResponse[MoveT, ViewT]]:
        """The log entries after a revision, each once, and who is to move, until `over`, which is last.

        `views`: every turn has the match as the seat sees it and its legal moves. The stream is resumed after the last
        message whenever a connection breaks; the current turn may then come twice.
        """
        path = f"{self._path}/events"

        def call(after: int | str) -> Call:
            return Call("GET", path, self.token, {"fromRevision": after, "views": views})

        with closing(self._http.messages(call, after)) as messages:
            for message in messages:
                yield cast("WatchResponse[MoveT, ViewT]", message)
                if "over" in message:
                    return

    def play(self, after: int | None = None) -> PlaySession[MoveT, ViewT]:
        """Play the seat over a WebSocket; with log entries after a revision if one is given. Needs `websockets`."""
        from fireside_client.sync.play import PlaySession  # it is an extra

        url = core.websocket_url(self._http.url, f"{self._path}/play")
        protocol = core.PlayProtocol(self.token, after, self._http.locale)
        return PlaySession(url, protocol, self._http.backoff())

    def _read(
        self, suffix: str, headers: Mapping[str, str] | None = None, **params: str | int | None
    ) -> httpx.Response:
        return self._http.send(Call("GET", self._path + suffix, self.token, params, headers=headers or {}))

    def _post(self, suffix: str, body: Mapping[str, object]) -> httpx.Response:
        return self._http.send(Call("POST", self._path + suffix, self.token, body=core.given(body)))

    def _write(self, suffix: str, request_id: str, body: Mapping[str, object]) -> httpx.Response:
        sent = {**body, "requestId": request_id or secrets.token_urlsafe()}
        return self._http.send(Call("POST", self._path + suffix, self.token, body=sent))
