"""Printers of protobuf fields as JSON, from an encoded message whose fields are in ascending order of number.

`printing` builds them from descriptors. Every member of an object or a list is printed with a comma before it; the
opening bracket then overwrites the first comma.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.strings import BytesWriter

from gateway.protojson.value_printers import MessagePrinter, ValuePrinter
from gateway.protojson.wire_reader import END_OF_MESSAGE, LENGTH_DELIMITED, MIN_TAG, NonCanonical, WireReader

if TYPE_CHECKING:
    from mypy_extensions import i64

# Plain ints: an i64 that is appended to a BytesWriter is boxed, and the method is looked up (25 us instead of 12).
COMMA: Final = 44
LIST_START: Final = 91
LIST_END: Final = 93
OBJECT_START: Final = 123
OBJECT_END: Final = 125


class FieldPrinter:
    """Prints a field with one value."""

    def __init__(
        self, number: int, wire_type: int, label: bytes, default: bytes, oneof: int, value: ValuePrinter
    ) -> None:
        """`label` is `,"name":`; `default` is printed for a field that is not set; `oneof` is 0 outside of one."""
        self.least_tag: Final[i64] = number << 3
        self.tag: Final[i64] = number << 3 | wire_type
        self.label: Final = label
        self.default: Final = default
        self.oneof: Final[i64] = oneof
        self.value: Final = value

    def print(self, reader: WireReader, out: BytesWriter) -> i64:
        """Print what follows the tag that was just read. Returns the next tag. Raises `NonCanonical`."""
        out.write(self.label)
        self.value.print(reader, out)
        return reader.tag(
            self.tag + 1
        )  # a second value of the same field is NonCanonical: only the last one would count


class PackedPrinter(FieldPrinter):
    """Prints a repeated field whose numbers are packed into one value."""

    def __init__(self, number: int, label: bytes, default: bytes, value: ValuePrinter) -> None:
        super().__init__(number, LENGTH_DELIMITED, label, default, 0, value)
        self._texts: Final = [b"," + text for text in value.texts]

    def print(self, reader: WireReader, out: BytesWriter) -> i64:
        out.write(self.label)
        numbers = reader.chunk()
        if self._texts and numbers.isascii():  # no byte has the continuation bit: each one is a number
            self._print_one_byte_numbers(numbers, out)
        else:
            print_list(self.value, WireReader(numbers), out)
        return reader.tag(self.tag + 1)

    def _print_one_byte_numbers(self, numbers: bytes, out: BytesWriter) -> None:
        start = len(out)
        texts = self._texts
        # Not one join of all texts: compiled, that boxes each number and is slower.
        for each in range(len(numbers)):
            out.write(texts[numbers[each]])
        enclose(out, start, LIST_START, LIST_END)


class RepeatedPrinter(FieldPrinter):
    """Prints a repeated field in which each value has a tag of its own."""

    def print(self, reader: WireReader, out: BytesWriter) -> i64:
        out.write(self.label)
        start = len(out)
        tag = self.tag
        while tag == self.tag:
            out.append(COMMA)
            self.value.print(reader, out)
            tag = reader.tag(tag)
        enclose(out, start, LIST_START, LIST_END)
        return tag


class ObjectPrinter(MessagePrinter):
    """Prints a message as a JSON object."""

    def __init__(self) -> None:
        super().__init__()
        self._ascending_runs: list[list[FieldPrinter]] = []

    def set_fields(self, ascending_runs: list[list[FieldPrinter]]) -> None:
        """Set the fields in the order in which they are printed, in runs of ascending numbers.

        This is not done by the constructor because messages may contain themselves.
        """
        self._ascending_runs = ascending_runs

    def message_text(self, data: bytes) -> bytes:
        out = BytesWriter()
        self._print_fields(WireReader(data), out)
        return out.getvalue()

    def print(self, reader: WireReader, out: BytesWriter) -> None:
        outer = reader.enter()
        self._print_fields(reader, out)
        reader.leave(outer)

    def _print_fields(self, reader: WireReader, out: BytesWriter) -> None:
        """Print the reader's current message, in one pass over its bytes for each run."""
        first = reader.offset
        start = len(out)
        for run in self._ascending_runs:
            reader.offset = first  # fields that are printed out of the order of their numbers need another pass
            print_run(run, reader, out)
        enclose(out, start, OBJECT_START, OBJECT_END)


def print_run(run: list[FieldPrinter], reader: WireReader, out: BytesWriter) -> None:
    """Print fields of ascending numbers. Raises `NonCanonical`."""
    tag = reader.tag(MIN_TAG)
    last_oneof: i64 = 0
    for field in run:
        while tag < field.least_tag:
            reader.skip(tag)
            tag = reader.tag(tag)
        if tag == field.tag:
            if field.oneof and field.oneof == last_oneof:
                raise NonCanonical  # a second field of the oneof: only the last one counts
            last_oneof = field.oneof
            tag = field.print(reader, out)
        elif tag < field.least_tag + 8:
            raise NonCanonical  # the field has another wire type
        else:
            out.write(field.default)
    while tag != END_OF_MESSAGE:
        reader.skip(tag)
        tag = reader.tag(tag)


def print_list(value: ValuePrinter, reader: WireReader, out: BytesWriter) -> None:
    """Print all values up to the end of the reader as a list."""
    start = len(out)
    while reader.offset < reader.end:
        out.append(COMMA)
        value.print(reader, out)
    enclose(out, start, LIST_START, LIST_END)


def enclose(out: BytesWriter, start: i64, opening: int, closing: int) -> None:
    """Put brackets around everything printed since `start`; the first one overwrites a comma."""
    if len(out) == start:
        out.append(opening)
    else:
        out[start] = opening
    out.append(closing)
