"""Fixture: tests of the command line begin and end in English, whatever the language of the machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cli.translation import LOCALE_VARIABLES, set_locale


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variable in LOCALE_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    set_locale("en")
    yield
    set_locale("en")  # the language is that of the process, which runs other tests next
