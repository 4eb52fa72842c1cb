"""Command `fireside play`: whole matches in a pseudo-terminal against a real service."""

from __future__ import annotations

import re
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from io import StringIO
from typing import cast
from urllib.parse import unquote

import httpx
import pytest
from rich.console import Console

from cli.client import AnyGameClient, connect, game_client
from cli.commands import play
from cli.play.terminal_player import PlayerQuit, PlayerSeat, TerminalPlayer
from tests.cli.terminal import CTRL_C, CTRL_D, Terminal

PROMPT_PATTERN = r"\n> "
OVER_PATTERN = r"Over \("
MATCH_ID_PATTERN = re.compile(r"match ([\w-]+) on")


@pytest.fixture
def fire_bulls_client(url: str) -> Iterator[AnyGameClient]:
    with connect(url) as client:
        yield game_client(client, "fire_bulls")


def match_id(shown: str) -> str:
    found = MATCH_ID_PATTERN.search(shown)
    assert found
    return found[1]


@pytest.mark.parametrize(
    "words",
    [
        ["fire_bulls", "--option", "profile=PROFILE_IT"],
        ["spring_festival", "--seats", "3", "--against", "greedy,random"],
        ["fireship", "--option", "rounds=5"],
    ],
    ids=lambda words: words[0],
)
def test_a_person_plays_a_whole_match_by_numbers(words: list[str], url: str) -> None:
    with Terminal("play", *words, "--url", url) as terminal:
        shown = terminal.until(PROMPT_PATTERN)
        while not re.search(OVER_PATTERN, shown):
            terminal.type("1\n")
            shown = terminal.until(PROMPT_PATTERN, OVER_PATTERN)
        code, end = terminal.end()
    assert code == 0
    assert "won by" in end
    assert "Traceback" not in terminal.text


def test_the_link_to_the_page_has_the_seat(url: str) -> None:
    with Terminal("play", "fire_bulls", "--invite", "--url", url) as host:
        shown = host.until(r"Your seat in a browser: \S+\n")
    [(match_id, code)] = re.findall(r"http\S+/match/fire_bulls/(\S+)#code=(\S+)", shown)
    [(address, token)] = re.findall(r"(http\S+/match/fire_bulls/\S+)#token=(\S+)", shown)
    assert httpx.get(address).raise_for_status().headers["content-type"].startswith("text/html")
    with connect(url) as client:
        rules = game_client(client, "fire_bulls")
        assert rules.match(match_id, unquote(token)).get().get("seat") == 0
        assert rules.match(match_id).join(code)["seat"] == 1


def test_the_beginning_says_who_plays_what_the_game_is_about_and_what_can_be_typed(url: str) -> None:
    against = "mcts:iterations=4,depth=2,random"
    with Terminal("play", "fire_bulls", "--against", against, "--url", url) as terminal:
        shown = terminal.until(PROMPT_PATTERN)
    for part in [
        "Players: 1 You, 2 Ben (mcts), 3 Cleo (random)",
        "A besieged city drives burning bulls",
        "Type a move, an unambiguous prefix of it, or its number",
        "Commands: help, rules, legend, moves, hint, board, score, history, leave, quit",
        "▲ is a pawn",
    ]:
        assert part in shown


def test_the_only_legal_move_is_made_and_shown(url: str) -> None:
    with Terminal("play", "fireship", "--url", url) as terminal:
        shown = terminal.until(PROMPT_PATTERN)
    assert re.search(r"Your only move: \n +1 You: throw +Throw the dice; The die shows", shown)


def test_with_a_switch_the_only_legal_move_is_asked_for(url: str) -> None:
    with Terminal("play", "fireship", "--ask-always", "--url", url) as terminal:
        assert re.search(r"Your move, seat 1: \n +1 throw +Throw the dice\n> $", terminal.until(PROMPT_PATTERN))
        terminal.type("1\n")
        terminal.until(r"1 You: throw")


