"""Matches in Chromium: played to their ends without knowing any game, watched, cut off, and checked by axe."""

from __future__ import annotations

import os
import re
from itertools import pairwise
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from engine_core.games import GAMES
from fireside_client import FiresideClient
from fireside_client.types.any_game import AnyGame, Clock, SeatSpec
from tests.clients.python.test_matches import Service
from tests.page.conftest import PHONE, NewPage, accessibility_violations
from tests.page.matches.player import Player

SEEDS: Final = range(int(os.environ.get("FIRESIDE_PAGE_MATCHES", "1")))
"""Seeds of the players of whole matches."""


class Table:
    """A new match, begun by a program, and the addresses of its views."""

    def __init__(
        self,
        service: Service,
        game: str,
        seats: list[SeatSpec],
        clock: Clock | None = None,
        *,
        private: bool = False,
        hints: bool = False,
        delay: int = 0,
        open_after: bool = False,
    ) -> None:
        with FiresideClient(service.url) as client:
            rules = client.game(AnyGame(game))
            presets = {preset["name"]: preset["options"] for preset in rules.components()["presets"]}
            match = rules.new_match(
                seats,
                presets.get("short"),
                clock=clock,
                private=private,
                hints=hints,
                spectator_delay=delay,
                open_after=open_after,
            )
        self.path = f"/match/{game}/{match['matchId']}"
        self.match_id = match["matchId"]
        self.tokens = [seat["token"] for seat in match["seats"]]
        self.invitations = [f"{self.path}#token={token}" for token in self.tokens]


AGAINST_A_BOT: Final[list[SeatSpec]] = [{"name": "Ada"}, {"name": "Bob", "bot": "random"}]
TWO_PERSONS: Final[list[SeatSpec]] = [{"name": "Ada"}, {"name": "Eve"}]


def open_path(page: Page, path: str) -> Page:
    page.goto(path)
    page.locator(".match .table svg").wait_for()  # of the view: the first picture comes before it
    return page


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_by_clicks_alone_on_a_phone_in_french(
    game: str, seed: int, service: Service, new_page: NewPage
) -> None:
    page = open_path(new_page(locale="fr-FR", **PHONE), Table(service, game, AGAINST_A_BOT).invitations[0])
    player = Player(page, seed)
    assert player.play("clicks")
    expect(page.locator(".status")).to_have_text("La partie est terminée")
    assert page.locator(".outcome table").first.locator("thead th").count() == 1 + 2
    assert player.choices_in_words <= player.clicks / 4
    print(f"\n{game}: {player.clicks} clicks, {player.choices_in_words} of them on sentences")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_by_keys_alone(game: str, seed: int, service: Service, new_page: NewPage) -> None:
    page = open_path(new_page(), Table(service, game, AGAINST_A_BOT).invitations[0])
    assert Player(page, seed).play("keys")
    expect(page.locator(".status")).to_have_text("The match is over")


def test_a_hint_is_given_where_the_match_allows_it_and_is_in_the_log_of_all(
    service: Service, new_page: NewPage
) -> None:
    table = Table(service, "spring_festival", TWO_PERSONS, hints=True)
    ada, eve = [open_path(new_page(), invitation) for invitation in table.invitations]
    mover, other = (ada, eve) if ada.locator(".moves").is_visible() else (eve, ada)
    mover.get_by_role("button", name="Ask for a hint").click()
    expect(mover.locator(".values .best")).to_have_count(1)
    expect(other.locator(".log")).to_contain_text("Ask for a hint")
    assert accessibility_violations(mover) == []
    mover.locator(".moves ol button").first.click()
    expect(mover.locator(".values")).to_have_count(0)
    plain = open_path(new_page(), Table(service, "spring_festival", AGAINST_A_BOT).invitations[0])
    expect(plain.locator(".hints")).to_be_hidden()


def test_a_spectator_is_told_of_the_delay_until_the_end(service: Service, new_page: NewPage) -> None:
    table = Table(service, "spring_festival", TWO_PERSONS, delay=1000)
    ada, eve, watching = [open_path(new_page(), path) for path in [*table.invitations, table.path]]
    told = watching.get_by_text("You see this match late. Delay in moves and draws: 1000.")
    expect(told).to_be_visible()
    expect(watching.locator(".status")).to_have_text("Chance decides")
    expect(ada.get_by_text("You see this match late.")).to_be_hidden()
    mover = ada if ada.locator(".moves").is_visible() else eve
    before = mover.locator(".log li").count()
    mover.locator(".moves ol button").first.click()
    expect(mover.locator(".log li")).not_to_have_count(before)
    expect(watching.locator(".log li")).to_have_count(0)
    assert accessibility_violations(watching) == []
    with FiresideClient(service.url) as client:
        match = client.game(AnyGame("spring_festival")).match(table.match_id)
        assert match.get()["revision"] == 0
        client.game(AnyGame("spring_festival")).match(table.match_id, table.tokens[0]).leave()
    expect(watching.locator(".status")).to_have_text("The match is over")
    expect(told).to_be_hidden()


