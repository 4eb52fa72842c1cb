"""`fireside mcp`: agents play by the SDK's own client, over standard input and output and over streamable HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from base64 import b64decode
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from random import Random
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import CallToolResult, ImageContent, TextContent, TextResourceContents

from cli.agents.server import create_server
from cli.client import connect, game_client
from cli.main import main
from engine_core.games import GAMES
from fireside_client import AsyncFiresideClient
from tests.redis_server import free_port
from tests.services.processes import PYTHON_PATHS, ROOT, Process

TRANSPORTS = ("stdio", "http")
HANDSHAKE = "legacy"
"""Mode of clients that begin with `initialize`, as all did before the protocol of 2026."""
MOVES_PATTERN = re.compile(r"Your legal moves at revision (\d+): (\d+)")
TOKEN_PATTERN = re.compile(r"eyJ[\w-]+\.")
"""How tokens, which are JSON Web Tokens, begin."""
SHORT_OPTIONS: dict[str, dict[str, object]] = {"fireship": {"rounds": 5}}


class Agent:
    """A client of the server, which chooses moves at random."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.shown: list[str] = []
        """The texts of all results."""

    async def result(self, tool: str, **arguments: object) -> CallToolResult:
        return await self.client.call_tool(tool, arguments)

    async def call(self, tool: str, **arguments: object) -> str:
        """The text of a tool's result."""
        result = await self.result(tool, **arguments)
        assert not result.is_error, result
        return self._text(result)

    async def refused(self, tool: str, **arguments: object) -> str:
        """The text of a tool's error."""
        result = await self.result(tool, **arguments)
        assert result.is_error, result
        return self._text(result)

    async def play(self, seat_id: str, random: Random) -> str:
        """Play to the end, and return the last text."""
        text = await self.call("wait_for_turn", seat_id=seat_id)
        while "The match is over." not in text:
            if moves := MOVES_PATTERN.search(text):
                number = random.randint(1, int(moves[2]))
                text = await self.call("move", seat_id=seat_id, move=number, revision=int(moves[1]))
            else:
                text = await self.call("wait_for_turn", seat_id=seat_id)
        return text

    def _text(self, result: CallToolResult) -> str:
        [content] = result.content
        assert isinstance(content, TextContent)
        text: str = content.text
        self.shown.append(text)
        return text


def seat_id(text: str) -> str:
    found = re.match(r"seat_id: (\w{16})\n", text)
    assert found, text
    return found[1]


def revision(text: str) -> int:
    found = MOVES_PATTERN.search(text)
    assert found, text
    return int(found[1])


def invitation(text: str) -> dict[str, str]:
    """Arguments of `join_match` for the open seat of a match of Fire Bulls that was begun with this text."""
    match = re.search(r"Match (\S+) of", text)
    code = re.search(r"Its join code: (\w+)", text)
    assert match
    assert code
    return {"game": "fire_bulls", "match_id": match[1], "code": code[1]}


@pytest.fixture(scope="module")
def service_url() -> Iterator[str]:
    with Process("serve", "--port", "0", "--grpc-port", "0", REDIS_URL="") as process:
        yield process.line().split()[3]


@pytest.fixture(scope="module")
def http_url(service_url: str) -> Iterator[str]:
    with Process("mcp", "--url", service_url, "--port", "0") as process:
        yield process.line().split()[-1]


ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(PYTHON_PATHS), "LC_ALL": "C.UTF-8", "REDIS_URL": ""}
KUHN_POKER = "tests.kuhn_poker.command"


def stdio(*words: str, module: str = "cli.main") -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=["-m", module, "mcp", *words], env=ENVIRONMENT, cwd=ROOT)


