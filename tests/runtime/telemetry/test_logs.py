"""A log line is one line of JSON."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys

import pytest

from runtime.telemetry import call_context
from runtime.telemetry.logs import JsonFormatter, PlainFormatter
from tests.services.processes import ROOT


def log_record(**extra: object) -> logging.LogRecord:
    return logging.getLogger("test").makeRecord(
        "test", logging.INFO, __file__, 1, "call %s", ("one",), None, extra=extra
    )


def test_a_log_line_has_a_time_a_level_and_a_message() -> None:
    line = json.loads(JsonFormatter().format(log_record(method="Apply", token="secret")))
    assert line["time"].endswith("+00:00")
    del line["time"]
    assert line == {"level": "info", "logger": "test", "message": "call one", "method": "Apply"}


def test_a_traceback_is_part_of_its_log_line() -> None:
    broken = log_record()
    with pytest.raises(KeyError) as caught:
        raise KeyError("x")
    broken.exc_info = (caught.type, caught.value, caught.tb)
    text = JsonFormatter().format(broken)
    assert "\n" not in text
    assert "KeyError" in json.loads(text)["trace"]


def test_a_traceback_does_not_contain_messages_of_exceptions() -> None:
    broken, hand = log_record(), "red " * 3
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


def test_a_log_line_has_the_ids_of_its_call() -> None:
    call_context.begin(request_id="r" * 200, match_id="m1", game="")
    line = json.loads(JsonFormatter().format(log_record()))
    assert line["match_id"] == "m1"
    assert len(line["request_id"]) == 128
    assert "game" not in line


def test_libraries_that_log_addresses_log_only_warnings() -> None:
    code = (
        "import logging\nfrom runtime.telemetry.logs import set_up\nset_up('DEBUG')\n"
        "print([logging.getLogger(name).isEnabledFor(logging.INFO) for name in ('httpx', 'httpcore', 'services')])"
    )
    paths = f"{ROOT}{os.pathsep}{ROOT / 'proto' / 'gen'}"
    output = subprocess.check_output([sys.executable, "-c", code], env={"PYTHONPATH": paths}, text=True)
    assert output.strip() == "[False, False, True]"


def test_fault27_a_log_line_for_a_terminal_is_plain_text_without_control_characters() -> None:
    call_context.begin()
    assert PlainFormatter().format(log_record(method="Apply", token="secret")) == "info: call one (method Apply)"
    assert PlainFormatter().format(log_record(method="\x1b[31m\nwarning: forged")).isprintable()
