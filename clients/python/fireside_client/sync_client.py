"""Synchronous client of a Fireside service: `FiresideClient`, with a client for a game and one for a match."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Final, Generic, Self, cast

import httpx

from fireside_client import core
from fireside_client.core import Backoff, Call, EventParser
from fireside_client.types.game_name import GameName
from fireside_client.types.shared import (
    ApplyResponse,
    Clock,
    ComponentsT,
    Event,
    ForkResponse,
    Game,
    GetComponentsResponse,
    HintResponse,
    InviteResponse,
    JoinResponse,
    LeaveResponse,
    LegalMove,
    ListMatchesResponse,
    ListPlatformMatchesResponse,
    Match,
    MatchRecord,
    MatchSummary,
    MoveT,
    NewGameResponse,
    OptionsT,
    PlatformEvent,
    PlatformMatch,
    ReissueResponse,
    RematchResponse,
    ReplayResponse,
    ScoreResponse,
    SeatSpec,
    StateT,
    SubstituteResponse,
    ViewT,
    WatchResponse,
)

if TYPE_CHECKING:
    from fireside_client.sync_play import PlaySession


class FiresideClient:
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

    def games(self) -> list[Game]:
        """The games of the service."""
        games: list[Game] = (self.send(Call("GET", "/v1/games"))).json()["games"]
        return games

    def game(
        self, game: GameName[ComponentsT, MoveT, OptionsT, StateT, ViewT]
    ) -> GameClient[ComponentsT, MoveT, OptionsT, StateT, ViewT]:
        """The client of a game: `GAME` of the module of its types, or `AnyGame(name)`."""
        return GameClient(self, game)

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

    def platform_matches(self, player_id: str = "", state: str = "", game: str = "") -> Iterator[PlatformMatch]:
        """The matches of the API key, newest first, read page by page; only those of a player, a state or a game."""
        token: str | None = None
        filters = {"playerId": player_id or None, "state": state or None, "game": game or None}
        while token != "":
            params = {**filters, "pageToken": token, "pageSize": core.LIST_PAGE_SIZE}
            page: ListPlatformMatchesResponse = (self.send(Call("GET", "/v1/matches", params=params))).json()
            yield from page["matches"]
            token = page["nextPageToken"]


class GameClient(Generic[ComponentsT, MoveT, OptionsT, StateT, ViewT]):
    """Client of one game of a service."""

    def __init__(self, client: FiresideClient, name: str) -> None:
        self._client: Final = client
        self._path: Final = core.game_path(name)
        self.name: Final = str(name)

    def components(self) -> GetComponentsResponse[ComponentsT, OptionsT]:
        """What is needed to draw positions, and names of all that is in them in the client's language."""
        response = self._client.send(Call("GET", f"{self._path}/components"))
        components: GetComponentsResponse[ComponentsT, OptionsT] = response.json()
        return components

    def new_match(
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
        response = self._client.send(
            Call(
                "POST",
                f"{self._path}/matches",
                body={name: value for name, value in body.items() if value is not None},
                headers={"idempotency-key": request_id or secrets.token_urlsafe()},
            )
        )
        begun: NewGameResponse[StateT, ViewT] = response.json()
        return begun

    def list_matches(self, state: str = "") -> Iterator[MatchSummary]:
        """The public list, newest first, read page by page: matches that were started with `listed`.

        `state`: only matches in play (`MATCH_STATE_IN_PLAY`), or only finished ones (`MATCH_STATE_FINISHED`).
        """
        token: str | None = None
        while token != "":
            params = {"state": state or None, "pageToken": token, "pageSize": core.LIST_PAGE_SIZE}
            response = self._client.send(Call("GET", f"{self._path}/matches", params=params))
            page: ListMatchesResponse = response.json()
            yield from page["matches"]
            token = page["nextPageToken"]

    def match(self, match_id: str, token: str = "") -> MatchClient[MoveT, OptionsT, StateT, ViewT]:
        """The client of a match, for the seat of the token, or for the host; without a token for a spectator."""
        return MatchClient(self._client, f"{self._path}/matches/{match_id}", match_id, token)

    def replay(
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
        given = {name: value for name, value in body.items() if value is not None}
        response = self._client.send(Call("POST", f"{self._path}:replay", body=given))
        replayed: ReplayResponse[MoveT, StateT, ViewT] = response.json()
        return replayed

    def hint(self, state: StateT, seat: int, *, bot: str = "", seed: str = "") -> HintResponse[MoveT]:
        """Every legal move of a seat on an inline state with its value; by `mcts` unless a bot is named."""
        body = {"state": state, "seat": seat, "bot": bot, "seed": seed}
        hint: HintResponse[MoveT] = (self._client.send(Call("POST", f"{self._path}:hint", body=body))).json()
        return hint


class MatchClient(Generic[MoveT, OptionsT, StateT, ViewT]):
    """Client of one match, for one seat or a spectator."""

    def __init__(self, client: FiresideClient, path: str, match_id: str, token: str) -> None:
        self._client: Final = client
        self._path: Final = path
        self.match_id: Final = match_id
        self.token: Final = token
        self._tag = ""

    def get(self, revision: int | None = None) -> Match[ViewT]:
        """The match as the seat sees it, or as it could see it at a revision."""
        match: Match[ViewT] = (self._read("", revision=revision)).json()
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

    def legal_moves(self, revision: int | None = None) -> list[LegalMove[MoveT]]:
        """The legal moves of the seat; none when it is not to move."""
        moves: list[LegalMove[MoveT]] = (self._read("/legal-moves", revision=revision)).json()["moves"]
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
        reissued: ReissueResponse = (self._post(":reissue", {"seat": seat})).json()
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

    def picture(self, revision: int | None = None, *, theme: str = "light") -> str:
        """The picture of the position, an SVG document, now or at a revision; `theme` is `light` or `dark`."""
        return (self._read("/picture.svg", revision=revision, theme=theme)).text

    def picture_png(self, revision: int | None = None, *, theme: str = "light") -> bytes:
        """The same picture as PNG."""
        return (self._read("/picture.png", revision=revision, theme=theme)).content

    def history(self, after: int = 0) -> list[Event[MoveT]]:
        """All log entries after a revision."""
        events: list[Event[MoveT]] = []
        page: int | None = after
        while page is not None:
            response = (self._read("/history", fromRevision=page)).json()
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

        with closing(self._client.messages(call, after)) as messages:
            for message in messages:
                yield cast("WatchResponse[MoveT, ViewT]", message)
                if "over" in message:
                    return

    def play(self, after: int | None = None) -> PlaySession[MoveT, ViewT]:
        """Play the seat over a WebSocket; with log entries after a revision if one is given. Needs `websockets`."""
        from fireside_client.sync_play import PlaySession  # it is an extra

        url = core.websocket_url(self._client.url, f"{self._path}/play")
        protocol = core.PlayProtocol(self.token, after, self._client.locale)
        return PlaySession(url, protocol, self._client.backoff())

    def _read(
        self, suffix: str, headers: Mapping[str, str] | None = None, **params: str | int | None
    ) -> httpx.Response:
        return self._client.send(Call("GET", self._path + suffix, self.token, params, headers=headers or {}))

    def _post(self, suffix: str, body: Mapping[str, object]) -> httpx.Response:
        given = {name: value for name, value in body.items() if value is not None}
        return self._client.send(Call("POST", self._path + suffix, self.token, body=given))

    def _write(self, suffix: str, request_id: str, body: Mapping[str, object]) -> httpx.Response:
        sent = {**body, "requestId": request_id or secrets.token_urlsafe()}
        return self._client.send(Call("POST", self._path + suffix, self.token, body=sent))
