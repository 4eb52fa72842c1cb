"""Adds texts in the language of a request to responses: moves as sentences, names of score lines and of the end.

Sentences call the players of a stored match, or of a record, by name.

The text of a legal move may also say what the move means in the position, from the view of its seat, and that of a log
entry what the move brought (`narrator`). A legal move gets the ids of the parts of a picture, too, that a person clicks
to choose it.

It works on the finished responses, in which each move has its notation; views and what entries brought come from
`views`, or with the source of a stream. Requests without a `locale` pass as they are.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple, Protocol, TypeAlias, cast

from fireside.match.v1.match_pb2 import SeatSpec
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from engine_core.game import View
from engine_core.games import AnyGame
from engine_core.match import EPOCH, HINT, LEAVE
from engine_core.pictures import pictures_of
from engine_core.words import LOCALES, Words, language_of, package_of
from services.engine.presentation.narrator import Clauses
from services.engine.presentation.players import names_in_sentences
from services.engine.presentation.views import WantedTexts
from services.engine.requests.messages import ReplayedRecord
from services.grpc_server.calls import Behaviour, ResponseStream
from services.grpc_server.errors import InvalidRequest

MAX_CACHED_MOVES: Final = 8192
"""Number of moves, each in one language, whose texts are cached."""
MAX_CACHED_RESPONSES: Final = 64
"""Number of cached responses of streams with their texts: all who watch a match are sent the same within moments."""

NO_CLAUSES: Final[Clauses] = {}


class LocaleRequest(Protocol):
    """A request that may name a language."""

    locale: str


class PlayersRequest(Protocol):
    """A request about a stored match, or with a record; which fields it has, its descriptor says."""

    match_id: str
    record: ReplayedRecord


class MoveTexts(NamedTuple):
    """What people get of a move: a sentence, and the parts of a picture that stand for it."""

    sentence: str
    parts: tuple[str, ...]
    calls_players: bool = False
    """Whether the sentence is another one where players have names."""
    move: object = None
    """The move itself; None for what is no move of the game, such as a player's leaving."""


class TextSource(Protocol):
    """Source of the texts of a stream, in addition to its responses: language, players, view and clauses."""

    @property
    def words(self) -> Words | None:
        """The texts without names; None for a stream without texts."""

    seats: Sequence[SeatSpec]
    """The players of the match now."""
    view: View | None
    """That of the legal moves in what is sent now."""
    clauses: tuple[tuple[int, tuple[str, ...]], ...]
    """What the log entries in what is sent now brought, by revision."""


class RevealMessage(Protocol):
    """What the `Reveal` messages of all games have in common."""

    seat: int
    notation: str


class EventMessage(Protocol):
    """What the text of an `Event` depends on, in all games."""

    seat: int
    notation: str
    reveals: Sequence[RevealMessage]

    def HasField(self, field_name: str, /) -> bool: ...


SeatsOfMatch: TypeAlias = Callable[[str], Awaitable[Sequence[SeatSpec]]]


