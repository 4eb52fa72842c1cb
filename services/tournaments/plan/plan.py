"""The plan of a tournament: who plays what, in which blocks, on which seeds.

A block is one table of entrants on one seed, played once with every rotation of the seats: luck meets all of them, and
a block is never split. Everything random follows from the seed of the plan, so equal plans give equal results.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from hashlib import sha256
from random import Random
from typing import Final, Self

from engine_core.bots import Limits, UnknownBot, bot_named, check_cost
from engine_core.errors import UnknownGame
from engine_core.game import Options
from engine_core.games import VERSIONS, AnyGame, game_named, game_of, rules_version
from services.bots.remote.allowed import BotAddress, bot_address, checked_address, is_remote
from services.tournaments.results.tally import MOST_SEATS

Table = tuple[int, ...]
"""Numbers of the entrants that play together; one that has several chairs is named several times."""

FORMATS: Final = ("round_robin", "swiss", "knockout")
PLAN_ENTRANTS_MOST: Final = 256
"""Of any plan; callers of the API may ask for fewer."""
MOST_BLOCKS: Final = 1_000_000
MOST_ROUNDS: Final = 100
SEED_BITS: Final = 32

CLOCK_OPTION: Final = "milliseconds="

BLOCK_LABEL: Final = b"fireside/tournament/block/1"
BOT_LABEL: Final = b"fireside/tournament/bot/1"
ORDER_LABEL: Final = b"fireside/tournament/order/1"
LOT_LABEL: Final = b"fireside/tournament/lot/1"


class InvalidSpec(ValueError):
    """A field of a plan that cannot be."""

    def __init__(self, field: str, description: str) -> None:
        super().__init__(f"{field}: {description}")
        self.field = field
        self.description = description


class UnknownPlan(InvalidSpec):
    """A plan that was written down by another version of Fireside, and cannot be played, or not even be read, here."""

    def __init__(self, field: str, description: str, rules_version: str) -> None:
        super().__init__(field, description)
        self.rules_version = rules_version


@dataclass(frozen=True)
class Plan:
    """What a tournament is, as a ledger has it: enough to tell what its results come to, wherever it was played.

    Its rules and bots may be gone: only a `Spec` can be played. Raises `InvalidSpec` where nobody could ever play it.
    """

    game: str
    """Name of the game in the registry."""
    entrants: tuple[str, ...]
    """Names of bots with their options, 2 to 256; two of the same name are two entrants."""
    table_size: int
    """Seats of a table: a number that the game can be played with. A block has as many matches."""
    options: str = ""
    """Name of a preset of the game's options; the default one when empty."""
    format: str = "round_robin"
    """One of `FORMATS`."""
    blocks: int = 1
    """Blocks that each table plays, in each round."""
    rounds: int = 0
    """Rounds of a Swiss tournament; 0 for as many as it takes to tell the best. 0 in the other formats."""
    seed: int = 0
    """0 to 2^32 - 1."""
    name: str = ""
    """Name to show; nothing follows from it."""
    rules_version: str = ""
    """Rules that it is played by, for example `fire_bulls@1`; a spec fills them in when empty."""

    def __post_init__(self) -> None:
        entrants = len(self.entrants)
        _require(2 <= entrants <= PLAN_ENTRANTS_MOST, "entrants", f"2 to {PLAN_ENTRANTS_MOST}, not {entrants}")
        _require(self.format in FORMATS, "format", f"one of {', '.join(FORMATS)}, not {self.format!r}")
        least = 1 if self.format == "round_robin" else 2  # at tables of one nobody ever goes out
        seats = f"{least} to {MOST_SEATS} in this format, not {self.table_size}"
        _require(least <= self.table_size <= MOST_SEATS, "table_size", seats)
        _require(1 <= self.blocks <= MOST_BLOCKS, "blocks", f"1 to {MOST_BLOCKS}, not {self.blocks}")
        most = MOST_ROUNDS if self.format == "swiss" else 0
        _require(0 <= self.rounds <= most, "rounds", f"0 to {most} in this format, not {self.rounds}")
        _require(0 <= self.seed < 1 << SEED_BITS, "seed", f"0 to 2^{SEED_BITS} - 1, not {self.seed}")

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What the entrants are called: their names, and a number behind all but the first of the same name."""
        before = [self.entrants[:number].count(name) for number, name in enumerate(self.entrants)]
        return tuple(
            f"{name} #{count + 1}" if count else name for name, count in zip(self.entrants, before, strict=True)
        )

    def playable(self) -> Spec:
        """The same, to be played. Raises `UnknownPlan` where its rules, its options or its bots are not here."""
        return Spec.from_json(self.to_json())

    def to_json(self) -> str:
        """The plan as text; equal plans have equal texts."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The plan that `to_json` wrote. Raises `UnknownPlan`."""
        written = json.loads(text)
        rules = str(written.get("rules_version", ""))
        known = [field.name for field in fields(cls)]
        for name in written:
            if name not in known:
                raise UnknownPlan(name, "no field of plans here: a newer version of Fireside wrote this ledger", rules)
        try:
            return cls(**{**written, "entrants": tuple(written["entrants"])})
        except InvalidSpec as error:
            raise UnknownPlan(error.field, error.description, rules) from None
        except (KeyError, TypeError) as error:
            raise UnknownPlan("spec", f"another version of Fireside wrote it otherwise: {error}", rules) from None


