"""Command `fireside verify`: verifies a match record offline, and prints what is proved and by what."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cli.translation import gettext, gettext_noop
from engine_core.game import SPECTATOR
from services.engine.records.reading import MAX_BYTES, Record, VerificationFailed, read
from services.engine.records.verification import Verified, check_signature, revision_of_head, verify

EXIT_PROVED, EXIT_REFUTED, EXIT_UNATTESTED = 0, 1, 3
"""Exit codes; 2 is for input that cannot be read."""
SPECTATOR_NAME: Final = "spectator"
MAX_SEAT_DIGITS: Final = 3
EPILOG: Final = gettext_noop(
    "Exit codes: 0 if chance and moves are PROVED; 1 if a check fails, so that the record is NOT PROVED; "
    "2 if a file or an argument cannot be read; 3 if no check fails, but a part of the record is not attested."
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments: the record, and facts that the user knows from elsewhere, such as a commitment or keys."""
    parser.epilog = gettext(EPILOG)
    parser.add_argument(
        "record", nargs="?", default="-", help=gettext("file with the record in JSON; - for the standard input")
    )
    parser.add_argument("--commitment", help=gettext("the commitment that was published when the match began"))
    parser.add_argument("--match-id", help=gettext("the id of the match"))
    parser.add_argument("--seat", metavar=gettext("N"), help=gettext("whose head it is: a seat, or `spectator`"))
    parser.add_argument("--head", help=gettext("a head that this seat or spectator was sent, the last one at best"))
    parser.add_argument("--public-key", help=gettext("the public key of the service, known from elsewhere"))
    parser.add_argument(
        "--keys", metavar=gettext("FILE"), help=gettext("public keys of the service, as GET /v1/keys has them")
    )


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
        codec, record = read(read_input(arguments.record))
        _check_trusted_facts(record, trusted)
        verified = verify(codec, record)
        attestations = list(_find_attestations(record, verified, trusted))
    except VerificationFailed as failure:
        print(gettext("NOT PROVED. {failure}", failure=ascii_escaped(str(failure))))
        return EXIT_REFUTED
    code, verdict = _verdict(record, verified, trusted, attestations)
    for line in [
        verdict,
        *_chance_lines(record, verified, trusted, attestations),
        *_move_lines(record, verified, trusted, attestations),
    ]:
        print(line)
    return code


def read_input(source: str) -> bytes:
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
        raise ValueError(gettext("--seat and --head go together: whose head it is"))
    for option in ("commitment", "match_id", "seat", "head", "public_key", "keys"):
        if getattr(arguments, option) == "":  # likely an unset variable of a script; ignoring it would check nothing
            raise ValueError(f"--{option.replace('_', '-')}: {gettext('it is empty')}")
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
        raise ValueError(f"{name}: {gettext('it must have {digits} hexadecimal digits', digits=2 * length)}")
    return text


def _parse_observer(text: str) -> int:
    if text.lower() == SPECTATOR_NAME:
        return SPECTATOR
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_SEAT_DIGITS):
        raise ValueError("--seat: " + gettext("the number of a seat, or `spectator`"))
    return int(text)


def _read_keys(path: str) -> set[str]:
    """The public keys in a file with a response to GET /v1/keys. Raises `ValueError` if there is none."""
    try:
        listed = json.loads(read_input(path))["keys"]
        keys = {_parse_hex("--keys", key.get("publicKey", key.get("public_key")), 32) for key in listed}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        keys = set()
    if not keys:
        raise ValueError("--keys: " + gettext("the file is not what GET /v1/keys answers"))
    return keys


def _check_trusted_facts(record: Record, trusted: TrustedFacts) -> None:
    if trusted.commitment and trusted.commitment != record.commitment:
        other = gettext("it is {commitment}, not the one that was given to you", commitment=repr(record.commitment))
        raise VerificationFailed(f"commitment: {other}")
    if trusted.match_id and trusted.match_id != record.match_id:
        other = gettext("the record is of match {match}", match=repr(record.match_id))
        raise VerificationFailed(f"matchId: {other}")
    if trusted.observer is not None and trusted.observer >= len(record.seats):
        numbers = {"count": len(record.seats), "number": trusted.observer}
        raise VerificationFailed("seats: " + gettext("the match has {count}, and none of number {number}", **numbers))


def _find_attestations(record: Record, verified: Verified, trusted: TrustedFacts) -> Iterator[Attestation]:
    """Attestations of the log by the given head and keys. Raises `VerificationFailed` if one does not match."""
    if trusted.observer is not None:
        revision = revision_of_head(verified, trusted.observer, trusted.head)
        if trusted.observer == SPECTATOR:
            by = gettext("the spectators' head after revision {revision}", revision=revision)
        else:
            by = gettext("the head of seat {seat} after revision {revision}", seat=trusted.observer, revision=revision)
        yield Attestation(revision, by)
    if record.signature:
        check_signature(record, verified)
    if trusted.keys and not record.signature:
        raise VerificationFailed("signature: " + gettext("the record has none"))
    if trusted.keys and record.public_key not in trusted.keys:
        other = gettext("the record is signed by {key}, which is none of the service's keys", key=record.public_key)
        raise VerificationFailed(f"publicKey: {other}")
    if trusted.keys:
        yield Attestation(len(record.events), gettext("the service's signature by key {key}", key=ascii(record.key_id)))


