"""Language of a response: the field `locale` of the request, or the header `Accept-Language` (RFC 9110, 12.5.4)."""

from __future__ import annotations

from typing import Final, Protocol, cast

from google.protobuf.message import Message
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from engine_core.words import LOCALES, language_of

HEADER: Final = "Accept-Language"
FIELD: Final = "locale"


class _LocaleRequest(Protocol):
    locale: str


def requested_language(message: Message) -> str:
    """The language that a request names; empty if it names none, one without texts, or cannot."""
    return language_of(cast(_LocaleRequest, message).locale) if FIELD in message.DESCRIPTOR.fields_by_name else ""


def accepted_language(accept_language: str) -> str:
    """The language with texts that the header prefers; the default if it accepts none."""
    return parse_accept_header(accept_language, LanguageAccept).best_match(LOCALES) or LOCALES[0]


def set_locale(message: Message, accept_language: str) -> None:
    """Set the language from the header, unless the request names one; the default if it accepts none that has texts."""
    if FIELD in message.DESCRIPTOR.fields_by_name and not cast(_LocaleRequest, message).locale:
        cast(_LocaleRequest, message).locale = accepted_language(accept_language)
