"""Writes messages as bytes, and reads them, without objects in between.

What is written is canonical: the fields in the order of their numbers, those with their default left out. So equal
messages are equal bytes, and both are what protobuf's deterministic serialization gives. The order is the caller's to
keep; a test holds everything that is written here to it.
"""

from __future__ import annotations

from typing import Final

from librt.strings import BytesWriter, write_i16_le
from mypy_extensions import i64, mypyc_attr

NUMBER: Final = 0
"""The wire type of numbers, and of what is one: flags and enums."""
DATA: Final = 2
"""The wire type of what has a length: messages, texts and packed numbers."""
ONE_BYTE: Final = 128
"""Numbers from 0 below it take one byte."""
TWO_BYTES: Final = 1 << 14
"""Likewise, two."""
NEXT_FIELD: Final = 8
"""Between the tags of two fields that follow each other."""
POSITIVE: Final = 1 << 31
"""A number of 32 bits is below it."""
NEGATIVE: Final = 1 << 64
"""Numbers below 0 are written as their complement to it."""
WHOLE_GROUPS: Final = 9
"""Of seven bits each, in 64 bits; one bit is left."""
VARINT_BITS: Final = 70
"""Seven for each of the bytes of the longest number."""


@mypyc_attr(free_list_len=1)
class Writer:
    """The fields of one message, as far as they are written."""

    def __init__(self) -> None:
        self._out: Final = BytesWriter()

    def number(self, field: i64, number: i64) -> None:
        """An `int32`, or a value of an enum."""
        if number:
            self.given(field, number)

    def given(self, field: i64, number: i64) -> None:
        """An `int32` that has presence, 0 or not."""
        self._pair(field << 3 | NUMBER, number)

    def signed(self, field: i64, number: i64) -> None:
        """A `sint32`."""
        self.number(field, 2 * number if number >= 0 else -2 * number - 1)

    def flag(self, field: i64, flag: bool) -> None:
        """A `bool`."""
        if flag:
            self.given(field, 1)

    def text(self, field: i64, text: str) -> None:
        """A `string`."""
        if text:
            self.data(field, text.encode())

    def data(self, field: i64, data: bytes) -> None:
        """A message that is there, however empty it is."""
        self._pair(field << 3 | DATA, len(data))
        self._out.write(data)

    def numbers(self, field: i64, numbers: list[int], more: int = 0) -> None:
        """A `repeated int32`, or enum, of numbers that are each so much more."""
        if not numbers:
            return
        place = self.begin(field)
        for number in numbers:
            self.element(number + more)
        self.end(place)

    def packed(self, field: i64, numbers: bytes) -> None:
        """A `repeated int32` of numbers below 128, a byte each, which is how they are packed."""
        if numbers:
            self.data(field, numbers)

    def element(self, number: i64) -> None:
        """One of the numbers of a field that was begun: a `repeated int32`, or enum."""
        self._varint(number)

    def counts(self, field: i64, packed: i64, width: i64) -> None:
        """A message of small counts, the fields from 1 to 15: each is so many bits of a number, none above 127."""
        length: i64 = 0
        rest = packed
        while rest > 0:
            if rest >> width << width != rest:
                length += 2
            rest >>= width
        self._pair(field << 3 | DATA, length)
        tag: i64 = NEXT_FIELD
        while packed > 0:
            rest = packed >> width
            count = packed - (rest << width)
            if count:
                self._pair(tag, count)
            packed = rest
            tag += NEXT_FIELD

    def begin(self, field: i64) -> i64:
        """Begin a message, whose fields are written then, or numbers; the place by which it is ended."""
        self._pair(field << 3 | DATA, 0)
        return len(self._out) - 1

    def end(self, place: i64) -> None:
        """End what was begun last."""
        length: int = len(self._out) - place - 1
        if length < ONE_BYTE:
            self._out[place] = length
        else:
            self._make_room(place)

    def _make_room(self, place: i64) -> None:
        """Write anew, behind its length, what takes more than the byte that was left for it."""
        message = self.done()[place + 1 :]
        self._out.truncate(place)
        self._varint(len(message))
        self._out.write(message)

    def written(self, fields: bytes) -> None:
        """Fields that were written before."""
        self._out.write(fields)

    def done(self) -> bytes:
        """The message."""
        return self._out.getvalue()

    def _pair(self, tag: i64, number: i64) -> None:
        """A tag and what follows it, most often a byte each."""
        if 0 <= tag < ONE_BYTE and 0 <= number < ONE_BYTE:
            both: int = number << 8 | tag
            write_i16_le(self._out, both)
        else:
            self._varint(tag)
            self._varint(number)

    def _varint(self, number: i64) -> None:
        if 0 <= number < ONE_BYTE:
            byte: int = number
            self._out.append(byte)
        elif 0 <= number < TWO_BYTES:
            low: int = number & 0x7F | 0x80
            high: int = number >> 7
            self._out.append(low)
            self._out.append(high)
        else:
            self._long_varint(number)

    def _long_varint(self, number: i64) -> None:
        groups: i64 = 0
        while not 0 <= number < ONE_BYTE and groups < WHOLE_GROUPS:
            byte: int = number & 0x7F | 0x80
            self._out.append(byte)
            number >>= 7
            groups += 1
        if number < 0:
            number = 1
        last: int = number
        self._out.append(last)


