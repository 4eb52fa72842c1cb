"""What moves of Fireship brought, for the log: battles, answers, pawns, islands, badges, and the first turn."""

from __future__ import annotations

from engine_core import packed
from engine_core.game import Move
from engine_core.games.fireship import components, moves, stages
from engine_core.games.fireship.components import KINDS, WHITE
from engine_core.games.fireship.notation import ISLAND
from engine_core.games.fireship.view import FireshipView
from engine_core.words import Words


def consequences(before: FireshipView, seat: int, move: Move, after: FireshipView, words: Words) -> list[str]:
    """Clauses for what a move brought, from the views of one observer before and after it."""
    is_answer = isinstance(move, moves.Answer) and before.stage == stages.WINDOW
    if is_answer and before.seats_to_answer != 1 << seat:
        return []  # sealed, until the last one has answered
    clauses = _die(before, move, after, words) if isinstance(move, moves.Die) else []
    changes = _islands(before, after, words) + _pawns(before, move, after, words) + _seats(before, move, after, words)
    if is_answer:
        clauses += _answers(before, after, bool(changes), words)
    elif isinstance(move, moves.Card) and _is_kept(before, after):
        clauses.append(words.clause("keeps_card", words.player(before.active_seat)))
    elif isinstance(move, (moves.Card, moves.Sector, moves.UseSquare)) and not changes and not after.declared:
        clauses.append(words.clause("no_effect"))
    return clauses + changes + _next_choice(before, after, is_answer, words) + _turn(before, after, words)


# Dice


def _die(before: FireshipView, move: moves.Die, after: FireshipView, words: Words) -> list[str]:
    if before.stage == stages.FIRST_THROW:
        return _first_throw(before, move, after, words)
    active = words.player(before.active_seat)
    if before.stage == stages.THROWING:
        return _points(after, active, words) if after.stage != stages.THROWING else []
    if before.stage == stages.BATTLE:
        return [_battle(before, move, active, words)]
    if after.stage == stages.SKULL_ANSWER:
        return [words.clause("may_save_plane", active)]
    is_lost = move.face != components.SKULL and move.face not in components.BATTLESHIP_FACES
    return [words.clause("no_battleship", active)] if is_lost else []


def _points(after: FireshipView, active: str, words: Words) -> list[str]:
    if after.points == 0:
        return [words.clause("no_points", active)]
    return [words.clause("points", active, words.several("movement", "point", after.points))]


def _first_throw(before: FireshipView, move: moves.Die, after: FireshipView, words: Words) -> list[str]:
    """What a die of the throw for the first turn is for, and how the throw ends (FS-06)."""
    clauses = [
        words.clause("first_throw", words.player(number), str(seat.first_throw))
        for number, seat in enumerate(after.seats)
        if seat.first_throw > before.seats[number].first_throw
    ]
    if after.stage != stages.FIRST_THROW:
        return [*clauses, words.clause("begins", words.player(after.first_seat))]
    if any(seat.first_throw < before.seats[number].first_throw for number, seat in enumerate(after.seats)):
        return [words.clause("throw_again")]
    return clauses or [words.clause("first_throw_skull")]


def _battle(before: FireshipView, move: moves.Die, active: str, words: Words) -> str:
    """Who wins the battle, and the powers (FS-44)."""
    powers = str(before.attack_power), str(before.defence_power)
    is_won = move.face in _winning_faces(before)
    return words.clause("wins_battle", active, *powers) if is_won else words.clause("attack_fails", *powers)


def _winning_faces(view: FireshipView) -> list[int]:
    return components.WINS_GREATER if view.attack_power > view.defence_power else components.WINS_EQUAL


# Answers


def _answers(before: FireshipView, after: FireshipView, has_effect: bool, words: Words) -> list[str]:
    """What the answers of a window come to; the entry reveals the card that counts (FS-89)."""
    has_played = _has_played(before, after)
    clauses = [] if has_played else [words.clause("nobody_answers")]
    has_card = has_played or isinstance(before.declared[-1].move, moves.Answer)
    if has_card and not has_effect and not after.declared:
        clauses.append(words.clause("cancelled"))
    return clauses


def _has_played(before: FireshipView, after: FireshipView) -> bool:
    """Whether one of the sealed answers was a card: it lies with the discards, or an anti-skull card is gone."""
    for card in (components.NO_CARD, components.PLUS_ONE):
        if packed.count_of(after.discards, card) > packed.count_of(before.discards, card):
            return True
    return any(seat.anti_skull and not after.seats[number].anti_skull for number, seat in enumerate(before.seats))


# Changes of the board and the seats


def _counts(view: FireshipView) -> list[int]:
    """How many pawns of each colour and kind are on the board, in one list."""
    counts = [0] * ((WHITE + 1) * len(KINDS))
    for pawn in view.pawns:
        counts[pawn.owner * len(KINDS) + moves.kind_of(pawn.pawn)] += pawn.count
    return counts