def test_the_token_leaves_the_address_and_is_stored(service: Service, new_page: NewPage) -> None:
    table = Table(service, "spring_festival", AGAINST_A_BOT)
    page = open_path(new_page(), table.invitations[0])
    assert page.url == service.url + table.path
    expect(page.locator(".status")).to_have_text("Your turn")
    assert page.title() == "● Your turn · Spring Festival"
    page.reload()
    expect(page.locator(".status")).to_have_text("Your turn")


def test_a_second_browser_watches_and_a_person_leaves(service: Service, new_page: NewPage) -> None:
    table = Table(service, "fireship", TWO_PERSONS)
    ada, eve = (open_path(new_page(), invitation) for invitation in table.invitations)
    spectator = open_path(new_page(), table.path)
    mover, other = (ada, eve) if ada.locator(".status.own").count() else (eve, ada)
    expect(mover.locator(".status")).to_have_text("Your turn")
    expect(other.locator(".status")).to_have_text(re.compile("Waiting for (Ada|Eve)"))
    expect(spectator.locator(".moves")).to_be_hidden()
    before = spectator.locator(".log li").count()
    Player(mover).play("clicks", 1)
    expect(spectator.locator(".log li").nth(before)).to_be_visible()
    expect(spectator.locator(".log time").first).to_be_visible()
    expect(spectator.get_by_role("button", name="Leave the match")).to_be_hidden()
    other.get_by_role("button", name="Leave the match").click()
    other.get_by_role("button", name="Stay").click()
    other.get_by_role("button", name="Leave the match").click()
    other.get_by_role("dialog").get_by_role("button", name="Leave the match").click()
    expect(spectator.locator(".outcome table")).to_be_visible()


def test_an_invitation_of_another_seat_replaces_no_seat_of_the_browser(service: Service, new_page: NewPage) -> None:
    table = Table(service, "spring_festival", TWO_PERSONS)
    own = open_path(new_page(), table.invitations[0])
    guest = open_path(own.context.new_page(), table.invitations[1])
    for page, seat in ((own, "Ada"), (guest, "Eve"), (open_path(own.context.new_page(), table.path), "Ada")):
        expect(page.locator(".players li").filter(has_text=re.compile(r"\byou\b"))).to_contain_text(seat)
    own.evaluate("localStorage.setItem('fireside.matches', '{')")
    own.goto("/")
    expect(own.get_by_role("button", name="Play now").first).to_be_visible()


def test_the_network_is_cut_and_comes_back_without_a_gap(
    service: Service, new_page: NewPage, faults: list[str]
) -> None:
    table = Table(service, "spring_festival", TWO_PERSONS)
    ada, eve = (open_path(new_page(), invitation) for invitation in table.invitations)
    eve.context.set_offline(True)
    expect(eve.locator(".offline")).to_be_visible()
    Player(ada).play("clicks", 2)
    eve.context.set_offline(False)
    expect(eve.locator(".offline")).to_be_hidden()
    service.kill().join()
    Player(ada).play("clicks", 2)
    with FiresideClient(service.url) as client:
        revision = client.game(AnyGame("spring_festival")).match(table.match_id, table.tokens[0]).get()["revision"]
    for page in (ada, eve):
        expect(page.locator(".offline")).to_be_hidden()
        expect(page.locator(".log li")).to_have_count(revision)
        numbers = page.locator(".log li").evaluate_all("entries => entries.map(entry => entry.value)")
        assert numbers == [*range(1, revision + 1)]
    assert all("Failed to load resource" in fault or "ERR_" in fault for fault in faults)
    faults.clear()


EXPIRED = """event: problem
data: {"status": 404, "reason": "UNKNOWN_MATCH", "detail": "gone", "metadata": {}, "violations": []}

"""
"""The end of the stream of a match that has expired."""


