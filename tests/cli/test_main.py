"""The `fireside` command line, in this process and in separate ones."""

from __future__ import annotations

import re
import socket

import grpc
import httpx
import pytest
from fireside.tournament.v1.tournament_service_pb2 import ListTournamentsRequest
from fireside.tournament.v1.tournament_service_pb2_grpc import TournamentServiceStub

from cli.main import COMMAND_HELP, build_parser, main
from tests.cli.terminal import Terminal
from tests.services.processes import EngineProcess, Process

PRINTED_URLS = re.compile(r"Fireside is at (http://127\.0\.0\.1:\d+) \(gRPC (127\.0\.0\.1:\d+)\)")
SEATS = {"seats": [{"name": "Ada"}, {"name": "Ben"}]}


def test_the_version_says_whether_the_rules_are_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert re.fullmatch(r"fireside \S.* \((compiled|interpreted)\)\n", capsys.readouterr().out)


def test_every_command_is_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    output = capsys.readouterr().out
    assert [line.split()[0] for line in output.splitlines() if re.match(r" {4}\w", line)] == list(COMMAND_HELP)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["chess"],
        ["engine", "--port", "many"],
        ["engine", "--port", "65536"],
        ["gateway", "--port", "-1"],
        ["serve", "--port", "99999"],
        ["serve", "--grpc-port", "99999"],
    ],
)
def test_an_unknown_command_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_an_invalid_setting_is_reported_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDIS_URL", "nowhere")
    assert main(["engine"]) == 2
    assert capsys.readouterr().err.startswith("fireside: REDIS_URL: ")


def test_an_unknown_game_is_reported_in_one_line() -> None:
    code, log = Process("engine", "--game", "chess", "--port", "0").wait()
    assert (code, log) == (2, "fireside: there is no game 'chess'\n")


@pytest.mark.parametrize("name", COMMAND_HELP)
def test_every_command_has_its_own_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([name, "--help"])
    assert caught.value.code == 0
    assert f"fireside {name}" in capsys.readouterr().out


def test_serve_accepts_calls_once_it_prints_its_addresses() -> None:
    with Process("serve", "--port", "0", "--grpc-port", "0", REDIS_URL="") as process:
        found = PRINTED_URLS.fullmatch(process.line())
        assert found
        new_match = httpx.post(f"{found[1]}/v1/fire-bulls/matches", json=SEATS).raise_for_status().json()
        match = httpx.get(f"{found[1]}/v1/fire-bulls/matches/{new_match['matchId']}").raise_for_status().json()
        assert match["toMove"]
        code, log = process.stop()
        assert code == 0
        assert "Traceback" not in log
        assert not any(seat["token"] in log for seat in new_match["seats"])


def test_gateway_and_engine_run_in_separate_processes(redis_url: str) -> None:
    with (
        EngineProcess(redis_url).ready() as engine,
        Process("gateway", "--port", "0", FIRESIDE_ENGINE_ADDRESS=engine.address) as gateway,
    ):
        url = gateway.line().rsplit(" ", 1)[1]
        answer = httpx.post(f"{url}/v1/fire-bulls/matches", json=SEATS)
        assert answer.status_code == 201, answer.text
        assert [process.stop()[0] for process in (gateway, engine)] == [0, 0]


COMMANDS_WITH_PORT_IN_USE = {
    "serve --port": ("HTTP", "serve", "--grpc-port", "0", "--port", "TAKEN"),
    "serve --grpc-port": ("gRPC", "serve", "--port", "0", "--grpc-port", "TAKEN"),
    "gateway --port": ("HTTP", "gateway", "--port", "TAKEN"),
    "engine --port": ("gRPC", "engine", "--port", "TAKEN"),
    "tournaments --port": ("gRPC", "tournaments", "--port", "TAKEN"),
}


