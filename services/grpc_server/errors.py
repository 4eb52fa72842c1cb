"""Exceptions of the services, other than those of the rules of games; `status` maps them to gRPC statuses."""

from __future__ import annotations

from typing import Final

from engine_core import errors as rules

SEAT_TOKEN: Final = "seatToken"
API_KEY: Final = "apiKey"


class ServiceError(Exception):
    """Base class: the service refuses a call or cannot execute it. The rules of games raise `GameError` instead."""


class InvalidRequest(ServiceError):
    """A request cannot be parsed, or a field is missing, unknown or out of range."""

    def __init__(self, field: str, description: str) -> None:
        super().__init__(f"{field}: {description}" if field else description)
        self.field = field
        self.description = description


class UnknownMatch(ServiceError):
    """No match has that id: there never was one, or it has expired."""

    def __init__(self, match_id: str) -> None:
        super().__init__(f"there is no match {match_id[:64]!r}")
        self.match_id = match_id[:64]


class UnknownTournament(ServiceError):
    """No tournament has that id."""

    def __init__(self, tournament_id: str) -> None:
        super().__init__(f"there is no tournament {tournament_id[:64]!r}")
        self.tournament_id = tournament_id[:64]


class UnknownWebhook(ServiceError):
    """The platform has no webhook of that id."""

    def __init__(self, webhook_id: str) -> None:
        super().__init__(f"there is no webhook {webhook_id[:64]!r}")
        self.webhook_id = webhook_id[:64]


class UnknownRules(ServiceError):
    """This engine does not serve the rules version of the match; another engine may."""

    def __init__(self, match_id: str, rules_version: str) -> None:
        super().__init__(f"this engine cannot play by {rules_version}")
        self.match_id = match_id
        self.rules_version = rules_version


class Unauthenticated(ServiceError):
    """The call lacks a valid credential, usually a seat token."""

    def __init__(self, description: str, credential: str = SEAT_TOKEN) -> None:
        super().__init__(description)
        self.credential = credential


class PermissionDenied(ServiceError):
    """The seat token is valid, but not for this match or seat."""


class MatchNotOver(ServiceError):
    """The request is answered only after the end of the match."""

    def __init__(self, match_id: str) -> None:
        super().__init__("the match is not over yet")
        self.match_id = match_id


class MatchWaiting(ServiceError):
    """The match has not begun: a seat is open."""

    def __init__(self, match_id: str) -> None:
        super().__init__("the match waits for players: a seat is open")
        self.match_id = match_id


class MatchBegun(ServiceError):
    """The call is possible only before the match begins."""

    def __init__(self, match_id: str) -> None:
        super().__init__("the match has begun")
        self.match_id = match_id


class InvalidCode(ServiceError):
    """A join code is wrong, or was used or replaced."""

    def __init__(self) -> None:
        super().__init__("the join code is wrong, or has been used")


class EventsDeleted(ServiceError):
    """Events of a platform after the given id are not stored any more."""

    def __init__(self, event_id: str) -> None:
        super().__init__("events after that id have been deleted: list the matches, and watch without an id")
        self.event_id = event_id


class StoreUnavailable(ServiceError):
    """The store does not reply; whether it has changed anything is unknown."""

    def __init__(self) -> None:
        super().__init__("the store does not answer")


class StoreTimeout(StoreUnavailable):
    """The store timed out; an immediate retry would time out too."""


class StoreNotReplicated(StoreUnavailable):
    """The store has made a change that too few replicas have: it is kept unless the primary fails before they do."""

    def __init__(self) -> None:
        super().__init__()
        self.args = ("the store has the change, but too few replicas have it: repeat the call with its request id",)


class LinesLost(rules.StaleRevision):
    """The store has lost log lines that it had acknowledged, and has other lines at their revisions."""

    def __init__(self, sent: int, current: int) -> None:
        super().__init__(sent, current)
        self.args = (f"the store has lost log lines that were sent up to revision {sent}; the match is at {current}",)


class LogContradictsSnapshot(ServiceError):
    """The log does not lead to the heads of the match's hash chains: the store lost or changed lines."""

    def __init__(self, match_id: str) -> None:
        super().__init__("the log of the match is damaged, and is not sent")
        self.match_id = match_id


class StoreFull(ServiceError):
    """The store is full, and has changed nothing."""

    def __init__(self) -> None:
        super().__init__("the store is full")


class UnknownMethod(ServiceError):
    """The server does not have the method; it may serve other games."""

    def __init__(self, method: str) -> None:
        super().__init__(f"there is no method {method} here")


class NoPictures(UnknownMethod):
    """The game has no pictures."""

    def __init__(self, game: str) -> None:
        super().__init__("GetPicture")
        self.args = (f"the game {game!r} has no pictures",)


class EngineStopping(ServiceError):
    """The engine stops; a stream can be continued at another engine."""

    def __init__(self) -> None:
        super().__init__("the engine is stopping: continue at another engine")


class TooManyStreams(ServiceError):
    """The stream limit of the engine is reached."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"stream limit ({limit}) reached")
        self.limit = limit


class Busy(ServiceError):
    """There is too much of something at once, in words: bytes of requests in flight, or calls of one caller."""

    def __init__(self, excess: str = "too many bytes of requests are in flight") -> None:
        super().__init__(f"the service is busy: {excess}; try again soon")


class MessageTimeout(ServiceError):
    """The message of a call did not arrive in time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the call had no message within {seconds:g} seconds")


class RequestIdReused(ServiceError):
    """A request id was used again, for a different request."""

    def __init__(self, request_id: str) -> None:
        super().__init__(f"request id {request_id!r} was given to another request")
        self.request_id = request_id
