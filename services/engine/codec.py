"""The contract of a codec: what lies between the domain objects of one game and its messages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar, cast

from fireside.fire_bulls.v1 import field_numbers as fields  # those of every game alike: test_shape.py
from fireside.match.v1.encoded_pb2 import EncodedLogEntry
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message

from engine_core.game import EVERYBODY, NATURE, Game, Move, Options, Reveal, State, View, learns
from engine_core.match import Entry
from services.engine.wire import Writer, text
from services.grpc_server.errors import InvalidRequest, UnknownRules

S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)

MOVES_MOST: Final = 4096
"""How many moves of a game are kept as answers tell them; each takes a few hundred bytes."""
VERSION_MOST: Final = 64
"""Characters of the longest version of rules that is looked at."""

Maker = Callable[..., Message]
"""A class of messages of one game."""


@dataclass(frozen=True)
class Nouns:
    """The classes of a game's messages that every game has alike."""

    move: type[Message]
    event: type[Message]
    log_entry: type[Message]
    state: type[Message]
    view: type[Message]


class ToldMove:
    """A move as answers tell it."""

    def __init__(self, message: bytes, notation: bytes) -> None:
        self.message: Final = message
        self.notation: Final = notation


class LogLine:
    """A line of the log as bytes: the event in full, who sees it so, and the event as the others see it."""

    def __init__(self, event: bytes, audience: int, concealed: bytes) -> None:
        self.event: Final = event
        self.audience: Final = audience
        self.concealed: Final = concealed

    def seen_by(self, observer: int) -> bytes:
        """The event as the observer may see it."""
        return self.event if learns(observer, self.audience) else self.concealed

    def written(self) -> bytes:
        """The line as the store keeps it: a `LogEntry`."""
        out = Writer()
        out.data(fields.LogEntry.EVENT, self.event)
        out.number(fields.LogEntry.AUDIENCE, self.audience)
        if self.audience != EVERYBODY:
            out.data(fields.LogEntry.CONCEALED, self.concealed)
        return out.done()


def read_line(line: bytes) -> LogLine:
    """A line that was written so."""
    entry = EncodedLogEntry.FromString(line)
    return LogLine(entry.event, entry.audience, entry.event if entry.audience == EVERYBODY else entry.concealed)


def with_head(event: bytes, head: bytes) -> bytes:
    """An event as it is sent: with the head of its observer's chain after it."""
    return event + text(fields.Event.HEAD, head.hex())


class ToldState(Protocol):
    """What the `State` messages of all games have in common."""

    rules_version: str