@mypyc_attr(free_list_len=1)
class Reader:
    """The fields of one message that is canonical, to be asked for in the order of their numbers.

    A field that is not there has its default. It is not done at the end where there was anything else: fields that were
    not asked for, twice the same, another order, or bytes that are no message. What was read until then means nothing.
    """

    def __init__(self, message: bytes) -> None:
        self._message: Final = message
        self._at = 0
        self._end = len(message)
        """Where the message ends of which fields are asked for."""
        self._ends: Final[list[int]] = []
        """Likewise of those that it is in."""
        self._fits = True

    @property
    def is_done(self) -> bool:
        """Whether all of the message has been read."""
        return self._fits and self._at == len(self._message)

    def enter(self, field: int) -> bool:
        """Whether a message is there, of which fields are asked for then, until it is left."""
        length = self._data_length(field)
        if length < 0:
            return False
        self._ends.append(self._end)
        self._end = self._at + length
        return True

    def leave(self) -> None:
        """Go back from the message that was entered last to the one that it is in."""
        if self._at != self._end:
            self._fits = False
            self._at = self._end
        self._end = self._ends.pop()

    def rest(self) -> bytes:
        """What has not been read of the message that was entered."""
        start = self._at
        self._at = self._end
        return self._message[start : self._end]

    def data(self, field: int) -> bytes:
        """A message, or bytes."""
        length = self._data_length(field)
        if length < 0:
            return b""
        self._at += length
        return self._message[self._at - length : self._at]

    def text(self, field: int) -> str:
        """A `string`. Raises `UnicodeDecodeError`."""
        return self.data(field).decode()

    def number(self, field: int, absent: int = 0) -> int:
        """An `int32`, or a value of an enum; `absent` where it is not there."""
        return self._int32() if self._is_next(field << 3 | NUMBER) else absent

    def long(self, field: int) -> int:
        """An `int64` that is not below 0."""
        number = self._varint() if self._is_next(field << 3 | NUMBER) else 0
        if number >= NEGATIVE >> 1:
            self._fits = False
        return number

    def signed(self, field: int) -> int:
        """A `sint32`."""
        number = self._varint() if self._is_next(field << 3 | NUMBER) else 0
        if number >= 2 * POSITIVE:
            self._fits = False
        return number >> 1 if number & 1 == 0 else -(number >> 1) - 1

    def flag(self, field: int) -> bool:
        """A `bool`."""
        if not self._is_next(field << 3 | NUMBER):
            return False
        if self._varint() != 1:
            self._fits = False
        return True

    def numbers(self, field: int, most: int) -> list[int]:
        """A `repeated int32`, or enum; of a list that is longer than `most` no more than one number beyond."""
        numbers: list[int] = []
        if self.enter(field):
            while self._at < self._end and len(numbers) <= most:
                numbers.append(self._int32())
            self.leave()
        return numbers

    def packed(self, field: int) -> bytes:
        """Likewise, as they are packed: a byte each, if they are all below 128."""
        return self.data(field)

    def counts(self, field: int, most: list[int], width: int) -> int:
        """A message of counts, as `Writer.counts` has them; -1 where one is below 0, or there are more than at most."""
        packed = 0
        if self.enter(field):
            for kind, there_are in enumerate(most):
                count = self.number(kind + 1)
                if not 0 <= count <= there_are:
                    packed = -1
                elif packed >= 0:
                    packed |= count << width * kind
            self.leave()
        return packed

    def _data_length(self, field: int) -> int:
        """The length of what is next, if it is a field of that number that has one; -1 where it is not."""
        if not self._is_next(field << 3 | DATA):
            return -1
        length = self._varint()
        if length <= self._end - self._at:
            return length
        self._fits = False
        return -1

    def _is_next(self, tag: int) -> bool:
        """Whether a tag is next, which is then read."""
        at = self._at
        if tag < ONE_BYTE:
            if at >= self._end or self._message[at] != tag:
                return False
            self._at = at + 1
            return True
        if at + 1 >= self._end or self._message[at] != tag & 0x7F | 0x80 or self._message[at + 1] != tag >> 7:
            return False
        self._at = at + 2
        return True

    def _int32(self) -> int:
        number = self._varint()
        if number < POSITIVE:
            return number
        if number >= NEGATIVE or number < NEGATIVE - POSITIVE:
            self._fits = False
            return 0
        return number - NEGATIVE

    def _varint(self) -> int:
        number = 0
        for place in range(0, VARINT_BITS, 7):
            if self._at >= self._end:
                break
            byte = self._message[self._at]
            self._at += 1
            number |= (byte & 0x7F) << place
            if byte < ONE_BYTE:
                return number
        self._fits = False
        return 0


def number(field: int, number: int) -> bytes:
    """A message, or a part of one, that has this one field."""
    out = Writer()
    out.number(field, number)
    return out.done()


def signed(field: int, number: int) -> bytes:
    """Likewise, of a `sint32`."""
    out = Writer()
    out.signed(field, number)
    return out.done()


def text(field: int, text: str) -> bytes:
    """Likewise, of a text."""
    out = Writer()
    out.text(field, text)
    return out.done()


def data(field: int, data: bytes = b"") -> bytes:
    """Likewise, of a message."""
    out = Writer()
    out.data(field, data)
    return out.done()
