"""Translations of the command line's texts: gettext by a JSON catalogue for each language, with English texts as keys.

Catalogues are `words.<locale>.json`. They also have the texts of argparse that users meet.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Final

from engine_core.words import LOCALES, language_of

LOCALE_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables with the language, as POSIX orders them: the first that is not empty decides."""


@dataclass
class _Language:
    locale: str = LOCALES[0]
    catalogue: Mapping[str, str] = field(default_factory=dict)
    """Translations by their English text; empty for English."""


_current: Final = _Language()


def locale() -> str:
    """The language of this process, one of `LOCALES`."""
    return _current.locale


def set_locale(name: str) -> None:
    """Choose the language of this process, one of `LOCALES`, also for argparse."""
    _current.locale = name
    _current.catalogue = catalogue(name)
    # argparse calls the standard gettext, which reads compiled catalogues (.mo) only.
    vars(argparse).update(_=gettext, ngettext=_ngettext)


def catalogue(name: str) -> dict[str, str]:
    """All translations into a language by their English text; none for English."""
    if name == LOCALES[0]:
        return {}
    texts: dict[str, str] = json.loads(files("cli").joinpath(f"words.{name}.json").read_text("utf-8"))
    return texts


def environment_locale(environment: Mapping[str, str]) -> str:
    """The language that the environment names, for example `fr` for `LANG=fr_CH.UTF-8`; English if it has no texts."""
    name = next((environment[variable] for variable in LOCALE_VARIABLES if environment.get(variable)), "")
    return language_of(name.partition(".")[0]) or LOCALES[0]


def gettext(text: str, **values: object) -> str:
    """The translation of an English text, with its placeholders `{name}` replaced; in English if it has none."""
    translated = _current.catalogue.get(text, text)
    return translated.format(**values) if values else translated


def gettext_noop(text: str) -> str:
    """Mark a text that is translated later, by `gettext` at the time of its use."""
    return text


def labelled(label: str, value: object) -> str:
    """A value after its label and a colon, which French sets off by a space."""
    return gettext("{label}: {value}", label=label, value=value)


def grouped(number: int) -> str:
    """A whole number with separated thousands: by commas in English, else by the narrow spaces of ISO 31-0."""
    return f"{number:,}".replace(",", "," if _current.locale == LOCALES[0] else "\N{NARROW NO-BREAK SPACE}")


def _ngettext(one: str, several: str, number: int) -> str:
    return gettext(one if number == 1 else several)
