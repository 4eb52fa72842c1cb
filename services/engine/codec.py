"""Codec contract: converts between the objects of one game's rules and its protobuf messages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar, cast

from fireside.fire_bulls.v1 import field_numbers as own_fields  # State.rules_version has one number: test_shape.py
from fireside.match.v1 import game_field_numbers as fields
from fireside.match.v1.encoded_pb2 import EncodedLogEntry
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message

from engine_core.game import EVERYBODY, NATURE, Game, Move, Options, Reveal, State, View, is_in_audience
from engine_core.match import EPOCH, HINT, LEAVE, Entry
from services.engine.wire import Writer, text
from services.grpc_server.errors import InvalidRequest, UnknownRules

S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)

MAX_CACHED_MOVES: Final = 4096
"""Encoded moves in a codec's cache; each takes a few hundred bytes."""
MAX_VERSION_LENGTH: Final = 64
"""Characters of the longest rules version that is parsed."""

MessageClass = Callable[..., Message]
"""A message class of one game, called with its fields (mypy knows no fields of `type[Message]`)."""


@dataclass(frozen=True)
class Messages:
    """The message classes of a game that every game has."""

    move: type[Message]
    event: type[Message]
    log_entry: type[Message]
    state: type[Message]
    view: type[Message]


class EncodedMove:
    """A move as a `Move` message in bytes, and its notation in UTF-8."""

    def __init__(self, message: bytes, notation: bytes) -> None:
        self.message: Final = message
        self.notation: Final = notation


class LogLine:
    """A line of the log: the full event, the audience that may see it, and the concealed event for all others."""

    def __init__(self, event: bytes, audience: int, concealed: bytes) -> None:
        self.event: Final = event
        self.audience: Final = audience
        self.concealed: Final = concealed

    def seen_by(self, observer: int) -> bytes:
        """The event as the observer may see it."""
        return self.event if is_in_audience(observer, self.audience) else self.concealed

    def entry(self) -> bytes:
        """The encoded `LogEntry`, as it is stored."""
        out = Writer()
        out.data(fields.LogEntry.EVENT, self.event)
        out.number(fields.LogEntry.AUDIENCE, self.audience)
        if self.audience != EVERYBODY:
            out.data(fields.LogEntry.CONCEALED, self.concealed)
        return out.to_bytes()


def read_log_line(line: bytes) -> LogLine:
    """The line from an encoded `LogEntry`. Raises `DecodeError`."""
    entry = EncodedLogEntry.FromString(line)
    return LogLine(entry.event, entry.audience, entry.event if entry.audience == EVERYBODY else entry.concealed)


def with_head(event: bytes, head: bytes) -> bytes:
    """An encoded event with the head of the observer's hash chain appended, as it is sent."""
    return event + text(fields.Event.HEAD, head.hex())


class StateMessage(Protocol):
    """What the `State` and `MatchRecord` messages of all games have in common."""

    rules_version: str


