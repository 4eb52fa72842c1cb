"""The plan of a tournament: its game, entrants, format and seed, from which all blocks and seeds follow.

A block is one table of entrants on one seed, played once with every rotation of the seats, so that each entrant meets
the same luck; a block is never split. Everything random follows from the plan's seed, so equal plans give equal
results.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from hashlib import sha256
from random import Random
from typing import Final, Self

from engine_core.bots import Limits, UnknownBot, bot_named, check_limits
from engine_core.errors import UnknownGame
from engine_core.game import Options
from engine_core.games import GAMES_BY_VERSION, AnyGame, game_named, game_of_version, rules_version
from services.bots.imported.names import imported_bot_name, is_imported
from services.bots.remote.allowed import BotAddress, bot_address, checked_address, is_remote
from services.tournaments.plan.openings import MAX_OPENINGS, Opening, check_opening
from services.tournaments.plan.sprt import ERROR_RATES, MAX_ELO, Sprt
from services.tournaments.results.tally import MAX_SEATS

Table = tuple[int, ...]
"""Numbers of the entrants that play together; one with several seats is listed several times."""

FORMATS: Final = ("round_robin", "gauntlet", "swiss", "knockout")
MAX_PLAN_ENTRANTS: Final = 256
"""Most entrants of any plan; the API allows fewer."""
MAX_PLAN_BLOCKS: Final = 1_000_000
MAX_ROUNDS: Final = 100
SEED_BITS: Final = 32

CLOCK_OPTION: Final = "milliseconds="
MAX_ENTRANT_NAME: Final = 32
ENTRANT_NAME: Final = re.compile(rf"[\w.+-][\w .+-]{{0,{MAX_ENTRANT_NAME - 1}}}")
"""Without `:`, `=` and `,`, which separate a name from its bot and entrants, and `#`, which numbers equal names."""

# Prefixes of the hashes that derive seeds, so that equal numbers in different roles give independent seeds.
BLOCK_LABEL: Final = b"fireside/tournament/block/1"
BOT_LABEL: Final = b"fireside/tournament/bot/1"
ORDER_LABEL: Final = b"fireside/tournament/order/1"
OPENING_LABEL: Final = b"fireside/tournament/opening/1"
TIE_BREAK_LABEL: Final = b"fireside/tournament/lot/1"


class InvalidSpec(ValueError):
    """A field of a plan has an invalid value."""

    def __init__(self, field: str, description: str) -> None:
        super().__init__(f"{field}: {description}")
        self.field = field
        self.description = description


class UnknownPlan(InvalidSpec):
    """A stored plan of another version of Fireside cannot be played, or not even be read, by this version."""

    def __init__(self, field: str, description: str, rules_version: str) -> None:
        super().__init__(field, description)
        self.rules_version = rules_version


@dataclass(frozen=True)
class Plan:
    """The plan of a tournament as a ledger stores it: enough to compute standings from its results.

    This version may not know its rules and bots: only a `Spec` can be played. Raises `InvalidSpec` for a plan that no
    version could play.
    """

    game: str
    """Name of the game in the registry."""
    entrants: tuple[str, ...]
    """Bots with their options, 2 to 256, each after `NAME=` if it has a name; equal texts are separate entrants."""
    table_size: int
    """Seats of a table: a number of seats that the game allows. A block has as many matches."""
    options: str = ""
    """Name of a preset of the game's options; the default one when empty."""
    format: str = "round_robin"
    """Tournament format, one of `FORMATS`."""
    blocks: int = 1
    """Blocks that each table plays, in each round."""
    rounds: int = 0
    """Rounds of a Swiss tournament; 0 for the default of `swiss_rounds`. 0 in the other formats."""
    seed: int = 0
    """Seed of all randomness, 0 to 2^32 - 1."""
    sprt: Sprt | None = None
    """Ends a round robin of two entrants as soon as the test decides; `blocks` are then the most."""
    name: str = ""
    """Name for display only."""
    rules_version: str = ""
    """Version of the rules, for example `fire_bulls@1`; a `Spec` fills in the newest when empty."""
    openings: tuple[Opening, ...] = ()
    """Openings from which matches go on, at most 1,000, one drawn for each block; none for matches from the start."""

    def __post_init__(self) -> None:
        entrants = len(self.entrants)
        _require(2 <= entrants <= MAX_PLAN_ENTRANTS, "entrants", f"2 to {MAX_PLAN_ENTRANTS}, not {entrants}")
        _require(self.format in FORMATS, "format", f"one of {', '.join(FORMATS)}, not {self.format!r}")
        least = 1 if self.format == "round_robin" else 2  # tables of one eliminate nobody, so a knockout would not end
        seats = f"{least} to {MAX_SEATS} in this format, not {self.table_size}"
        _require(least <= self.table_size <= MAX_SEATS, "table_size", seats)
        _require(1 <= self.blocks <= MAX_PLAN_BLOCKS, "blocks", f"1 to {MAX_PLAN_BLOCKS}, not {self.blocks}")
        most = MAX_ROUNDS if self.format == "swiss" else 0
        _require(0 <= self.rounds <= most, "rounds", f"0 to {most} in this format, not {self.rounds}")
        _require(0 <= self.seed < 1 << SEED_BITS, "seed", f"0 to 2^{SEED_BITS} - 1, not {self.seed}")
        _require(len(self.openings) <= MAX_OPENINGS, "openings", f"at most {MAX_OPENINGS}, not {len(self.openings)}")
        if self.sprt:
            _check_sprt(self.sprt, self)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Names of the entrants, or their bots without one; numbered from the second equal one on (`mcts #2`)."""
        names = [name or bot for name, bot in map(split_entrant, self.entrants)]
        before = [names[:number].count(name) for number, name in enumerate(names)]
        return tuple(f"{name} #{count + 1}" if count else name for name, count in zip(names, before, strict=True))

    @cached_property
    def bots(self) -> tuple[str, ...]:
        """The entrants' bots with their options, or addresses, without the entrants' names."""
        return tuple([split_entrant(entrant)[1] for entrant in self.entrants])

    def playable(self) -> Spec:
        """The plan as a `Spec`. Raises `UnknownPlan` if this version lacks its rules, options or bots."""
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
            sprt = written.get("sprt") and Sprt(**written["sprt"])
            openings = tuple([Opening.of_fields(opening) for opening in written.get("openings", ())])
            return cls(**{**written, "entrants": tuple(written["entrants"]), "sprt": sprt, "openings": openings})
        except InvalidSpec as error:
            raise UnknownPlan(error.field, error.description, rules) from None
        except (KeyError, TypeError) as error:
            raise UnknownPlan("spec", f"another version of Fireside wrote it otherwise: {error}", rules) from None


@dataclass(frozen=True)
class Spec(Plan):
    """A plan that this version can play: immutable, and checked when it is created. Raises `InvalidSpec`."""

    def __post_init__(self) -> None:
        game = self._known_game()
        seats = (game.min_seats, game.max_seats)
        _require(
            seats[0] <= self.table_size <= seats[1], "table_size", f"{seats[0]} to {seats[1]}, not {self.table_size}"
        )
        presets = game.presets()
        _require(self.options in ("", *presets), "options", f"one of {', '.join(presets)}, not {self.options!r}")
        super().__post_init__()
        for number, entrant in enumerate(self.entrants):
            _check_entrant(f"entrants[{number}]", *split_entrant(entrant))
        for number, opening in enumerate(self.openings):
            try:
                check_opening(opening, game, self.table_size, self.game_options)
            except ValueError as error:
                raise InvalidSpec(f"openings[{number}]", str(error)) from None

    def _known_game(self) -> AnyGame:
        try:
            newest = game_named(self.game)
        except UnknownGame as error:
            raise InvalidSpec("game", str(error)) from None
        if not self.rules_version:
            object.__setattr__(self, "rules_version", rules_version(newest))
        game = GAMES_BY_VERSION.get(self.rules_version, newest)
        known = game.name == self.game and rules_version(game) == self.rules_version
        _require(known, "rules_version", f"{rules_version(newest)} is here, not {self.rules_version}")
        return game

    @cached_property
    def game_options(self) -> Options:
        """The game options of the preset."""
        presets: dict[str, Options] = game_of_version(self.rules_version).presets()
        return presets[self.options] if self.options else next(iter(presets.values()))


def read_stored_plan(text: str) -> Plan:
    """Read a plan from a ledger: a `Spec` if this version can play it. Raises `UnknownPlan` if it cannot be read."""
    try:
        return Spec.from_json(text)
    except UnknownPlan:
        return Plan.from_json(text)


@dataclass(frozen=True)
class Block:
    """One table on one seed; its index is its position in the plan, from 0."""

    index: int
    table: Table


def _require(holds: bool, field: str, description: str) -> None:
    if not holds:
        raise InvalidSpec(field, description)


def _check_sprt(sprt: Sprt, plan: Plan) -> None:
    _require(len(plan.entrants) == 2, "sprt", f"a test is of two entrants, not of {len(plan.entrants)}")
    _require(plan.format == "round_robin", "sprt", f"only of a round_robin, not of a {plan.format}")
    _require(-MAX_ELO <= sprt.elo0 < sprt.elo1 <= MAX_ELO, "sprt", f"elo0 < elo1, within {MAX_ELO:g}, not {sprt}")
    low, high = ERROR_RATES
    rates = low <= sprt.alpha <= high and low <= sprt.beta <= high
    _require(rates, "sprt", f"alpha and beta from {low:g} to {high:g}, not {sprt}")


def split_entrant(entrant: str) -> tuple[str, str]:
    """The name of an entrant, empty if it has none, and its bot: `NAME=BOT`, with no colon in the name."""
    first, equals, bot = entrant.partition("=")
    return (first, bot) if first and equals and ":" not in first else ("", entrant)


def has_remote_bots(plan: Plan, block: Block) -> bool:
    """Whether a remote bot sits at the table of a block."""
    return any(is_remote(plan.bots[entrant]) for entrant in block.table)


def check_remote_bots(plan: Plan, allowed: Sequence[BotAddress]) -> None:
    """Raises `InvalidSpec` for a remote bot that is not in the allow-list."""
    for number, bot in enumerate(plan.bots):
        if is_remote(bot):
            try:
                checked_address(bot, allowed)
            except ValueError as error:
                raise InvalidSpec(f"entrants[{number}]", str(error)) from None


def refuse_imported_bots(entrants: Sequence[str]) -> None:
    """Raises `InvalidSpec` for an imported bot: a service runs no code of its clients."""
    for number, entrant in enumerate(entrants):
        bot = split_entrant(entrant)[1]
        _require(not is_imported(bot), f"entrants[{number}]", f"only `fireside tournament run` imports {bot[:100]!r}")


def check_costs(plan: Plan, limits: Limits) -> None:
    """Raises `InvalidSpec` for one of our bots whose options cost more time a move than the limits allow."""
    for number, bot in enumerate(plan.bots):
        if not is_remote(bot):
            try:
                check_limits(bot, limits)
            except UnknownBot as error:
                raise InvalidSpec(f"entrants[{number}]", str(error)) from None


def _check_entrant(field: str, name: str, bot: str) -> None:
    allowed = f"a name has 1 to {MAX_ENTRANT_NAME} letters, digits, blanks and . + - _, not {name!r}"
    _require(not name or ENTRANT_NAME.fullmatch(name) is not None, field, allowed)
    if is_remote(bot):
        try:
            bot_address(bot)
        except ValueError as error:
            raise InvalidSpec(field, str(error)) from None
        return
    if is_imported(bot):
        try:
            imported_bot_name(bot)
        except ValueError as error:
            raise InvalidSpec(field, str(error)) from None
        return
    _require(CLOCK_OPTION not in bot, field, f"{bot!r} plays by the clock, and no two results would be equal")
    try:
        bot_named(bot)
    except UnknownBot as error:
        raise InvalidSpec(field, str(error)) from None


def _derive_seed(label: bytes, numbers: Sequence[int]) -> bytes:
    return sha256(label + b"".join([number.to_bytes(8, "big") for number in numbers])).digest()


def block_secret(spec: Spec, index: int) -> bytes:
    """The secret seed of nature in all matches of a block."""
    return _derive_seed(BLOCK_LABEL, (spec.seed, index))


def opening_of(plan: Plan, index: int) -> Opening | None:
    """The opening of all matches of a block, drawn from the plan's seed; None if the plan has none."""
    if not plan.openings:
        return None
    return Random(_derive_seed(OPENING_LABEL, (plan.seed, index))).choice(plan.openings)


