"""Settings read from environment variables, and the errors that name the variable."""

from __future__ import annotations

import pytest

from runtime.environment import drain_seconds, log_level, positive_number


def test_a_number_is_read_and_has_a_default() -> None:
    assert positive_number({"LIMIT": "7"}, "LIMIT", int, 5, 10) == 7
    assert positive_number({"LIMIT": "1.5"}, "LIMIT", float, 5.0, 10) == 1.5
    assert positive_number({"LIMIT": ""}, "LIMIT", int, 5, 10) == positive_number({}, "LIMIT", int, 5, 10) == 5


@pytest.mark.parametrize("text", ["x", " 7", "1_0", "\u0667", "1.5"])
def test_the_error_of_an_invalid_number_names_its_variable(text: str) -> None:
    with pytest.raises(ValueError, match=r"^LIMIT: .* is not a number$"):
        positive_number({"LIMIT": text}, "LIMIT", int, 5, 10)


@pytest.mark.parametrize("text", ["0", "-1", "11", "inf", "nan"])
def test_a_number_out_of_its_range_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^LIMIT: .* is not above 0, or above 10$"):
        positive_number({"LIMIT": text}, "LIMIT", float, 5.0, 10)


def test_a_drain_time_of_zero_is_valid() -> None:
    assert drain_seconds({"FIRESIDE_DRAIN_SECONDS": "0"}, 10) == drain_seconds({}, 10) == 0.0
    assert drain_seconds({"FIRESIDE_DRAIN_SECONDS": "2.5"}, 10) == 2.5


def test_the_log_level_is_one_of_four() -> None:
    assert (log_level({}, "INFO"), log_level({"FIRESIDE_LOG_LEVEL": "DEBUG"}, "INFO")) == ("INFO", "DEBUG")
    with pytest.raises(ValueError, match=r"^FIRESIDE_LOG_LEVEL: one of DEBUG, INFO, WARNING, ERROR, not 'debug'$"):
        log_level({"FIRESIDE_LOG_LEVEL": "debug"}, "INFO")
