"""Options of `fireside tournament run` that make a plan, and the plan that they make."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import fields, replace
from pathlib import Path
from typing import Final

from cli.bots import split_names
from cli.translation import gettext
from engine_core.games import canonical_name, game_named
from services.tournaments.ledger.ledger import Tournament
from services.tournaments.plan.openings import Opening
from services.tournaments.plan.plan import FORMATS, MAX_PLAN_BLOCKS, Spec
from services.tournaments.plan.sprt import Sprt, parse_sprt

PLAN_OPTIONS: Final = {
    "game": "game",
    "entrants": "entrants",
    "table": "table_size",
    "options": "options",
    "format": "format",
    "blocks": "blocks",
    "rounds": "rounds",
    "seed": "seed",
    "sprt": "sprt",
}
"""The field of a plan that each option sets."""
OPENING_MOVES: Final = 8


def add_plan_arguments(parser: ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--game", type=canonical_name, help=gettext("name of the game, for example fire_bulls"))
    parser.add_argument("--entrants", help=gettext("bots, for example random,greedy,mcts:iterations=100"))
    parser.add_argument("--table", type=int, help=gettext("seats of a table; the minimum by default"))
    parser.add_argument("--options", help=gettext("name of a preset of the game's options; the first by default"))
    parser.add_argument(
        "--format", help=gettext("{names}; {default} by default", names=", ".join(FORMATS), default=FORMATS[0])
    )
    parser.add_argument(
        "--blocks",
        type=int,
        help=gettext("blocks that each table plays in each round (default 1; as many as it takes with --sprt)"),
    )
    parser.add_argument(
        "--rounds", type=int, help=gettext("rounds of a Swiss tournament; as many as needed by default")
    )
    parser.add_argument("--seed", type=int, help=gettext("seed of all randomness (default 0)"))
    parser.add_argument(
        "--sprt",
        type=_sprt,
        help=gettext("test of two entrants that ends the tournament: elo0=0,elo1=20,alpha=0.05,beta=0.05"),
    )
    parser.add_argument(
        "--openings",
        type=Path,
        nargs="+",
        metavar=gettext("FILE"),
        help=gettext("files of records, or folders of them: each block goes on from the beginning of a match in them"),
    )
    parser.add_argument(
        "--opening-moves",
        type=int,
        metavar="N",
        help=gettext("choices of an opening (default {number})", number=OPENING_MOVES),
    )


def _sprt(text: str) -> Sprt:
    try:
        return parse_sprt(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def plan_of(arguments: Namespace) -> Spec:
    """The plan that the options make. Raises `ValueError`."""
    if not arguments.game or not arguments.entrants:
        raise ValueError(gettext("--game and --entrants, or --resume, must be given"))
    spec = Spec(
        arguments.game,
        split_names(arguments.entrants),
        arguments.table or game_named(arguments.game).min_seats,
        arguments.options or "",
        arguments.format or FORMATS[0],
        _blocks(arguments),
        arguments.rounds or 0,
        arguments.seed or 0,
        arguments.sprt,
    )
    openings = _openings(arguments, spec)
    return replace(spec, openings=openings) if openings else spec


def _openings(arguments: Namespace, spec: Spec) -> tuple[Opening, ...]:
    """The openings for a plan without any; none if the options name no files."""
    moves = OPENING_MOVES if arguments.opening_moves is None else arguments.opening_moves
    if moves < 1:
        raise ValueError("--opening-moves: " + gettext("at least 1, not {number}", number=moves))
    if arguments.openings is None:
        if arguments.opening_moves is not None:
            raise ValueError("--opening-moves: " + gettext("only with --openings"))
        return ()
    try:
        from cli.records.openings import read_openings  # only here: no other plan needs the extra `data`
    except ModuleNotFoundError as error:
        text = gettext(
            "{command} needs {package}: {install}",
            command="--openings",
            package=error.name,
            install="pip install 'fireside[data]'",
        )
        raise ValueError(text) from None
    return read_openings(arguments.openings, spec, moves)


def _blocks(arguments: Namespace) -> int:
    """The blocks of a table: by default one, or with a test as many as it takes."""
    if arguments.blocks is None:
        return MAX_PLAN_BLOCKS if arguments.sprt else 1
    blocks: int = arguments.blocks
    return blocks


def _given_plan_fields(arguments: Namespace) -> dict[str, object]:
    """The fields of the plan that were given as options."""
    values = {field: getattr(arguments, option) for option, field in PLAN_OPTIONS.items()}
    found = {field: value for field, value in values.items() if value is not None}
    if "entrants" in found:
        found["entrants"] = split_names(arguments.entrants)
    return found


def check_same_plan(arguments: Namespace, tournament: Tournament) -> None:
    """Raise `ValueError` that names the given options that differ from a stored plan, since plans never change."""
    plan = {field.name: getattr(tournament.plan, field.name) for field in fields(tournament.plan)}
    if isinstance(tournament.plan, Spec) and not tournament.plan.options:
        plan["options"] = next(iter(game_named(tournament.plan.game).presets()))
    planned = _given_plan_fields(arguments)
    if isinstance(tournament.plan, Spec) and (openings := _openings(arguments, tournament.plan)):
        planned["openings"] = openings
    differing = [
        gettext(
            "--{option} is {value}, not {other}",
            option=option,
            value=_option_text(plan[field]),
            other=_option_text(planned[field]),
        )
        for option, field in (*PLAN_OPTIONS.items(), ("openings", "openings"))
        if field in planned and planned[field] != plan[field]
    ]
    if differing:
        raise ValueError(
            gettext(
                "the plan of tournament {id} never changes: {differences}",
                id=tournament.id,
                differences="; ".join(differing),
            )
        )


def _option_text(value: object) -> str:
    if not isinstance(value, tuple):
        return str(value)
    openings = [each for each in value if isinstance(each, Opening)]
    if not openings:
        return ",".join(value)
    choices = sum(len(opening.moves) for opening in openings)
    return gettext("{number} openings of {choices} choices", number=len(openings), choices=choices)