class Codec(ABC, Generic[S, M, O, V]):
    """Turns states, moves, options and views of one game into messages and back.

    What is decoded may come from a stranger: a decoder reads any message of its class, and raises an exception of
    `engine_core.errors` or `services.grpc_server.errors` that names the field in its JSON spelling. What is encoded
    decodes to an equal object, and equal objects give equal bytes. A codec writes bytes, as `wire` does; `encode_…` are
    the messages of them, for tests and for reading.
    """

    title: str
    """Title of the game, to show."""
    game: Game[S, M, O, V]
    service: ServiceDescriptor
    """The game's typed service."""
    bot_service: ServiceDescriptor
    """What third-party bots of the game serve."""
    nouns: Nouns

    def __init__(self) -> None:
        self.rules_version: Final = f"{self.game.name}@{self.game.version}"
        """The game with the version of its rules, for example `fire_bulls@1`."""
        self.first_rules_version: Final = f"{self.game.name}@1"
        """The version that states are of that name none."""
        self._rules: Final = text(fields.State.RULES_VERSION, self.rules_version)
        self._told_moves: Final[dict[M, ToldMove]] = {}

    @abstractmethod
    def decode_options(self, message: Message) -> O:
        """Options. Raises `InvalidOption` for a value that is no value of its field; `Game.start` checks the rest."""

    @abstractmethod
    def write_state(self, state: S) -> bytes:
        """The full state, secrets included."""

    def encode_state(self, state: S) -> Message:
        """Likewise, as a message."""
        return self.nouns.state.FromString(self.write_state(state))

    def write_told_state(self, state: S) -> bytes:
        """The full state as callers get it, with the version of its rules."""
        return self.write_state(state) + self._rules

    def check_rules(self, message: Message) -> None:
        """Raise `UnknownRules` for a state from a caller that is of another version of the rules."""
        version = cast(ToldState, message).rules_version or self.first_rules_version
        if version == self.rules_version:
            return
        name, _, number = version.partition("@")
        is_number = number.isascii() and number.isdigit() and not number.startswith("0")
        if name != self.game.name or not is_number or len(version) > VERSION_MOST:
            raise InvalidRequest("state.rulesVersion", f"as in {self.rules_version}")
        raise UnknownRules("", version)

    @abstractmethod
    def decode_state(self, message: Message) -> S:
        """The state of a message, every field within its range. Raises `InconsistentState`."""

    def read_state(self, data: bytes) -> S:
        """The state of a message as bytes. Raises `InconsistentState`, or `DecodeError` for bytes that are none."""
        return self.decode_state(self.nouns.state.FromString(data))

    @abstractmethod
    def check(self, state: S) -> None:
        """Raise `InconsistentState` for a decoded state that no match could reach.

        Whatever passes can be played on by legal moves, without any other error, to an end.
        """

    @abstractmethod
    def write_move(self, move: M) -> bytes:
        """A move; what the move conceals stays unspecified."""

    def told_move(self, move: M) -> ToldMove:
        """A move as answers tell it, kept for the next time."""
        told = self._told_moves.get(move)
        if told is None:
            told = ToldMove(self.write_move(move), self.game.notation(move).encode())
            if len(self._told_moves) < MOVES_MOST:
                self._told_moves[move] = told
        return told

    def encode_move(self, move: M) -> Message:
        """Likewise, as a message."""
        return self.nouns.move.FromString(self.write_move(move))

    @abstractmethod
    def decode_move(self, message: Message) -> M:
        """A move. Raises `InvalidRequest`, with paths from `move` on, for fields that are missing or out of range."""

    @abstractmethod
    def write_view(self, view: V) -> bytes:
        """What one observer may know."""

    def encode_view(self, view: V) -> Message:
        """Likewise, as a message."""
        return self.nouns.view.FromString(self.write_view(view))

    def write_event(self, entry: Entry, observer: int) -> bytes:
        """A line of the log as the observer may see it."""
        return self._event(entry, cast(M | None, entry.seen_by(observer)))

    def event(self, entry: Entry, observer: int) -> Message:
        """Likewise, as a message."""
        return self.nouns.event.FromString(self.write_event(entry, observer))

    def log_line(self, entry: Entry) -> LogLine:
        """A line of the log, as everybody may see it."""
        event = self._event(entry, cast(M | None, entry.move))
        if entry.audience == EVERYBODY:
            return LogLine(event, EVERYBODY, event)
        return LogLine(event, entry.audience, self._event(entry, cast(M | None, entry.concealed)))

    def log_entry(self, entry: Entry) -> bytes:
        """A line of the log as the store keeps it."""
        return self.log_line(entry).written()

    def event_in_full(self, entry: Entry) -> Message:
        """A line of the log with all its secrets, for the record of a match that is over."""
        return self.nouns.event.FromString(self._event(entry, cast(M | None, entry.move)))

    def _event(self, entry: Entry, move: M | None) -> bytes:
        out = Writer()
        out.number(fields.Event.REVISION, entry.revision)
        if entry.seat != NATURE:
            out.given(fields.Event.SEAT, entry.seat)
        if move is None:
            out.text(fields.Event.NOTATION, EPOCH + entry.epoch if entry.epoch else LEAVE)
        else:
            told = self.told_move(move)
            out.data(fields.Event.MOVE, told.message)
            out.data(fields.Event.NOTATION, told.notation)
        for reveal in entry.reveals:
            out.data(fields.Event.REVEALS, self._reveal(reveal))
        return out.done()

    def _reveal(self, reveal: Reveal) -> bytes:
        told = self.told_move(cast(M, reveal.move))
        out = Writer()
        out.number(fields.Reveal.SEAT, reveal.seat)
        out.data(fields.Reveal.MOVE, told.message)
        out.data(fields.Reveal.NOTATION, told.notation)
        return out.done()


EPOCH: Final = "epoch "
"""What the notation of an event begins with that begins an epoch; its id follows."""
LEAVE: Final = "leave"
"""The notation of an event in which a seat's player left."""