def bot_random(spec: Spec, index: int, match: int, seat: int) -> Random:
    """The random generator of the bot on a seat, in one match of a block."""
    return Random(_derive_seed(BOT_LABEL, (spec.seed, index, match, seat)))


def entrants_by_seat(plan: Plan, block: Block, match: int) -> Table:
    """The entrants by seat in a match: an order drawn once for the block, rotated by one seat in each match."""
    order = [block.table[place] for place in _seat_order(plan, block.index, len(block.table))]
    return tuple(order[match:] + order[:match])


def table_of_seats(plan: Plan, index: int, seats: Table) -> Table:
    """The table of a block whose first match has these entrants by seat: the inverse of `entrants_by_seat`."""
    by_place = dict(zip(_seat_order(plan, index, len(seats)), seats, strict=True))
    return tuple([by_place[place] for place in range(len(seats))])


def _seat_order(plan: Plan, index: int, size: int) -> list[int]:
    order = list(range(size))
    Random(_derive_seed(ORDER_LABEL, (plan.seed, index))).shuffle(order)
    return order


def tie_breaks(plan: Plan) -> list[int]:
    """A lot for each entrant, drawn from the seed: the lower one wins a tie."""
    order = list(range(len(plan.entrants)))
    Random(_derive_seed(TIE_BREAK_LABEL, (plan.seed,))).shuffle(order)
    return order
