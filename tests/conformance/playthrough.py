"""Golden play-throughs and perft counts: `python -m tests.conformance.playthrough` writes them, for review."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from engine_core.chance import Luck
from engine_core.explore import perft, random_below, random_step
from engine_core.game import NATURE, SPECTATOR, Over
from engine_core.match import Entry, Match
from tests.conformance.game_setups import GAME_SETUPS, GameSetup

PERFT_MOVES = (0, 60, 120)
PERFT_LIMIT = 4000


def playthrough(setup: GameSetup) -> str:
    """A random match as text: each move as a spectator sees it and in full, the number of choices, and the result."""
    game = setup.game
    match = Match(game, setup.start(), Luck(bytes(32), [str(setup)]))
    random = Random(str(setup))
    lines = [entry_line(setup, entry) for entry in match.begin()]
    while not match.is_over():
        seat = match.to_move()[0]
        moves = match.legal_moves(seat)
        move = moves[random_below(len(moves), random.getrandbits)]
        entries = match.play(seat, move)
        lines += [entry_line(setup, entry) for entry in entries]
        lines[-len(entries)] += f"  (one of {len(moves)})"
    score = game.score(match.state)
    for standing in score.standings:
        parts = ", ".join(f"{part.label} {part.points}" for part in standing.breakdown)
        lines.append(f"seat {standing.seat}: {standing.points} points, rank {standing.rank} ({parts})")
    lines.append(f"{score.reason}: won by {', '.join(map(str, score.winners))}")
    return "\n".join(lines) + "\n"


def entry_line(setup: GameSetup, entry: Entry) -> str:
    """One entry of the log."""
    mover = "nature" if entry.seat == NATURE else f"seat {entry.seat}"
    text = setup.game.notation(entry.move)
    public = setup.game.notation(entry.seen_by(SPECTATOR))
    hidden = "" if public == text else f"  [others: {public}]"
    revealed = [f"{reveal.seat} {setup.game.notation(reveal.move)}" for reveal in entry.reveals]
    return f"{entry.revision:4} {mover}: {text}{hidden}" + (f"  [reveals: {', '.join(revealed)}]" if revealed else "")


def perft_counts(setup: GameSetup, seed: int, moves: int) -> list[int]:
    """Perft: numbers of move sequences of 1, 2, … moves after `moves` random moves, up to about `PERFT_LIMIT`."""
    state = setup.start()
    random = Random(seed)
    for _ in range(moves):
        random_step(setup.game, state, random)
    found: list[int] = []
    while not isinstance(setup.game.phase(state), Over) and len(found) < 4:
        found.append(perft(setup.game, state, len(found) + 1))
        if found[-1] > PERFT_LIMIT:
            break
    return found


def main() -> None:
    """Write all golden files."""
    data = Path(__file__).parents[1] / "data"
    for kind in ("perft", "playthroughs"):
        (data / kind).mkdir(parents=True, exist_ok=True)
    for setup in GAME_SETUPS:
        cases = [{"seed": 1, "moves": moves, "counts": perft_counts(setup, 1, moves)} for moves in PERFT_MOVES]
        (data / "perft" / f"{setup}.json").write_text(json.dumps(cases, indent=1) + "\n")
        (data / "playthroughs" / f"{setup}.txt").write_text(playthrough(setup))


if __name__ == "__main__":
    main()
