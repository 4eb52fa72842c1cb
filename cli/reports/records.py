"""Writes the matches of a tournament as records, one file a match, and the final position of its first match as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cli.translation import gettext, locale
from engine_core.game import SPECTATOR
from engine_core.pictures import Setting, pictures_of
from engine_core.words import package_of, words_of
from services.engine.presentation.players import player_names
from services.tournaments.ledger.ledger import Ledger, Tournament
from services.tournaments.plan.plan import Spec
from services.tournaments.records import ReplayedMatch, replay_match
from services.tournaments.results.results import BlockResult

RESULTS_PER_READ: Final = 128


def write_records(ledger: Ledger, tournament: Tournament, folder: Path) -> int:
    """Write the record of each match whose moves are stored, as `ID-NUMBER.json`. Returns their number.

    Raises `UnknownPlan` if this version does not know the rules.
    """
    spec = tournament.plan.playable()
    folder.mkdir(exist_ok=True)
    written = 0
    for first in range(0, tournament.done, RESULTS_PER_READ):
        for index, result in ledger.lines(tournament.id, first, RESULTS_PER_READ):
            for replayed in _replayed(ledger, tournament.id, spec, BlockResult.decode(index, result)):
                (folder / f"{replayed.id}.json").write_text(replayed.record() + "\n", encoding="utf-8")
                written += 1
    return written


def write_picture(ledger: Ledger, tournament: Tournament, path: Path) -> None:
    """Write the last position of the first match. Raises `UnknownPlan`, and `ValueError` if there is none to draw."""
    spec = tournament.plan.playable()
    [result] = ledger.results(tournament.id, 0, 1)
    replayed = next(_replayed(ledger, tournament.id, spec, BlockResult.decode(0, result)), None) if result else None
    game = replayed and replayed.match.game
    pictures = pictures_of(package_of(game)) if game else None
    if replayed is None or pictures is None:
        raise ValueError(gettext("--picture: the first match has not been played, or its moves are not stored"))
    words = words_of(package_of(game), locale())
    setting = Setting(words, names=player_names(replayed.header.seats, SPECTATOR, words))
    svg = pictures.draw(replayed.match.game.view(replayed.match.state, SPECTATOR), setting)
    path.write_text(svg + "\n", encoding="utf-8")


def _replayed(ledger: Ledger, tournament_id: str, spec: Spec, result: BlockResult) -> Iterator[ReplayedMatch]:
    moves = ledger.moves(tournament_id, result.index)
    if moves is not None:
        for index in range(len(result.matches)):
            yield replay_match(tournament_id, spec, result, moves, index)