class Localization:
    """Adds texts to the responses of one game."""

    def __init__(self, game: AnyGame, seats_of_match: SeatsOfMatch | None = None) -> None:
        """`seats_of_match` returns the players of a match by its id; without it sentences have no names."""
        self._game: Final = game
        self._seats_of_match: Final = seats_of_match
        self._pictures: Final = pictures_of(package_of(game))
        self._move_texts: Final = lru_cache(MAX_CACHED_MOVES)(self._new_move_texts)
        self._with_players: Final = lru_cache(MAX_CACHED_RESPONSES)(Words.with_players)
        self.with_texts: Final = lru_cache(MAX_CACHED_RESPONSES)(self._with_texts)
        """The encoded response of a stream with texts added, from its bytes, their parser, a language and a view."""

    def unary(self, method: MethodDescriptor, behaviour: Behaviour) -> Behaviour:
        """The behaviour of a unary method, with texts in its responses if its requests can name a language."""
        if not _has_locale(method.input_type):
            return behaviour
        parse = GetMessageClass(method.output_type).FromString
        fields = method.input_type.fields_by_name

        async def behave(request: Message, credential: str) -> Message | bytes:
            words = self.requested_words(cast(LocaleRequest, request).locale)
            if words is None:
                return await behaviour(request, credential)
            request.ClearField("locale")  # a repeated request is the same in any language
            # Read before the call, which may change something and must not fail after that.
            words = self.with_names(words, await self._seats_of(cast(PlayersRequest, request), fields))
            with WantedTexts(words) as wanted:
                response = await behaviour(request, credential)
            message = parse(response) if isinstance(response, bytes) else response
            self.add_texts(message, words, wanted.view, wanted.clauses)
            return message

        return behave

    async def _seats_of(self, request: PlayersRequest, fields: Container[str]) -> Sequence[SeatSpec]:
        if "record" in fields:
            return request.record.seats
        if "match_id" in fields and request.match_id and self._seats_of_match:
            return await self._seats_of_match(request.match_id)
        return ()

    def with_names(self, words: Words, seats: Sequence[SeatSpec]) -> Words:
        """The texts whose sentences call players by name; the same object for equal names."""
        names = names_in_sentences(seats, words)
        return self._with_players(words, names) if any(names) else words

    def stream(
        self,
        method: MethodDescriptor,
        source: TextSource,
        responses: ResponseStream,
    ) -> ResponseStream:
        """A response stream of a match that adds texts, if its source has words."""
        if source.words is None:
            return responses
        parse = GetMessageClass(method.output_type).FromString
        return _LocalizedStream(self, source.words, source, parse, responses)

    def requested_words(self, locale: str) -> Words | None:
        """The texts for a language tag such as `fr` or `fr-CH`; None if it is empty. Raises `InvalidRequest`."""
        if not locale:
            return None
        language = language_of(locale)
        if not language:
            raise InvalidRequest("locale", f"one of {', '.join(LOCALES)}")
        return self._game.words(language)

    def add_texts(
        self, message: Message, words: Words, view: View | None = None, clauses: Clauses = NO_CLAUSES
    ) -> None:
        """Set the text of every move, score line and end in a message, those of its parts too.

        `view` is that of the seat whose legal moves the message has, `clauses` are those of its log entries.
        """
        kind = message.DESCRIPTOR.fields_by_name
        if "reveals" in kind:
            sentence = self._texts_of_move(_notation_for_text(cast(EventMessage, message)), words).sentence
            brought = clauses.get(message.revision, ())  # type: ignore[attr-defined]
            message.text = words.with_consequences(sentence, brought)  # type: ignore[attr-defined]
        elif "text" in kind and "notation" in kind:
            texts = self._texts_of_move(message.notation, words)  # type: ignore[attr-defined]
            message.text = texts.sentence  # type: ignore[attr-defined]
            if "parts" in kind:
                message.parts[:] = texts.parts  # type: ignore[attr-defined]
                if view is not None and texts.move is not None:
                    message.text = self._game.sentence_in_view(view, texts.move, words) or texts.sentence  # type: ignore[attr-defined]
        elif "text" in kind and "label" in kind:
            message.text = words.name("score", message.label)  # type: ignore[attr-defined]
        elif "reason_text" in kind and message.reason:  # type: ignore[attr-defined]
            message.reason_text = words.name("reason", message.reason)  # type: ignore[attr-defined]
        for field, value in message.ListFields():
            if _may_have_texts(field):
                for part in value if field.is_repeated else [value]:
                    self.add_texts(part, words, view, clauses)

    def _with_texts(
        self,
        response: bytes,
        parse: Callable[[bytes], Message],
        words: Words,
        view: View | None = None,
        clauses: tuple[tuple[int, tuple[str, ...]], ...] = (),
    ) -> bytes:
        message = parse(response)
        self.add_texts(message, words, view, dict(clauses))
        return message.SerializeToString()

    def _texts_of_move(self, notation: str, words: Words) -> MoveTexts:
        texts = self._move_texts(notation, words.locale)
        if not (words.players and texts.calls_players):
            return texts
        # Not cached: it is of one match, and few moves call a player, none of them one to choose among many.
        return texts._replace(sentence=self._game.sentence(self._game.parse(notation), words))

    def _new_move_texts(self, notation: str, locale: str) -> MoveTexts:
        words = self._game.words(locale)
        if notation in (LEAVE, HINT):
            return MoveTexts(words.sentence(notation), ())
        if notation.startswith(EPOCH):
            return MoveTexts(words.sentence("epoch", notation.removeprefix(EPOCH)), ())
        move = self._game.parse(notation)
        sentence = self._game.sentence(move, words)
        named = self._game.sentence(move, words.with_players(("?",) * self._game.max_seats))
        return MoveTexts(sentence, self._pictures.parts(move) if self._pictures else (), named != sentence, move)


class _LocalizedStream(ResponseStream):
    """Adds texts to each response of a stream."""

    def __init__(
        self,
        localization: Localization,
        words: Words,
        source: TextSource,
        parse: Callable[[bytes], Message],
        responses: ResponseStream,
    ) -> None:
        self._localization: Final = localization
        self._words: Final = words
        self._source: Final = source
        self._parse: Final = parse
        self._responses: Final = responses

    def begin(self) -> Awaitable[None]:  # type: ignore[override]
        return self._responses.begin()

    def send(self, response: bytes) -> Awaitable[None]:  # type: ignore[override]
        source = self._source
        words = self._localization.with_names(self._words, source.seats)
        texts = self._localization.with_texts(response, self._parse, words, source.view, source.clauses)
        return self._responses.send(texts)


def _notation_for_text(event: EventMessage) -> str:
    """The notation of the move that the text of an event says: the revealed one if it was sealed."""
    own = [reveal.notation for reveal in event.reveals if event.HasField("seat") and reveal.seat == event.seat]
    # A seat's moves are revealed in the order in which it made them.
    return own[-1] if own and event.notation not in (LEAVE, HINT) else event.notation


def _has_locale(request: Descriptor) -> bool:
    return "locale" in request.fields_by_name


def _may_have_texts(field: FieldDescriptor) -> bool:
    return field.message_type is not None and _has_texts(field.message_type)


@cache
def _has_texts(kind: Descriptor, *outer: Descriptor) -> bool:
    """Whether messages of this type, or their parts, have texts. `outer` has the types around it, which end a cycle."""
    if kind in outer:
        return False
    if {"text", "reason_text"} & {*kind.fields_by_name}:
        return True
    return any(field.message_type is not None and _has_texts(field.message_type, kind, *outer) for field in kind.fields)
