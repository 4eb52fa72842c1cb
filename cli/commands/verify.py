"""Command `fireside verify`: verifies a match record offline, and prints what is proved and by what."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine_core.game import SPECTATOR
from services.engine.records.reading import MAX_BYTES, Record, VerificationFailed, read
from services.engine.records.verification import Verified, check_signature, revision_of_head, verify

EXIT_PROVED, EXIT_REFUTED, EXIT_UNATTESTED = 0, 1, 3
"""Exit codes; 2 is for input that cannot be read."""
SPECTATOR_NAME: Final = "spectator"
MAX_SEAT_DIGITS: Final = 3
EPILOG: Final = """Exit codes: 0 if chance and moves are PROVED; 1 if a check fails, so that the record is NOT PROVED;
2 if a file or an argument cannot be read; 3 if no check fails, but a part of the record is not attested."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments: the record, and facts that the user knows from elsewhere, such as a commitment or keys."""
    parser.epilog = EPILOG
    parser.add_argument("record", nargs="?", default="-", help="file with the record in JSON; - for the standard input")
    parser.add_argument("--commitment", help="the commitment that was published when the match began")
    parser.add_argument("--match-id", help="the id of the match")
    parser.add_argument("--seat", metavar="N", help="whose head it is: a seat, or `spectator`")
    parser.add_argument("--head", help="a head that this seat or spectator was sent, the last one at best")
    parser.add_argument("--public-key", help="the public key of the service, known from elsewhere")
    parser.add_argument("--keys", metavar="FILE", help="public keys of the service, as GET /v1/keys has them")


@dataclass(frozen=True)
class TrustedFacts:
    """Trusted facts that the user gives: commitment, match id, a head and its observer, and public keys."""

    commitment: str
    match_id: str
    observer: int | None
    head: bytes
    keys: frozenset[str]


@dataclass(frozen=True)
class Attestation:
    """An attestation of the log up to a revision: by a head or by a signature."""

    revision: int
    by: str


def run(arguments: Namespace) -> int:
    """Print what is proved and by what, or the first contradiction. Returns the exit code."""
    trusted = _trusted_facts(arguments)
    try:
        codec, record = read(_read_input(arguments.record))
        _check_trusted_facts(record, trusted)
        verified = verify(codec, record)
        attestations = list(_find_attestations(record, verified, trusted))
    except VerificationFailed as failure:
        print(ascii_escaped(f"NOT PROVED. {failure}"))
        return EXIT_REFUTED
    code, verdict = _verdict(record, verified, trusted, attestations)
    for line in [
        verdict,
        *_chance_lines(record, verified, trusted, attestations),
        *_move_lines(record, verified, trusted, attestations),
    ]:
        print(ascii_escaped(line))
    return code


def _read_input(source: str) -> bytes:
    """The content of a file or of the standard input, at most one byte over the limit: a pipe may be endless."""
    if source == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with Path(source).open("rb") as file:
        return file.read(MAX_BYTES + 1)


def ascii_escaped(text: str) -> str:
    """Text with everything but printable ASCII escaped, so that it cannot manipulate the terminal."""
    return "".join(
        letter if letter.isascii() and letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )


def _trusted_facts(arguments: Namespace) -> TrustedFacts:
    """Parse the trusted facts from the arguments. Raises `ValueError`."""
    if bool(arguments.seat) != bool(arguments.head):
        raise ValueError("--seat and --head go together: whose head it is")
    for option in ("commitment", "match_id", "seat", "head", "public_key", "keys"):
        if getattr(arguments, option) == "":  # likely an unset variable of a script; ignoring it would check nothing
            raise ValueError(f"--{option.replace('_', '-')}: it is empty")
    keys = _read_keys(arguments.keys) if arguments.keys else set()
    if arguments.public_key:
        keys.add(_parse_hex("--public-key", arguments.public_key, 32))
    return TrustedFacts(
        _parse_hex("--commitment", arguments.commitment, 32) if arguments.commitment else "",
        (arguments.match_id or "").strip(),
        _parse_observer(arguments.seat.strip()) if arguments.seat else None,
        bytes.fromhex(_parse_hex("--head", arguments.head, 32)) if arguments.head else b"",
        frozenset(keys),
    )


def _parse_hex(name: str, text: str, length: int) -> str:
    text = text.strip().lower()
    if len(text) != 2 * length or not set(text) <= set("0123456789abcdef"):
        raise ValueError(f"{name}: it must have {2 * length} hexadecimal digits")
    return text


def _parse_observer(text: str) -> int:
    if text.lower() == SPECTATOR_NAME:
        return SPECTATOR
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_SEAT_DIGITS):
        raise ValueError("--seat: the number of a seat, or `spectator`")
    return int(text)


def _read_keys(path: str) -> set[str]:
    """The public keys in a file with a response to GET /v1/keys. Raises `ValueError` if there is none."""
    try:
        listed = json.loads(_read_input(path))["keys"]
        keys = {_parse_hex("--keys", key.get("publicKey", key.get("public_key")), 32) for key in listed}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        keys = set()
    if not keys:
        raise ValueError("--keys: the file is not what GET /v1/keys answers")
    return keys


