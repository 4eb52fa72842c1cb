"""Openings for a tournament, from files of records: the first choices of each match."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import cast

from cli.commands.verify import ascii_escaped
from cli.records.files import file_matches
from cli.translation import gettext
from engine_core.chance import Luck
from engine_core.errors import GameError
from engine_core.match import AnyMatch, Entry, Match
from services.engine.codecs import codec_of_version
from services.engine.records.reading import Event, Record
from services.engine.records.records import RecordBuilder
from services.grpc_server.errors import ServiceError
from services.tournaments.plan.openings import MAX_OPENINGS, Opening
from services.tournaments.plan.plan import Spec


def read_openings(files: Sequence[Path], spec: Spec, moves: int) -> tuple[Opening, ...]:
    """The first `moves` choices of each match of the plan's game, options and number of seats in the files.

    At most `MAX_OPENINGS`, the first ones. Raises `ValueError` if there are none, for damaged records, and for a match
    with other lines before: an epoch, a player who left, a hint, the end of its time.
    """
    fitting = (record for record in (cast(Record, each.read()) for each in file_matches(files)) if _fits(record, spec))
    openings = tuple([_opening(record, spec, moves) for record in islice(fitting, MAX_OPENINGS)])
    if not openings:
        text = gettext("no match of {game} with {seats} seats and these options", game=spec.game, seats=spec.table_size)
        raise ValueError("--openings: " + text)
    return openings


def _fits(record: Record, spec: Spec) -> bool:
    if record.rules_version != spec.rules_version or len(record.seats) != spec.table_size:
        return False
    codec = codec_of_version(record.rules_version)
    state = codec.game.start(spec.table_size, spec.game_options)
    return bool(
        record.options == RecordBuilder(codec).options(state)
    )  # completed by the rules, unlike those of the plan


def _opening(record: Record, spec: Spec, moves: int) -> Opening:
    """The first choices of a match, of which all lines so far are choices, or follow from the seeds."""
    codec = codec_of_version(record.rules_version)
    choices: list[str] = []
    try:
        luck = Luck(bytes.fromhex(record.secret_seed), [*record.client_seeds])
        match: AnyMatch = Match(codec.game, codec.game.start(spec.table_size, spec.game_options), luck)
        entries = match.begin()
        while [codec.encode_full_event(entry) for entry in entries] == _lines(record, entries):
            if len(choices) == moves:
                return Opening(record.secret_seed, tuple(record.client_seeds), tuple(choices))
            choice = next(iter(record.events[match.revision :]), None)
            if choice is None or not (choice.HasField("seat") and choice.HasField("move")):
                break
            entries = match.play(choice.seat, codec.decode_move(choice.move))
            choices.append(f"{choice.seat} {choice.notation}")
    except (GameError, ServiceError, ValueError) as error:
        raise _error(record, str(error)) from None
    text = gettext("it begins with fewer than {moves} choices that follow from its seeds alone", moves=moves)
    raise _error(record, text)


def _lines(record: Record, entries: list[Entry]) -> list[Event]:
    """The lines of a record at the revisions of these entries."""
    return record.events[entries[0].revision - 1 : entries[-1].revision]


def _error(record: Record, text: str) -> ValueError:
    return ValueError("--openings: " + gettext("match {id}: {error}", id=ascii_escaped(record.match_id), error=text))