def _verdict(
    record: Record, verified: Verified, trusted: TrustedFacts, attestations: list[Attestation]
) -> tuple[int, str]:
    facts = {
        "match": ascii(record.match_id),
        "version": ascii_escaped(record.rules_version),
        "seats": len(record.seats),
    }
    match = gettext("Match {match} of {version}, {seats} seats.", **facts)
    upto = max((each.revision for each in attestations), default=0)
    if upto == len(record.events):
        return EXIT_PROVED, gettext("PROVED. {match}", match=match)
    if attestations:
        text = gettext("Chance and moves PROVED up to revision {revision}, NOT PROVED after it.", revision=upto)
    elif not trusted.commitment:
        text = gettext("Nothing PROVED: the record fits itself, but nobody attested it.")
    elif verified.epochs:
        text = gettext(
            "Chance PROVED up to revision {revision}, moves NOT PROVED: nobody attested them.",
            revision=verified.epochs[0] - 1,
        )
    else:
        text = gettext("Chance PROVED, moves NOT PROVED: nobody attested them.")
    return EXIT_UNATTESTED, f"{text} {match}"


def _chance_lines(
    record: Record, verified: Verified, trusted: TrustedFacts, attestations: list[Attestation]
) -> Iterator[str]:
    """Lines of the report about chance: what proves the draws."""
    by = [each.by for each in attestations]
    if trusted.commitment:
        by.append(gettext("the commitment that you gave"))
    commitment = ascii_escaped(record.commitment)
    yield "- " + gettext(
        "Chance: {draws} draws are those that the secret seed and the client seeds give.", draws=verified.draws
    )
    if by:
        proofs = gettext(" and ").join(by)
        yield "  " + gettext("The commitment {commitment} is proved by {proofs}.", commitment=commitment, proofs=proofs)
    else:
        yield "  " + gettext(
            "Nobody vouches for the commitment {commitment}: give the one that you noted (--commitment).",
            commitment=commitment,
        )
    if not trusted.commitment and attestations:
        yield "  " + gettext(
            "That it was published before the first draw, you know if you noted it then (--commitment)."
        )
    if not attestations:
        yield "  " + gettext(
            "Nobody attested the client seeds, {seeds}: look whether yours is there.",
            seeds=ascii([*record.client_seeds]),
        )
    if verified.epochs:
        at = ", ".join(map(str, verified.epochs))
        yield "- " + gettext(
            "The store was found restarted {count} times, with a new seed each time: revision {revisions}.",
            count=len(verified.epochs),
            revisions=at,
        )
        if not attestations:
            yield "  " + gettext("Nobody attested these seeds: chance is NOT PROVED from the first on.")


def _move_lines(
    record: Record, verified: Verified, trusted: TrustedFacts, attestations: list[Attestation]
) -> Iterator[str]:
    """Lines of the report about moves: what proves them."""
    yield "- " + gettext(
        "Moves: {moves} were legal when they were made, {left} players left.", moves=verified.moves, left=verified.left
    )
    if verified.hints:
        yield "  " + gettext("Players asked for hints in {number} turns.", number=verified.hints)
    yield "  " + gettext(
        "{sealed} lines were secret when they were written, {reveals} moves were revealed when due.",
        sealed=verified.sealed,
        reveals=verified.reveals,
    )
    yield "  " + gettext("The match is over, and its result follows from the log.")
    for each in attestations:
        yield "  " + gettext("That these lines were written, and no others, is proved by {proof}.", proof=each.by)
        if rest := len(record.events) - each.revision:
            yield "  " + gettext("The {number} lines after that are NOT PROVED by it.", number=rest)
    if trusted.observer is not None and not trusted.keys and (unseen := verified.never_revealed_to(trusted.observer)):
        yield "  " + gettext(
            "{number} sealed moves of other seats were never shown to it: its head does not say which, NOT PROVED.",
            number=unseen,
        )
    if record.signature and not trusted.keys:
        yield "  " + gettext(
            "The signature is one by the key {key} in the record.", key=ascii_escaped(record.public_key)
        )
        yield "  " + gettext(
            "Whether that is the service's key, you must know from elsewhere: give what GET /v1/keys answered "
            "(--keys, --public-key)."
        )
    if attestations:
        yield "- " + gettext("The id of the match, its seats, options, clock and client seeds are proved by the same.")
    else:
        yield "  " + gettext(
            "That these moves were made is NOT PROVED: give a head (--seat, --head) or the service's key."
        )
        yield "- " + gettext("The id of the match, the names of its seats and its clock are NOT PROVED.")
