"""Conversion between tournaments and the protobuf messages of the API."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Final

from fireside.tournament.v1 import tournament_pb2 as messages
from google.protobuf.timestamp_pb2 import Timestamp

from engine_core.bots import SERVED_LIMITS
from engine_core.errors import UnknownGame
from engine_core.games import canonical_name, game_named
from services.bots.remote.allowed import BotAddress
from services.grpc_server.errors import InvalidRequest
from services.tournaments.ledger.ledger import Status, Tournament
from services.tournaments.plan.formats import check_size, planned_blocks
from services.tournaments.plan.plan import InvalidSpec, Plan, Spec, check_costs, check_remote_bots, refuse_imported_bots
from services.tournaments.plan.sprt import Sprt
from services.tournaments.results.estimates import Interval
from services.tournaments.results.pairs import Pair
from services.tournaments.results.results import BlockResult, MatchResult
from services.tournaments.results.sprt import SprtState
from services.tournaments.results.standings import Report, Standing

MAX_TOURNAMENT_NAME: Final = 64
MAX_REQUEST_ENTRANTS: Final = 64
"""Most entrants of a tournament created over the API; the command line accepts `MAX_PLAN_ENTRANTS`."""

FORMATS: Final[dict[messages.Format.ValueType, str]] = {
    messages.FORMAT_UNSPECIFIED: "round_robin",
    messages.FORMAT_ROUND_ROBIN: "round_robin",
    messages.FORMAT_GAUNTLET: "gauntlet",
    messages.FORMAT_SWISS: "swiss",
    messages.FORMAT_KNOCKOUT: "knockout",
}
TOURNAMENT_STATES: Final[dict[Status, messages.TournamentState.ValueType]] = {
    Status.OVER: messages.TOURNAMENT_STATE_FINISHED,
    Status.CANCELLED: messages.TOURNAMENT_STATE_CANCELLED,
    Status.FAILED: messages.TOURNAMENT_STATE_FAILED,
}
HYPOTHESES: Final[dict[str, messages.SprtHypothesis.ValueType]] = {
    "": messages.SPRT_HYPOTHESIS_UNSPECIFIED,
    "H0": messages.SPRT_HYPOTHESIS_H0,
    "H1": messages.SPRT_HYPOTHESIS_H1,
}
HYPOTHESIS_NAMES: Final = {number: name for name, number in HYPOTHESES.items()}
MESSAGE_FIELD_NAMES: Final = {"table_size": "tableSize", "options": "preset"}
"""Names that fields of a plan have in messages, where they differ."""


def decode_spec(message: messages.TournamentSpec, remote_bots: Sequence[BotAddress] = ()) -> Spec:
    """The plan in a message. Raises `InvalidRequest`, also for a remote bot that is not in `remote_bots`."""
    _check(
        len(message.name) <= MAX_TOURNAMENT_NAME,
        "name",
        f"it must not be longer than {MAX_TOURNAMENT_NAME} characters",
    )
    _check(message.format in FORMATS, "format", "there is no such format")
    entrants = len(message.entrants)
    _check(entrants <= MAX_REQUEST_ENTRANTS, "entrants", f"2 to {MAX_REQUEST_ENTRANTS}, not {entrants}")
    try:
        refuse_imported_bots(message.entrants)  # before `Spec` parses their options
        spec = Spec(
            game=canonical_name(message.game),
            entrants=tuple(message.entrants),
            table_size=message.table_size or game_named(canonical_name(message.game)).min_seats,
            options=message.preset,
            format=FORMATS[message.format],
            blocks=message.blocks,
            rounds=message.rounds,
            seed=message.seed,
            sprt=_decode_sprt(message.sprt) if message.HasField("sprt") else None,
            name=message.name,
        )
        check_size(spec)
        check_costs(spec, SERVED_LIMITS)
        check_remote_bots(spec, remote_bots)
    except UnknownGame as error:
        raise InvalidRequest("spec.game", str(error)) from None
    except InvalidSpec as error:
        raise InvalidRequest(f"spec.{MESSAGE_FIELD_NAMES.get(error.field, error.field)}", error.description) from None
    return spec


def _decode_sprt(message: messages.Sprt) -> Sprt:
    rates = {name: rate for name, rate in (("alpha", message.alpha), ("beta", message.beta)) if rate}
    return Sprt(message.elo0, message.elo1, **rates)


def _check(holds: bool, field: str, description: str) -> None:
    if not holds:
        raise InvalidRequest(f"spec.{field}", description)


def encode_tournament(tournament: Tournament) -> messages.Tournament:
    """A tournament without its standings."""
    return messages.Tournament(
        tournament_id=tournament.id,
        spec=_encode_spec(tournament.plan),
        state=_state(tournament),
        detail=tournament.detail or _decision(tournament),
        revision=tournament.done,
        planned_blocks=planned_blocks(tournament.plan),
        create_time=_timestamp(tournament.created_ms),
    )


def _decision(tournament: Tournament) -> str:
    """What the tournament's test decided; empty without a decision."""
    if not tournament.plan.sprt:
        return ""
    state = messages.Standings.FromString(tournament.summary).sprt
    hypothesis = HYPOTHESIS_NAMES[state.accepted]
    return f"the SPRT accepted {hypothesis} after {state.blocks} blocks" if hypothesis else ""


