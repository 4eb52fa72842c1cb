"""Random sequences of calls about seats, compared with a small model: who sits where, and which credentials are valid.

Two engines on one Redis take turns at random, so what one of them has cached is compared too.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

from fireside.match.v1.match_pb2 import OpenSeat, SeatSpec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from services.engine.codecs import CODECS, AnyCodec
from tests.services.client import Refusal
from tests.services.engine.tables.test_calls import engines
from tests.services.registry import GameClient

EXAMPLES = int(os.environ.get("FIRESIDE_FUZZ_EXAMPLES", "6"))
STEPS = 20
BOT = "greedy"
"""No worker runs, so bots sit and make no moves."""
MAX_SEATS = 3
SEATS = st.integers(0, MAX_SEATS - 1)
NUMBERS = st.integers(0, 99)
BY_HOST = st.booleans()


@dataclass
class Seat:
    """What the model knows of a seat."""

    name: str = ""
    bot: str = ""
    is_open: bool = False
    token: str = ""
    """The last token that was issued; empty for a bot, and for an open seat."""
    code: str = ""
    """The valid join code, once it is known."""
    is_offered: bool = False
    """Whether a join code is valid."""
    has_left: bool = False


@dataclass
class Table:
    """What the model knows of a match."""

    match_id: str
    seats: list[Seat]
    host: str = ""
    is_over: bool = False
    is_withdrawn: bool = False
    has_begun: bool = False
    dead_tokens: list[str] = field(default_factory=list)
    dead_codes: list[str] = field(default_factory=list)

    def give(self, number: int, seat: Seat) -> None:
        """Let somebody else have a seat: its earlier token and code are dead."""
        before = self.seats[number]
        self.dead_tokens += [before.token] * bool(before.token)
        self.dead_codes += [before.code] * bool(before.code)
        self.seats[number] = seat
        self.has_begun = self.has_begun or not any(each.is_open for each in self.seats)


class Service:
    """Clients of two engines, and the event loop in which they run."""

    def __init__(self, runner: asyncio.Runner, clients: list[GameClient]) -> None:
        self._runner, self._clients = runner, clients
        self._calls = 0

    def call(self, codec: AnyCodec, method: str, token: str = "", **fields: Any) -> Any:
        """The response, or the reason why the call is refused."""
        return self._runner.run(self._call(codec, method, token, fields))

    async def _call(self, codec: AnyCodec, method: str, token: str, fields: dict[str, Any]) -> Any:
        self._calls += 1
        client = GameClient(self._clients[self._calls * 7 % 5 % 2].channel, codec)
        try:
            return await client.call(method, token, **fields)
        except Refusal as refused:
            return refused.reason


class SeatsMachine(RuleBasedStateMachine):
    """Players who come and go at one table and its rematches."""

    service: ClassVar[Service]

    def __init__(self) -> None:
        super().__init__()
        self.codec = next(iter(CODECS.values()))
        self.table = Table("", [])
        self.rematch: Table | None = None
        self.last_join: tuple[dict[str, str], int, str] | None = None
        """The last join: its request, the seat, and its token."""
        self.last_reissue: tuple[str, dict[str, Any], str] | None = None
        """The last token that a player replaced, the request, and the new token."""
        self.requests = 0

    def call(self, method: str, token: str = "", **fields: Any) -> Any:
        """Call a method on the match."""
        return self.service.call(self.codec, method, token, match_id=self.table.match_id, **fields)

    def seat(self, number: int) -> tuple[int, Seat]:
        number %= len(self.table.seats)
        return number, self.table.seats[number]

    def credential(self, seat: Seat, by_host: bool) -> str:
        """A valid credential for a seat: the host's if it is known, else the seat's."""
        return self.table.host if self.table.host and (by_host or not seat.token) else seat.token

    @initialize(codec=st.sampled_from([*CODECS.values()]), kinds=st.lists(st.sampled_from("pob"), min_size=MAX_SEATS))
    def begin(self, codec: AnyCodec, kinds: list[str]) -> None:
        """Begin a match of players, open seats and bots."""
        self.codec = codec
        kinds = ["p", *kinds[: max(codec.game.min_seats, min(codec.game.max_seats, MAX_SEATS)) - 1]]
        specs = {"p": SeatSpec(name="Ada"), "o": SeatSpec(open=OpenSeat()), "b": SeatSpec(bot=BOT)}
        new = self.service.call(codec, "NewGame", seats=[specs[kind] for kind in kinds])
        seats = [Seat(spec.name, spec.bot, spec.HasField("open")) for spec in new.match.seats]
        for token in new.seats:
            seats[token.seat].token = token.token
        for code in new.join_codes:
            seats[code.seat].code, seats[code.seat].is_offered = code.code, True
        self.table = Table(new.match_id, seats, new.host_token, has_begun=not new.join_codes)

    @rule(number=SEATS)
    def join(self, number: int) -> None:
        """Take a seat by its code."""
        number, seat = self.seat(number)
        if not seat.code or not seat.is_offered:
            return
        self.requests += 1
        request = {"code": seat.code, "name": f"N{self.requests}", "request_id": f"r{self.requests}"}
        joined = self.call("Join", **request)
        if self.table.is_withdrawn:
            assert joined == "UNKNOWN_MATCH"
        elif self.table.is_over:
            assert joined == "MATCH_OVER"
        else:
            assert joined.seat == number
            self.table.give(number, Seat(request["name"], token=joined.token, has_left=seat.has_left))
            self.last_join = request, number, joined.token
            self.table.is_over = joined.match.over

    @precondition(lambda self: self.last_join)
    @rule()
    def join_again(self) -> None:
        """Repeat the last join: the token is returned as long as nothing else has happened to the seat."""
        assert self.last_join is not None
        request, number, token = self.last_join
        joined = self.call("Join", **request)
        if self.table.is_withdrawn:
            assert joined == "UNKNOWN_MATCH"
        elif self.table.seats[number].token != token:
            assert joined == "INVALID_CODE"
        elif self.table.is_over:
            assert joined == "MATCH_OVER"
        else:
            assert joined.seat == number

    @precondition(lambda self: self.table.dead_codes)
    @rule(number=NUMBERS)
    def join_by_dead_code(self, number: int) -> None:
        """Try a code that has been used or replaced."""
        codes = self.table.dead_codes
        joined = self.call("Join", code=codes[number % len(codes)], name="late")
        assert joined == ("UNKNOWN_MATCH" if self.table.is_withdrawn else "INVALID_CODE")

    @rule(number=SEATS, by_host=BY_HOST)
    def invite(self, number: int, by_host: bool) -> None:
        """Ask for a code of an open seat, or of the own one."""
        number, seat = self.seat(number)
        credential = self.credential(seat, by_host)
        if not credential:
            return
        invited = self.call("Invite", credential, seat=number)
        if self.table.is_withdrawn:
            assert invited == "UNKNOWN_MATCH"
        elif self.table.is_over:
            assert invited == "MATCH_OVER"
        elif credential == self.table.host and not seat.is_open:
            assert invited == "PERMISSION_DENIED"
        else:
            assert invited.join_code.seat == number
            assert invited.join_code.code == (seat.code or invited.join_code.code)
            assert invited.join_code.code not in self.table.dead_codes
            seat.code, seat.is_offered = invited.join_code.code, True

    @rule(number=SEATS, by_host=BY_HOST)
    def reissue(self, number: int, by_host: bool) -> None:
        """Replace a token."""
        number, seat = self.seat(number)
        credential = self.credential(seat, by_host)
        if not credential:
            return
        self.requests += 1
        request = {"seat": number, "request_id": f"{self.requests:022}"}
        answer = self.call("Reissue", credential, **request)
        if self.table.is_withdrawn:
            assert answer == "UNKNOWN_MATCH"
        elif seat.is_open or seat.bot:
            assert answer == "PERMISSION_DENIED"
        else:
            assert answer.seat.seat == number
            self.table.give(number, Seat(seat.name, token=answer.seat.token, has_left=seat.has_left))
            if credential == seat.token:
                self.last_reissue = credential, request, answer.seat.token

    @precondition(lambda self: self.last_reissue)
    @rule()
    def reissue_again(self) -> None:
        """Repeat the last replacement of a token with the replaced token."""
        assert self.last_reissue is not None
        replaced, request, token = self.last_reissue
        answer = self.call("Reissue", replaced, **request)
        if self.table.is_withdrawn:
            assert answer == "UNKNOWN_MATCH"
        elif self.table.seats[request["seat"]].token != token:
            assert answer == "UNAUTHENTICATED"
        else:
            assert self.call("GetMatch", answer.seat.token).match.seat == request["seat"]

    @rule(number=SEATS, by_host=BY_HOST)
    def substitute(self, number: int, by_host: bool) -> None:
        """Give a seat to a bot."""
        number, seat = self.seat(number)
        credential = self.credential(seat, by_host)
        if not credential:
            return
        answer = self.call("Substitute", credential, seat=number, bot=BOT)
        if self.table.is_withdrawn:
            assert answer == "UNKNOWN_MATCH"
        elif self.table.is_over:
            assert answer == "MATCH_OVER"
        elif seat.has_left:
            assert answer == "SEAT_HAS_LEFT"
        else:
            assert answer.match.seats[number].bot == BOT
            if not seat.bot:
                self.table.give(number, Seat(bot=BOT))

    @rule(number=SEATS)
    def leave(self, number: int) -> None:
        """Leave a seat: before the match begins it is open again."""
        number, seat = self.seat(number)
        if not seat.token:
            return
        left = self.call("Leave", seat.token)
        if self.table.is_withdrawn:
            assert left == "UNKNOWN_MATCH"
        elif self.table.is_over:
            assert left == "MATCH_OVER"
        elif seat.has_left:
            assert left == "SEAT_HAS_LEFT"
        elif not self.table.has_begun:
            assert left.match.seats[number].HasField("open")
            self.table.give(number, Seat(is_open=True, is_offered=True))
        else:
            seat.has_left, self.table.is_over = True, left.match.over

    @precondition(lambda self: self.table.host)
    @rule(is_meant=st.integers(0, 4))
    def withdraw(self, is_meant: int) -> None:
        """Withdraw the match; less often than other calls, since nothing happens after it."""
        if not self.table.has_begun and is_meant:
            return
        withdrawn = self.call("Withdraw", self.table.host)
        if self.table.is_withdrawn:
            assert withdrawn == "UNKNOWN_MATCH"
        elif self.table.has_begun:
            assert withdrawn == "MATCH_BEGUN"
        else:
            assert not isinstance(withdrawn, str)
            self.table.is_withdrawn = True

    @rule(number=SEATS, choice=NUMBERS)
    def move(self, number: int, choice: int) -> None:
        """Make a move, if the seat is to move."""
        number, seat = self.seat(number)
        if not seat.token or self.table.is_withdrawn:
            return
        moves = self.call("LegalMoves", seat.token).moves
        if moves:
            moved = self.call("Apply", seat.token, notation=moves[choice % len(moves)].notation)
            self.table.is_over = moved.match.over

    @rule(number=SEATS)
    def call_for_rematch(self, number: int) -> None:
        """Take the seat in the rematch."""
        number, seat = self.seat(number)
        if not seat.token:
            return
        answer = self.call("Rematch", seat.token)
        if self.table.is_withdrawn:
            assert answer == "UNKNOWN_MATCH"
            return
        if not self.table.is_over:
            assert answer == "MATCH_NOT_OVER"
            return
        count = len(self.table.seats)
        if self.rematch is None:
            rotated = [*self.table.seats[1:], self.table.seats[0]]
            seats = [Seat(bot=BOT) if each.bot else Seat(is_open=True, is_offered=True) for each in rotated]
            self.rematch = Table(answer.match_id, seats)
        assert (answer.match_id, answer.seat.seat) == (self.rematch.match_id, (number - 1) % count)
        if self.rematch.seats[answer.seat.seat].is_open:
            self.rematch.give(answer.seat.seat, Seat(seat.name, token=answer.seat.token))
        assert answer.match.waiting == (not self.rematch.has_begun)

    @precondition(lambda self: self.rematch)
    @rule()
    def go_to_rematch(self) -> None:
        """From here on the rematch is played."""
        self.table, self.rematch = cast(Table, self.rematch), None
        self.last_join = self.last_reissue = None

    @invariant()
    def everybody_sees_who_sits_where(self) -> None:
        """The match as a spectator, each player and the holder of a dead token get it."""
        found = self.call("GetMatch")
        if self.table.is_withdrawn:
            assert found == "UNKNOWN_MATCH"
            return
        match = found.match
        assert (match.waiting, match.over) == (not self.table.has_begun, self.table.is_over)
        shown = [(spec.name, spec.bot, spec.HasField("open")) for spec in match.seats]
        assert shown == [(seat.name, seat.bot, seat.is_open) for seat in self.table.seats]
        for number, seat in enumerate(self.table.seats):
            if seat.token:
                assert self.call("GetMatch", seat.token).match.seat == number
        for token in self.table.dead_tokens[-3:]:
            assert self.call("GetMatch", token) == "UNAUTHENTICATED"


@asynccontextmanager
async def two_engines(redis_url: str) -> AsyncIterator[list[GameClient]]:
    async with AsyncExitStack() as stack:
        yield await engines(stack, next(iter(CODECS.values())), redis_url)


def test_seats_are_those_of_the_model_after_any_sequence_of_calls(redis_url: str) -> None:
    with asyncio.Runner() as runner:
        running = two_engines(redis_url)
        SeatsMachine.service = Service(runner, runner.run(running.__aenter__()))
        try:
            run_state_machine_as_test(
                SeatsMachine,
                settings=settings(
                    max_examples=EXAMPLES,
                    stateful_step_count=STEPS,
                    deadline=None,
                    suppress_health_check=list(HealthCheck),
                ),
            )
        finally:
            runner.run(cast(Awaitable[Any], running.__aexit__(None, None, None)))  # type: ignore[arg-type]