@pytest.mark.parametrize("hints", [False, True])
def test_a_hint_lists_the_moves_by_value_if_the_match_gives_hints(
    hints: bool, fire_bulls_client: AnyGameClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = fire_bulls_client.new_match([{"name": "Ada"}, {"name": "Ben"}], {"firstSeat": 0}, hints=hints)
    client = fire_bulls_client.match(match["matchId"], match["seats"][0]["token"])
    console = Console(file=StringIO(), width=100)
    typed = iter(["hint", "history", "quit"])
    monkeypatch.setattr(console, "input", lambda prompt: next(typed))
    with pytest.raises(PlayerQuit):
        TerminalPlayer(console, PlayerSeat("fire_bulls", client), ask_always=True).play()
    shown = cast(StringIO, console.file).getvalue()
    assert len(re.findall(r"^ +\d+% \w", shown, re.MULTILINE)) == (len(client.legal_moves()) if hints else 0)
    assert ("1 Ada: hint" in shown) == hints
    assert ("without hints" in shown) != hints


def test_a_game_of_a_newer_service_is_played_without_its_rules(
    fire_bulls_client: AnyGameClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = fire_bulls_client.new_match([{"name": "Ada"}, {"name": "Ben"}], {"firstSeat": 0})
    client = fire_bulls_client.match(match["matchId"], match["seats"][0]["token"])
    console = Console(file=StringIO(), width=100)
    player = TerminalPlayer(console, PlayerSeat("chess", client), ask_always=False)
    player.introduce()
    typed = iter(["rules", "legend", "quit"])
    monkeypatch.setattr(console, "input", lambda prompt: next(typed))
    with pytest.raises(PlayerQuit):
        player.play()
    shown = cast(StringIO, console.file).getvalue()
    assert "Players: 1 Ada, 2 Ben" in shown
    assert '"deckSize":' in shown
    assert "This command does not know the rules of this game." in shown
    assert shown.count("This game has no legend") == 2


def test_without_an_address_the_command_starts_its_own_service() -> None:
    with Terminal("play", "fire-bulls", "--option", "firstSeat=0") as terminal:
        terminal.until("Your move, seat 1:", PROMPT_PATTERN)
        terminal.type("exit\n")
        code, end = terminal.end()
    assert code == 0
    assert "The local service has stopped; the match is gone." in end


def test_invalid_input_and_illegal_moves_are_reported_in_one_line_and_change_nothing(
    url: str, fire_bulls_client: AnyGameClient
) -> None:
    with Terminal("play", "fire_bulls", "--option", "firstSeat=0", "--url", url) as terminal:
        played = match_id(terminal.until(PROMPT_PATTERN))
        revision = fire_bulls_client.match(played).get()["revision"]
        for typed, answer in [
            ("dance\n", r"'dance' is not a move.*\n.*Type `moves` for your moves"),
            ("stop\n", "'stop' is not legal for seat 0 now"),
            ("99\n", r"moves have the numbers 1 to \d+"),
            ("0\n", r"moves have the numbers 1 to \d+"),
        ]:
            terminal.type(typed)
            terminal.until(PROMPT_PATTERN)
            assert re.search(answer, terminal.text)
        assert fire_bulls_client.match(played).get()["revision"] == revision
        terminal.type("dr\n")
        terminal.until("1 You: draw")


def test_commands_of_the_prompt_print_their_results(url: str) -> None:
    with Terminal("play", "fire_bulls", "--option", "firstSeat=0", "--url", url) as terminal:
        terminal.until(PROMPT_PATTERN)
        for typed, shown in [
            ("help", "give up your seat for good"),
            ("rules", "You pay with bulls from your hand"),
            ("legend", "colonel 8: 3 \\+ 2 of two colours"),
            ("score", "As it stands"),
            ("board", "Reserve:"),
            ("history", r"Ben\s\(greedy\)\sdraws\sa\scard"),
            ("moves dra", r"\d+ draw"),
        ]:
            terminal.type(f"{typed}\n")
            assert re.search(shown, terminal.until(PROMPT_PATTERN))


def test_a_match_is_played_in_french(url: str) -> None:
    with Terminal("--locale", "fr", "play", "fire_bulls", "--option", "firstSeat=0", "--url", url) as terminal:
        shown = terminal.until(PROMPT_PATTERN)
        assert "À vous de jouer, joueur 1" in shown
        assert "Réserve" in shown
        terminal.type("draw\n")
        assert "draw   Piocher une carte Attaque" in terminal.until(PROMPT_PATTERN)
        terminal.type("stop\n")
        assert "Ce coup n’est pas permis maintenant. ('stop'" in terminal.until(PROMPT_PATTERN)  # noqa: RUF001
        terminal.type("score\n")
        assert "cartes gagnées" in terminal.until(PROMPT_PATTERN)
        terminal.type("leave\n")
        terminal.until(r"\(oui/non\) ")
        terminal.type("oui\n")
        code, end = terminal.end()
    assert (code, "Vous avez quitté la partie." in end) == (0, True)


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D], ids=["ctrl_c", "ctrl_d"])
def test_quitting_ends_the_program_but_not_the_match(key: str, url: str, fire_bulls_client: AnyGameClient) -> None:
    with Terminal("play", "fire_bulls", "--option", "firstSeat=0", "--url", url) as terminal:
        played = match_id(terminal.until(PROMPT_PATTERN))
        time.sleep(0.5)  # until the line editor listens: the terminal itself would take the key for another
        terminal.type(key)
        code, end = terminal.end()
    assert code == 0
    assert "Traceback" not in end
    way_back = re.search(r"To resume the match: fireside (.*)", end)
    assert way_back
    assert not fire_bulls_client.match(played).get()["over"]
    with Terminal(*way_back[1].split()) as terminal:
        terminal.until("Your move, seat 1", PROMPT_PATTERN)
        terminal.type("draw\n")
        terminal.until(PROMPT_PATTERN)
        terminal.type("1\n")
        terminal.until(r"2 Ben \(greedy\): ")


