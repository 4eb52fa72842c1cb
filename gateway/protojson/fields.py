"""How messages are printed, from bytes in which the fields are in the order of their numbers.

The tables are read off the descriptors, in `printing`. Whatever is printed of an object or a list has a comma in front;
the bracket takes the place of the first one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.strings import BytesWriter

from gateway.protojson.values import QUOTE, Value
from gateway.protojson.wire import DATA, END, FIRST, Reader, Unusual

if TYPE_CHECKING:
    from mypy_extensions import i64

COMMA: Final = 44
COLON: Final = 58
LIST: Final = 91
LIST_END: Final = 93
OBJECT: Final = 123
OBJECT_END: Final = 125


class Field:
    """A field of a message, with one value."""

    def __init__(self, number: int, wire_type: int, label: bytes, absent: bytes, choice: int, value: Value) -> None:
        """Its name as it is printed; what is printed where it is not there; which oneof it is of, 0 for none."""
        self.least: Final[i64] = number << 3
        """No tag of this number is below it, whatever the type on the wire."""
        self.tag: Final[i64] = number << 3 | wire_type
        self.label: Final = label
        self.absent: Final = absent
        self.choice: Final[i64] = choice
        self.value: Final = value

    def print(self, reader: Reader, out: BytesWriter) -> i64:
        """Print what stands behind the tag that was read; the next tag. Raises `Unusual`."""
        out.write(self.label)
        self.value.print(reader, out)
        return reader.tag(self.tag + 1)


class Packed(Field):
    """A field with several numbers, which lie together."""

    def __init__(self, number: int, label: bytes, absent: bytes, value: Value) -> None:
        super().__init__(number, DATA, label, absent, 0, value)
        self._texts: Final = [b"," + text for text in value.texts]

    def print(self, reader: Reader, out: BytesWriter) -> i64:
        out.write(self.label)
        numbers = reader.chunk()
        if self._texts and numbers.isascii():
            self._print_small(numbers, out)
        else:
            print_all(self.value, Reader(numbers), out)
        return reader.tag(self.tag + 1)

    def _print_small(self, numbers: bytes, out: BytesWriter) -> None:
        """Print numbers that take one byte each."""
        place = len(out)
        texts = self._texts
        for each in range(len(numbers)):
            out.write(texts[numbers[each]])
        bracket(out, place, LIST, LIST_END)


class Several(Field):
    """A field with several values, each with a tag of its own."""

    def print(self, reader: Reader, out: BytesWriter) -> i64:
        out.write(self.label)
        place = len(out)
        tag = self.tag
        while tag == self.tag:
            out.append(COMMA)
            self.value.print(reader, out)
            tag = reader.tag(tag)
        bracket(out, place, LIST, LIST_END)
        return tag


class Map(Field):
    """A map: its entries are messages with a key, which is printed as text, and a value."""

    def __init__(self, number: int, label: bytes, absent: bytes, key: Value, value: Value) -> None:
        super().__init__(number, DATA, label, absent, 0, value)
        self._key: Final = key
        self._key_tag: Final[i64] = 1 << 3 | key.wire_type
        self._value_tag: Final[i64] = 2 << 3 | value.wire_type

    def print(self, reader: Reader, out: BytesWriter) -> i64:
        out.write(self.label)
        place = len(out)
        keys: set[bytes] = set()
        tag = self.tag
        while tag == self.tag:
            outer = reader.enter()
            key = self._printed_key(reader)
            if key in keys or reader.tag(FIRST) != self._value_tag:
                raise Unusual
            keys.add(key)
            out.append(COMMA)
            out.write(key)
            out.append(COLON)
            self.value.print(reader, out)
            if reader.at != reader.end:
                raise Unusual
            reader.leave(outer)
            tag = reader.tag(tag)
        bracket(out, place, OBJECT, OBJECT_END)
        return tag

    def _printed_key(self, reader: Reader) -> bytes:
        if reader.tag(FIRST) != self._key_tag:
            raise Unusual
        out = BytesWriter()
        self._key.print(reader, out)
        text = out.getvalue()
        return text if text[0] == QUOTE else b'"%b"' % text


class Object(Value):
    """A message that is an object in JSON."""

    def __init__(self) -> None:
        super().__init__()
        self._runs: list[list[Field]] = []

    def learn(self, runs: list[list[Field]]) -> None:
        """The fields, in the order in which they are printed; in each of the parts their numbers ascend.

        Apart from the start, since messages may hold themselves.
        """
        self._runs = runs

    def print(self, reader: Reader, out: BytesWriter) -> None:
        outer = reader.enter()
        self.print_fields(reader, out)
        reader.leave(outer)

    def print_fields(self, reader: Reader, out: BytesWriter) -> None:
        """Print the message that the reader is in, to its end. Raises `Unusual`."""
        start = reader.at
        place = len(out)
        for run in self._runs:
            reader.at = start
            print_run(run, reader, out)
        bracket(out, place, OBJECT, OBJECT_END)


def print_run(run: list[Field], reader: Reader, out: BytesWriter) -> None:
    """Print the fields of a part, each of which has a higher number than the one before."""
    tag = reader.tag(FIRST)
    chosen: i64 = 0
    for field in run:
        while tag < field.least:
            reader.skip(tag)
            tag = reader.tag(tag)
        if tag == field.tag:
            if field.choice and field.choice == chosen:
                raise Unusual
            chosen = field.choice
            tag = field.print(reader, out)
        elif tag < field.least + 8:
            raise Unusual
        else:
            out.write(field.absent)
    while tag != END:
        reader.skip(tag)
        tag = reader.tag(tag)


def print_all(value: Value, reader: Reader, out: BytesWriter) -> None:
    """Print all that the reader reads as a list."""
    place = len(out)
    while reader.at < reader.end:
        out.append(COMMA)
        value.print(reader, out)
    bracket(out, place, LIST, LIST_END)


def bracket(out: BytesWriter, place: i64, opening: int, closing: int) -> None:
    """Put brackets around what was printed since that place, the first in the place of a comma."""
    if len(out) == place:
        out.append(opening)
    else:
        out[place] = opening
    out.append(closing)
