"""Prove a match record without the service."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from services.engine.proofs import Misfit, Proved, Record, prove, read


def add_arguments(parser: ArgumentParser) -> None:
    """Which record, and what the player knows of the match himself."""
    parser.add_argument("record", nargs="?", default="-", help="file with the record in JSON; - for the standard input")
    parser.add_argument("--commitment", default="", help="the commitment that was published when the match began")
    parser.add_argument("--match-id", default="", help="the id of the match")


def run(arguments: Namespace) -> int:
    """Print what is proved, or the first line that does not fit."""
    try:
        codec, record = read(_text(arguments.record))
        _check_known(record, arguments.commitment, arguments.match_id)
        proved = prove(codec, record)
    except Misfit as misfit:
        print(f"NOT PROVED. {misfit}")
        return 1
    print("\n".join(_lines(record, proved)))
    return 0


def _text(source: str) -> str:
    data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Misfit("this is no match record in JSON") from None


def _check_known(record: Record, commitment: str, match_id: str) -> None:
    if commitment and commitment.lower() != record.commitment:
        raise Misfit("commitment: it is not the one that was published")
    if match_id and match_id != record.match_id:
        raise Misfit(f"matchId: the record is of match {record.match_id!r}")


def _lines(record: Record, proved: Proved) -> Iterator[str]:
    yield f"PROVED. Match {record.match_id} of {record.rules_version}, {len(record.seats)} seats:"
    yield f"- the secret seed is the one of the commitment {record.commitment};"
    yield f"- {proved.draws} draws of nature are those that the seeds give;"
    yield f"- {proved.moves} moves of the seats were legal when they were made, {proved.left} players left;"
    yield f"- {proved.sealed} lines were secret when they were made, {proved.reveals} moves were revealed when due;"
    yield "- the match is over, and its result follows from the log."
    yield "Whether this is the commitment that you were given when the match began, you know yourself (--commitment)."
