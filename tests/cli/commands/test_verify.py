"""Command `fireside verify`: proves records offline, and reports what does not fit."""

from __future__ import annotations

import gzip
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from cli.main import main
from services.engine.records.reading import read
from services.engine.records.verification import verify
from tests.conformance.records.corpus import PUBLIC_KEY

RECORDS = sorted((Path(__file__).parents[2] / "data" / "records").glob("*.json"))


RECORD = RECORDS[0]
KEY_ARGUMENTS = ["--public-key", PUBLIC_KEY]


@pytest.mark.parametrize("path", RECORDS[::5], ids=lambda path: path.stem)
def test_a_record_is_proved(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commitment = json.loads(path.read_text())["commitment"]
    assert main(["verify", str(path), "--commitment", commitment, *KEY_ARGUMENTS]) == 0
    assert capsys.readouterr().out.startswith("PROVED.")


def snake_case(name: str) -> str:
    return re.sub("([A-Z])", lambda found: f"_{found[1].lower()}", name)


def with_original_names(value: Any) -> Any:
    """Original names of fields, as generators of other languages write them."""
    if isinstance(value, dict):
        return {snake_case(name): with_original_names(inner) for name, inner in value.items()}
    return [*map(with_original_names, value)] if isinstance(value, list) else value


def without_defaults(fields: Any) -> Any:
    """Fields without presence that have their default left out, as most printers do."""
    return MessageToDict(cast(Message, read(json.dumps(fields))[1]))


def with_reversed_fields(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: with_reversed_fields(value[name]) for name in reversed(value)}
    return [*map(with_reversed_fields, value)] if isinstance(value, list) else value


def with_numbers(fields: Any) -> Any:
    """Enums by their numbers."""
    return MessageToDict(cast(Message, read(json.dumps(fields))[1]), use_integers_for_enums=True)


def with_upper_case_hex(fields: Any) -> Any:
    names = ("secretSeed", "commitment", "signature", "publicKey")
    return {**fields, **{name: fields[name].upper() for name in names}}


def with_quoted_numbers(value: Any) -> Any:
    """Numbers as strings, which ProtoJSON reads as well."""
    if isinstance(value, dict):
        return {name: with_quoted_numbers(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [*map(with_quoted_numbers, value)]
    return str(value) if type(value) is int else value


JSON_FORMS: dict[str, Callable[[Any], Any]] = {
    "original names": with_original_names,
    "no defaults": without_defaults,
    "another order": with_reversed_fields,
    "numbers of enums": with_numbers,
    "upper case": with_upper_case_hex,
    "numbers in quotes": with_quoted_numbers,
    "a response": lambda fields: {"record": fields},
}
ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "UTF-8": lambda text: text.encode(),
    "UTF-8 with a mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16 with a mark": lambda text: text.encode("utf-16"),
    "UTF-16 little": lambda text: text.encode("utf-16-le"),
    "UTF-16 big": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "UTF-32 with a mark": lambda text: text.encode("utf-32"),
    "UTF-32 big": lambda text: text.encode("utf-32-be"),
    "pretty with CRLF": lambda text: json.dumps(json.loads(text), indent=4).replace("\n", "\r\n").encode() + b"\r\n",
    "gzip": lambda text: gzip.compress(text.encode()),
    "escaped": lambda text: json.dumps(json.loads(text), ensure_ascii=True).encode(),
}


@pytest.mark.parametrize("form", JSON_FORMS)
@pytest.mark.parametrize("path", RECORDS[::7], ids=lambda path: path.stem)
def test_fault15_an_honest_record_is_proved_in_every_form_of_its_json(path: Path, form: str, tmp_path: Path) -> None:
    fields = JSON_FORMS[form](json.loads(path.read_text()))
    file = tmp_path / "record.json"
    file.write_text(json.dumps(fields))
    assert main(["verify", str(file), *KEY_ARGUMENTS]) == 0


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_fault15_an_honest_record_is_proved_in_every_encoding(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = ENCODINGS[encoding](RECORD.read_text())
    file = tmp_path / "record.json"
    file.write_bytes(data)
    assert main(["verify", str(file), *KEY_ARGUMENTS]) == 0
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["verify", "-", *KEY_ARGUMENTS]) == 0


def test_fault15_arguments_may_have_outer_blanks_and_upper_case(tmp_path: Path) -> None:
    fields = json.loads(RECORD.read_text())
    commitment = f"  {fields['commitment'].upper()}\n"
    assert main(["verify", str(RECORD), "--commitment", commitment, "--public-key", f" {PUBLIC_KEY.upper()} "]) == 0
    keys = tmp_path / "keys.json"
    keys.write_text(
        json.dumps({"keys": [{"keyId": "test", "algorithm": "Ed25519", "publicKey": PUBLIC_KEY}]}), "utf-16"
    )
    assert main(["verify", str(RECORD), "--keys", str(keys)]) == 0
    keys.write_text('{"keys": [{"keyId": "test"}]}')
    assert main(["verify", str(RECORD), "--keys", str(keys)]) == 2


CONTROL_SEQUENCES = "\x1b[2J\x1b]0;PROVED\x07\x9b1A\u202eDEVORP\u2066"


@pytest.mark.parametrize(
    "field", ["matchId", "game", "rulesVersion", "commitment", "keyId", "publicKey", "clientSeeds"]
)
def test_fault15_no_control_sequence_of_a_record_is_printed(
    field: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fields = json.loads(RECORD.read_text())
    fields[field] = [CONTROL_SEQUENCES] if field == "clientSeeds" else CONTROL_SEQUENCES
    fields["events"][5]["notation"] += CONTROL_SEQUENCES
    for change in ({}, {"events": json.loads(RECORD.read_text())["events"]}, {"signature": ""}):
        file = tmp_path / "record.json"
        file.write_text(json.dumps({**fields, **change}))
        assert main(["verify", str(file), *(["--match-id", "another"] if field == "matchId" else [])]) == 1
        printed = "".join(capsys.readouterr())
        assert printed.isascii()
        assert all(letter.isprintable() or letter == "\n" for letter in printed)


def test_fault15_a_reason_names_what_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fields = json.loads(RECORD.read_text())
    at = next(number for number, event in enumerate(fields["events"]) if "qi" in event["move"])
    qi = fields["events"][at]["move"]["qi"]
    qi["card"], true = ("ATTACK_CARD_RED" if qi["card"] != "ATTACK_CARD_RED" else "ATTACK_CARD_BLUE"), qi["card"]
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(fields))
    assert main(["verify", str(file)]) == 1
    output = capsys.readouterr().out
    assert f"revision {at + 1}: move.qi.card is {qi['card']!r}, but the seeds give {true!r}" in output


@pytest.mark.parametrize(
    ("place", "data"),
    [
        ("events[3].move.qi.card", '{"events":[{},{},{},{"move":{"qi":{"card":"CARD_PURPLE"}}}]}'),
        ("noSuchField", '{"noSuchField":1}'),
        ("secretSeed", '{"secretSeed":"\\ud800"}'),
        ("twice", '{"game":"a","game":"b"}'),
        ("clientSeeds", '{"clientSeeds":{"a":1}}'),
    ],
)
def test_fault15_a_reason_quotes_nothing_of_a_library(
    place: str, data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "strange.json"
    file.write_text('{"rulesVersion":"fire_bulls@1",' + data[1:])
    assert main(["verify", str(file)]) == 1
    output = capsys.readouterr().out
    assert place in output
    assert all(word not in output for word in ("Failed to parse", "codec", "Message type", "surrogates", "descriptor"))


def test_a_changed_draw_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(RECORDS[0].read_text())
    record["secretSeed"] = "00" * 32
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(record))
    assert main(["verify", str(changed)]) == 1
    printed = capsys.readouterr()
    assert "commitment" in printed.out + printed.err


def test_a_different_commitment_is_reported() -> None:
    assert main(["verify", str(RECORDS[0]), "--commitment", "00" * 32]) == 1


def test_a_file_that_is_no_record_is_reported(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    assert main(["verify", str(broken)]) in (1, 2)
    assert main(["verify", str(tmp_path / "missing.json")]) == 2


@pytest.mark.parametrize(
    "keys",
    [b"[" * 200_000, b'{"keys":[]}', b"{}", b'{"keys":[{"publicKey":5}]}'],
    ids=["deep", "none", "not there", "5"],
)
def test_fault15_a_file_without_keys_cannot_be_read(
    keys: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "keys.json"
    file.write_bytes(keys)
    assert main(["verify", str(RECORD), "--keys", str(file)]) == 2
    assert capsys.readouterr().err == "fireside: --keys: the file is not what GET /v1/keys answers\n"


@pytest.mark.parametrize("option", ["--commitment", "--match-id", "--head", "--seat", "--public-key", "--keys"])
def test_fault15_an_empty_argument_is_not_ignored(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(RECORD), *KEY_ARGUMENTS, option, ""]) == 2
    assert option in capsys.readouterr().err


def test_fault17_a_long_seat_number_is_refused_with_a_short_message(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(RECORD), "--seat", "9" * 5000, "--head", "00" * 32]) == 2
    assert capsys.readouterr().err == "fireside: --seat: the number of a seat, or `spectator`\n"


def test_fault15_damage_within_a_compressed_file_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = bytearray(gzip.compress(RECORD.read_bytes()))
    packed[20:40] = bytes(20)
    file = tmp_path / "damaged.gz"
    file.write_bytes(packed)
    assert main(["verify", str(file)]) == 1
    assert "what was compressed is damaged" in capsys.readouterr().out


def test_fault15_an_endless_source_is_read_up_to_a_limit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "/dev/zero"]) == 1
    assert "no match record has more than" in capsys.readouterr().out


@pytest.mark.parametrize("path", [path for path in RECORDS if "spring" in path.stem], ids=lambda path: path.stem)
def test_fault15_revealed_moves_are_not_counted_as_hidden(path: Path) -> None:
    proved = verify(*read(path.read_bytes()))
    assert proved.sealed == proved.reveals > 0
    assert proved.unrevealed == []
