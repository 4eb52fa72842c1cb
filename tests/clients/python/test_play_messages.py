"""Messages of Play over WebSocket, as the clients write and read them."""

from __future__ import annotations

import json

import pytest

from fireside_client.core import PlayProtocol
from fireside_client.errors import FiresideError

EVENT = {"event": {"revision": 7}}
TURN = {"turn": {"revision": 7}}


def test_a_batch_is_read_as_its_messages_and_the_stream_is_resumed_after_its_last_event() -> None:
    protocol = PlayProtocol("token", 0, "")
    assert json.loads(protocol.join())["join"] == {"fromRevision": 0, "batched": True}
    assert protocol.read(json.dumps({"batch": {"responses": [EVENT, TURN]}})) == [EVENT, TURN]
    assert json.loads(protocol.join())["join"]["fromRevision"] == 7


def test_a_single_message_needs_no_batch_and_a_heartbeat_is_none() -> None:
    protocol = PlayProtocol("token", None, "")
    assert protocol.read(json.dumps(TURN)) == [TURN]
    assert protocol.read("{}") == []


def test_a_problem_is_raised() -> None:
    problem = {"status": 403, "reason": "PERMISSION_DENIED", "detail": "no", "violations": [], "metadata": {}}
    with pytest.raises(FiresideError):
        PlayProtocol("token", None, "").read(json.dumps({"problem": problem}))
