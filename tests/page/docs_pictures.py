"""Writes the pictures of the documentation into docs/pictures: `make docs-pictures`.

Positions are of matches between greedy bots with a fixed seed. Views of the page are shown as they are then.
"""

from __future__ import annotations

import shutil
from random import Random
from typing import Final

from playwright.sync_api import Page, ViewportSize, sync_playwright
from resvg_py import svg_to_bytes

from engine_core.bots.greedy import GreedyBot
from engine_core.bots.observation import Observation
from engine_core.chance import Luck
from engine_core.game import SPECTATOR, Turn, View
from engine_core.games import GAMES
from engine_core.match import AnyMatch, Match
from engine_core.pictures import Setting, pictures_of
from engine_core.words import package_of
from fireside_client import FiresideClient
from fireside_client.types.any_game import AnyGame
from tests.page.conftest import PHONE
from tests.page.views import finished_match
from tests.services.processes import ROOT, Process

FOLDER: Final = ROOT / "docs" / "pictures"
WIDTH: Final = 800
SEED: Final = bytes(range(32))
NAMES: Final = ("Ada", "Ben", "Cleo", "Dan", "Eve")
SEATS: Final = 3
DESKTOP: Final[ViewportSize] = {"width": 1280, "height": 900}
GAME: Final = "spring_festival"
MATCH_GAME: Final = "fire_bulls"
SETTLED: Final = 1000
LINES: Final = 60
"""Log entries of the match in play."""


def main() -> None:
    """Write all pictures."""
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES:
        draw_positions(game)
    with Process("serve", "--port", "0", "--grpc-port", "0") as service, sync_playwright() as playwright:
        url = service.line().split()[3]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_context(base_url=url, locale="en-GB", viewport=DESKTOP).new_page()
        for show in (show_home, show_match, show_replay, show_tournament):
            show(page, url)
        browser.close()


def draw_positions(name: str) -> None:
    """Draw a position in the middle of a match as seat 0 sees it, and the end."""
    views = played_views(name)
    write_position(name, views[len(views) // 2], f"{name}.png")
    write_position(name, views[-1], f"{name}-end.png")


def played_views(name: str) -> list[View]:
    """The views of seat 0 when it is to move, and the spectators' at the end."""
    game, bot, random = GAMES[name], GreedyBot(), Random(name)
    match: AnyMatch = Match(game, game.start(SEATS, next(iter(game.presets().values()))), Luck(SEED, []))
    match.begin()
    views: list[View] = []
    while not match.is_over():
        phase = match.phase()
        assert isinstance(phase, Turn)
        seat = phase.seats[0]
        if seat == 0:
            views.append(game.view(match.state, 0))
        match.play(seat, bot.choose(Observation(game, match.state, seat), random))
    return [*views, game.view(match.state, SPECTATOR)]


def write_position(name: str, view: View, file: str) -> None:
    pictures = pictures_of(package_of(GAMES[name]))
    assert pictures is not None
    svg = pictures.draw(view, Setting(GAMES[name].words("en"), names=NAMES))
    FOLDER.joinpath(file).write_bytes(bytes(svg_to_bytes(svg_string=svg, width=WIDTH)))


def show_home(page: Page, _: str) -> None:
    page.goto("/")
    page.wait_for_load_state("networkidle")
    save(page, "page-home.png")


def show_match(page: Page, url: str) -> None:
    """A match after some moves, on a desktop and on a phone."""
    page.goto(seated_path(url))
    page.wait_for_selector(".picture svg")
    page.wait_for_timeout(SETTLED)  # the stream of events keeps the network busy
    save(page, "page-match.png")
    page.set_viewport_size(PHONE["viewport"])
    save(page, "page-phone.png")
    page.set_viewport_size(DESKTOP)


def seated_path(url: str) -> str:
    """The path of a match against a bot in which the person has made some moves, with the token of the seat."""
    random = Random(1)
    with FiresideClient(url, locale="en") as client:
        game = client.game(AnyGame(MATCH_GAME))
        begun = game.new_match([{"name": "Ada"}, {"name": "Greedy", "bot": "greedy"}])
        token = begun["seats"][0]["token"]
        match = game.match(begun["matchId"], token)
        moved = 0
        for message in match.events(views=True):
            if "turn" in message and message["turn"]["moves"] and message["turn"]["revision"] >= moved:
                if message["turn"]["revision"] > LINES:
                    break
                moved = match.apply(random.choice(message["turn"]["moves"])["move"])["revision"]
    return f"/match/{MATCH_GAME}/{begun['matchId']}#token={token}"


def show_replay(page: Page, url: str) -> None:
    page.goto(f"/replay/{GAME}/{finished_match(url, GAME)}")
    page.wait_for_selector(".picture svg")
    page.get_by_role("button", name="Verify now").click()
    page.wait_for_selector(".verdict")
    save(page, "page-replay.png", full_page=True)


def show_tournament(page: Page, url: str) -> None:
    spec = {"name": "An example", "game": GAME, "entrants": ["random", "greedy", "mcts:iterations=20"], "blocks": 8}
    tournament = page.request.post("/v1/tournaments", data={"spec": spec}).json()["tournamentId"]
    page.goto(f"/tournaments/{tournament}")
    page.get_by_text("finished").wait_for(timeout=300_000)
    save(page, "page-tournament.png")


def save(page: Page, file: str, full_page: bool = False) -> None:
    page.screenshot(path=FOLDER / file, full_page=full_page)


if __name__ == "__main__":
    main()
