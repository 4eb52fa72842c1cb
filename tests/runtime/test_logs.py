"""A log line is one line of JSON."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys

import pytest

from runtime.logs import JsonFormatter, PlainFormatter
from runtime.telemetry import call_context
from tests.services.processes import ROOT


def record(**extra: object) -> logging.LogRecord:
    return logging.getLogger("test").makeRecord(
        "test", logging.INFO, __file__, 1, "call %s", ("one",), None, extra=extra
    )


def test_a_line_says_when_and_what() -> None:
    line = json.loads(JsonFormatter().format(record(method="Apply", token="secret")))
    assert line["time"].endswith("+00:00")
    del line["time"]
    assert line == {"level": "info", "logger": "test", "message": "call one", "method": "Apply"}


def test_a_trace_is_part_of_the_line() -> None:
    broken = record()
    with pytest.raises(KeyError) as caught:
        raise KeyError("x")
    broken.exc_info = (caught.type, caught.value, caught.tb)
    text = JsonFormatter().format(broken)
    assert "\n" not in text
    assert "KeyError" in json.loads(text)["trace"]


def test_a_trace_does_not_repeat_what_exceptions_say() -> None:
    broken, hand = record(), "red " * 3
    try:
        try:
            raise KeyError(hand)
        except KeyError as error:
            raise ValueError(hand) from error
    except ValueError as error:
        broken.exc_info = (type(error), error, error.__traceback__)
    trace = json.loads(JsonFormatter().format(broken))["trace"]
    assert "KeyError" in trace
    assert "ValueError" in trace
    assert hand not in trace


def test_a_line_tells_what_the_call_is_about() -> None:
    call_context.begin(request_id="r" * 200, match_id="m1", game="")
    line = json.loads(JsonFormatter().format(record()))
    assert line["match_id"] == "m1"
    assert len(line["request_id"]) == 128
    assert "game" not in line


def test_libraries_that_write_down_addresses_are_quiet_but_for_warnings() -> None:
    code = (
        "import logging\nfrom runtime.logs import set_up\nset_up('DEBUG')\n"
        "print([logging.getLogger(name).isEnabledFor(logging.INFO) for name in ('httpx', 'httpcore', 'services')])"
    )
    paths = f"{ROOT}{os.pathsep}{ROOT / 'proto' / 'gen'}"
    output = subprocess.check_output([sys.executable, "-c", code], env={"PYTHONPATH": paths}, text=True)
    assert output.strip() == "[False, False, True]"


def test_fault27_a_line_for_a_person_is_plain_and_can_hold_nothing_but_text() -> None:
    call_context.begin()
    assert PlainFormatter().format(record(method="Apply", token="secret")) == "info: call one (method Apply)"
    assert PlainFormatter().format(record(method="\x1b[31m\nwarning: forged")).isprintable()
