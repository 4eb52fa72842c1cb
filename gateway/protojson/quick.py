"""JSON that is as it is printed here, written as the bytes of its message.

It finds out that something is unusual or wrong, but not what: the careful way, in `reading`, reads the same again. The
tables are read off the descriptors, in `writing`. What is written is canonical, as `SerializeToString` has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.strings import BytesWriter

from gateway.protojson.faults import Unfit
from gateway.protojson.wire import DATA, DEEPEST, NUMBER, ONE_BYTE

if TYPE_CHECKING:
    from mypy_extensions import i64


_NEGATIVE: Final = 1 << 64


class Kind:
    """Values of one type. The type itself is of those that are left to the careful way."""

    wire_type: int = DATA

    def write(self, value: object, out: BytesWriter, depth: i64) -> None:
        """Write a value that lies so deep in messages. Raises `Unfit`."""
        raise Unfit


class Whole(Kind):
    """Whole numbers of up to 32 bits."""

    wire_type = NUMBER

    def __init__(self, least: int, greatest: int) -> None:
        self._least: Final = least
        self._greatest: Final = greatest

    def write(self, value: object, out: BytesWriter, depth: i64) -> None:
        write_varint(self.fit(value), out)

    def fit(self, value: object) -> int:
        """The number, which is not too large."""
        if not isinstance(value, int) or isinstance(value, bool) or not self._least <= value <= self._greatest:
            raise Unfit
        return value


class Signed(Whole):
    """Likewise, with the sign in the lowest bit."""

    def write(self, value: object, out: BytesWriter, depth: i64) -> None:
        number = self.fit(value)
        write_varint(2 * number if number >= 0 else -2 * number - 1, out)


class Flag(Kind):
    """A `bool`."""

    wire_type = NUMBER

    def write(self, value: object, out: BytesWriter, depth: i64) -> None:
        if not isinstance(value, bool):
            raise Unfit
        out.append(1 if value else 0)


class Name(Kind):
    """A value of an enum."""

    wire_type = NUMBER

    def __init__(self, numbers: dict[str, int]) -> None:
        self._numbers: Final = numbers

    def write(self, value: object, out: BytesWriter, depth: i64) -> None:
        if not isinstance(value, str):
            raise Unfit
        number = self._numbers.get(value)
        if number is None:
            raise Unfit
        write_varint(number, out)


class Text(Kind):
    """A `string`."""

    def write(self, value: object, out: BytesWriter, depth: i64) -> None:
        if not isinstance(value, str):
            raise Unfit
        try:
            text = value.encode()
        except UnicodeEncodeError:
            raise Unfit from None
        write_varint(len(text), out)
        out.write(text)


class Field:
    """A field of a message, with one value."""

    def __init__(self, tag: bytes, kind: Kind, choice: int, is_required: bool, has_presence: bool) -> None:
        """`choice` has a bit for the oneof that the field is of, and is 0 outside of one."""
        self.tag: Final = tag
        self.kind: Final = kind
        self.choice: Final[i64] = choice
        self.is_required: Final = is_required
        self._has_presence: Final = has_presence

    def write(self, value: object, out: BytesWriter, depth: i64) -> None:
        """Write what the message has in the field. Raises `Unfit`."""
        start = len(out)
        out.write(self.tag)
        place = len(out)
        self.kind.write(value, out, depth)
        if out[place] == 0 and not self._has_presence:
            out.truncate(start)  # a default, which is 0 or has no length


class Packed(Field):
    """A field with several numbers, which lie together."""

    def write(self, value: object, out: BytesWriter, depth: i64) -> None:
        if not isinstance(value, list):
            raise Unfit
        if not value:
            return
        out.write(self.tag)
        place = begin(out)
        kind = self.kind
        for item in value:
            kind.write(item, out, depth)
        end(out, place)


class Several(Field):
    """A field with several values, each with a tag of its own."""

    def write(self, value: object, out: BytesWriter, depth: i64) -> None:
        if not isinstance(value, list):
            raise Unfit
        for item in value:
            out.write(self.tag)
            self.kind.write(item, out, depth)


class Object(Kind):
    """A message."""

    def __init__(self) -> None:
        self._fields: list[Field] = []
        self._places: dict[str, int] = {}

    def learn(self, fields: list[Field], places: dict[str, int]) -> None:
        """The fields in the order of their numbers, and which of them a name in JSON is for.

        Apart from the start, since messages may hold themselves.
        """
        self._fields = fields
        self._places = places

    def write(self, value: object, out: BytesWriter, depth: i64) -> None:
        if not isinstance(value, dict) or depth == DEEPEST:
            raise Unfit
        place = begin(out)
        self.write_fields(value, out, depth + 1)
        end(out, place)

    def write_fields(self, members: dict[str, object], out: BytesWriter, depth: i64) -> None:
        """Write the message without its length. Raises `Unfit`."""
        values: list[object] = [None] * len(self._fields)
        for name, value in members.items():
            place = self._places.get(name)
            if place is None or value is None or values[place] is not None:
                raise Unfit
            values[place] = value
        chosen: i64 = 0
        for place, field in enumerate(self._fields):
            value = values[place]
            if value is not None:
                if chosen & field.choice:
                    raise Unfit
                chosen |= field.choice
                field.write(value, out, depth)
            elif field.is_required:
                raise Unfit


def begin(out: BytesWriter) -> i64:
    """Leave room for the length of what follows; where it follows."""
    out.append(0)
    return len(out)


def end(out: BytesWriter, place: i64) -> None:
    """Put in the length of all that follows since then."""
    length = int(len(out) - place)
    if length < ONE_BYTE:
        out[place - 1] = length
        return
    data = out.getvalue()[place:]
    out.truncate(place - 1)
    write_varint(length, out)
    out.write(data)


def write_varint(number: int, out: BytesWriter) -> None:
    """Write a number; one below 0 as its complement."""
    if number < 0:
        number += _NEGATIVE
    while number >= ONE_BYTE:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
