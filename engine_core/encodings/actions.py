"""Action table: a number for every move that a seat may ever choose, the same in every position of a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine_core.errors import MalformedMove
from engine_core.game import Move, NumberedMove

Values = list[tuple[int, ...]]
"""Values of one argument of a move, or of several that follow each other and do not vary independently."""


def argument(values: list[int]) -> Values:
    """The values of one argument."""
    return [(value,) for value in values]


class Block:
    """The moves of one class: all combinations of the values of its columns, in lexicographic order."""

    def __init__(self, move_class: Callable[..., Move], columns: list[Values]) -> None:
        """`columns` are the arguments of the constructor, in their order."""
        self.move_class: Final = move_class
        self.columns: Final = columns
        self.first = 0
        """The number of the first move."""
        self.size = 1
        self._indexes: Final[list[dict[tuple[int, ...], int]]] = []
        self._widths: Final[list[int]] = []
        for values in columns:
            self.size *= len(values)
            self._indexes.append({value: index for index, value in enumerate(values)})
            self._widths.append(len(values[0]))

    def number(self, arguments: tuple[int, ...]) -> int:
        """The place of a move in the block. Raises `KeyError`."""
        number = 0
        start = 0
        for column, width in enumerate(self._widths):
            index = self._indexes[column]
            number = number * len(index) + index[arguments[start : start + width]]
            start += width
        return number

    def move(self, number: int) -> Move:
        """The move at a place of the block."""
        chosen: list[tuple[int, ...]] = []
        for values in reversed(self.columns):
            number, index = divmod(number, len(values))
            chosen.append(values[index])
        arguments: list[int] = []
        for value in reversed(chosen):
            arguments.extend(value)
        return self.move_class(*arguments)


class ActionTable:
    """The numbers from 0 to `count` - 1 of all moves of seats, block after block."""

    def __init__(self, blocks: list[Block]) -> None:
        self.blocks: Final = blocks
        self.count = 0
        self._by_class: Final[dict[Any, Block]] = {}
        for block in blocks:
            block.first = self.count
            self.count += block.size
            self._by_class[block.move_class] = block

    def action(self, move: Move) -> int:
        """The number of a move. Raises `MalformedMove` for a move that no seat can choose, as those of nature."""
        numbered = move.numbered
        if numbered is None or numbered.table is not self:
            numbered = move.numbered = NumberedMove(self, self._find(move))
        return numbered.number

    def _find(self, move: Move) -> int:
        block = self._by_class.get(type(move))
        if block is None:
            raise MalformedMove(repr(move), "no move of a seat")
        try:
            return block.first + block.number(move.arguments)
        except KeyError:
            raise MalformedMove(repr(move), "no position has such a move") from None

    def move(self, action: int) -> Move:
        """The move of a number. Raises `MalformedMove` if there is none."""
        for block in self.blocks:
            if block.first <= action < block.first + block.size:
                return block.move(action - block.first)
        raise MalformedMove(str(action), f"actions are 0 to {self.count - 1}")
