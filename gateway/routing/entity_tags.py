"""Entity tags of responses to GETs, and the headers `If-Match` and `If-None-Match` (RFC 9110, section 8.8.3).

A tag is a digest of the body, so observers with different views never share one, and it reveals no more than the body
itself. The tag of a resource with a revision begins with it: `"12-0c9f..."`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import blake2b
from typing import Final, NamedTuple

MAX_REVISION: Final = (1 << 31) - 1
PATTERN: Final = '^"([0-9]{1,10}-)?[0-9a-f]{24}"$'
HEADERS: Final[Mapping[str, str]] = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Accept-Language"}
"""Headers of responses to GETs: no cache shares one between callers, or uses it without revalidation."""
CONSTANT_HEADERS: Final[Mapping[str, str]] = {"Cache-Control": "public, max-age=86400", "Vary": "Accept-Language"}
"""Headers of responses that depend on nothing but the language and the release of the service."""

_TAG_PATTERN: Final = r'(W/)?"([\x21\x23-\x7e\x80-\xff]*)"'
_EACH_TAG: Final = re.compile(_TAG_PATTERN)
_TAG_LIST: Final = re.compile(rf"[ \t,]*{_TAG_PATTERN}(?:[ \t]*,[ \t,]*{_TAG_PATTERN})*[ \t,]*")
_BARE_REVISION: Final = re.compile("[0-9]{1,10}")
_REVISION_TAG: Final = re.compile("([0-9]{1,10})(?:-[0-9a-f]{24})?")


class Tag(NamedTuple):
    """An entity tag of a list. A weak tag names responses that are equivalent but may differ in bytes."""

    weak: bool
    text: str


def tag(body: bytes, revision: int | None = None) -> str:
    """The tag of a response body, with its quotes."""
    digest = blake2b(body, digest_size=12).hexdigest()
    return f'"{digest}"' if revision is None else f'"{revision}-{digest}"'


def matches_if_none_match(tag: str, if_none_match: str) -> bool:
    """Whether `If-None-Match` has the tag: `*` matches any, and the comparison is weak (RFC 9110, section 13.1.2)."""
    return if_none_match.strip() == "*" or tag.strip('"') in {each.text for each in parse_tags(if_none_match)}


def newest_revision(if_match: str) -> int | None:
    """The newest revision in `If-Match`; None without one. Weak tags never match (RFC 9110, section 13.1.1).

    Tags of any observer count, and so does a revision alone, quoted or not.
    """
    if _BARE_REVISION.fullmatch(if_match.strip()):
        texts = [if_match.strip()]
    else:
        texts = [each.text for each in parse_tags(if_match) if not each.weak]  # If-Match needs the strong comparison
    revisions = [int(found[1]) for text in texts if (found := _REVISION_TAG.fullmatch(text))]
    return max([each for each in revisions if each <= MAX_REVISION], default=None)


def parse_tags(value: str) -> list[Tag]:
    """The tags of a header's list; empty if it is malformed."""
    if not _TAG_LIST.fullmatch(value):
        return []
    return [Tag(bool(weak), text) for weak, text in _EACH_TAG.findall(value)]