@contextmanager
def kuhn_poker(*words: str) -> Iterator[str]:
    """Run a command whose only game is Kuhn poker; its URL."""
    command = [sys.executable, "-m", KUHN_POKER, *words]
    with subprocess.Popen(command, env=ENVIRONMENT, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            [url] = re.findall(r"http://\S+", process.stdout.readline())
            yield url
        finally:
            process.kill()


@asynccontextmanager
async def connected(server: StdioServerParameters | str, mode: str = "auto") -> AsyncIterator[Agent]:
    async with Client(server, mode=mode) as client:
        yield Agent(client)


@pytest.mark.parametrize(
    ("transport", "game"), [("stdio", "spring_festival"), *[("http", game) for game in sorted(GAMES)]]
)
async def test_an_agent_plays_a_match_to_its_end(transport: str, game: str, service_url: str, http_url: str) -> None:
    server = http_url if transport == "http" else stdio("--url", service_url)
    async with connected(server) as agent:
        begun = await agent.call("begin_match", game=game, opponents=["greedy"], options=SHORT_OPTIONS.get(game))
        end = await agent.play(seat_id(begun), Random(1))
        score = await agent.call("score", seat_id=seat_id(begun))
    assert "won by" in end
    assert score in end
    assert not TOKEN_PATTERN.search("".join(agent.shown))


async def test_an_agent_plays_a_game_that_the_command_does_not_know() -> None:
    with (
        kuhn_poker("serve", "--port", "0", "--grpc-port", "0") as service_url,
        kuhn_poker("mcp", "--url", service_url, "--port", "0") as http_url,
    ):
        for server in (http_url, stdio("--url", service_url, module=KUHN_POKER)):
            async with connected(server) as agent:
                assert "kuhn_poker: Kuhn Poker" in await agent.call("list_games")
                assert "bet" in await agent.call("read_rules", game="kuhn_poker")
                begun = await agent.call("begin_match", game="kuhn_poker", opponents=["greedy"])
                assert "won by" in await agent.play(seat_id(begun), Random(4))


async def test_without_a_url_the_command_starts_a_service() -> None:
    async with connected(stdio()) as agent:
        assert "fire_bulls: Fire Bulls, 2 to 5 seats" in await agent.call("list_games")


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_a_client_that_begins_with_a_handshake_plays(transport: str, service_url: str, http_url: str) -> None:
    server = http_url if transport == "http" else stdio("--url", service_url)
    async with connected(server, HANDSHAKE) as agent:
        begun = await agent.call("begin_match", game="spring_festival", opponents=["random"], preset="advanced")
        assert "won by" in await agent.play(seat_id(begun), Random(2))


async def test_two_agents_meet_by_a_join_code(http_url: str) -> None:
    async with connected(http_url) as host, connected(http_url) as guest:
        begun = await host.call("begin_match", game="fire_bulls", opponents=["open"], options={"firstSeat": 0})
        assert "begins when the open seats are taken" in await host.call(
            "wait_for_turn", seat_id=seat_id(begun), seconds=0
        )
        for fault in ({"code": ""}, {"code": "X"}, {"token": "x"}):
            assert "code" in await guest.refused("join_match", **invitation(begun) | fault)
        joined = await guest.call("join_match", **invitation(begun), name="Guest")
        assert "2 Guest (you)" in joined
        assert "code" in await guest.refused("join_match", **invitation(begun))  # it works once
        turn = await host.call("wait_for_turn", seat_id=seat_id(begun))
        await host.call("move", seat_id=seat_id(begun), move="draw", revision=revision(turn))
        assert "draw" in await guest.call("wait_for_turn", seat_id=seat_id(joined), seconds=0)
        assert "left the match" in await guest.call("leave", seat_id=seat_id(joined))


async def test_an_open_seat_of_a_listed_match_needs_no_code(http_url: str) -> None:
    async with connected(http_url) as host, connected(http_url) as guest:
        assert await guest.call("list_open_matches", game="fireship") == "There are no open seats."
        begun = await host.call("begin_match", game="fireship", opponents=["open"], name="Host", listed=True)
        match_id, _, players = (await guest.call("list_open_matches", game="fireship")).partition(": ")
        assert match_id in begun
        assert players == "1 Host, 2 (open)"
        joined = await guest.call("join_match", game="fireship", match_id=match_id, name="Guest")
        assert "1 Host, 2 Guest (you)" in joined
        assert await guest.call("list_open_matches", game="fireship") == "There are no open seats."


async def test_a_finished_match_is_replayed_tried_and_played_again(http_url: str) -> None:
    async with connected(http_url) as host, connected(http_url) as guest:
        begun = await host.call("begin_match", game="fireship", opponents=["open"], hints=True)
        arguments = invitation(begun) | {"game": "fireship", "name": "Guest"}
        seat, other = seat_id(begun), seat_id(await guest.call("join_match", **arguments))
        turn = await host.call("wait_for_turn", seat_id=seat, seconds=0)
        mover, moving = (host, seat) if MOVES_PATTERN.search(turn) else (guest, other)
        turn = await mover.call("list_moves", seat_id=moving)
        now = revision(turn)
        title, best, *_ = hints = (await mover.call("hint", seat_id=moving)).splitlines()
        assert title == f"Values at revision {now + 1} by mcts:"  # the log has that it asked
        assert f"Your legal moves at revision {now}: {len(hints) - 1}\n" in turn
        for tool in ("replay", "rematch"):
            assert "not over" in await host.refused(tool, seat_id=seat)
        assert "not over" in await host.refused("try_moves", seat_id=seat, moves=[])
        await guest.call("leave", seat_id=other)
        first, second = [await host.call("replay", seat_id=seat, revision=now, seat=number) for number in (1, 2)]
        assert first == await host.call("replay", seat_id=seat, revision=now) != second
        assert f"revision {now}\nPlayers: 1 Agent (you), 2 Guest\n" in first
        moves = [best.split("% ")[1].partition(": ")[0]]
        tried = await host.call("try_moves", seat_id=seat, revision=now, moves=moves)
        assert tried == await host.call("try_moves", seat_id=seat, revision=now, moves=moves)
        assert re.match(rf"\d \w+: {moves[0]}", tried)
        assert re.search(r"Legal moves of \d \w+ at revision \d+: \d+", tried)
        assert "is not a move" in await host.refused("try_moves", seat_id=seat, revision=now, moves=["castle"])
        assert "Values at" in await guest.call("hint", seat_id=other, revision=now, seat=1 if mover is host else 2)
        assert "begins when the open seats are taken" in await host.call("rematch", seat_id=seat)
        assert "1 Guest (you), 2 Agent" in await guest.call("rematch", seat_id=other)


async def test_a_bot_takes_an_open_seat_or_plays_on(http_url: str) -> None:
    async with connected(http_url) as agent:
        begun = await agent.call("begin_match", game="fireship", opponents=["open"])
        seat = seat_id(begun)
        assert "hint" in await agent.refused("hint", seat_id=seat)
        assert "begins when" not in await agent.call("substitute", seat_id=seat, bot="random", seat=2)
        link = await agent.call("link_seat", seat_id=seat)
        await agent.call("reissue", seat_id=seat)
        assert await agent.call("link_seat", seat_id=seat) != link
        arguments = {"game": "fireship", "match_id": link.split("/")[-1].partition("#")[0]}
        assert "replaced" in await agent.refused("join_match", **arguments, token=link.partition("token=")[2])
        assert "random plays on" in await agent.call("substitute", seat_id=seat, bot="random")
        assert "there is no seat" in await agent.refused("look", seat_id=seat)


async def test_a_match_that_waits_is_withdrawn(http_url: str) -> None:
    async with connected(http_url) as host, connected(http_url) as guest:
        begun = await host.call("begin_match", game="fire_bulls", opponents=["open", "open"])
        joined = await guest.call("join_match", **invitation(begun))
        await guest.refused("withdraw", seat_id=seat_id(joined))
        await host.call("withdraw", seat_id=seat_id(begun))
        assert "there is no match" in await guest.refused("look", seat_id=seat_id(joined))


async def test_a_wait_ends_when_the_turn_comes(http_url: str) -> None:
    async with connected(http_url) as host, connected(http_url) as guest:
        begun = await host.call("begin_match", game="fire_bulls", opponents=["open"], options={"firstSeat": 1})
        waiting = asyncio.create_task(host.call("wait_for_turn", seat_id=seat_id(begun), seconds=60))
        turn = joined = await guest.call("join_match", **invitation(begun), name="Guest")
        while MOVES_PATTERN.search(turn):
            turn = await guest.call("move", seat_id=seat_id(joined), move=1, revision=revision(turn))
        text = await waiting
        assert "2 Guest: " in text
        assert "It is your turn." in text


async def test_a_seat_is_taken_by_its_token(http_url: str, service_url: str) -> None:
    with connect(service_url) as client:
        begun = game_client(client, "fire_bulls").new_match([{"name": "Ada"}, {"name": "Ben"}], {"firstSeat": 1})
    async with connected(http_url) as agent:
        token = begun["seats"][1]["token"]
        arguments = {"game": "Fire-Bulls", "match_id": begun["matchId"], "token": token}
        joined = await agent.call("join_match", **arguments)
        assert "2 Ben (you)" in joined
        assert token not in joined
        link = await agent.call("link_seat", seat_id=seat_id(joined))
        assert link == f"{service_url}/match/fire_bulls/{begun['matchId']}#token={token}"
        assert "token" in await agent.refused("join_match", **arguments | {"token": "x"})


async def test_an_error_is_explained_and_changes_nothing(http_url: str) -> None:
    async with connected(http_url) as agent:
        count = 0
        while count < 2:  # until several moves begin with one word: a hand may have none
            begun = await agent.call("begin_match", game="fire_bulls", opponents=["greedy"], options={"firstSeat": 0})
            seat, now = seat_id(begun), revision(begun)
            listed = await agent.call("list_moves", seat_id=seat)
            [(word, count)] = Counter(re.findall(r"^\d+\. (\w+)", listed, re.MULTILINE)).most_common(1)
        for move, at, explained in (
            (1, 0, "no legal moves at revision 0"),
            (1, now + 1000, f"expected revision {now + 1000}, but the revision is {now}"),
            (99, now, "moves have the numbers 1 to"),
            (word, now, "moves begin with that"),
            ("castle", now, "'castle' is not a move"),
        ):
            assert explained in await agent.refused("move", seat_id=seat, move=move, revision=at)
        assert revision(await agent.call("list_moves", seat_id=seat)) == now
        assert "there is no seat 'x'" in await agent.refused("look", seat_id="x")
        match: dict[str, Any] = {"game": "fire_bulls", "opponents": ["greedy"]}
        for fault, explained in (
            ({"game": "chess"}, "there is no game 'chess' here; there are fire_bulls"),
            ({"opponents": []}, "at least 1 item"),
            ({"opponents": ["gredy"]}, "'gredy' is no bot: there are random, greedy, mcts"),
            ({"preset": "x"}, "there is no preset 'x'; there are merged"),
            ({"options": {"x": 1}}, "x"),
        ):
            assert explained in await agent.refused("begin_match", **match | fault)


async def test_a_service_that_does_not_answer_is_an_error(service_url: str) -> None:
    with connect(service_url) as working:
        games = working.games()
    async with (
        AsyncFiresideClient(f"http://127.0.0.1:{free_port()}", retry_seconds=0) as client,
        Client(create_server(client, games)) as connection,
    ):
        error = await Agent(connection).refused("begin_match", game="fire_bulls", opponents=["greedy"])
    assert "the service does not answer: connection failed" in error


async def test_a_move_by_an_old_list_is_refused(http_url: str) -> None:
    async with connected(http_url) as agent:
        begun = await agent.call("begin_match", game="fire_bulls", opponents=["greedy"], options={"firstSeat": 0})
        arguments = {"seat_id": seat_id(begun), "move": 1, "revision": revision(begun)}
        await agent.call("move", **arguments)
        assert "expected revision" in await agent.refused("move", **arguments)


async def test_moves_are_found_by_a_part_of_their_texts(http_url: str) -> None:
    async with connected(http_url) as agent:
        begun = await agent.call("begin_match", game="fire_bulls", opponents=["greedy"], options={"firstSeat": 0})
        listed = (await agent.call("list_moves", seat_id=seat_id(begun))).splitlines()
        found = (await agent.call("list_moves", seat_id=seat_id(begun), containing="DRAW")).splitlines()
        assert found == [listed[0], *(line for line in listed[1:] if "draw" in line.lower())]
        assert len(found) == 2
        assert "No move contains" in await agent.call("list_moves", seat_id=seat_id(begun), containing="castle")


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_an_agent_reads_rules_components_and_pictures(game: str, http_url: str) -> None:
    async with connected(http_url) as agent:
        page = await agent.call("read_rules", game=game)
        resource = await agent.client.read_resource(f"fireside://rules/{game}")
        assert [content.text for content in resource.contents if isinstance(content, TextResourceContents)] == [page]
        assert json.loads(await agent.call("read_components", game=game))["names"]
        begun = await agent.call("begin_match", game=game, opponents=["random"])
        picture = await agent.result("look_at_picture", seat_id=seat_id(begun), dark=True)
        [image] = picture.content
        assert isinstance(image, ImageContent)
        assert b64decode(image.data).startswith(b"\x89PNG")
        svg = await agent.client.read_resource(f"fireside://seats/{seat_id(begun)}/picture.svg")
        [content] = svg.contents
        assert isinstance(content, TextResourceContents)
        assert content.text.startswith("<svg")
        with pytest.raises(MCPError, match="there is no seat 'x'"):
            await agent.client.read_resource("fireside://seats/x/picture.svg")


async def test_every_tool_and_parameter_is_described(http_url: str) -> None:
    async with connected(http_url) as agent:
        for tool in (await agent.client.list_tools()).tools:
            assert tool.description
            for name, parameter in tool.input_schema["properties"].items():
                assert parameter["description"].endswith("."), (tool.name, name)
        assert agent.client.instructions


async def test_texts_are_in_the_chosen_language(service_url: str) -> None:
    async with connected(stdio("--url", service_url, "--locale", "fr")) as agent:
        begun = await agent.call("begin_match", game="fire_bulls", opponents=["greedy"], options={"firstSeat": 0})
    assert "votre tour." in begun
    assert "draw: Piocher" in begun


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--host", "0.0.0.0"], "fireside: --host: it is used with --port only\n"),
        (["--url", "nowhere"], "fireside: 'nowhere' is not a URL\n"),
        (["--url", f"http://127.0.0.1:{free_port()}"], "fireside: the service does not answer: connection failed\n"),
    ],
)
def test_wrong_arguments_are_reported_in_one_line(
    words: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mcp", *words]) == 2
    assert capsys.readouterr().err == error