def test_ctrl_c_stops_waiting_for_the_other_seats(url: str) -> None:
    with Terminal("play", "fire_bulls", "--invite", "--option", "firstSeat=1", "--url", url) as terminal:
        terminal.until(r"Waiting for players \.\.\.")
        terminal.type(CTRL_C)
        code, end = terminal.end()
    assert (code, "Traceback" in end) == (0, False)


def test_an_invitation_can_hold_any_match_id() -> None:
    parser = ArgumentParser()
    play.add_arguments(parser)
    with connect("http://127.0.0.1:9") as client:
        match = game_client(client, "fire_bulls").match("-w_8Ka", "x.y.z")
        invitation = play.join_command(PlayerSeat("fire_bulls", match), "http://127.0.0.1:9", "token", "x.y.z")
    arguments = parser.parse_args(invitation.split()[2:])
    assert (arguments.join, arguments.token) == ("-w_8Ka", "x.y.z")


def test_a_guest_takes_a_seat_with_its_code(url: str) -> None:
    with Terminal("play", "fire_bulls", "--invite", "--option", "firstSeat=1", "--url", url) as host:
        invitation = re.search(r"fireside (play .*)\n", host.until(r"Players: 1 Host, 2 \(open\)\n"))
        assert invitation
        with Terminal(*invitation[1].split(), "--name", "Eve") as guest:
            assert "▶ 2 Eve" in guest.until(PROMPT_PATTERN)
            host.until("Players: 1 Host, 2 Eve")
            guest.type("1\n")
            host.until(r"2 Eve: take")
            host.until(PROMPT_PATTERN)
            host.type("1\n")
            guest.until(r"1 Host: take")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["chess"], "there is no game 'chess' here; there are fire_bulls"),
        (["fire_bulls", "--seats", "9"], "seats: "),
        (["fire_bulls", "--seats", "2", "--against", "greedy,random"], "--seats 2 is too few for 3 players"),
        (["fire_bulls", "--against", "deep_blue"], "--against deep_blue: the bots are random, greedy, mcts"),
        (["fire_bulls", "--against", "https://bots.example/play"], "seats[1].bot: "),
        (["fire_bulls", "--option", "colour=red"], "expected NAME=VALUE with one of the names profile"),
        (["fire_bulls", "--option", "profile=PROFILE_XX"], "options.profile"),
        (["fire_bulls", "--join", "nowhere", "--token", "x.y.z"], "token"),
        (
            ["fire_bulls", "--join", "nowhere", "--seats", "3", "--invite"],
            "--seats, --invite: it has no effect with --join",
        ),
        (["fire_bulls", "--join", "nowhere", "--clock", "0"], "--clock: it has no effect with --join"),
        (["fire_bulls", "--token", "x.y.z"], "--token: it is used with --join only"),
        (["fire_bulls", "--code", "0000"], "--code: it is used with --join only"),
        (["fire_bulls", "--join", "nowhere", "--code", "0000"], "there is no match"),
        (
            ["fire_bulls", "--join", "nowhere", "--token", "x.y.z", "--name", "Eve"],
            "--name: it has no effect with --token",
        ),
    ],
)
def test_fault18_a_match_that_cannot_be_played_is_reported_in_one_line(
    words: list[str], expected: str, url: str
) -> None:
    with Terminal("play", *words, "--url", url) as terminal:
        code, end = terminal.end()
    assert code == 2
    assert re.fullmatch(r"fireside: .+\n", end)
    assert expected in end


def test_an_unreachable_service_is_reported_in_one_line() -> None:
    with Terminal("play", "fire_bulls", "--url", "http://127.0.0.1:9") as terminal:
        code, end = terminal.end()
    assert (code, end) == (2, "fireside: the service does not answer: connection failed\n")


def test_the_program_waits_for_all_seats_that_choose_at_once(url: str) -> None:
    with Terminal("play", "spring_festival", "--invite", "--seats", "2", "--url", url) as host:
        invitation = re.search(r"fireside (play .*)\n", host.until(r"--code=\S+\n"))
        assert invitation
        with Terminal(*invitation[1].split()) as guest:
            guest.until(PROMPT_PATTERN)
            host.until(PROMPT_PATTERN)
            for _ in range(4):
                guest.type("1\n")
                guest.until(PROMPT_PATTERN, "Waiting for 1 Host")
            host.type("1\n")
            assert "lay ?" in host.until(r"1 Host: lay .*\n")
