"""Digests of all messages of random matches, a golden file: `python -m tests.services.engine.messages` writes it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from google.protobuf.message import Message

from engine_core.chance import Luck
from engine_core.explore import random_below
from engine_core.game import NATURE, SPECTATOR
from engine_core.match import AnyMatch, Match
from services.engine.codecs import CODECS, AnyCodec
from tests.conformance.game_setups import GAME_SETUPS, GameSetup

DIGESTS_FILE = Path("tests/data/messages.json")


def codec_of_version(setup: GameSetup) -> AnyCodec:
    return CODECS[setup.game.name]


def matches(setup: GameSetup) -> Iterator[tuple[AnyMatch, list[Message]]]:
    """A random match after every move, with the events of that move as each observer sees them."""
    codec = codec_of_version(setup)
    match: AnyMatch = Match(setup.game, setup.start(), Luck(bytes(32), [str(setup)]))
    random = Random(str(setup))
    entries = match.begin()
    while True:
        yield match, [codec.encode_event(entry, seen_by) for entry in entries for seen_by in observers_of(match)]
        if match.is_over():
            return
        seat = match.to_move()[0]
        moves = match.legal_moves(seat)
        entries = match.play(seat, moves[random_below(len(moves), random.getrandbits)])


def observers_of(match: AnyMatch) -> list[int]:
    return [SPECTATOR, *range(len(match.last_moved))]


def messages(codec: AnyCodec, match: AnyMatch) -> list[Message]:
    """The state, the views of all observers and the legal moves."""
    game, state = codec.game, match.state
    views = [codec.encode_view(game.view(state, observer)) for observer in observers_of(match)]
    moves = [move for seat in range(NATURE, len(match.last_moved)) for move in game.legal_moves(state, seat)]
    return [codec.encode_state(state), *views, *[codec.encode_move(move) for move in moves]]


def digest(setup: GameSetup) -> str:
    """The SHA-256 of all messages of a random match in canonical form."""
    codec = codec_of_version(setup)
    hashed = hashlib.sha256()
    for match, events in matches(setup):
        for message in [*messages(codec, match), *events]:
            hashed.update(hashlib.sha256(message.SerializeToString(deterministic=True)).digest())
    return hashed.hexdigest()


if __name__ == "__main__":
    DIGESTS_FILE.write_text(json.dumps({str(setup): digest(setup) for setup in GAME_SETUPS}, indent=1) + "\n")
