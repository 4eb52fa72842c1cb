"""HTTP load by `wrk`: a client in Python would take more processor time than the server, and so measure itself."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

CONNECTIONS: Final = 8

SCRIPT: Final = """\
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = io.open({body}, "rb"):read("*a")
"""


class Refused(RuntimeError):
    """A request failed, or was answered with an error status."""


def program() -> str:
    """Path of `wrk`. Raises `FileNotFoundError` with instructions to install it."""
    found = shutil.which("wrk")
    if found is None:
        raise FileNotFoundError("wrk is not on the PATH: it loads the gateway; on Debian `apt-get install wrk`")
    return found


def rate(url: str, body: bytes, seconds: int) -> float:
    """Requests a second. Raises `Refused`."""
    with tempfile.TemporaryDirectory() as folder:
        sent, script = Path(folder, "body.json"), Path(folder, "post.lua")
        sent.write_bytes(body)
        script.write_text(SCRIPT.format(body=json.dumps(str(sent))))
        words = [program(), "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(script), url]
        said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in said or "Socket errors" in said:
        raise Refused(said)
    found = re.search(r"Requests/sec:\s+([0-9.]+)", said)
    assert found is not None
    return float(found[1])
