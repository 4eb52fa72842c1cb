from __future__ import annotations

import json

import pytest
from google.protobuf import json_format
from google.protobuf.message import Message
from hypothesis import given

from gateway import protojson
from tests.gateway.protojson.kinds import KINDS, messages


def printed(message: Message) -> object:
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)


@given(messages())
def test_every_message_is_printed_as_protobuf_itself_prints_it(message: Message) -> None:
    assert json.loads(protojson.format(message)) == json.loads(json.dumps(printed(message)))


@given(messages())
def test_every_message_is_read_back_as_it_was(message: Message) -> None:
    read = protojson.parse(protojson.parse_json(protojson.format(message)), KINDS)
    assert read.SerializeToString(deterministic=True) == message.SerializeToString(deterministic=True)


@pytest.mark.parametrize("number", [7, -1])
def test_a_number_without_a_name_stays_a_number(number: int) -> None:
    message = json_format.ParseDict({"aColour": number, "colours": [number]}, protojson.parse({}, KINDS))
    shown = json.loads(protojson.format(message))
    assert (shown["aColour"], shown["colours"]) == (number, [number])