def _check_trusted_facts(record: Record, trusted: TrustedFacts) -> None:
    if trusted.commitment and trusted.commitment != record.commitment:
        raise VerificationFailed(f"commitment: it is {record.commitment!r}, not the one that was given to you")
    if trusted.match_id and trusted.match_id != record.match_id:
        raise VerificationFailed(f"matchId: the record is of match {record.match_id!r}")
    if trusted.observer is not None and trusted.observer >= len(record.seats):
        raise VerificationFailed(f"seats: the match has {len(record.seats)}, and none of number {trusted.observer}")


def _find_attestations(record: Record, verified: Verified, trusted: TrustedFacts) -> Iterator[Attestation]:
    """Attestations of the log by the given head and keys. Raises `VerificationFailed` if one does not match."""
    if trusted.observer is not None:
        who = "the spectators'" if trusted.observer == SPECTATOR else f"seat {trusted.observer}'s"
        revision = revision_of_head(verified, trusted.observer, trusted.head)
        yield Attestation(revision, f"{who} head after revision {revision}")
    if record.signature:
        check_signature(record, verified)
    if trusted.keys and not record.signature:
        raise VerificationFailed("signature: the record has none")
    if trusted.keys and record.public_key not in trusted.keys:
        raise VerificationFailed(
            f"publicKey: the record is signed by {record.public_key}, which is none of the service's keys"
        )
    if trusted.keys:
        yield Attestation(len(record.events), f"the service's signature by key {record.key_id!r}")


def _verdict(
    record: Record, verified: Verified, trusted: TrustedFacts, attestations: list[Attestation]
) -> tuple[int, str]:
    match = f"Match {record.match_id!r} of {record.rules_version}, {len(record.seats)} seats."
    upto = max((each.revision for each in attestations), default=0)
    if upto == len(record.events):
        return EXIT_PROVED, f"PROVED. {match}"
    if attestations:
        return EXIT_UNATTESTED, f"Chance and moves PROVED up to revision {upto}, NOT PROVED after it. {match}"
    if not trusted.commitment:
        return EXIT_UNATTESTED, f"Nothing PROVED: the record fits itself, but nobody attested it. {match}"
    chance = f" up to revision {verified.epochs[0] - 1}" if verified.epochs else ""
    return EXIT_UNATTESTED, f"Chance PROVED{chance}, moves NOT PROVED: nobody attested them. {match}"


def _chance_lines(
    record: Record, verified: Verified, trusted: TrustedFacts, attestations: list[Attestation]
) -> Iterator[str]:
    """Lines of the report about chance: what proves the draws."""
    by = [each.by for each in attestations] + (["the commitment that you gave"] if trusted.commitment else [])
    yield f"- Chance: {verified.draws} draws are those that the secret seed and the client seeds give."
    if by:
        yield f"  The commitment {record.commitment} is proved by {' and '.join(by)}."
    else:
        yield f"  Nobody vouches for the commitment {record.commitment}: give the one that you noted (--commitment)."
    if not trusted.commitment and attestations:
        yield "  That it was published before the first draw, you know if you noted it then (--commitment)."
    if not attestations:
        yield f"  Nobody attested the client seeds, {record.client_seeds}: look whether yours is there."
    if verified.epochs:
        at = ", ".join(map(str, verified.epochs))
        yield f"- The store was found restarted {len(verified.epochs)} times, with a new seed each time: revision {at}."
        if not attestations:
            yield "  Nobody attested these seeds: chance is NOT PROVED from the first on."


def _move_lines(
    record: Record, verified: Verified, trusted: TrustedFacts, attestations: list[Attestation]
) -> Iterator[str]:
    """Lines of the report about moves: what proves them."""
    yield f"- Moves: {verified.moves} were legal when they were made, {verified.left} players left."
    sealed, reveals = verified.sealed, verified.reveals
    yield f"  {sealed} lines were secret when they were written, {reveals} moves were revealed when due."
    yield "  The match is over, and its result follows from the log."
    for each in attestations:
        yield f"  That these lines were written, and no others, is proved by {each.by}."
        if rest := len(record.events) - each.revision:
            yield f"  The {rest} lines after that are NOT PROVED by it."
    if trusted.observer is not None and not trusted.keys and (unseen := verified.never_revealed_to(trusted.observer)):
        yield f"  {unseen} sealed moves of other seats were never shown to it: its head does not say which, NOT PROVED."
    if record.signature and not trusted.keys:
        yield f"  The signature is one by the key {record.public_key} in the record. Whether that is the"
        yield "  service's key, you must know from elsewhere: give what GET /v1/keys answered (--keys, --public-key)."
    if attestations:
        yield "- The id of the match, its seats, options, clock and client seeds are proved by the same."
    else:
        yield "  That these moves were made is NOT PROVED: give a head (--seat, --head) or the service's key."
        yield "- The id of the match, the names of its seats and its clock are NOT PROVED."