def _pawns(before: FireshipView, move: Move, after: FireshipView, words: Words) -> list[str]:
    """The pawns that each colour has lost or gained."""
    clauses: list[str] = []
    if isinstance(move, (moves.Lose, moves.Fortify)) and not after.declared:
        return clauses  # the sentence says which pawns are given up
    earlier, counts = _counts(before), _counts(after)
    if counts == earlier:  # as after most moves
        return clauses
    for owner in range(WHITE + 1):
        lost: list[str] = []
        gained: list[str] = []
        for kind in range(len(KINDS)):
            place = owner * len(KINDS) + kind
            change = counts[place] - earlier[place]
            if change:
                (gained if change > 0 else lost).append(words.several("pawns", KINDS[kind], abs(change)))
        if lost and owner == WHITE:
            clauses.append(words.clause("white_loses", words.joined(lost)))
        elif lost:
            clauses.append(words.clause("loses", _player_of(before, owner, words), words.joined(lost)))
        if gained:
            clauses.append(words.clause("gains", _player_of(before, owner, words), words.joined(gained)))
    return clauses


def _player_of(view: FireshipView, owner: int, words: Words) -> str:
    return words.player([seat.colour for seat in view.seats].index(owner))


def _islands(before: FireshipView, after: FireshipView, words: Words) -> list[str]:
    """Islands with another owner or another ring."""
    clauses: list[str] = []
    for island, owner in enumerate(after.owners):
        if owner != before.owners[island]:
            clauses.append(words.clause("takes_island", _player_of(after, owner, words), ISLAND.write(island)))
        elif after.rings[island] > before.rings[island]:
            rings = words.several("rings", "ring", after.rings[island])
            clauses.append(words.clause("has_rings", ISLAND.write(island), rings))
    return clauses


def _seats(before: FireshipView, move: Move, after: FireshipView, words: Words) -> list[str]:
    """Badges, fog, fast pawns and turns to skip that seats have got; some sentences of cards say it themselves."""
    clauses: list[str] = []
    for number, seat in enumerate(after.seats):
        earlier = before.seats[number]
        player = words.player(number)
        for badge, name in enumerate(components.BADGE_NAMES):
            if seat.badges[badge] > earlier.badges[badge]:
                clauses.append(words.clause("gets_badge", player, words.name("played_card", name)))
        if seat.fog and not earlier.fog and not isinstance(move, moves.Fog):
            clauses.append(words.clause("in_fog", player))
        if seat.turns_to_skip > earlier.turns_to_skip:
            clauses.append(words.clause("will_skip", player))
    if isinstance(move, moves.Answer) and _fast_pawns(after) > _fast_pawns(before):
        clauses.append(words.clause("is_fast"))
    return clauses


def _fast_pawns(view: FireshipView) -> int:
    return sum([pawn.count for pawn in view.pawns if pawn.pawn & moves.FAST])


def _is_kept(before: FireshipView, after: FireshipView) -> bool:
    """Whether the active seat has taken a card to its hand."""
    active = before.active_seat
    return after.seats[active].hand_size > before.seats[active].hand_size


# What comes next


def _next_choice(before: FireshipView, after: FireshipView, is_answer: bool, words: Words) -> list[str]:
    """The powers of a battle that may come, who may answer, and who has to give up a pawn."""
    if after.stage == before.stage and not is_answer:
        return []
    clauses: list[str] = []
    if after.stage in (stages.WINDOW, stages.BATTLE) and isinstance(after.declared[-1].move, moves.Attack):
        powers = after.attack_power, after.defence_power
        if powers != (before.attack_power, before.defence_power):
            faces = words.joined([str(face) for face in _winning_faces(after)])
            clauses.append(words.clause("powers", str(powers[0]), str(powers[1]), faces))
    if after.stage == stages.WINDOW:
        asked = [words.player(number) for number in range(len(after.seats)) if after.seats_to_answer >> number & 1]
        clauses.append(words.clause("may_answer", words.joined(asked)))
    if after.stage == stages.LOSING:
        clauses.append(words.clause("must_give_up", words.player(after.active_seat)))
    return clauses


def _turn(before: FireshipView, after: FireshipView, words: Words) -> list[str]:
    """Seats that go out or skip their turn, and the round that begins."""
    clauses: list[str] = []
    for number, seat in enumerate(after.seats):
        earlier = before.seats[number]
        if seat.eliminated_in_turn and not earlier.eliminated_in_turn:
            clauses.append(words.clause("is_out", words.player(number)))
        elif seat.turns_to_skip < earlier.turns_to_skip:
            clauses.append(words.clause("skips", words.player(number)))
    if after.round > before.round:
        clauses.append(words.clause("round", str(after.round), str(after.options.rounds)))
    return clauses