class Codec(ABC, Generic[S, M, O, V]):
    """Converts states, moves, options and views of one game to messages and back.

    `write_…` returns the bytes of a message, `encode_…` the message itself (parsed from them: for tests and records);
    `decode_…` takes a message, `read_…` its bytes. Encoding is canonical: equal objects give equal bytes, and decode to
    an equal object. Input is untrusted: a decoder takes any message of its class, and raises an exception of
    `engine_core.errors` or `services.grpc_server.errors` that names the field in its JSON spelling.
    """

    title: str
    """The title of the game to display."""
    game: Game[S, M, O, V]
    service: ServiceDescriptor
    """The game's typed service."""
    bot_service: ServiceDescriptor
    """The service that third-party bots of the game implement."""
    messages: Messages

    def __init__(self) -> None:
        self.rules_version: Final = f"{self.game.name}@{self.game.version}"
        """Name of the game and version of its rules, for example `fire_bulls@1`."""
        self.first_rules_version: Final = f"{self.game.name}@1"
        """The rules version of states that name none."""
        self._rules_version_field: Final = text(own_fields.State.RULES_VERSION, self.rules_version)
        self._encoded_moves: Final[dict[M, EncodedMove]] = {}

    @abstractmethod
    def decode_options(self, message: Message) -> O:
        """Options. Raises `InvalidOption` for a value outside the range of its field; `Game.start` checks the rest."""

    @abstractmethod
    def encode_options(self, options: O) -> Message:
        """Options as a message."""

    @abstractmethod
    def encode_components(self) -> Message:
        """The components of the game, from the data of its rules: a `Components` message."""

    @abstractmethod
    def write_state(self, state: S) -> bytes:
        """The full state, secrets included, without the version of its rules."""

    def encode_state(self, state: S) -> Message:
        """The full state as a message."""
        return self.messages.state.FromString(self.write_state(state))

    def write_inline_state(self, state: S) -> bytes:
        """The full state as clients get it, with the version of its rules."""
        return self.write_state(state) + self._rules_version_field

    def check_rules(self, message: Message, field: str) -> None:
        """Check the rules version that a client's state or record names; `field` is the path of its name.

        Raises `UnknownRules` for another version of the game, `InvalidRequest` for anything else.
        """
        version = cast(StateMessage, message).rules_version or self.first_rules_version
        if version == self.rules_version:
            return
        name, _, number = version.partition("@")
        is_number = number.isascii() and number.isdigit() and not number.startswith("0")
        if name != self.game.name or not is_number or len(version) > MAX_VERSION_LENGTH:
            raise InvalidRequest(field, f"as in {self.rules_version}")
        raise UnknownRules("", version)

    @abstractmethod
    def decode_state(self, message: Message) -> S:
        """The state of a message, each field checked for its range. Raises `InconsistentState`."""

    def read_state(self, data: bytes) -> S:
        """The state of an encoded message. Raises `InconsistentState`, or `DecodeError` for malformed bytes."""
        return self.decode_state(self.messages.state.FromString(data))

    @abstractmethod
    def check(self, state: S) -> None:
        """Raise `InconsistentState` for a decoded state that no match could reach.

        A state that passes can be played by legal moves to its end without any other error.
        """

    @abstractmethod
    def write_move(self, move: M) -> bytes:
        """A move; the fields of a concealed move that nobody may see stay unspecified."""

    def encoded_move(self, move: M) -> EncodedMove:
        """A move with its notation, both cached: a few moves recur in most responses."""
        encoded = self._encoded_moves.get(move)
        if encoded is None:
            encoded = EncodedMove(self.write_move(move), self.game.notation(move).encode())
            if len(self._encoded_moves) < MAX_CACHED_MOVES:
                self._encoded_moves[move] = encoded
        return encoded

    def encode_move(self, move: M) -> Message:
        """A move as a message."""
        return self.messages.move.FromString(self.write_move(move))

    @abstractmethod
    def decode_move(self, message: Message) -> M:
        """A move. Raises `InvalidRequest`, with paths from `move` on, for fields that are missing or out of range."""

    @abstractmethod
    def write_view(self, view: V) -> bytes:
        """The view of an observer: all that it may know."""

    def encode_view(self, view: V) -> Message:
        """The view of an observer as a message."""
        return self.messages.view.FromString(self.write_view(view))

    def write_event(self, entry: Entry, observer: int) -> bytes:
        """The event of a log entry as the observer may see it."""
        return self._event(entry, cast(M | None, entry.seen_by(observer)))

    def encode_event(self, entry: Entry, observer: int) -> Message:
        """The event of a log entry as the observer may see it, as a message."""
        return self.messages.event.FromString(self.write_event(entry, observer))

    def log_line(self, entry: Entry) -> LogLine:
        """A log entry encoded for every observer."""
        event = self._event(entry, cast(M | None, entry.move))
        if entry.audience == EVERYBODY:
            return LogLine(event, EVERYBODY, event)
        return LogLine(event, entry.audience, self._event(entry, cast(M | None, entry.concealed)))

    def write_log_entry(self, entry: Entry) -> bytes:
        """A log entry as it is stored: an encoded `LogEntry`."""
        return self.log_line(entry).entry()

    def encode_full_event(self, entry: Entry) -> Message:
        """The event of a log entry with all its secrets, for the record of a finished match."""
        return self.messages.event.FromString(self._event(entry, cast(M | None, entry.move)))

    def _event(self, entry: Entry, move: M | None) -> bytes:
        out = Writer()
        out.number(fields.Event.REVISION, entry.revision)
        if entry.seat != NATURE:
            out.explicit(fields.Event.SEAT, entry.seat)
        if move is None:
            other = HINT if entry.is_hint else LEAVE
            out.text(fields.Event.NOTATION, EPOCH + entry.epoch if entry.epoch else other)
        else:
            encoded = self.encoded_move(move)
            out.data(fields.Event.MOVE, encoded.message)
            out.data(fields.Event.NOTATION, encoded.notation)
        for reveal in entry.reveals:
            out.data(fields.Event.REVEALS, self._reveal(reveal))
        return out.to_bytes()

    def _reveal(self, reveal: Reveal) -> bytes:
        encoded = self.encoded_move(cast(M, reveal.move))
        out = Writer()
        out.number(fields.Reveal.SEAT, reveal.seat)
        out.data(fields.Reveal.MOVE, encoded.message)
        out.data(fields.Reveal.NOTATION, encoded.notation)
        return out.to_bytes()