def test_a_match_that_is_gone_is_not_shown_as_a_lost_connection(
    service: Service, new_page: NewPage, faults: list[str]
) -> None:
    page = open_path(new_page(), Table(service, "spring_festival", TWO_PERSONS).path)
    page.context.set_offline(True)
    expect(page.locator(".offline")).to_be_visible()
    problem = {
        "status": 404,
        "reason": "UNKNOWN_MATCH",
        "detail": "there is no match",
        "violations": [],
        "metadata": {},
    }
    page.route("**/events?*", lambda route: route.fulfill(status=404, json=problem))
    page.context.set_offline(False)
    expect(page.get_by_role("alert")).to_have_text(
        "There is no such match, or it is private. It may also have ended long ago."
    )
    expect(page.locator(".offline")).to_be_hidden()
    assert all("Failed to load resource" in fault or "ERR_" in fault for fault in faults)
    faults.clear()


def set_hidden(page: Page, *, hidden: bool) -> None:
    """Hide or show a tab; all tabs of a headless browser count as shown."""
    page.evaluate(f"Object.defineProperty(document, 'hidden', {{ value: {str(hidden).lower()}, configurable: true }})")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_hidden_tabs_take_no_connection_and_go_on_when_they_are_shown(service: Service, new_page: NewPage) -> None:
    table = Table(service, "spring_festival", TWO_PERSONS)
    ada, first = open_path(new_page(), table.invitations[0]), new_page()
    tabs = [first, *(first.context.new_page() for _ in range(8))]  # over HTTP/1.1 six connections to a host
    for tab in tabs:
        open_path(tab, table.path).locator(".log li").first.wait_for()
        set_hidden(tab, hidden=True)
    before = ada.locator(".log li").count()
    Player(ada).play("clicks", 2)
    expect(ada.locator(".log li").nth(before)).to_be_visible()
    assert first.locator(".log li").count() == before
    set_hidden(first, hidden=False)
    expect(first.locator(".log li")).to_have_count(ada.locator(".log li").count())
    expect(first.locator(".offline")).to_be_hidden()