@dataclass(frozen=True)
class Spec(Plan):
    """A plan that can be played here: checked when it is made, the same for ever after. Raises `InvalidSpec`."""

    def __post_init__(self) -> None:
        game = self._known_game()
        seats = (game.min_seats, game.max_seats)
        _require(
            seats[0] <= self.table_size <= seats[1], "table_size", f"{seats[0]} to {seats[1]}, not {self.table_size}"
        )
        presets = game.presets()
        _require(self.options in ("", *presets), "options", f"one of {', '.join(presets)}, not {self.options!r}")
        super().__post_init__()
        for number, name in enumerate(self.entrants):
            _check_entrant(f"entrants[{number}]", name)

    def _known_game(self) -> AnyGame:
        try:
            newest = game_named(self.game)
        except UnknownGame as error:
            raise InvalidSpec("game", str(error)) from None
        if not self.rules_version:
            object.__setattr__(self, "rules_version", rules_version(newest))
        game = VERSIONS.get(self.rules_version, newest)
        known = game.name == self.game and rules_version(game) == self.rules_version
        _require(known, "rules_version", f"{rules_version(newest)} is here, not {self.rules_version}")
        return game

    @cached_property
    def game_options(self) -> Options:
        """The options that are played with."""
        presets: dict[str, Options] = game_of(self.rules_version).presets()
        return presets[self.options] if self.options else next(iter(presets.values()))


def written_plan(text: str) -> Plan:
    """The plan in a ledger, a `Spec` where it can be played here. Raises `UnknownPlan` where it cannot be read."""
    try:
        return Spec.from_json(text)
    except UnknownPlan:
        return Plan.from_json(text)


@dataclass(frozen=True)
class Block:
    """One table on one seed; its index is its place in the plan, from 0."""

    index: int
    table: Table


def _require(holds: bool, field: str, description: str) -> None:
    if not holds:
        raise InvalidSpec(field, description)


def is_remote_entrant(name: str) -> bool:
    """Whether an entrant is a third party's bot, named by its address."""
    return is_remote(name)


def has_remote_bots(plan: Plan, block: Block) -> bool:
    """Whether a remote bot sits at the table of a block."""
    return any(is_remote_entrant(plan.entrants[entrant]) for entrant in block.table)


def check_remote_bots(plan: Plan, allowed: Sequence[BotAddress]) -> None:
    """Raises `InvalidSpec` for a remote bot that may not be called from here."""
    for number, name in enumerate(plan.entrants):
        if is_remote_entrant(name):
            try:
                checked_address(name, allowed)
            except ValueError as error:
                raise InvalidSpec(f"entrants[{number}]", str(error)) from None


def check_costs(plan: Plan, limits: Limits) -> None:
    """Raises `InvalidSpec` for one of our bots that would take more time for a choice than these limits allow."""
    for number, name in enumerate(plan.entrants):
        if not is_remote_entrant(name):
            try:
                check_cost(name, limits)
            except UnknownBot as error:
                raise InvalidSpec(f"entrants[{number}]", str(error)) from None


def _check_entrant(field: str, name: str) -> None:
    if is_remote_entrant(name):
        try:
            bot_address(name)
        except ValueError as error:
            raise InvalidSpec(field, str(error)) from None
        return
    _require(CLOCK_OPTION not in name, field, f"{name!r} plays by the clock, and no two results would be equal")
    try:
        bot_named(name)
    except UnknownBot as error:
        raise InvalidSpec(field, str(error)) from None


def _digest(label: bytes, numbers: Sequence[int]) -> bytes:
    return sha256(label + b"".join([number.to_bytes(8, "big") for number in numbers])).digest()


def block_secret(spec: Spec, index: int) -> bytes:
    """The secret seed of nature in all matches of a block."""
    return _digest(BLOCK_LABEL, (spec.seed, index))


def bot_random(spec: Spec, index: int, match: int, seat: int) -> Random:
    """What the bot on a seat draws from in one match of a block."""
    return Random(_digest(BOT_LABEL, (spec.seed, index, match, seat)))


def seating(plan: Plan, block: Block, match: int) -> Table:
    """The entrants by seat: who sits beside whom is drawn for the block, and each match moves all by one chair."""
    order = [block.table[place] for place in _order(plan, block.index, len(block.table))]
    return tuple(order[match:] + order[:match])


def table_of(plan: Plan, index: int, seats: Table) -> Table:
    """The table of a block whose first match has these entrants by seat: `seating` the other way round."""
    by_place = dict(zip(_order(plan, index, len(seats)), seats, strict=True))
    return tuple([by_place[place] for place in range(len(seats))])


def _order(plan: Plan, index: int, size: int) -> list[int]:
    order = list(range(size))
    Random(_digest(ORDER_LABEL, (plan.seed, index))).shuffle(order)
    return order


def lots(plan: Plan) -> list[int]:
    """A number for each entrant, drawn from the seed: the lower one wins a tie."""
    order = list(range(len(plan.entrants)))
    Random(_digest(LOT_LABEL, (plan.seed,))).shuffle(order)
    return order
