"""Writes the matches of a tournament as records, one file a match, and the final position of its first match as SVG."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from cli.records.ledger import tournament_matches
from cli.translation import gettext, locale
from engine_core.game import SPECTATOR
from engine_core.games import game_of_version
from engine_core.pictures import Setting, pictures_of
from engine_core.words import package_of, words_of
from gateway import protojson
from services.engine.presentation.players import player_names
from services.grpc_server.errors import MatchNotOver
from services.tournaments.ledger.ledger import Ledger, Tournament
from services.tournaments.plan.formats import planned_blocks
from services.tournaments.records import replay_match
from services.tournaments.results.results import BlockResult


def write_records(ledger: Ledger, tournament: Tournament, folder: Path) -> int:
    """Write the record of each match whose moves are stored, as `ID-NUMBER.json`. Returns their number.

    A match that ended by the limit of moves has none. Raises `UnknownPlan` if this version does not know the rules.
    """
    folder.mkdir(exist_ok=True)
    written = 0
    for match in tournament_matches(ledger, tournament):
        with suppress(MatchNotOver):
            (folder / f"{match.match_id}.json").write_bytes(protojson.format(match.read()) + b"\n")
            written += 1
    return written


def record_of_match(ledger: Ledger, tournament: Tournament, number: int) -> str:
    """The record of a match by its number in the tournament.

    Raises `UnknownPlan`, and `ValueError` if it has not been played, its moves are not stored, or it was not finished.
    """
    spec = tournament.plan.playable()
    block, index = divmod(number, spec.table_size)
    if 0 <= block < planned_blocks(spec):  # SQLite reads no greater numbers than 64 bits
        [result] = ledger.results(tournament.id, block, 1)
        moves = ledger.moves(tournament.id, block)
        with suppress(MatchNotOver):
            if result is not None and moves is not None:
                replayed = replay_match(tournament.id, spec, BlockResult.decode(block, result), moves, index)
                return protojson.format(replayed.record_message()).decode()
    raise ValueError(
        gettext(
            "match {number} has no record: it was not played, its moves are not stored, "
            "or it ended by the limit of moves",
            number=number,
        )
    )


def write_picture(ledger: Ledger, tournament: Tournament, path: Path) -> None:
    """Write the last position of the first match. Raises `UnknownPlan`, and `ValueError` if there is none to draw."""
    spec = tournament.plan.playable()
    [result], moves = ledger.results(tournament.id, 0, 1), ledger.moves(tournament.id, 0)
    game = game_of_version(spec.rules_version)
    pictures = pictures_of(package_of(game))
    if result is None or moves is None or pictures is None:
        raise ValueError(gettext("--picture: the first match has not been played, or its moves are not stored"))
    replayed = replay_match(tournament.id, spec, BlockResult.decode(0, result), moves, 0)
    words = words_of(package_of(game), locale())
    setting = Setting(words, names=player_names(replayed.header.seats, SPECTATOR, words))
    svg = pictures.draw(game.view(replayed.match.state, SPECTATOR), setting)
    path.write_text(svg + "\n", encoding="utf-8")