def test_moves_are_found_by_typing(service: Service, new_page: NewPage) -> None:
    page = open_path(new_page(), Table(service, "fireship", AGAINST_A_BOT).invitations[0])
    page.locator(".moves ol button").first.wait_for()
    while page.locator(".moves ol button").count() <= 6:
        Player(page).play("clicks", 1)
        page.locator(".moves:not([aria-busy=true]) ol button").first.wait_for()
    words = page.locator(".moves ol button").last.inner_text()
    page.keyboard.type(words)
    expect(page.get_by_role("searchbox")).to_have_value(words)
    expect(page.locator(".moves ol button").first).to_have_text(words)
    page.keyboard.press("Escape")
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_a_move_that_names_a_part_twice_takes_two_clicks_on_it(service: Service, new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    left = page.evaluate("""async () => {
      const {clickable, isNamed, remaining} = await import("/page/match/choosing.js");
      const named = [["card", "line"], ["card", "card", "line"], ["pass"]];
      const moves = named.map(parts => ({text: "", notation: "", parts}));
      const state = clicked => [remaining(moves, clicked).length, [...clickable(moves, clicked)].sort(),
                                moves.findIndex(move => isNamed(move, clicked))];
      return [[], ["line"], ["card", "line"], ["line", "card", "card"], ["pass"], ["pass", "card"]].map(state);
    }""")
    assert left == [
        [3, ["card", "line", "pass"], -1],
        [2, ["card"], -1],
        [2, ["card"], 0],
        [1, [], 1],
        [1, [], 2],
        [0, [], -1],
    ]


def test_a_part_waits_for_the_part_in_it_that_is_clicked_first(service: Service, new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    offered = page.evaluate("""async () => {
      const {Board} = await import("/page/match/board.js");
      const {clickable, next} = await import("/page/match/choosing.js");
      const board = new Board(() => undefined);
      document.body.append(board.element);
      const part = (id, inside = "") => `<g id="${id}"><rect width="9" height="9"/>${inside}</g>`;
      board.show(`<svg xmlns="http://www.w3.org/2000/svg">${part("square", part("pawn"))}${part("port")}</svg>`);
      const moves = [["pawn"], ["boat", "square"], ["boat", "port"]].map(parts => ({text: "", notation: "", parts}));
      return [[], ["boat"]].map(clicked => {
        const left = moves.filter(({parts}) => clicked.every(each => parts.includes(each)));
        board.mark(clickable(left, clicked), next(left, clicked), clicked);
        return [...board.element.querySelectorAll("[role=button]")].map(({id}) => id);
      });
    }""")
    assert offered == [["pawn", "port"], ["square", "port"]]


EXPIRED = """event: problem
data: {"status": 404, "reason": "UNKNOWN_MATCH", "detail": "gone", "metadata": {}, "violations": []}

"""
"""The end of the stream of a match that has expired."""


def test_a_match_that_is_gone_is_nobodys_turn(service: Service, new_page: NewPage) -> None:
    page = open_path(new_page(), Table(service, "fire_bulls", TWO_PERSONS).invitations[0])
    other = open_path(new_page(), Table(service, "fire_bulls", TWO_PERSONS).path)
    for tab in (page, other):
        expect(tab.locator(".status")).not_to_be_empty()
        tab.route("**/events?**", lambda route: route.fulfill(body=EXPIRED, content_type="text/event-stream"))
        tab.evaluate("window.dispatchEvent(new Event('online'))")  # the stream begins again
        expect(tab.get_by_role("alert").filter(visible=True)).to_contain_text("There is no such match")
        expect(tab.locator(".status")).to_have_text("The match is gone")
        expect(tab.locator(".status.own, .moves ol button, .toMove")).to_have_count(0)


def test_an_entry_comes_after_what_it_reveals_and_its_own_choice_once(service: Service, new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    said = page.evaluate("""async () => {
      const {saidBy} = await import("/page/match/log.js");
      const [first, seen] = ["Lay S1", "Lay S2"].map(text => ({seat: 1, text, notation: ""}));
      const [entry, other] = [{...seen, text: "Lay S2. Round 1 begins"}, {seat: 2, text: "Lay S3", notation: ""}];
      return [[], [seen], [other], [first, seen, other]].map(
        reveals => saidBy({...entry, reveals}).map(({text}) => text)
      );
    }""")
    told = "Lay S2. Round 1 begins"
    assert said == [[told], [told], ["Lay S3", told], ["Lay S1", "Lay S3", told]]


def test_your_turn_is_said_with_its_moves_and_the_column_does_not_jump(service: Service, new_page: NewPage) -> None:
    page = open_path(new_page(), Table(service, "spring_festival", [{}, {}]).invitations[0])
    page.locator(".moves ol button").first.wait_for()
    page.evaluate("""() => {
      const [status, moves] = [document.querySelector(".status"), document.querySelector(".moves")];
      const rules = document.querySelector(".side details");
      window.early = 0;
      window.tops = [];
      new MutationObserver(() => {
        if (status.classList.contains("own") && moves.hidden && status.textContent === "Your turn") window.early++;
        window.tops.push(rules.getBoundingClientRect().top + scrollY);
      }).observe(document.querySelector(".match"), {subtree: true, childList: true, attributes: true});
    }""")
    Player(page).play("clicks", 6)
    page.locator(".moves:not([aria-busy=true]) ol button").first.wait_for()
    assert page.evaluate("window.early") == 0
    tops = page.evaluate("window.tops")
    assert all(after > before - 1 for before, after in pairwise(tops))  # room for more moves is made once, and stays


def test_an_entry_that_repeats_is_counted_under_the_picture(service: Service, new_page: NewPage) -> None:
    table = Table(service, "spring_festival", [{}, {}])
    page = open_path(new_page(), table.invitations[1])
    page.locator(".moves ol button").first.wait_for()
    Player(open_path(new_page(), table.invitations[0])).play("clicks", 8)
    expect(page.locator(".latest")).to_contain_text("Lay a start tile that is still secret (\N{MULTIPLICATION SIGN} 4)")


def test_a_click_on_a_card_stands_for_the_line_that_it_ends(service: Service, new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.evaluate("""async () => {
      const {Board} = await import("/page/match/board.js");
      window.parts = [];
      const board = new Board(part => window.parts.push(part));
      document.body.prepend(board.element);
      const thing = (name, y) => `<g ${name}><rect width="90" height="30" y="${y}"/></g>`;
      const things = thing('id="line-1"', 60) + thing('id="card" data-names="line-2 line-1"', 0);
      board.show(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 90">${things}</svg>`);
      board.mark(new Set(["line-1"]), new Set(["line-1"]), []);
    }""")
    page.locator("#card rect").click()
    page.locator("#line-1 rect").click()
    assert page.evaluate("window.parts") == ["line-1", "line-1"]


def test_standings_sum_lines_of_a_kind_and_say_what_broke_a_tie(service: Service, new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.evaluate("""async () => {
      const {standingsTable} = await import("/page/elements/standings.js");
      const names = {"score.part": "Parts", "score.ties": "the older one wins"};
      const breakdown = [["all", 3], ["part-a", 2], ["part-b", 4]].map(([label, points]) => ({label, points}));
      const standings = [1, 2].map(rank => ({seat: rank - 1, rank, points: 9, breakdown}));
      document.body.replaceChildren(standingsTable({standings}, [{name: "Ada"}, {name: "Eve"}], names));
    }""")
    rows = page.get_by_role("table").first.get_by_role("row")
    assert [row.inner_text().split() for row in rows.all()][-2:] == [["all", "3", "3"], ["Parts", "6", "6"]]
    expect(page.locator(".ties")).to_have_text("the older one wins")
    page.locator("summary").click()
    expect(page.get_by_role("row", name="part-b")).to_be_visible()


def test_players_without_names_are_called_by_their_seats_and_by_their_bots(service: Service, new_page: NewPage) -> None:
    seats: list[SeatSpec] = [{}, {"bot": "greedy"}, {"bot": "greedy:samples=2"}]
    page = open_path(new_page(locale="it-IT"), Table(service, "fire_bulls", seats).invitations[0])
    expect(page.locator(".players li").nth(0)).to_contain_text("Giocatore 1 (tu)")
    expect(page.locator(".players li").nth(1)).to_contain_text("Opportunista (Giocatore 2")
    expect(page.locator(".picture")).to_contain_text("Opportunista (3)")


def test_the_focus_stays_at_the_moves_after_a_move(service: Service, new_page: NewPage) -> None:
    page = open_path(new_page(), Table(service, "spring_festival", AGAINST_A_BOT).invitations[0])
    offered = page.locator(".moves ol button")
    for _ in range(2):
        before = offered.first.inner_text()
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        expect(offered.first).not_to_have_text(before)
        page.wait_for_function("document.querySelector('.moves').contains(document.activeElement)")


def test_clocks_count_down(service: Service, new_page: NewPage) -> None:
    table = Table(service, "spring_festival", TWO_PERSONS, clock={"moveSeconds": 90})
    page = open_path(new_page(), table.invitations[0])
    expect(page.locator(".clock")).to_have_text(re.compile(r"this move 1:(30|2\d)"))
    expect(page.get_by_role("timer")).to_have_count(0)


def test_the_bank_of_who_is_to_move_runs_down_after_the_time_of_the_move(service: Service, new_page: NewPage) -> None:
    table = Table(service, "fire_bulls", TWO_PERSONS, clock={"moveSeconds": 1, "bankSeconds": 3 * 86400})
    page = open_path(new_page(), table.invitations[0])
    expect(page.locator(".players .toMove")).to_have_text(re.compile(r"\(Seat ., .*\) · time 2 d 23 h$"))
    expect(page.locator(".players li:not(.toMove)")).to_have_text(re.compile("time 3 d 0 h$"))
    expect(page.locator(".clock")).to_have_text("this move 2 d 23 h")
    assert page.locator("[aria-live], [role=status], [role=alert], [role=log]").get_by_role("timer").count() == 0
    assert accessibility_violations(page) == []


def test_a_click_stops_ones_own_clock_and_starts_the_other(service: Service, new_page: NewPage) -> None:
    table = Table(service, "fire_bulls", TWO_PERSONS, clock={"bankSeconds": 600, "incrementSeconds": 100})
    pages = [open_path(new_page(locale="it-IT"), invitation) for invitation in table.invitations]
    expect(pages[0].get_by_role("timer").first).to_have_text(re.compile("tempo (10:00|9:5)"))
    for page in pages:
        expect(page.locator(".picture svg")).to_be_visible()
    while not (owners := [seat for seat, page in enumerate(pages) if page.locator(".status.own").count()]):
        pages[0].wait_for_timeout(100)
    [mover] = owners
    pages[mover].keyboard.press("1")
    pages[mover].keyboard.press("Enter")
    expect(pages[1 - mover].get_by_role("timer").nth(mover)).to_have_text(re.compile("tempo 11:"))


def test_the_rules_are_read_next_to_the_match(service: Service, new_page: NewPage) -> None:
    page = open_path(new_page(locale="fr-FR"), Table(service, "fireship", AGAINST_A_BOT).invitations[0])
    page.get_by_text("Règles du jeu").click()
    expect(page.locator(".rules h2").first).to_be_visible()
    assert page.locator(".rules table").count() > 0


def test_an_error_is_said_in_words(service: Service, new_page: NewPage, faults: list[str]) -> None:
    page = new_page(locale="fr-FR")
    page.goto("/match/fireship/nothing")
    expect(page.get_by_role("alert")).to_have_text(re.compile("Il n.y a pas de telle partie, ou elle est privée"))
    assert all("404 (Not Found)" in fault or fault.startswith("FiresideError") for fault in faults)
    faults.clear()


def test_the_log_calls_players_by_their_names(service: Service, new_page: NewPage) -> None:
    seats: list[SeatSpec] = [{"name": "\u202eAda\u202c"}, {"bot": "greedy"}]
    page = open_path(new_page(locale="fr-FR"), Table(service, "fire_bulls", seats).invitations[0])
    log = page.locator("ol.log")
    for name in ("Ada", "Opportuniste"):
        expect(log.locator("li").filter(has_text=re.compile(f"^{name} pioche une? ")).first).to_be_visible()
    expect(log).not_to_contain_text(re.compile("joueur [0-9]"))


@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_during_a_match_light_and_dark(game: str, service: Service, new_page: NewPage) -> None:
    page = open_path(new_page(), Table(service, game, AGAINST_A_BOT).invitations[0])
    Player(page).play("clicks", 3)
    for section in page.locator("summary").all():
        section.click()
    page.locator(".rules h2").first.wait_for()
    assert accessibility_violations(page) == []
    with page.expect_response(re.compile("theme=dark")):
        page.get_by_role("button", name="Dark").click()
    assert accessibility_violations(page) == []


def test_axe_finds_nothing_after_a_match_light_and_dark(service: Service, new_page: NewPage) -> None:
    page = open_path(new_page(), Table(service, "fireship", TWO_PERSONS).invitations[0])
    page.get_by_role("button", name="Leave the match").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave the match").click()
    page.locator(".outcome table").wait_for()
    assert accessibility_violations(page) == []
    page.get_by_role("button", name="Dark").click()
    assert accessibility_violations(page) == []


def open_without_view(page: Page, path: str) -> Route:
    """Open a match, and hold back the module of its view; the request for that."""
    held: list[Route] = []
    page.route("**/match/match.js", lambda route: held.append(route))
    with page.expect_response("**/picture.svg*"):
        page.goto(path, wait_until="commit")
    page.locator("header.page").wait_for()
    [module] = held
    return module


def test_the_first_picture_comes_before_the_view_and_stays_in_its_place(service: Service, new_page: NewPage) -> None:
    table = Table(service, "fire_bulls", TWO_PERSONS, private=True)
    page = new_page(locale="fr-FR", **PHONE)
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    module = open_without_view(page, table.invitations[0])
    expect(page.locator(".picture svg")).to_contain_text("Ada")
    picture = page.locator(".picture")
    box = picture.bounding_box()
    assert page.locator(".table").count() == 0
    assert page.url == service.url + table.path
    module.continue_()
    expect(page.locator(".table svg")).to_be_visible()
    assert picture.bounding_box() == pytest.approx(box, abs=0.1)
    assert [url.partition("?")[2] for url in requested if "/picture.svg" in url].count("theme=light") == 1


def test_a_private_match_shows_a_stranger_no_first_picture(
    service: Service, new_page: NewPage, faults: list[str]
) -> None:
    page = new_page()
    module = open_without_view(page, Table(service, "fire_bulls", TWO_PERSONS, private=True).path)
    assert page.locator("main").inner_html() == ""
    module.continue_()
    expect(page.get_by_role("alert")).to_have_text(re.compile("There is no such match, or it is private"))
    assert page.locator("svg").count() == 0
    assert all("404 (Not Found)" in fault or fault.startswith("FiresideError") for fault in faults)
    faults.clear()


def test_the_first_paint_comes_within_a_second(service: Service, new_page: NewPage) -> None:
    page = open_path(new_page(), Table(service, "spring_festival", AGAINST_A_BOT).invitations[0])
    page.reload()
    page.locator(".match .picture svg").wait_for()
    [painted, shown] = page.evaluate(
        "[performance.getEntriesByName('first-contentful-paint')[0].startTime, performance.now()]"
    )
    print(f"\nfirst paint after {painted:.0f} ms, the picture is there after {shown:.0f} ms")
    assert painted < 1000
