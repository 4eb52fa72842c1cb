"""A file of bots as users write them, good ones and faulty ones."""

from __future__ import annotations

from pathlib import Path
from typing import Final

SOURCE: Final = '''
import os
import pickle
import zlib


class Last:
    """Takes the last of its moves."""

    def choose(self, observation, random):
        return observation.legal_moves()[-1]


class Peeking:
    """Chooses by the state that it was given."""

    def choose(self, observation, random):
        moves = observation.legal_moves()
        return moves[zlib.crc32(pickle.dumps(observation._state)) % len(moves)]


class Faulty:
    """Does what its name of a fault says."""

    def __init__(self, fault):
        self.fault = fault

    def choose(self, observation, random):
        if self.fault == "raises":
            raise ZeroDivisionError("by nought")
        if self.fault == "takes_memory":
            bytearray(1 << 40)
        if self.fault == "exits":
            os._exit(3)
        if self.fault == "closes_its_pipe":
            os.closerange(3, 256)
        if self.fault == "moves_illegally":
            return observation.game.parse("general: red red red red red red red")
        while True:
            pass
'''


def write_bots(folder: Path) -> Path:
    """Write the file into a folder; its path."""
    file = folder / "user_bots.py"
    file.write_text(SOURCE)
    return file