def error_line(*words: str, **environment: str) -> str:
    """The last line of a command that cannot listen; it is the only one that is no line of the log."""
    code, log = Process(*words, REDIS_URL="", **environment).wait()
    *lines, last = log.splitlines()
    assert code == 1
    assert all(line.startswith("{") for line in lines)
    assert "takes calls" not in log
    return last


@pytest.mark.parametrize("case", COMMANDS_WITH_PORT_IN_USE)
def test_fault27_a_port_in_use_is_reported_in_one_line_with_its_setting(case: str) -> None:
    protocol, *words = COMMANDS_WITH_PORT_IN_USE[case]
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        last = error_line(*(port if word == "TAKEN" else word for word in words))
    why = "Address already in use"
    assert last == f"fireside: {protocol} cannot listen at 127.0.0.1:{port}: {why} ({words[-2]} sets the port)"


@pytest.mark.parametrize("role", ["serve", "gateway", "engine", "tournaments"])
def test_fault27_a_metrics_port_in_use_is_reported_in_one_line_with_its_setting(role: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        last = error_line(role, "--port", "0", FIRESIDE_METRICS_PORT=port)
    assert last.endswith(f"127.0.0.1:{port}: Address already in use (FIRESIDE_METRICS_PORT sets the port)")


def test_fault27_bots_report_a_metrics_port_in_use_in_one_line(redis_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        code, log = Process("bots", REDIS_URL=redis_url, FIRESIDE_METRICS_PORT=port).wait()
    assert (code, log.count("\n")) == (1, 1)
    assert log.endswith(f"127.0.0.1:{port}: Address already in use (FIRESIDE_METRICS_PORT sets the port)\n")


@pytest.mark.parametrize("role", ["serve", "gateway", "engine", "tournaments"])
@pytest.mark.parametrize("host", ["nowhere.invalid", "192.0.2.1"])
def test_fault27_a_host_of_another_machine_is_reported_in_one_line(role: str, host: str) -> None:
    assert f" cannot listen at {host}:" in error_line(role, "--host", host, "--port", "0")


async def test_fault27_serve_offers_tournaments_on_the_grpc_port_that_it_prints() -> None:
    with Process("serve", "--port", "0", "--grpc-port", "0", REDIS_URL="") as process:
        found = PRINTED_URLS.fullmatch(process.line())
        assert found
        async with grpc.aio.insecure_channel(found[2]) as channel:
            listed = await TournamentServiceStub(channel).ListTournaments(ListTournamentsRequest())
        assert list(listed.tournaments) == []
        over_rest = httpx.get(f"{found[1]}/v1/tournaments").raise_for_status().json()
        assert over_rest["tournaments"] == []


def test_fault27_serve_prints_its_addresses_first_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FIRESIDE_LOG_LEVEL", raising=False)
    with Terminal("serve", "--port", "0", "--grpc-port", "0") as terminal:
        shown = terminal.until("Fireside is at .*\n")
    assert [line for line in shown.splitlines()[:-1] if not line.startswith("warning: ")] == []
    assert len(shown.splitlines()) <= 3


def test_fault27_a_terminal_shows_plain_lines_of_the_level_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRESIDE_LOG_LEVEL", "INFO")
    with Terminal("engine", "--port", "0") as terminal:
        shown = terminal.until("Fireside engine is at .*\n")
    assert re.search(r"^info: the engine takes calls \(games \[.*\], port \d+\)$", shown, re.M)


@pytest.mark.parametrize(
    "words", [["engine", "--game", "fire-bulls"], ["play", "fire-bulls"], ["demo", "--game", "fire-bulls"]]
)
def test_fault25_both_spellings_of_a_game_are_accepted(words: list[str]) -> None:
    assert build_parser(words).parse_args(words).game in ("fire_bulls", ["fire_bulls"])


def test_fault10_a_long_word_is_not_repeated_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine", "--game", "a" * 9_000, "--port", "0"]) == 2
    with pytest.raises(SystemExit):
        main(["engine", "--port", "a" * 9_000])
    assert len(capsys.readouterr().err) < 2_000
