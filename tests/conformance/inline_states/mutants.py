"""Mutation fuzzing of inline states: `State` messages of random play, changed at random.

No game is known here: which fields can be changed follows from the descriptors of the messages.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final, NamedTuple, cast

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from engine_core.errors import InvalidOption
from engine_core.explore import random_step
from engine_core.game import NATURE, Options, Over, State
from services.engine.codecs import AnyCodec
from tests.conformance.game_setups import GAME_SETUPS, GameSetup

NOT_REPEATED: Final = -1
"""The index of a value whose field is not repeated."""
EXTREME_NUMBERS: Final = (-(2**31), -1, 0, 1, 1000, 1001, 2**31 - 1)
MAX_CHANGES: Final = 6
SAMPLES_PER_STAGE: Final = 2
"""Positions taken of each stage of a match."""
LEAVING_SHARE: Final = 0.3
"""Share of the source matches that seats may leave."""
GROWN_SHARE: Final = 0.4
"""Share of the mutants that are made from an accepted mutant."""
MAX_GROWN: Final = 200


Stage = tuple[int, ...]


class FieldOccurrence(NamedTuple):
    """The place of a scalar value: its message, field, and index in a repeated field."""

    message: Message
    field: FieldDescriptor
    position: int

    def value(self) -> Any:
        value = getattr(self.message, self.field.name)
        return value if self.position == NOT_REPEATED else value[self.position]

    def set_value(self, value: Any) -> None:
        if self.position == NOT_REPEATED:
            setattr(self.message, self.field.name, value)
        else:
            getattr(self.message, self.field.name)[self.position] = value


def fields_of(message: Message) -> list[FieldDescriptor]:
    """All fields of a message, also those that are not set."""
    return cast(list[FieldDescriptor], list(message.DESCRIPTOR.fields))


def value_places(message: Message) -> Iterator[FieldOccurrence]:
    """The places of all scalar values in a message and its submessages."""
    for field in fields_of(message):
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for part in submessages_of(message, field):
                yield from value_places(part)
        elif field.is_repeated:
            for position in range(len(getattr(message, field.name))):
                yield FieldOccurrence(message, field, position)
        else:
            yield FieldOccurrence(message, field, NOT_REPEATED)


def submessages_of(message: Message, field: FieldDescriptor) -> list[Message]:
    """The submessages in a field."""
    if field.is_repeated:
        return list(getattr(message, field.name))
    return [getattr(message, field.name)] if message.HasField(field.name) else []


def all_messages(message: Message) -> Iterator[Message]:
    """A message and all its submessages."""
    yield message
    for field in fields_of(message):
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for part in submessages_of(message, field):
                yield from all_messages(part)


def sample_positions(codec: AnyCodec, setup: GameSetup, random: Random) -> Iterator[Message]:
    """A few positions of each stage of a random match, which seats may leave."""
    game = setup.game
    state = game.start(setup.seat_count, options_of(codec, setup, random))
    stage_counts: Counter[Stage] = Counter()
    samples: dict[tuple[Stage, int], Message] = {}
    may_leave = random.random() < LEAVING_SHARE
    more = True
    while more:
        message = codec.encode_state(state)
        stage = stage_of(message)
        number = (
            stage_counts[stage]
            if stage_counts[stage] < SAMPLES_PER_STAGE
            else random.randrange(stage_counts[stage] + 1)
        )
        stage_counts[stage] += 1
        if number < SAMPLES_PER_STAGE:
            samples[stage, number] = message
        if may_leave and random.random() < 0.01:
            leave_or_end_time(setup, state, random)
        more = random_step(game, state, random)
    return iter(samples.values())


def options_of(codec: AnyCodec, setup: GameSetup, random: Random) -> Options:
    """Random valid options, also ones that no preset has."""
    options = cast(Message, cast(Any, codec.encode_state(setup.start())).options)
    for place in list(value_places(options)):
        kind = place.field.type
        if random.random() < 0.5:
            continue
        if kind == FieldDescriptor.TYPE_BOOL:
            place.set_value(not place.value())
        elif kind == FieldDescriptor.TYPE_ENUM and place.field.enum_type is not None:
            place.set_value(random.choice([value.number for value in place.field.enum_type.values]))
        elif kind == FieldDescriptor.TYPE_INT32:
            place.set_value(random.choice((0, 1, 2, 3, 5, 8, place.value() + 1)))
    try:
        chosen: Options = codec.decode_options(options)
        setup.game.start(setup.seat_count, chosen)
    except InvalidOption:
        return setup.options()
    return chosen


def stage_of(state: Message) -> Stage:
    """The enum fields of a state itself, which say in every game what is to be done."""
    return tuple(
        getattr(state, field.name)
        for field in fields_of(state)
        if field.type == FieldDescriptor.TYPE_ENUM and not field.is_repeated
    )


def leave_or_end_time(setup: GameSetup, state: State, random: Random) -> None:
    """Let a seat leave, or the time of the match be up, if the game has such an end."""
    game = setup.game
    if isinstance(game.phase(state), Over):
        return
    time_up = game.time_up_move(state)
    staying = [seat for seat in range(setup.seat_count) if not game.has_left(state, seat)]
    if time_up is not None and random.random() < 0.3:
        game.apply(state, NATURE, time_up)
    elif staying:
        game.leave(state, random.choice(staying))


class Mutants:
    """Random mutants of one game's states, by a seed; `sources` are the unchanged states."""

    def __init__(self, codec: AnyCodec, seed: int) -> None:
        self._random: Final = Random(f"mutants {codec.game.name} {seed}")
        setups = [setup for setup in GAME_SETUPS if setup.game.name == codec.game.name]
        self.sources: Final = [message for setup in setups for message in sample_positions(codec, setup, self._random)]
        self._by_stage: Final[dict[Stage, list[Message]]] = defaultdict(list)
        self._grown: Final[list[Message]] = []
        self._values: Final[dict[str, list[Any]]] = defaultdict(list)
        self._messages: Final[dict[str, list[Message]]] = defaultdict(list)
        for source in self.sources:
            self._by_stage[stage_of(source)].append(source)
            self._collect_parts(source)
        self._changes: Final[list[Callable[[Message], None]]] = [
            self._change_value,
            self._change_value,
            self._copy_value,
            self._copy_value,
            self._transfer,
            self._transfer,
            self._swap,
            self._change_a_list,
            self._move_between_lists,
            self._copy_message,
            self._swap_messages,
            self._copy_fields,
        ]

    def _collect_parts(self, source: Message) -> None:
        """Collect the values and submessages of a state, for use in mutants."""
        for place in value_places(source):
            self._values[place.field.full_name].append(place.value())
        for message in all_messages(source):
            self._messages[message.DESCRIPTOR.full_name].append(message)

    def add_source(self, accepted: Message) -> None:
        """Use an accepted mutant as the source of further ones."""
        if len(self._grown) < MAX_GROWN:
            self._grown.append(accepted)
        else:
            self._grown[self._random.randrange(MAX_GROWN)] = accepted

    def next(self) -> Message:
        """The next mutant."""
        random = self._random
        origins = self._by_stage[random.choice(sorted(self._by_stage))]
        if self._grown and random.random() < GROWN_SHARE:
            origins = self._grown
        state = type(self.sources[0])()
        state.CopyFrom(random.choice(origins))
        changes = 1
        while changes < MAX_CHANGES and random.random() < 0.5:
            changes += 1
        for _ in range(changes):
            random.choice(self._changes)(state)
        return state

    def _any_place(self, state: Message) -> FieldOccurrence:
        """A random place: all fields are equally likely, however often they occur."""
        by_field: dict[str, list[FieldOccurrence]] = defaultdict(list)
        for place in value_places(state):
            by_field[place.field.full_name].append(place)
        return self._random.choice(by_field[self._random.choice(sorted(by_field))])

    def _same_field_places(self, state: Message, place: FieldOccurrence) -> list[FieldOccurrence]:
        """Other places of the same field: with another index, or in another message."""
        return [
            other
            for other in value_places(state)
            if other.field.full_name == place.field.full_name and other[::2] != place[::2]
        ]

    def repair(self, state: Message, refused_field: str) -> None:
        """Change the field for which a state was refused; `refused` is the path in the error."""
        random = self._random
        name = refused_field.partition(".")[2].partition(".")[0].partition("[")[0]
        field = next((field for field in fields_of(state) if field.camelcase_name == name), None)
        kind = random.random()
        if field is None or kind < 0.2:
            random.choice(self._changes)(state)
            return
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            within = [place for part in submessages_of(state, field) for place in value_places(part)]
        else:
            within = [place for place in value_places(state) if place.field.full_name == field.full_name]
        if kind < 0.4 or not within:
            alike = self._by_stage.get(stage_of(state), self.sources)
            self._copy_field(state, field, random.choice(alike))
        elif kind < 0.7:
            self._change_value_at(random.choice(within))
        else:
            self._copy_value_at(random.choice(within))

    def _change_value(self, state: Message) -> None:
        self._change_value_at(self._any_place(state))

    def _change_value_at(self, place: FieldOccurrence) -> None:
        random = self._random
        field, value = place.field, place.value()
        if field.type == FieldDescriptor.TYPE_BOOL:
            place.set_value(not value)
        elif field.type == FieldDescriptor.TYPE_ENUM:
            assert field.enum_type is not None
            place.set_value(random.choice([number.number for number in field.enum_type.values]))
        elif field.type == FieldDescriptor.TYPE_STRING:
            place.set_value(random.choice([*self._values[field.full_name], "", "x"]))
        elif random.random() < 0.1:
            place.set_value(random.choice(EXTREME_NUMBERS) if field.type != FieldDescriptor.TYPE_UINT32 else 0)
        else:
            size = random.choice((1, 1, 1, 1, 2, 3, 5, 10, 30))
            place.set_value(min(2**31 - 1, max(-(2**31), value + random.choice((-size, size)))))

    def _copy_value(self, state: Message) -> None:
        self._copy_value_at(self._any_place(state))

    def _copy_value_at(self, place: FieldOccurrence) -> None:
        place.set_value(self._random.choice(self._values[place.field.full_name]))

    def _transfer(self, state: Message) -> None:
        """Move an amount from one place to another, so that sums stay as they are."""
        random = self._random
        place = self._any_place(state)
        if place.field.type != FieldDescriptor.TYPE_INT32:
            return
        others = self._same_field_places(state, place)
        if place.position != NOT_REPEATED:
            others = [
                other
                for other in value_places(state)
                if other.position == place.position and other.field.type == place.field.type and other[:2] != place[:2]
            ]
        if others:
            other = random.choice(others)
            size = random.choice((1, 1, 1, 2, 3, max(1, abs(place.value()))))
            place.set_value(max(-(2**31), place.value() - size))
            other.set_value(min(2**31 - 1, other.value() + size))

    def _swap(self, state: Message) -> None:
        place = self._any_place(state)
        others = self._same_field_places(state, place)
        if others:
            other = self._random.choice(others)
            value = place.value()
            place.set_value(other.value())
            other.set_value(value)

    def _filled_lists(self, state: Message) -> list[tuple[Message, FieldDescriptor]]:
        return [
            (message, field)
            for message in all_messages(state)
            for field in fields_of(message)
            if field.is_repeated and len(getattr(message, field.name))
        ]

    def _change_a_list(self, state: Message) -> None:
        random = self._random
        message, field = random.choice(self._filled_lists(state))
        items = getattr(message, field.name)
        items = list(items)
        kind = random.randrange(4)
        if kind == 0:
            items.pop(random.randrange(len(items)))
        elif kind == 1:
            items.insert(random.randrange(len(items) + 1), random.choice(items))
        elif kind == 2:
            random.shuffle(items)
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            assert field.message_type is not None
            items.append(random.choice(self._messages[field.message_type.full_name]))
        else:
            items.append(random.choice(self._values[field.full_name]))
        self._set_list(message, field, items)

    def _set_list(self, message: Message, field: FieldDescriptor, items: list[Any]) -> None:
        """Set a repeated field. Messages are copied, as the originals are cleared or belong to other states."""
        copies = items
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            copies = [type(item).FromString(item.SerializeToString()) for item in items]
        message.ClearField(field.name)
        getattr(message, field.name).extend(copies)

    def _move_between_lists(self, state: Message) -> None:
        """Move an element to another repeated field of its type; one in ascending order stays ordered."""
        random = self._random
        message, field = random.choice(self._filled_lists(state))
        items = list(getattr(message, field.name))
        item = items.pop(random.randrange(len(items)))
        others = [
            (target, other)
            for target in all_messages(state)
            for other in fields_of(target)
            if other.is_repeated
            and (other.type, other.message_type) == (field.type, field.message_type)
            and (target, other) != (message, field)
        ]
        if not others:
            return
        target, other = random.choice(others)
        target_items = list(getattr(target, other.name))
        ascends = field.type != FieldDescriptor.TYPE_MESSAGE and target_items == sorted(target_items)
        target_items.insert(random.randrange(len(target_items) + 1), item)
        if target is not message or other is not field:
            self._set_list(target, other, sorted(target_items) if ascends else target_items)
            self._set_list(message, field, items)

    def _copy_message(self, state: Message) -> None:
        """Replace a submessage by one of another state."""
        inner = list(all_messages(state))[1:]
        kinds = sorted({message.DESCRIPTOR.full_name for message in inner})
        kind = self._random.choice(kinds)
        part = self._random.choice([message for message in inner if message.DESCRIPTOR.full_name == kind])
        part.CopyFrom(self._random.choice(self._messages[kind]))

    def _swap_messages(self, state: Message) -> None:
        inner = list(all_messages(state))[1:]
        part = self._random.choice(inner)
        other = self._random.choice([message for message in inner if message.DESCRIPTOR is part.DESCRIPTOR])
        before = type(part)()
        before.CopyFrom(part)
        part.CopyFrom(other)
        other.CopyFrom(before)

    def _copy_fields(self, state: Message) -> None:
        """Replace some fields by those of another state."""
        random = self._random
        other = random.choice(self.sources)
        fields = fields_of(state)
        for field in random.sample(fields, random.choice((1, 1, 2, 3, 5, len(fields) // 2))):
            self._copy_field(state, field, other)

    def _copy_field(self, state: Message, field: FieldDescriptor, other: Message) -> None:
        state.ClearField(field.name)
        if field.is_repeated:
            self._set_list(state, field, list(getattr(other, field.name)))
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            if other.HasField(field.name):
                getattr(state, field.name).CopyFrom(getattr(other, field.name))
        else:
            setattr(state, field.name, getattr(other, field.name))
