"""Reader of the protobuf wire format: tags and values of an encoded message, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.strings import read_f64_le

if TYPE_CHECKING:
    from mypy_extensions import i64  # a machine integer where this module is compiled

VARINT: Final = 0
"""Wire type of integers, booleans and enums."""
FIXED64: Final = 1
"""Wire type of `double` and other values of 64 bits."""
LENGTH_DELIMITED: Final = 2
"""Wire type of messages, strings and packed numbers."""
FIXED32: Final = 5
"""Wire type of values of 32 bits."""

ONE_BYTE_VARINTS: Final = 128
"""Varints from 0 to below this take one byte."""
END_OF_MESSAGE: Final = 1 << 32
"""Returned instead of a tag at the end of a message; greater than every tag."""
MIN_TAG: Final = 8
"""The smallest tag: field 1 of wire type 0."""
MAX_DEPTH: Final = 100
"""How deep messages may be nested: protobuf's own recursion limit."""

_SIGN_BIT: Final = -(1 << 63)


class NonCanonical(Exception):
    """Bytes that are not the canonical encoding of a message, or not a message at all."""


class WireReader:
    """Cursor over an encoded message. All methods raise `NonCanonical`."""

    def __init__(self, data: bytes) -> None:
        self.data: Final = data
        # Machine integers save the check for large ones at each step where this is compiled.
        self.offset: i64 = 0
        self.end: i64 = len(data)
        """End offset of the current message, which may be nested in others."""
        self._depth: i64 = 0

    def tag(self, last: i64) -> i64:
        """Read the next field's tag, which must not be below `last`; `END_OF_MESSAGE` after the last field."""
        if self.offset == self.end:
            return END_OF_MESSAGE
        tag: i64 = self.data[self.offset]
        if tag < ONE_BYTE_VARINTS:  # fields below number 16: no call of varint()
            self.offset += 1
        else:
            tag = self.varint()
        if not last <= tag < END_OF_MESSAGE:
            raise NonCanonical
        return tag

    def skip(self, tag: i64) -> None:
        """Skip the value after a tag."""
        wire_type = tag & 7
        if wire_type == VARINT:
            self.varint()
        elif wire_type == LENGTH_DELIMITED:
            self._advance(self.varint())
        elif wire_type == FIXED32:
            self._advance(4)
        elif wire_type == FIXED64:
            self._advance(8)
        else:
            raise NonCanonical

    def varint(self) -> i64:
        """Read a varint of up to 64 bits as a signed integer."""
        offset = self.offset
        if offset >= self.end:
            raise NonCanonical
        self.offset = offset + 1
        byte: i64 = self.data[offset]
        return byte if byte < ONE_BYTE_VARINTS else self._rest_of_varint(byte & 127)

    def _rest_of_varint(self, number: i64) -> i64:
        shift: i64 = 7
        while self.offset < self.end:
            byte: i64 = self.data[self.offset]
            self.offset += 1
            if byte == 0 or (shift == 63 and byte > 1):  # longer than needed, or more than 64 bits
                break
            if shift == 63:  # bit 63, which i64 has as its sign
                return number + _SIGN_BIT
            number |= (byte & 127) << shift
            if byte < ONE_BYTE_VARINTS:
                return number
            shift += 7
        raise NonCanonical

    def chunk(self) -> bytes:
        """Read a length-delimited value."""
        start = self._advance(self.varint())
        return self.data[start : self.offset]

    def enter(self) -> i64:
        """Enter a nested message. Returns the end of the outer one, for `leave`."""
        outer = self.end
        end = self.varint() + self.offset
        if not self.offset <= end <= outer or self._depth == MAX_DEPTH:
            raise NonCanonical
        self._depth += 1
        self.end = end
        return outer

    def leave(self, outer: i64) -> None:
        """Leave a nested message, given the end of the outer one, and continue after it."""
        self.offset = self.end
        self.end = outer
        self._depth -= 1

    def double(self) -> float:
        """Read a `double`."""
        return read_f64_le(self.data, self._advance(8))

    def _advance(self, length: i64) -> i64:
        """Advance by `length` bytes. Returns the offset at which they start."""
        start = self.offset
        if not 0 <= length <= self.end - start:
            raise NonCanonical
        self.offset = start + length
        return start
