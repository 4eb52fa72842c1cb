"""Validation of requests: checks raise `InvalidRequest` with the field that is missing, unknown or out of range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fireside.match.v1.match_pb2 import Chance, Clock

from services.engine.clocks.seat_times import MAX_CLOCK_SECONDS
from services.engine.codec import Codec, M, O, S, V
from services.engine.requests.messages import (
    ApplyRequest,
    GetPictureRequest,
    HintRequest,
    HistoryRequest,
    LegalMovesRequest,
    ListMatchesRequest,
    NewGameRequest,
    PositionRequest,
    SampleRequest,
    ScoreRequest,
)
from services.grpc_server.errors import InvalidRequest

MAX_NAME_LENGTH: Final = 64
MAX_PLAYER_ID_LENGTH: Final = 64
WAIT_SECONDS: Final = 24 * 60 * 60
"""Seconds for which a match waits for players, if its request does not say."""
MAX_WAIT_SECONDS: Final = 7 * 24 * 60 * 60
MAX_SPECTATOR_DELAY: Final = 1000
"""Log entries: more than most matches have."""
MAX_SEED: Final = 256
MAX_REQUEST_ID_LENGTH: Final = 64
MAX_BATCH_SIZE: Final = 1024
"""Moves of one `BatchApply`."""
MAX_SAMPLES: Final = 1000
MAX_LINES: Final = 1000
"""Lines of a page of a history."""
MATCHES_A_PAGE: Final = 20
"""Matches of a page of the public list, if the request does not say how many."""
MAX_MATCHES_A_PAGE: Final = 100
CHANCE_MODES: Final = frozenset(Chance.values())


def check_text(text: str, most: int, field: str) -> None:
    """Check that a text has at most so many characters."""
    if len(text) > most:
        raise InvalidRequest(field, f"at most {most} characters, not {len(text)}")


def check_texts(request: ApplyRequest) -> None:
    """Check the lengths of a request's texts."""
    check_text(request.request_id, MAX_REQUEST_ID_LENGTH, "requestId")
    check_text(request.seed, MAX_SEED, "seed")


def requested_move(codec: Codec[S, M, O, V], request: ApplyRequest) -> M:
    """The move of a request that has no action. Raises `MalformedMove` for a malformed notation."""
    choice = request.WhichOneof("choice")
    if choice == "move":
        return codec.decode_move(request.move)
    if choice == "notation":
        return codec.game.parse(request.notation)
    if choice == "action":
        raise InvalidRequest("action", "allowed on inline states only")
    raise InvalidRequest("move", "move or notation must be set")


def is_inline(request: PositionRequest) -> bool:
    """Whether a request is about an inline state, not a stored match; it must have one of the two."""
    position = request.WhichOneof("position")
    if position is None:
        raise InvalidRequest("matchId", "matchId or state must be set")
    return position == "state"


def is_chance_manual(request: NewGameRequest | ApplyRequest, seed: str, field: str) -> bool:
    """Whether the caller makes nature's moves. Raises `InvalidRequest` with `field` if it gives a seed too."""
    if not _is_chance_manual(request):
        return False
    if seed:
        raise InvalidRequest(field, "must be empty when the caller moves nature")
    return True


def check_chance_automatic(request: NewGameRequest | ApplyRequest) -> None:
    """Check that the service makes nature's moves, as in every stored match."""
    if _is_chance_manual(request):
        raise InvalidRequest("chance", "must be automatic: in a stored match the service moves nature")


def _is_chance_manual(request: NewGameRequest | ApplyRequest) -> bool:
    if request.chance not in CHANCE_MODES:
        raise InvalidRequest("chance", "unknown enum value")
    return request.chance == Chance.CHANCE_MANUAL


def check_no_nature(request: LegalMovesRequest | ApplyRequest) -> None:
    """Check that a call on a stored match does not act for nature."""
    if request.nature:
        raise InvalidRequest("nature", "allowed on inline states only")


def check_stored_apply(request: ApplyRequest) -> None:
    """Check that a move in a stored match is of a seat and has no seed."""
    if request.seed:
        raise InvalidRequest("seed", "must be empty: a stored match has its own seeds")
    check_chance_automatic(request)
    check_no_nature(request)


