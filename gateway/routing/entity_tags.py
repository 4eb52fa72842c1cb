"""Entity tags (RFC 9110, section 8.8.3): how an answer to a GET is named, and which of them a client lists.

A tag is a digest of the bytes of the answer, so two observers who see different things never share one, and it says no
more than the answer itself. That of a resource with a revision begins with it: `"12-0c9f..."`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import blake2b
from typing import Final, NamedTuple

REVISION_MOST: Final = (1 << 31) - 1
PATTERN: Final = '^"([0-9]{1,10}-)?[0-9a-f]{24}"$'
HEADERS: Final[Mapping[str, str]] = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
"""Of every answer to a GET: no cache shares it between callers, and none uses it without asking whether it is so."""

_TAG: Final = r'(W/)?"([\x21\x23-\x7e\x80-\xff]*)"'
_EACH: Final = re.compile(_TAG)
_LIST: Final = re.compile(rf"[ \t,]*{_TAG}(?:[ \t]*,[ \t,]*{_TAG})*[ \t,]*")
_BARE: Final = re.compile("[0-9]{1,10}")
_OF_REVISION: Final = re.compile("([0-9]{1,10})(?:-[0-9a-f]{24})?")


class Tag(NamedTuple):
    """A tag as it is listed: weak ones say that answers mean the same, not that they are equal to the last byte."""

    weak: bool
    text: str


def tag(body: bytes, revision: int | None = None) -> str:
    """The tag of an answer, quotes included."""
    digest = blake2b(body, digest_size=12).hexdigest()
    return f'"{digest}"' if revision is None else f'"{revision}-{digest}"'


def is_known(tag: str, if_none_match: str) -> bool:
    """Whether `If-None-Match` lists the tag: `*` is any, and weak ones count (RFC 9110, section 13.1.2)."""
    return if_none_match.strip() == "*" or tag.strip('"') in {each.text for each in listed(if_none_match)}


def newest_revision(if_match: str) -> int | None:
    """The newest of the revisions whose tags `If-Match` lists; weak tags never match (RFC 9110, section 13.1.1).

    None where it lists none. The tag of any observer counts, and the revision alone, quoted or not.
    """
    if _BARE.fullmatch(if_match.strip()):
        texts = [if_match.strip()]
    else:
        texts = [each.text for each in listed(if_match) if not each.weak]
    revisions = [int(found[1]) for text in texts if (found := _OF_REVISION.fullmatch(text))]
    return max([each for each in revisions if each <= REVISION_MOST], default=None)


def listed(value: str) -> list[Tag]:
    """The tags of a list; none of what is no list."""
    if not _LIST.fullmatch(value):
        return []
    return [Tag(bool(weak), text) for weak, text in _EACH.findall(value)]
