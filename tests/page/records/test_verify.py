"""Verification of records in the browser: genuine records are proved by what was noted, forged ones never."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from playwright.sync_api import Page

from engine_core.chance import Luck
from engine_core.game import SPECTATOR
from engine_core.games import GAMES
from engine_core.match import AnyMatch, Entry, Match
from services.engine.codecs import CODECS
from services.engine.records.heads import FULL_LOG, head_index
from services.engine.records.verification import verify
from tests.cli.commands import forging
from tests.cli.commands.forging import Forger
from tests.cli.commands.test_forged_records import FORGERIES, LARGEST_RECORDS, OTHER_RECORDS, open_forger
from tests.cli.commands.test_table_records import CHANGES, signed_by_forger
from tests.conformance.records.corpus import PUBLIC_KEY, RECORDS
from tests.page.conftest import NewPage
from tests.services.engine.tables.table_matches import play_match_and_rematch

RECORD_FILES = sorted(file for file in RECORDS.glob("*.json") if file.stem.partition("@")[0] in GAMES)
Fields = dict[str, Any]
VERIFY = """async (cases) => {
  const { verify } = await import("/page/verification/verify.js");
  const fields = await (await fetch("/page/verification/record-fields.json")).json();
  return Promise.all(cases.map(([text, trusted]) => verify(text, fields, trusted)));
}"""


@pytest.fixture
def page(new_page: NewPage) -> Page:
    page = new_page()
    page.goto("/replay")
    return page


def verify_in_browser(page: Page, cases: Iterable[tuple[str, Fields]]) -> list[Fields]:
    """The verification of each record (JSON text) with what is trusted."""
    return cast(list[Fields], page.evaluate(VERIFY, [list(case) for case in cases]))


def outcomes(verification: Fields) -> dict[str, str]:
    return {check["name"]: check["outcome"] for check in verification["checks"]}


def seen_log(forger: Forger, observer: int) -> list[Fields]:
    """The log of a genuine record as an observer saw it, in JSON as the service sends it."""
    record, codec = forger.genuine, forger.codec
    luck = Luck(bytes.fromhex(record.secret_seed), list(record.client_seeds))
    match: AnyMatch = Match(codec.game, codec.game.start(len(record.seats), codec.decode_options(record.options)), luck)
    entries: list[Entry] = match.begin()
    while len(entries) < len(record.events):
        event = record.events[len(entries)]
        if event.HasField("move"):
            entries += match.play(event.seat, codec.decode_move(event.move))
        else:
            entries += match.leave(event.seat)
    return [as_sent(codec.encode_event(entry, observer)) for entry in entries]


def as_sent(event: Message) -> Fields:
    sent = MessageToDict(event, always_print_fields_with_no_presence=True)
    return {**sent, "head": "not hashed", "text": "not hashed"}


def head_of(forger: Forger, observer: int, revision: int = -1) -> str:
    return verify(forger.codec, forger.genuine).heads[revision][head_index(observer)].hex()


def test_every_stored_record_is_proved_by_the_key(page: Page) -> None:
    cases = [(file.read_text(), {"publicKeys": [PUBLIC_KEY]}) for file in RECORD_FILES]
    assert {each["verdict"] for each in verify_in_browser(page, cases)} == {"proved"}


@pytest.mark.parametrize("file", LARGEST_RECORDS[::3], ids=lambda file: file.stem)
def test_a_genuine_record_is_proved_by_the_key_or_by_the_log_that_was_seen(file: Path, page: Page) -> None:
    text, forger = file.read_text(), open_forger(file)
    commitment = forger.genuine.commitment
    trusted: list[Fields] = [
        {},
        {"commitment": commitment.upper()},
        {"publicKeys": ["00" * 32, PUBLIC_KEY]},
        *({"seen": {"events": seen_log(forger, each), "head": head_of(forger, each)}} for each in (SPECTATOR, 0, 1)),
    ]
    found = verify_in_browser(page, [(text, each) for each in trusted])
    assert [each["verdict"] for each in found] == ["consistent"] * 2 + ["proved"] * 4, found
    assert outcomes(found[0]) == {
        "seed": "passed",
        "commitment": "unknown",
        "log": "passed",
        "signature": "passed",
        "key": "unknown",
        "seen": "unknown",
    }
    assert outcomes(found[1])["commitment"] == "passed"
    head = verify(forger.codec, forger.genuine).heads[-1][FULL_LOG].hex()
    assert {each["head"] for each in found} == {head}


@pytest.mark.parametrize("file", LARGEST_RECORDS[::3], ids=lambda file: file.stem)
def test_a_forged_record_is_never_proved(file: Path, page: Page) -> None:
    forger = open_forger(file)
    commitment = {"commitment": forger.genuine.commitment}
    seen = {"seen": {"events": seen_log(forger, 0), "head": head_of(forger, 0)}}
    names, cases = [], []
    for name, forge in FORGERIES.items():
        for signing in (forging.keep_signature, forging.sign_with_other_key, forging.remove_signature):
            if name == "another key id" and signing is forging.remove_signature:
                continue  # nothing of the forgery is left
            text = forging.record_json(signing(forge(forger)))
            for kind, trusted in (("alone", {}), ("key", {"publicKeys": [PUBLIC_KEY]}), ("seen", seen)):
                names.append((name, signing.__name__, kind))
                cases.append((text, {**commitment, **trusted}))
    found = dict(zip(names, verify_in_browser(page, cases), strict=True))
    assert len(found) == (3 * len(FORGERIES) - 1) * 3
    for (name, signing_name, kind), verification in found.items():
        verdict = verification["verdict"]
        if signing_name == "keep_signature":
            assert verdict == "refuted"
        elif kind == "key":
            assert verdict == ("refuted" if signing_name == "sign_with_other_key" else "consistent")
        elif kind == "seen" and name != "another key id":  # which no seat was sent
            assert verdict == "refuted", (name, signing_name)
        elif kind == "alone":
            assert verdict == "consistent"


@pytest.mark.parametrize("file", LARGEST_RECORDS[::3], ids=lambda file: file.stem)
def test_an_early_head_proves_nothing_of_the_rest(file: Path, page: Page) -> None:
    forger = open_forger(file)
    half = len(forger.genuine.events) // 2
    seen = {"events": seen_log(forger, 0), "head": head_of(forger, 0, half)}
    other = {"events": seen_log(forger, 0), "head": "00" * 32}
    early, wrong = verify_in_browser(page, [(file.read_text(), {"seen": each}) for each in (seen, other)])
    [check] = [each for each in early["checks"] if each["name"] == "seen"]
    assert (early["verdict"], check["outcome"], check["facts"]["revision"]) == ("consistent", "unknown", str(half))
    assert (wrong["verdict"], outcomes(wrong)["seen"]) == ("refuted", "failed")


@pytest.mark.parametrize("file", LARGEST_RECORDS[::3], ids=lambda file: file.stem)
def test_every_change_of_a_signed_record_is_refuted(file: Path, page: Page) -> None:
    genuine = json.loads(file.read_text())
    events = genuine["events"]
    changed = [{**genuine, name: other_value(value)} for name, value in genuine.items() if name not in UNHASHED]
    changed += [{**genuine, "events": each} for each in (events[:-1], events[1:], [*events, events[-1]], events[::-1])]
    concealed = copy.deepcopy(genuine)
    concealed["events"][5]["text"] = "a sentence that nobody signed"
    other = json.loads(OTHER_RECORDS[file].read_text())
    changed += [concealed, {**genuine, "signature": other["signature"]}]
    trusted = {"publicKeys": [PUBLIC_KEY]}
    found = verify_in_browser(page, [(json.dumps(each), trusted) for each in changed])
    for fields, verification in zip(changed, found, strict=True):
        assert verification["verdict"] == "refuted", [name for name in fields if fields[name] != genuine.get(name)]


UNHASHED = ("events",)


def other_value(value: Any) -> Any:
    if isinstance(value, str):
        return ("1" if value[:1] == "0" else "0") + value[1:]
    return value[:-1] if isinstance(value, list) else {}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "JSON"),
        ("[]", "JSON"),
        ("[" * 99999, "JSON"),
        ('{"game": "chess"}', "game"),
        ('{"game": "fireship", "game": "fireship"}', "JSON"),
        ('{"game": "fireship", "noSuchField": 1}', "noSuchField"),
        ('{"game": "fireship", "events": [{"revision": 1.5}]}', "events[0].revision"),
        ('{"game": "fireship", "seats": {}}', "seats"),
        ('{"game": "fireship", "options": {"colours": ["COLOUR_NONE"]}}', "options.colours[0]"),
    ],
)
def test_what_is_no_record_is_refused_with_the_place_of_the_fault(text: str, place: str, page: Page) -> None:
    [found] = verify_in_browser(page, [(text, {})])
    assert found["verdict"] == "refuted"
    assert [(each["name"], each["facts"]["place"]) for each in found["checks"]] == [("record", place)]


def test_the_record_of_a_table_is_proved_and_no_changed_one(page: Page) -> None:
    with ThreadPoolExecutor(1) as thread:  # this one has the event loop of Playwright
        match, rematch = thread.submit(asyncio.run, play_match_and_rematch(next(iter(CODECS.values())))).result()
    by_key: list[Fields] = [{"publicKeys": [each.fields["publicKey"]]} for each in (match, rematch)]
    seen: list[Fields] = [
        {"seen": {"events": log, "head": match.heads[observer]}} for observer, log in match.logs.items()
    ]
    cases = [*zip((match.record, rematch.record), by_key, strict=True), *[(match.record, each) for each in seen]]
    assert [each["verdict"] for each in verify_in_browser(page, cases)] == ["proved"] * len(cases)
    names, cases = [], []
    for name, change in CHANGES.items():
        changed = match.fields
        change(changed)
        forged = signed_by_forger(changed)
        names += [name] * (1 + len(seen))
        cases += [(json.dumps(changed), by_key[0]), *[(forged, each) for each in seen]]
    for name, verification in zip(names, verify_in_browser(page, cases), strict=True):
        assert verification["verdict"] == "refuted", name


def test_what_a_browser_cannot_check_is_not_proved(page: Page) -> None:
    cases = [(LARGEST_RECORDS[0].read_text(), {"publicKeys": [PUBLIC_KEY]})]
    page.evaluate(
        "() => (SubtleCrypto.prototype.importKey = () => Promise.reject(new DOMException('', 'NotSupportedError')))"
    )
    [without_ed25519] = verify_in_browser(page, cases)
    assert (without_ed25519["verdict"], outcomes(without_ed25519)["signature"]) == ("consistent", "unknown")
    page.evaluate("() => Object.defineProperty(crypto, 'subtle', {value: undefined})")
    [without_crypto] = verify_in_browser(page, cases)
    assert (without_crypto["verdict"], outcomes(without_crypto)) == ("consistent", {"crypto": "unknown"})


def test_forms_of_a_record_that_mean_the_same(page: Page) -> None:
    file = LARGEST_RECORDS[0]
    forger = open_forger(file)
    genuine = cast(Message, forger.genuine)
    texts = [
        json.dumps({"record": json.loads(file.read_text())}),
        json.dumps(MessageToDict(genuine, preserving_proto_field_name=True)),
        json.dumps(MessageToDict(genuine, always_print_fields_with_no_presence=True)),
        json.dumps({**json.loads(file.read_text()), "commitment": forger.genuine.commitment.upper()}),
    ]
    found = verify_in_browser(page, [(text, {"publicKeys": [PUBLIC_KEY]}) for text in texts])
    assert [each["verdict"] for each in found] == ["proved"] * 4, found