def requested_clock(request: NewGameRequest, *, ends_by_time: bool) -> Clock | None:
    """The clock of a new match; `ends_by_time` is whether the rules have an end by time."""
    if not request.HasField("clock"):
        return None
    if request.ephemeral:
        raise InvalidRequest("clock", "not allowed on an inline state")
    clock = request.clock
    limits = {
        "moveSeconds": clock.move_seconds,
        "matchSeconds": clock.match_seconds,
        "bankSeconds": clock.bank_seconds,
        "incrementSeconds": clock.increment_seconds,
    }
    if not any(limits.values()):
        raise InvalidRequest("clock", f"at least one of {', '.join(limits)} must be set")
    if clock.match_seconds and not ends_by_time:
        raise InvalidRequest("clock.matchSeconds", "not supported: the rules of this game have no end by time")
    for name, seconds in limits.items():
        if not 0 <= seconds <= MAX_CLOCK_SECONDS:
            raise InvalidRequest(f"clock.{name}", f"1 to {MAX_CLOCK_SECONDS}, not {seconds}")
    if clock.increment_seconds and not (clock.move_seconds or clock.bank_seconds):  # nobody could make the first move
        raise InvalidRequest("clock.incrementSeconds", "requires moveSeconds or bankSeconds")
    return clock


def check_batch(requests: Sequence[ApplyRequest]) -> None:
    """Check that a batch has 1 to `MAX_BATCH_SIZE` moves."""
    if not 1 <= len(requests) <= MAX_BATCH_SIZE:
        raise InvalidRequest("requests", f"1 to {MAX_BATCH_SIZE}, not {len(requests)}")


def check_sample(request: SampleRequest) -> None:
    """Check that a request is for 1 to `MAX_SAMPLES` samples, and check its seed."""
    if not 1 <= request.count <= MAX_SAMPLES:
        raise InvalidRequest("count", f"1 to {MAX_SAMPLES}, not {request.count}")
    check_text(request.seed, MAX_SEED, "seed")


def check_revision(revision: int, field: str) -> None:
    """Check a revision after which a log is read."""
    if revision < 0:
        raise InvalidRequest(field, "must be 0 or more")


def check_no_revision(request: GetPictureRequest | HintRequest | LegalMovesRequest | ScoreRequest) -> None:
    """Check that no revision is given with an inline state, which has no past."""
    if request.HasField("revision"):
        raise InvalidRequest("revision", "not allowed with state")


def check_listed(request: NewGameRequest) -> None:
    """Check that a match in the public list is one that everybody may see."""
    if request.listed and request.private:
        raise InvalidRequest("listed", "not allowed with private: only the seats may see the match")
    if request.listed and request.ephemeral:
        raise InvalidRequest("listed", "not allowed on an inline state")


def requested_wait_seconds(request: NewGameRequest) -> int:
    """The seconds for which a new match waits for players."""
    if request.wait_seconds and not any(seat.HasField("open") for seat in request.seats):
        raise InvalidRequest("waitSeconds", "allowed only with open seats")
    if not 0 <= request.wait_seconds <= MAX_WAIT_SECONDS:
        raise InvalidRequest("waitSeconds", f"1 to {MAX_WAIT_SECONDS}, not {request.wait_seconds}")
    return request.wait_seconds or WAIT_SECONDS


def check_hints(request: NewGameRequest) -> None:
    """Check that a match in which seats may ask for hints is a stored one."""
    if request.hints and request.ephemeral:
        raise InvalidRequest("hints", "not allowed on an inline state, of which anybody may ask for hints")


def check_spectators(request: NewGameRequest) -> None:
    """Check what spectators see of a new match, and when."""
    if not 0 <= request.spectator_delay <= MAX_SPECTATOR_DELAY:
        raise InvalidRequest("spectatorDelay", f"0 to {MAX_SPECTATOR_DELAY}, not {request.spectator_delay}")
    for name, value in (("spectatorDelay", request.spectator_delay), ("openAfter", request.open_after)):
        if value and request.ephemeral:
            raise InvalidRequest(name, "not allowed on an inline state, which has no spectators")


def list_page_size(request: ListMatchesRequest) -> int:
    """The number of matches on a page of the public list."""
    if not 0 <= request.page_size <= MAX_MATCHES_A_PAGE:
        raise InvalidRequest("pageSize", f"0 to {MAX_MATCHES_A_PAGE}, not {request.page_size}")
    return request.page_size or MATCHES_A_PAGE


def page_size(request: HistoryRequest) -> int:
    """The number of log lines on a page of a history."""
    check_revision(request.from_revision, "fromRevision")
    size = request.page_size or MAX_LINES
    if not 1 <= size <= MAX_LINES:
        raise InvalidRequest("pageSize", f"0 to {MAX_LINES}, not {size}")
    return size
