"""Replays in Chromium: of stored matches and of files, and their verification in words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from engine_core.games import GAMES
from fireside_client import FiresideClient
from fireside_client.types.any_game import AnyGame, Options
from tests.cli.commands.test_forged_records import LARGEST_RECORDS
from tests.clients.python.test_matches import Service
from tests.conformance.records.corpus import PUBLIC_KEY
from tests.page.conftest import PHONE, NewPage, accessibility_violations
from tests.page.matches.player import Player
from tests.page.views import finished_match, overflow

SHORT: Options = {"rounds": 5}
RECORD_OF = {file.name.partition("@")[0]: file for file in LARGEST_RECORDS}


@pytest.fixture(scope="module")
def match_id(service: Service) -> str:
    return finished_match(service.url, "fireship", SHORT)


def open_file(page: Page, file: Path) -> None:
    page.goto("/replay")
    page.get_by_label("File of a record").set_input_files(file)


def position(page: Page) -> tuple[int, int]:
    """The revision that is shown, and the last."""
    found = re.match(r"(\d+) / (\d+)", page.locator(".sentence").inner_text())
    assert found
    return int(found[1]), int(found[2])


def picture(page: Page) -> str:
    return page.locator(".picture svg").inner_html()


def test_slider_keys_buttons_and_log_choose_the_position(match_id: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"/replay/fireship/{match_id}")
    expect(page.locator(".picture svg")).to_be_visible()
    at_end = picture(page)
    _, last = position(page)
    page.keyboard.press("Home")
    assert position(page) == (0, last)
    expect(page.locator(".sentence")).to_contain_text("Before the first draw")
    page.wait_for_function("end => document.querySelector('.picture svg').innerHTML !== end", arg=at_end)
    at_start = picture(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert position(page) == (1, last)
    page.keyboard.press("End")
    assert position(page) == (last, last)
    page.wait_for_function("end => document.querySelector('.picture svg').innerHTML === end", arg=at_end)
    page.get_by_label("Position in the match").fill("0")
    page.wait_for_function("start => document.querySelector('.picture svg').innerHTML === start", arg=at_start)
    page.get_by_role("button", name="One move forward").click()
    assert position(page) == (1, last)
    page.get_by_role("button", name="To the end").click()
    page.get_by_label("Log").get_by_role("button").nth(4).click()
    assert position(page) == (5, last)
    expect(page.locator("[aria-current=step]")).to_have_count(1)


def test_it_plays_by_itself_until_it_is_paused(match_id: str, new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"/replay/fireship/{match_id}")
    expect(page.locator(".picture svg")).to_be_visible()
    page.keyboard.press("Space")  # from the start, since the end was shown
    expect(page.locator(".sentence")).to_contain_text(re.compile(r"^[23] / "))
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    shown = position(page)
    page.wait_for_timeout(1200)
    assert position(page) == shown


def test_a_finished_match_shows_any_seats_view_standings_and_its_record(
    match_id: str, new_page: NewPage, service: Service, tmp_path: Path
) -> None:
    page = new_page()
    page.goto(f"/replay/fireship/{match_id}")
    expect(page.locator(".picture svg")).to_be_visible()
    page.get_by_label("Position in the match").fill("20")
    public = picture(page)
    page.get_by_label("As seen by").select_option("1")
    page.wait_for_function("seen => document.querySelector('.picture svg').innerHTML !== seen", arg=public)
    expect(page.get_by_role("table", name="Final standings").get_by_role("columnheader")).to_have_count(1 + 2)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    download.value.save_as(tmp_path / "record.json")
    with FiresideClient(service.url) as client:
        record = client.game(AnyGame("fireship")).match(match_id).record()
    assert json.loads((tmp_path / "record.json").read_text()) == record
    assert download.value.suggested_filename == f"{match_id}.json"
    assert accessibility_violations(page) == []


def first_choice(service: Service, match_id: str) -> int:
    """The revision at which a seat of a finished match has several moves for the first time."""
    with FiresideClient(service.url) as client:
        match = client.game(AnyGame("fireship")).match(match_id)
        for revision in range(match.get()["revision"]):
            movers = match.get(revision)["toMove"]
            if movers and len(match.hint(revision, movers[0], bot="greedy:samples=1")["moves"]) > 1:
                return revision
    raise AssertionError("nobody chose")


@pytest.mark.parametrize("is_file", [False, True])
def test_a_position_is_analysed_in_the_language_of_the_person(
    is_file: bool, match_id: str, new_page: NewPage, service: Service, tmp_path: Path
) -> None:
    revision, page = first_choice(service, match_id), new_page(locale="fr", **PHONE)
    if is_file:
        with FiresideClient(service.url) as client:
            record = client.game(AnyGame("fireship")).match(match_id).record()
        (tmp_path / "record.json").write_text(json.dumps(record))
        page.goto("/replay")
        page.locator("input[type=file]").set_input_files(tmp_path / "record.json")
    else:
        page.goto(f"/replay/fireship/{match_id}")
    page.get_by_label("Position dans la partie").fill(f"{revision}")
    page.get_by_role("button", name="Analyser cette position").click()
    values = page.locator(".values").first
    expect(values.get_by_role("listitem").first.get_by_role("meter")).to_be_visible()
    expect(values.locator(".best")).to_have_count(1)
    expect(values.locator(".best")).to_contain_text("%")
    best = values.locator(".best span").first.inner_text()
    expect(page.locator(".hints").get_by_role("status")).to_contain_text(best)
    assert accessibility_violations(page) == []
    page.get_by_role("button", name="Continuer à jouer").click()
    Player(page).play("clicks", 2)
    expect(page.locator(".log li")).not_to_have_count(0)
    page.locator(".moves ol button").first.wait_for()
    numbers: list[int] = page.locator(".log li").evaluate_all("items => items.map(({value}) => value)")
    assert numbers == [*range(1, len(numbers) + 1)]
    assert accessibility_violations(page) == []
    assert overflow(page) == 0
    page.get_by_role("button", name="Retour à la partie").click()
    expect(page.locator(".sentence")).to_contain_text(f"{revision} / ")
    page.keyboard.press("Home")
    expect(values).to_have_count(0)
    page.get_by_role("button", name="Analyser cette position").click()
    expect(page.locator(".hints").get_by_role("status")).to_contain_text("de choix à faire ici.")


def test_a_variation_is_played_against_bots_to_its_end(match_id: str, new_page: NewPage, service: Service) -> None:
    with FiresideClient(service.url) as client:
        match = client.game(AnyGame("fireship")).match(match_id)
        end = match.get()["revision"]
        revision = next(revision for revision in range(end - 12, end) if match.get(revision)["toMove"])
    page = new_page()
    page.goto(f"/replay/fireship/{match_id}")
    page.get_by_role("button", name="Play on from here").click()
    expect(page.get_by_text("Nobody has to choose here.")).to_be_visible()
    page.get_by_label("Position in the match").fill(f"{revision}")
    page.get_by_role("button", name="Play on from here").click()
    assert Player(page).play("clicks")
    expect(page.get_by_role("table", name="Final standings")).to_be_visible()
    assert accessibility_violations(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_record_is_replayed_and_verified_from_a_file(game: str, new_page: NewPage) -> None:
    page = new_page()
    file = RECORD_OF[game]
    open_file(page, file)
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Replay: {GAMES[game].words('en').title}")
    expect(page.locator(".picture svg")).to_be_visible()
    page.get_by_text("What I know myself").click()
    page.get_by_label("Public key of the service").first.fill(PUBLIC_KEY)
    page.get_by_role("button", name="Verify now").click()
    expect(page.locator(".verdict")).to_have_text(re.compile("^Proved"))
    command = page.get_by_label("Command", exact=True).input_value()
    assert command.endswith(f"--public-key {PUBLIC_KEY}")


@pytest.mark.parametrize("game", GAMES)
def test_a_file_is_replayed_in_sentences_as_a_seat_saw_it(game: str, new_page: NewPage) -> None:
    page = new_page(locale="it-IT")
    page.goto("/replay")
    with page.expect_response(re.compile(":replay$")) as response:
        page.get_by_label("File di una registrazione").set_input_files(RECORD_OF[game])
    events = response.value.json()["events"]
    log = page.get_by_label("Registro")
    expect(log.locator("li")).to_have_count(len(events))
    shown = log.locator("li").all_inner_texts()
    is_revealed = [any(each.get("seat") == event.get("seat") for each in event.get("reveals", [])) for event in events]
    for event, line, revealed in zip(events, shown, is_revealed, strict=True):
        assert revealed or event["text"] in line  # what is revealed at once is shown instead of its sealed entry
    with page.expect_response(re.compile(":replay$")):
        page.get_by_label("Visto da").select_option("0")
    if any("?" in event["notation"] and not revealed for event, revealed in zip(events, is_revealed, strict=True)):
        page.wait_for_function(
            "shown => [...document.querySelectorAll('.log li')].some((line, at) => line.innerText !== shown[at])",
            arg=shown,
        )
        page.get_by_label("Visto da").select_option("")
        page.wait_for_function(
            "shown => [...document.querySelectorAll('.log li')].every((line, at) => line.innerText === shown[at])",
            arg=shown,
        )


def test_a_match_that_this_browser_followed_is_proved_by_what_it_noted(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.get_by_role("region", name="Fire Bulls").get_by_role("button", name="Play now").click()
    expect(page.locator(".picture svg")).to_be_visible()
    page.get_by_role("button", name="Leave the match").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave the match").click()
    page.get_by_role("link", name="Look back at the match").click()
    page.get_by_role("button", name="Verify now").click()
    expect(page.locator(".verdict")).to_have_text(re.compile("^Proved"))
    for check in ("is the one that was noted", "is one that you know", "that this browser was sent"):
        expect(page.locator(".checks .passed").filter(has_text=check)).to_have_count(1)


def test_notes_of_old_matches_are_forgotten(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/replay")
    script = """async () => {
      const { note, notes } = await import("/page/verification/notes.js");
      for (let at = 0; at < 250; at++) {
        localStorage.setItem(`fireside.notes.m${at}.spectator`, JSON.stringify({ begun: at }));
      }
      note("new", undefined, { head: "ab" });
      const left = Object.keys(localStorage).filter((key) => key.startsWith("fireside.notes."));
      return [left.length, notes("new").head, notes("m249").begun, notes("m50").begun ?? null];
    }"""
    assert page.evaluate(script) == [200, "ab", 249, None]


def test_a_forged_record_is_refuted_in_words(new_page: NewPage, tmp_path: Path) -> None:
    page = new_page()
    record = json.loads(RECORD_OF["fire_bulls"].read_text())
    record["seats"][0]["name"] = "somebody else"
    (tmp_path / "forged.json").write_text(json.dumps(record))
    open_file(page, tmp_path / "forged.json")
    page.get_by_role("button", name="Verify now").click()
    expect(page.locator(".verdict")).to_have_text(re.compile("^Refuted"))
    expect(page.locator(".checks .failed")).to_contain_text("the signature is not one of this record")


def deep_record() -> str:
    """A record in which the message of a move is 10,000 levels deep."""
    record = json.loads(RECORD_OF["fire_bulls"].read_text())
    record["events"][0]["move"] = "DEEP"
    return json.dumps(record).replace('"DEEP"', '{"a":' * 10_000 + "1" + "}" * 10_000)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("Dear Ada", "it is not the record of a match"),
        ("null", "it is not the record of a match"),
        ("[" * 10_000 + "]" * 10_000, "it is not the record of a match"),
        (json.dumps({"events": "x" * 50_000_000}), "it is larger than any record"),
        (
            json.dumps({"game": "fireship", "seats": [], "events": ["x" * 2_000_000]}),
            "That is more than the service accepts.",
        ),
        (deep_record(), ""),
    ],
    ids=["text", "null", "deep list", "50 MB", "2 MB", "deep record"],
)
def test_a_file_that_is_no_record_is_refused_in_words(
    content: str, problem: str, new_page: NewPage, faults: list[str], tmp_path: Path
) -> None:
    page = new_page()
    (tmp_path / "letter.json").write_text(content)
    open_file(page, tmp_path / "letter.json")
    expect(page.get_by_role("alert")).to_contain_text("This file cannot be replayed: ")
    expect(page.get_by_role("alert")).to_contain_text(problem)
    expect(page.get_by_label("File of a record")).to_be_visible()
    assert all("Failed to load resource" in fault for fault in faults)
    faults.clear()


def test_a_record_that_breaks_the_rules_is_refused_in_words(
    new_page: NewPage, tmp_path: Path, faults: list[str]
) -> None:
    page = new_page()
    record = json.loads(RECORD_OF["fire_bulls"].read_text())
    del record["events"][5]
    (tmp_path / "broken.json").write_text(json.dumps(record))
    open_file(page, tmp_path / "broken.json")
    expect(page.get_by_role("alert")).to_have_text(
        re.compile(r"^This file cannot be replayed: The service does not accept this value: entry \d+ of the log\.$")
    )
    assert all("400 (Bad Request)" in fault for fault in faults)
    faults.clear()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_replay_is_accessible_and_fits_a_phone(scheme: str, match_id: str, new_page: NewPage) -> None:
    page = new_page(**PHONE, color_scheme=scheme, locale="fr")
    page.goto(f"/replay/fireship/{match_id}")
    expect(page.locator(".picture svg")).to_be_visible()
    line, log = page.locator("[aria-current=step]").bounding_box(), page.get_by_label("Journal").bounding_box()
    assert line is not None
    assert log is not None
    assert log["y"] <= line["y"] <= log["y"] + log["height"], "the log is scrolled to what is shown"
    page.get_by_role("button", name="Vérifier maintenant").click()
    expect(page.locator(".verdict")).to_be_visible()
    page.get_by_text("Partager").click()
    assert accessibility_violations(page) == []
    assert overflow(page) == 0


def test_a_verification_that_fails_says_so(match_id: str, new_page: NewPage, faults: list[str]) -> None:
    page = new_page()
    page.goto(f"/replay/fireship/{match_id}")
    page.route("**/record-fields.json", lambda route: route.abort())
    page.get_by_role("button", name="Verify", exact=False).click()
    expect(page.locator(".verification").get_by_role("alert")).to_be_visible()
    faults.remove("Failed to load resource: net::ERR_FAILED")
