"""MCP server with the tools and resources of agents, over standard input and output or streamable HTTP."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.resources import TextResource
from mcp.types import ToolAnnotations

from cli.agents.descriptions import INSTRUCTIONS
from cli.agents.tools import AgentTools, reporting_errors
from cli.rules_text import page_source
from cli.servers.http_server import HttpServer
from cli.translation import gettext
from cli.version import package_version
from engine_core.games import GAMES
from fireside_client import AsyncFiresideClient
from fireside_client.types.any_game import Game
from runtime.addresses import address
from runtime.signals import Signals

HTTP_PATH: Final = "/mcp"
GRACE_SECONDS: Final = 2.0
"""How long calls in flight may continue when the server stops."""


def create_server(client: AsyncFiresideClient, games: Sequence[Game]) -> MCPServer[object]:
    """A server whose tools call the service of the client, which has the games."""
    server: MCPServer[object] = MCPServer(
        "fireside", title="Fireside", instructions=INSTRUCTIONS, version=package_version(), log_level="WARNING"
    )
    tools = AgentTools(client, games)
    reading: list[Callable[..., Awaitable[object]]] = [tools.list_games, tools.read_rules, tools.read_components]
    reading += [
        tools.list_open_matches,
        tools.look,
        tools.look_at_picture,
        tools.list_moves,
        tools.wait_for_turn,
        tools.score,
        tools.replay,
        tools.try_moves,
        tools.link_seat,
    ]
    writing: list[Callable[..., Awaitable[object]]] = [tools.begin_match, tools.join_match, tools.move, tools.hint]
    writing += [tools.rematch]
    giving_up: list[Callable[..., Awaitable[object]]] = [tools.substitute, tools.withdraw, tools.reissue, tools.leave]
    for tool in reading + writing + giving_up:
        hints = ToolAnnotations(read_only_hint=tool in reading, destructive_hint=tool in giving_up)
        server.add_tool(reporting_errors(tool), annotations=hints, structured_output=False)
    for game in games:
        if game["name"] in GAMES:  # a newer service may have games whose pages this command lacks
            uri, text = f"fireside://rules/{game['name']}", page_source(game["name"])
            server.add_resource(TextResource(uri=uri, name=game["title"], mime_type="text/markdown", text=text))
    server.resource("fireside://seats/{seat_id}/picture.svg", mime_type="image/svg+xml")(tools.picture_svg)
    return server


async def serve_http(server: MCPServer[object], host: str, port: int) -> None:
    """Serve streamable HTTP until SIGTERM or SIGINT; print the address when ready. Raises `CannotListen`."""
    signals = Signals()
    # The SDK refuses requests for other host names than `host`, if that is the machine itself: DNS rebinding.
    web = HttpServer(server.streamable_http_app(streamable_http_path=HTTP_PATH, host=host), host, port, GRACE_SECONDS)
    await web.start()
    print(gettext("MCP is at {url}", url=f"http://{address(host, web.port)}{HTTP_PATH}"), flush=True)
    await signals.wait()
    await web.stop()
