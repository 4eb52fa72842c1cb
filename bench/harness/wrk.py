"""HTTP load by `wrk`, since a client in Python would take more processor time than the server."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

CONNECTIONS: Final = 8

WRK_SCRIPT: Final = """\
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = io.open({body}, "rb"):read("*a")
"""


class RequestsFailed(RuntimeError):
    """A request failed, or was answered with an error status."""


def wrk_path() -> str:
    """Path of `wrk`. Raises `FileNotFoundError` with instructions to install it."""
    found = shutil.which("wrk")
    if found is None:
        raise FileNotFoundError("wrk is not on the PATH: it loads the gateway; on Debian `apt-get install wrk`")
    return found


def request_rate(url: str, body: bytes, seconds: int) -> float:
    """Requests a second. Raises `RequestsFailed`."""
    with tempfile.TemporaryDirectory() as folder:
        body_file, script = Path(folder, "body.json"), Path(folder, "post.lua")
        body_file.write_bytes(body)
        script.write_text(WRK_SCRIPT.format(body=json.dumps(str(body_file))))
        arguments = [wrk_path(), "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(script), url]
        output = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        raise RequestsFailed(output)
    found = re.search(r"Requests/sec:\s+([0-9.]+)", output)
    assert found is not None
    return float(found[1])
