"""Match records of tournaments: replays a match from its stored moves, as a record that can be verified."""

from __future__ import annotations

from dataclasses import dataclass

from fireside.match.v1.match_pb2 import SeatSpec
from fireside.match.v1.match_record_pb2 import MatchHeader
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message

from engine_core.chance import commitment
from engine_core.match import AnyMatch, Entry
from services.engine.codecs import AnyCodec, codec_of_version
from services.engine.records.records import RecordBuilder
from services.tournaments.plan.openings import begin_match
from services.tournaments.plan.plan import Spec, block_secret, opening_of
from services.tournaments.results.results import FORFEIT_NOTATION, BlockResult, decode_moves


@dataclass(frozen=True)
class ReplayedMatch:
    """A match of a tournament at its end, with its whole log."""

    id: str
    """As `match_id` makes it."""
    header: MatchHeader
    match: AnyMatch
    entries: list[Entry]

    def record_message(self) -> Message:
        """Its `MatchRecord`, unsigned. Raises `MatchNotOver` if it ended by the limit of moves."""
        codec: AnyCodec = codec_of_version(self.header.rules_version)
        events = [codec.encode_full_event(entry) for entry in self.entries]
        return RecordBuilder(codec).build(self.id, self.header, self.match, events)

    def record(self) -> str:
        """Its `MatchRecord` in JSON. Raises `MatchNotOver`."""
        return MessageToJson(self.record_message(), always_print_fields_with_no_presence=True, indent=None)


def match_number(spec: Spec, block: int, index: int) -> int:
    """The number of the match in the tournament, from its block and its index in the block."""
    return block * spec.table_size + index


def match_id(tournament_id: str, spec: Spec, block: int, index: int) -> str:
    """Id of the tournament, a hyphen, and the number of the match."""
    return f"{tournament_id}-{match_number(spec, block, index)}"


def replay_match(tournament_id: str, spec: Spec, result: BlockResult, moves: bytes, index: int) -> ReplayedMatch:
    """Replay a match of a block from the block's stored moves; nature draws again from the seeds.

    After an opening the seeds are those of its match, and the id of an epoch tells what the block adds to them.
    """
    game = codec_of_version(spec.rules_version).game
    secret, opening = block_secret(spec, result.index), opening_of(spec, result.index)
    match, entries = begin_match(opening, game, spec.table_size, spec.game_options, secret)
    for notation in decode_moves(moves)[index]:
        seat = match.to_move()[0]
        if notation == FORFEIT_NOTATION:
            entries += match.leave(seat)
        else:
            entries += match.play(seat, game.parse(notation))
    seed = bytes.fromhex(opening.secret_seed) if opening else secret
    header = MatchHeader(
        game=spec.game,
        rules_version=spec.rules_version,
        seats=[_seat(spec, entrant) for entrant in result.matches[index].entrants],
        secret_seed=seed,
        client_seeds=opening.client_seeds if opening else (),
        commitment=commitment(seed),
    )
    return ReplayedMatch(match_id(tournament_id, spec, result.index, index), header, match, entries)


def _seat(spec: Spec, entrant: int) -> SeatSpec:
    """An entrant is called by its bot, or by its label if it has a name or others are the same bot."""
    bot, label = spec.bots[entrant], spec.labels[entrant]
    return SeatSpec(name=label if label != bot else "", bot=bot)
