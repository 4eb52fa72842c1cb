"""Lets the MCP Inspector list, read and call what `fireside mcp` has, over both transports: `make inspect-mcp`.

Usage: python -m tests.cli.agents.inspector INSPECTOR, with the path of its command. Prints a line for each call.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from tests.cli.agents.test_mcp import ENVIRONMENT, revision, seat_id
from tests.services.processes import ROOT, Process


class Inspector:
    """The command line of the inspector, for one server."""

    def __init__(self, command: str, transport: str, *server: str) -> None:
        self._transport = transport
        self._command = command
        self._server = server

    def call(self, method: str, *words: str) -> Any:
        """The result of a method as JSON. Raises `CalledProcessError` if the inspector reports an error."""
        run = subprocess.run(
            [self._command, "--cli", "--method", method, *words, "--", *self._server],
            env=ENVIRONMENT,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        print(self._transport, method, *words, f"-> {len(run.stdout)} characters", flush=True)
        return json.loads(run.stdout)

    def tool(self, name: str, **arguments: object) -> str:
        """The text that a tool returns."""
        pairs = [word for key, value in arguments.items() for word in ("--tool-arg", f"{key}={json.dumps(value)}")]
        result = self.call("tools/call", "--tool-name", name, *pairs)
        assert not result.get("isError"), result
        text: str = result["content"][0]["text"]
        return text


def inspect(inspector: Inspector) -> None:
    """List tools and resources, with schemas that all clients accept, and call and read one of each."""
    tools = inspector.call("tools/list", "--strict")["tools"]
    print(len(tools), "tools:", ", ".join(tool["name"] for tool in tools))
    assert "fire_bulls: Fire Bulls" in inspector.tool("list_games")
    resources = inspector.call("resources/list")["resources"]
    print(len(resources), "resources:", ", ".join(resource["uri"] for resource in resources))
    [content] = inspector.call("resources/read", "--uri", resources[0]["uri"])["contents"]
    assert content["mimeType"] == "text/markdown"


def main(command: str) -> None:
    """Inspect a server over both transports, and play a move over HTTP."""
    with Process("serve", "--port", "0", "--grpc-port", "0", REDIS_URL="") as service:
        url = service.line().split()[3]
        inspect(Inspector(command, "stdio", sys.executable, "-m", "cli.main", "mcp", "--url", url))
        with Process("mcp", "--url", url, "--port", "0") as server:
            inspector = Inspector(command, "http", server.line().split()[-1])
            inspect(inspector)
            options = {"firstSeat": 0}
            begun = inspector.tool("begin_match", game="fire_bulls", opponents=["greedy"], options=options)
            moved = inspector.tool("move", seat_id=seat_id(begun), move=1, revision=revision(begun))
            assert "Agent: " in moved, moved
    print("the inspector accepts the server")


if __name__ == "__main__":
    main(sys.argv[1])
