"""Reads what stands in the bytes of a message, one field after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.strings import read_f32_le, read_f64_le, read_i32_le, read_i64_le

if TYPE_CHECKING:
    from mypy_extensions import i64  # numbers of the machine, where this is compiled

NUMBER: Final = 0
"""The wire type of numbers, and of what is one: flags and enums."""
EIGHT: Final = 1
"""The wire type of what takes eight bytes."""
DATA: Final = 2
"""The wire type of what has a length: messages, texts and packed numbers."""
FOUR: Final = 5
"""The wire type of what takes four bytes."""

ONE_BYTE: Final = 128
"""Numbers from 0 below it take one byte."""
END: Final = 1 << 32
"""Stands for a tag where there is no field any more, and is greater than any."""
FIRST: Final = 8
"""No tag is below it."""
DEEPEST: Final = 100
"""How deep protobuf itself lets messages lie in each other."""

_SIGN: Final = -(1 << 63)


class Unusual(Exception):
    """Bytes that no library of protobuf would write so, or no message at all."""


class Reader:
    """A place in the bytes of a message. All of its methods raise `Unusual`."""

    def __init__(self, data: bytes) -> None:
        self.data: Final = data
        self.at: i64 = 0
        self.end: i64 = len(data)
        """Where the message ends that is read now, which may lie in others."""
        self._depth: i64 = 0

    def tag(self, last: i64) -> i64:
        """The tag of the next field, not below the last one; `END` where there is none."""
        if self.at == self.end:
            return END
        tag: i64 = self.data[self.at]
        if tag < ONE_BYTE:
            self.at += 1
        else:
            tag = self.varint()
        if not last <= tag < END:
            raise Unusual
        return tag

    def skip(self, tag: i64) -> None:
        """Leave a value out."""
        kind = tag & 7
        if kind == NUMBER:
            self.varint()
        elif kind == DATA:
            self._take(self.varint())
        elif kind == FOUR:
            self._take(4)
        elif kind == EIGHT:
            self._take(8)
        else:
            raise Unusual

    def varint(self) -> i64:
        """A number of up to 64 bits, as one with a sign."""
        at = self.at
        if at >= self.end:
            raise Unusual
        self.at = at + 1
        byte: i64 = self.data[at]
        return byte if byte < ONE_BYTE else self._long(byte & 127)

    def _long(self, number: i64) -> i64:
        shift: i64 = 7
        while self.at < self.end:
            byte: i64 = self.data[self.at]
            self.at += 1
            if byte == 0 or (shift == 63 and byte > 1):
                break
            if shift == 63:
                return number + _SIGN
            number |= (byte & 127) << shift
            if byte < ONE_BYTE:
                return number
            shift += 7
        raise Unusual

    def chunk(self) -> bytes:
        """What has a length."""
        start = self._take(self.varint())
        return self.data[start : self.at]

    def enter(self) -> i64:
        """Go into what has a length; where it is left for."""
        outer = self.end
        end = self.varint() + self.at
        if not self.at <= end <= outer or self._depth == DEEPEST:
            raise Unusual
        self._depth += 1
        self.end = end
        return outer

    def leave(self, outer: i64) -> None:
        """Go on behind it."""
        self.at = self.end
        self.end = outer
        self._depth -= 1

    def fixed32(self) -> i64:
        """Four bytes, as a number with a sign."""
        return int(read_i32_le(self.data, self._take(4)))

    def fixed64(self) -> i64:
        """Eight bytes, likewise."""
        return read_i64_le(self.data, self._take(8))

    def float32(self) -> float:
        """A `float`."""
        return read_f32_le(self.data, self._take(4))

    def float64(self) -> float:
        """A `double`."""
        return read_f64_le(self.data, self._take(8))

    def _take(self, length: i64) -> i64:
        """Go on by so many bytes; where they start."""
        start = self.at
        if not 0 <= length <= self.end - start:
            raise Unusual
        self.at = start + length
        return start
