"""Tools of the MCP server: each public method of `AgentTools` is one, and its docstring is what models read of it.

Tokens stay in this process: a model holds the ids of its seats, which are as hard to guess, but end with the process.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import wraps
from typing import Final, ParamSpec, TypeAlias, TypeVar

from mcp.server.mcpserver import Image
from mcp.server.mcpserver.exceptions import ResourceError, ToolError

from cli.agents import texts
from cli.agents.descriptions import (
    BotName,
    ChosenMove,
    Containing,
    DarkTheme,
    GameName,
    GameOptions,
    Hints,
    JoinCode,
    Legend,
    Listed,
    ListRevision,
    MatchId,
    MoveNotations,
    MoveSeconds,
    OpenSeat,
    Opponents,
    PastRevision,
    PlayerName,
    PresetName,
    Private,
    SeatId,
    SeatNumber,
    SeatToken,
    WaitSeconds,
)
from cli.agents.finished import AnyGameClient, replayed_text, tried_text
from cli.bots import player_name
from cli.client import page_link
from cli.play.polling import with_printable_names
from cli.play.prompt import parse_move
from cli.rules_text import page_source
from cli.translation import gettext, labelled
from engine_core.games import canonical_name
from fireside_client import AsyncFiresideClient, AsyncMatchClient
from fireside_client.types.any_game import (
    AnyGame,
    Clock,
    Game,
    LegalMove,
    Match,
    Move,
    Options,
    SeatSpec,
    State,
    View,
)

OPEN_SEAT: Final = "open"
"""The opponent that is a seat for somebody who joins."""
MAX_LISTED_MATCHES: Final = 20
MAX_SEATS: Final = 10_000
"""Most seats that the server remembers, about 1 KB each; the oldest are forgotten first."""

AnyMatchClient: TypeAlias = AsyncMatchClient[Move, Options, State, View]
P = ParamSpec("P")
R = TypeVar("R")


@dataclass
class AgentSeat:
    """A seat that an agent plays."""

    game: str
    client: AnyMatchClient
    host: AnyMatchClient | None = None
    """Client of the host, if the agent has begun the match."""
    shown_revision: int = 0
    """Revision up to which the agent was sent the log."""


def reporting_errors(tool: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
    """A tool whose anticipated errors reach the model as text; the SDK hides the texts of all others."""

    @wraps(tool)
    async def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return await tool(*args, **kwargs)
        except (ValueError, OSError) as error:  # `FiresideError` and `ConnectionError` are among them
            raise ToolError(str(error)) from None

    return call


class AgentTools:
    """The tools. They raise `ValueError` for what is wrong or refused, `OSError` if the service does not answer."""

    def __init__(self, client: AsyncFiresideClient, games: Sequence[Game]) -> None:
        self._client: Final = client
        self._games: Final = {game["name"]: game for game in games}
        self._seats: Final[dict[str, AgentSeat]] = {}

    async def list_games(self) -> str:
        """List the games with their numbers of seats, presets, options and bots."""
        return "\n\n".join(
            [texts.game_text(game, await self._rules(name).components()) for name, game in self._games.items()]
        )

    async def read_rules(self, game: GameName) -> str:
        """Read how a game is played: its rules, options, the notation of its moves, secrets and score (Markdown)."""
        return page_source(self._rules(game).name)

    async def read_components(self, game: GameName) -> str:
        """Read the material of a game as JSON: board, cards, values, names. It is long; the rules suffice to play."""
        components = await self._rules(game).components()
        return json.dumps({"names": components["names"], "components": components["components"]}, ensure_ascii=False)

    async def list_open_matches(self, game: GameName) -> str:
        """List public matches that have open seats, newest first. Anybody may take these seats, by join_match."""
        lines: list[str] = []
        async for match in self._rules(game).list_matches("MATCH_STATE_WAITING"):
            lines.append(texts.open_match_text(match))
            if len(lines) == MAX_LISTED_MATCHES:
                break
        return "\n".join(lines) or gettext("There are no open seats.")

    async def begin_match(
        self,
        game: GameName,
        opponents: Opponents,
        name: PlayerName = "",
        preset: PresetName = "",
        options: GameOptions = None,
        move_seconds: MoveSeconds = 0,
        private: Private = False,
        listed: Listed = False,
        hints: Hints = False,
    ) -> str:
        """Begin a match in which you have seat 1. Returns your seat_id, the position, and join codes of open seats."""
        rules = self._rules(game)
        chosen = {**await _preset_options(rules, preset), **(options or {})}
        clock: Clock | None = {"moveSeconds": move_seconds} if move_seconds else None
        specs: list[SeatSpec] = [{"name": name or gettext("Agent")}]
        specs += [_seat_spec(seat, opponent) for seat, opponent in enumerate(opponents, 1)]
        begun = await rules.new_match(specs, chosen, clock=clock, private=private, listed=listed, hints=hints)
        codes = [
            gettext("Seat {seat} is open. Its join code: {code}", seat=code["seat"] + 1, code=code["code"])
            for code in begun["joinCodes"]
        ]
        host = rules.match(begun["matchId"], begun["hostToken"])
        return await self._seated(rules, begun["matchId"], begun["seats"][0]["token"], codes, host)

    async def join_match(
        self, game: GameName, match_id: MatchId, code: JoinCode = "", token: SeatToken = "", name: PlayerName = ""
    ) -> str:
        """Take a seat in a match that somebody else began: by a join code, by a token, or without either in a match of
        list_open_matches. Returns your seat_id."""
        if code and token:
            raise ValueError(gettext("give a join code or a token, not both"))
        rules = self._rules(game)
        if not token:
            token = (await rules.match(match_id).join(code, name=name or gettext("Agent")))["token"]
        return await self._seated(rules, match_id, token)

    async def look(self, seat_id: SeatId, legend: Legend = False) -> str:
        """Look at the match: the position as your seat sees it, and who is to move."""
        match = await self._match(self._seat(seat_id))
        return texts.paragraphs(texts.status(match), texts.position(match), texts.legend(match) if legend else "")

    async def look_at_picture(self, seat_id: SeatId, dark: DarkTheme = False) -> Image:
        """Look at a picture (PNG) of the position as your seat sees it."""
        picture = await self._seat(seat_id).client.picture_png(theme="dark" if dark else "light")
        return Image(data=picture, format="png")

    async def list_moves(self, seat_id: SeatId, containing: Containing = "") -> str:
        """List your legal moves as numbered sentences with their notation. There are none when it is not your turn."""
        match, moves = await self._turn(self._seat(seat_id))
        return texts.moves_text(moves, match["revision"], containing) if moves else texts.status(match)

    async def move(self, seat_id: SeatId, move: ChosenMove, revision: ListRevision) -> str:
        """Make a move. Returns what happened, and your next legal moves if it is your turn again."""
        seat = self._seat(seat_id)
        moves = [each["notation"] for each in await seat.client.legal_moves(revision)]
        if not moves:
            raise ValueError(gettext("you have no legal moves at revision {revision}", revision=revision))
        # The service explains best what is wrong with a move that is not in the list.
        notation = parse_move(str(move), moves) or str(move)
        await seat.client.apply(notation, expected_revision=revision)
        return await self._news(seat)

    async def wait_for_turn(self, seat_id: SeatId, seconds: WaitSeconds = 30) -> str:
        """Wait until it is your turn or the match is over. Returns what happened since, and the position and your legal
        moves if it is your turn. It ends after `seconds` at the latest; then call it again."""
        seat = self._seat(seat_id)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await _until_turn(seat.client)
        return await self._news(seat, with_position=True)

    async def score(self, seat_id: SeatId) -> str:
        """Show points and ranks: the result if the match is over, otherwise as it stands."""
        seat = self._seat(seat_id)
        return texts.score_text(await seat.client.score(), await self._match(seat))

    async def hint(self, seat_id: SeatId, revision: PastRevision = None, seat: SeatNumber = None) -> str:
        """Ask a bot what each of your legal moves is worth, the best first: the share of opponents that you would rank
        before. In a match in play it must have been begun with `hints`, and all players see in the log that you asked:
        move by notation then, at the revision that this returns. Of a match that is over, for any seat and revision."""
        asking = self._seat(seat_id)
        return texts.hint_text(await asking.client.hint(revision, _seat_index(seat)))

    async def replay(self, seat_id: SeatId, revision: PastRevision = None, seat: SeatNumber = None) -> str:
        """Look at a position of a match that is over, as a seat saw it then, with the 20 log entries before it."""
        watching = self._seat(seat_id)
        match, record = await self._match(watching), await watching.client.record()
        return await replayed_text(self._rules(watching.game), match, record, revision, _seat_index(seat))

    async def try_moves(self, seat_id: SeatId, moves: MoveNotations, revision: PastRevision = None) -> str:
        """Find out what would have happened: play moves on a copy of a match that is over, from the position at a
        revision. Returns the position after them and the legal moves there. Equal calls have equal draws of chance, so
        that you can go on with more moves."""
        seat = self._seat(seat_id)
        match, fork = await self._match(seat), await seat.client.fork(revision)
        return await tried_text(self._rules(seat.game), match, fork, moves)

    async def rematch(self, seat_id: SeatId) -> str:
        """Play again with the players of a match that is over: take your seat in the rematch, which begins when all
        have done so. Returns your new seat_id."""
        seat = self._seat(seat_id)
        rematch = await seat.client.rematch()
        return await self._seated(self._rules(seat.game), rematch["matchId"], rematch["seat"]["token"])

    async def substitute(self, seat_id: SeatId, bot: BotName, seat: OpenSeat = None) -> str:
        """Let a bot play on in your seat for good; or, in a match that you have begun, let one take an open seat."""
        own = self._seat(seat_id)
        if seat is None:
            await own.client.substitute(bot)
            del self._seats[seat_id]
            return gettext("The bot {bot} plays on in your seat.", bot=bot)
        await (own.host or own.client).substitute(bot, _seat_index(seat))
        return await self._news(own)

    async def withdraw(self, seat_id: SeatId) -> str:
        """Delete a match that you have begun and that waits for players."""
        seat = self._seat(seat_id)
        await (seat.host or seat.client).withdraw()
        del self._seats[seat_id]
        return gettext("The match is deleted.")

    async def reissue(self, seat_id: SeatId) -> str:
        """Revoke all links to your seat that you have made, if one is in wrong hands. Your seat_id stays valid."""
        seat = self._seat(seat_id)
        token = (await seat.client.reissue())["seat"]["token"]
        seat.client = self._rules(seat.game).match(seat.client.match_id, token)
        return gettext("Earlier links to your seat are refused now.")

    async def link_seat(self, seat_id: SeatId) -> str:
        """Make a link that opens your seat in a browser. It gives your seat away: show it on request only."""
        seat = self._seat(seat_id)
        return page_link(self._client.url, seat.game, seat.client.match_id, seat.client.token)

    async def leave(self, seat_id: SeatId) -> str:
        """Leave the match for good: you rank below all who stay, and default moves are made for your seat."""
        await self._seat(seat_id).client.leave()
        return gettext("You have left the match.")

    async def picture_svg(self, seat_id: str) -> str:
        """The picture (SVG) of the position as the seat sees it. This is a resource, not a tool."""
        try:
            return await self._seat(seat_id).client.picture()
        except (ValueError, OSError) as error:
            raise ResourceError(str(error)) from None

    def _rules(self, game: str) -> AnyGameClient:
        name = canonical_name(game)
        if name not in self._games:
            names = ", ".join(self._games)
            raise ValueError(gettext("there is no game {name} here; there are {games}", name=repr(game), games=names))
        return self._client.game(AnyGame(name))

    def _seat(self, seat_id: str) -> AgentSeat:
        if seat_id not in self._seats:
            raise ValueError(gettext("there is no seat {seat}: begin or join a match first", seat=repr(seat_id)))
        return self._seats[seat_id]

    async def _seated(
        self,
        rules: AnyGameClient,
        match_id: str,
        token: str,
        lines: Sequence[str] = (),
        host: AnyMatchClient | None = None,
    ) -> str:
        """Remember a seat, and describe its match."""
        seat = AgentSeat(rules.name, rules.match(match_id, token), host)
        match, moves = await self._turn(seat)
        if "seat" not in match:
            raise ValueError(gettext("this token is of no seat"))
        while len(self._seats) >= MAX_SEATS:
            del self._seats[next(iter(self._seats))]
        seat_id = secrets.token_hex(8)
        self._seats[seat_id] = seat
        return texts.paragraphs(
            "\n".join([labelled("seat_id", seat_id), *lines]),
            await self._log_text(seat, match),
            texts.status(match),
            texts.position(match),
            texts.legend(match),
            texts.moves_text(moves, match["revision"]) if moves else "",
        )

    async def _match(self, seat: AgentSeat) -> Match:
        return with_printable_names(await seat.client.get())

    async def _turn(self, seat: AgentSeat) -> tuple[Match, list[LegalMove]]:
        """The match, and the legal moves at its revision: none if it is not the seat's turn."""
        match = await self._match(seat)
        if match.get("seat") not in match["toMove"]:
            return match, []
        return match, await seat.client.legal_moves(match["revision"])

    async def _log_text(self, seat: AgentSeat, match: Match) -> str:
        """The log entries that the agent was not sent yet."""
        events = await seat.client.history(seat.shown_revision)
        seat.shown_revision = max([seat.shown_revision, *(event["revision"] for event in events)])
        return texts.events_text(events, match)

    async def _news(self, seat: AgentSeat, with_position: bool = False) -> str:
        """What happened since the last call, and the legal moves or the result."""
        match, moves = await self._turn(seat)
        return texts.paragraphs(
            await self._log_text(seat, match),
            texts.status(match),
            texts.position(match) if with_position and (moves or match["over"]) else "",
            texts.moves_text(moves, match["revision"]) if moves else "",
            texts.score_text(await seat.client.score(), match) if match["over"] else "",
        )


def _seat_spec(seat: int, opponent: str) -> SeatSpec:
    return {"open": {}} if opponent == OPEN_SEAT else {"name": player_name(seat, opponent), "bot": opponent}


def _seat_index(number: int | None) -> int | None:
    """The index of a seat whose number counts from 1."""
    return None if number is None else number - 1


async def _preset_options(rules: AnyGameClient, preset: str) -> Options:
    if not preset:
        return {}
    presets = {each["name"]: each["options"] for each in (await rules.components())["presets"]}
    if preset not in presets:
        raise ValueError(
            gettext("there is no preset {name}; there are {names}", name=repr(preset), names=", ".join(presets))
        )
    return presets[preset]


async def _until_turn(client: AnyMatchClient) -> None:
    """Follow the match until the seat is to move or the match is over."""
    match = await client.get()
    own = match.get("seat")
    if match["over"] or own in match["toMove"]:
        return
    async with aclosing(client.events(match["revision"])) as messages:
        async for message in messages:
            if "over" in message or ("turn" in message and own in message["turn"]["toMove"]):
                return