def encode_with_standings(tournament: Tournament) -> messages.Tournament:
    """A tournament with the standings that were published last."""
    message = encode_tournament(tournament)
    if tournament.summary:
        message.standings.ParseFromString(tournament.summary)
    return message


def is_same_request(one: Plan, other: Plan) -> bool:
    """Whether two plans are equal as messages: these have no rules version, since the newest is filled in."""
    return _encode_spec(one) == _encode_spec(other)


def _encode_spec(plan: Plan) -> messages.TournamentSpec:
    return messages.TournamentSpec(
        name=plan.name,
        game=plan.game,
        preset=plan.options,
        entrants=plan.entrants,
        format=next(number for number, name in FORMATS.items() if number and name == plan.format),
        table_size=plan.table_size,
        blocks=plan.blocks,
        rounds=plan.rounds,
        seed=plan.seed,
        sprt=messages.Sprt(**asdict(plan.sprt)) if plan.sprt else None,
    )


def _state(tournament: Tournament) -> messages.TournamentState.ValueType:
    playing = messages.TOURNAMENT_STATE_RUNNING if tournament.leased else messages.TOURNAMENT_STATE_PENDING
    return TOURNAMENT_STATES.get(tournament.status, playing)


def _timestamp(milliseconds: int) -> Timestamp:
    timestamp = Timestamp()
    timestamp.FromMilliseconds(milliseconds)
    return timestamp


def encode_standings(report: Report) -> bytes:
    """The standings that a coordinator publishes, as a serialized message `Standings`."""
    standings = [_standing(rank, row, report) for rank, row in _ranked(report)]
    pairs = map(_pair, report.pairs)
    sprt = _encode_sprt_state(report.sprt) if report.sprt else None
    message = messages.Standings(
        blocks=report.blocks, matches=report.matches, entrants=standings, pairs=pairs, sprt=sprt
    )
    return message.SerializeToString()


def _encode_sprt_state(state: SprtState) -> messages.SprtState:
    return messages.SprtState(
        blocks=state.blocks,
        llr=state.llr,
        lower=state.lower,
        upper=state.upper,
        accepted=HYPOTHESES[state.accepted],
    )


def _ranked(report: Report) -> Iterator[tuple[int, Standing]]:
    return enumerate(report.standings, 1)


def _standing(rank: int, row: Standing, report: Report) -> messages.EntrantStanding:
    rating = report.ratings[row.entrant]
    return messages.EntrantStanding(
        rank=rank,
        entrant=row.entrant,
        label=row.label,
        played=row.played,
        blocks=row.blocks,
        win_share=None if row.win_share is None else _estimate(row.win_share, row.win_share_interval),
        rating=None if rating is None else _estimate(rating.value, rating.interval),
        mean_points=row.mean_points,
        mean_rank=row.mean_rank,
        forfeits=row.forfeits,
    )


def _estimate(value: float, interval: Interval | None) -> messages.Estimate:
    low, high = interval or (None, None)
    return messages.Estimate(value=value, low=low, high=high)


def _pair(pair: Pair) -> messages.Pair:
    share = _estimate(pair.share, pair.interval)
    return messages.Pair(entrant=pair.entrant, opponent=pair.opponent, wins=pair.wins, share=share)


def encode_result(result: BlockResult) -> messages.BlockResult:
    """The message of a block's result."""
    return messages.BlockResult(block=result.index, matches=[_match(match) for match in result.matches])


def _match(match: MatchResult) -> messages.MatchResult:
    seats = zip(match.entrants, match.points, match.ranks, strict=True)
    return messages.MatchResult(
        seats=[
            messages.SeatResult(entrant=entrant, points=points, rank=rank, forfeit=seat in match.forfeits)
            for seat, (entrant, points, rank) in enumerate(seats)
        ],
        reason=match.reason,
        moves=match.moves,
    )
