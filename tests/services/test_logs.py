"""A log line is one line of JSON."""

from __future__ import annotations

import json
import logging

import pytest

from services.logs import JsonFormatter


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
