"""Authorization: which seat a call acts for, and whether its token is of that seat."""

from __future__ import annotations

from engine_core.errors import SeatOutOfRange
from engine_core.game import NATURE, SPECTATOR
from engine_core.match import Match
from services.engine.codec import M, O, S, V
from services.engine.matches.stored_match import StoredMatch
from services.engine.requests.messages import (
    ApplyRequest,
    GetMatchRequest,
    GetPictureRequest,
    HintRequest,
    HistoryRequest,
    InviteRequest,
    LegalMovesRequest,
    ReissueRequest,
    ReplayRequest,
    SampleRequest,
    SubstituteRequest,
)
from services.grpc_server.auth import HOST, Claim
from services.grpc_server.errors import InvalidRequest, PermissionDenied, Unauthenticated, UnknownMatch

ReadRequest = GetMatchRequest | GetPictureRequest | HistoryRequest | LegalMovesRequest | SampleRequest
"""A request that reads a stored match as a seat sees it."""
SeatRequest = ReadRequest | ApplyRequest | HintRequest | ReplayRequest


def observer_of(stored: StoredMatch[S, M, O, V], claim: Claim | None) -> int:
    """The seat of a token; a spectator without one, and with a host's.

    Raises `PermissionDenied`, `Unauthenticated` for a token that was replaced, or `UnknownMatch` for a private match.
    """
    seated = claim is not None and claim.match_id == stored.facts.match_id
    if stored.header.private and not seated:
        raise UnknownMatch(stored.facts.match_id)  # as for an unknown id: that a private match exists is secret
    if claim is None:
        return SPECTATOR
    if claim.match_id != stored.facts.match_id or claim.seat >= len(stored.facts.seats):
        raise PermissionDenied("the token is of another match")
    if claim.seat == HOST:
        return SPECTATOR
    if claim.number != stored.seating.token_number(claim.seat):
        raise Unauthenticated("the seat token was replaced by another")
    return claim.seat


def check_is_seat(claim: Claim | None, call: str) -> Claim:
    """The claim, if it is of a seat. Raises `Unauthenticated`."""
    if claim is None or claim.seat == HOST:
        raise Unauthenticated(f"{call} requires the seat's token")
    return claim


def authorized_seat(request: SeatRequest, stored: StoredMatch[S, M, O, V], claim: Claim | None) -> int:
    """The seat of the token; the request may name no other.

    Raises `Unauthenticated`, and what the other functions here raise.
    """
    observer = observer_of(stored, claim)
    if not request.HasField("seat"):
        return observer
    seat = requested_seat(request, len(stored.facts.seats))
    if claim is None:
        raise Unauthenticated("acting for a seat requires its token")
    if seat != observer:
        raise PermissionDenied(
            "the token is the host's, not of a seat"
            if claim.seat == HOST
            else f"the token is of seat {observer}, not of seat {seat}"
        )
    return seat


def authorized_observer(request: ReadRequest, stored: StoredMatch[S, M, O, V], claim: Claim | None) -> int:
    """The observer of a call that reads a match: as `authorized_seat`, or any seat of an open match that is over."""
    if not (stored.header.open_after and stored.match.is_over() and request.HasField("seat")):
        return authorized_seat(request, stored, claim)
    observer_of(stored, claim)  # a private match is open to its seats only
    return requested_seat(request, len(stored.facts.seats))


def requested_observer(request: GetPictureRequest | ReplayRequest | SampleRequest, seat_count: int) -> int:
    """The seat that the request names; a spectator if it names none. Raises `SeatOutOfRange`."""
    return requested_seat(request, seat_count) if request.HasField("seat") else SPECTATOR


def requested_mover(request: LegalMovesRequest | ApplyRequest, seat_count: int) -> int:
    """The seat that the request names, or nature."""
    if not request.nature:
        return requested_seat(request, seat_count)
    if request.HasField("seat"):
        raise InvalidRequest("nature", "must not be set together with seat")
    return NATURE


def check_expected_revision(request: ApplyRequest, match: Match[S, M, O, V], seat: int) -> None:
    """Raise `StaleRevision` if the request expects a revision that is over for the seat."""
    if request.HasField("expected_revision"):
        match.check_revision(seat, request.expected_revision)


def requested_seat(request: SeatRequest | InviteRequest | ReissueRequest | SubstituteRequest, seat_count: int) -> int:
    """The seat that the request names. Raises `InvalidRequest` if it names none, or `SeatOutOfRange`."""
    if not request.HasField("seat"):
        raise InvalidRequest("seat", "must be set")
    if not 0 <= request.seat < seat_count:
        raise SeatOutOfRange(request.seat, seat_count)
    return request.seat
