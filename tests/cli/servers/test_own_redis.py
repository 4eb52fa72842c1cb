"""The redis-server of `fireside serve`: it ends with it, and a folder keeps what it has."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from cli.commands.services import serve
from cli.main import main
from tests.cli.servers.started import children_of, command_of, url_of, wait_until
from tests.services.processes import Process

ARGUMENTS = ("serve", "--port", "0", "--grpc-port", "0")
NEW_MATCH = {"seats": [{"name": "Ada"}, {"name": "Bob"}]}


class OwnRedis(NamedTuple):
    """What a service has started: its processes, and the folder of the socket."""

    processes: list[int]
    sockets: Path

    @staticmethod
    def of(service: Process) -> OwnRedis:
        [guard] = [child for child in children_of(service.pid) if command_of(child).startswith(b"sh\0")]
        variables = (Path("/proc") / str(guard) / "environ").read_bytes().split(b"\0")
        [sockets] = [each.partition(b"=")[2] for each in variables if each.startswith(b"FIRESIDE_SOCKETS=")]
        assert any(b"redis-server" in command_of(child) for child in children_of(guard))
        return OwnRedis([guard, *children_of(guard)], Path(os.fsdecode(sockets)))

    def wait_until_ended(self) -> None:
        wait_until(lambda: not any(command_of(process) for process in self.processes))
        assert not self.sockets.exists()


@pytest.mark.parametrize("end", ["kill", "stop"])
def test_it_ends_with_the_service_however_that_ends_and_leaves_nothing(end: str) -> None:
    with Process(*ARGUMENTS, REDIS_URL="") as process:
        httpx.post(f"{url_of(process)}/v1/fire-bulls/matches", json=NEW_MATCH).raise_for_status()
        redis = OwnRedis.of(process)
        assert redis.sockets.stat().st_mode & 0o077 == 0
        getattr(process, end)()
        redis.wait_until_ended()


def test_a_folder_keeps_matches_when_the_service_is_killed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Process(*ARGUMENTS, "--data", str(data), REDIS_URL="") as process:
        answer: dict[str, Any] = httpx.post(f"{url_of(process)}/v1/fire-bulls/matches", json=NEW_MATCH).json()
        redis = OwnRedis.of(process)
        process.kill()
        redis.wait_until_ended()
    match, token = answer["matchId"], answer["seats"][0]["token"]
    with Process(*ARGUMENTS, "--data", str(data), REDIS_URL="") as process:
        headers = {"Authorization": f"Bearer {token}"}
        found = httpx.get(f"{url_of(process)}/v1/fire-bulls/matches/{match}", headers=headers).raise_for_status()
        assert found.json()["revision"] == answer["match"]["revision"]
        assert data.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("processes", ["1", "2"])
def test_the_service_ends_with_an_error_when_its_server_is_killed(processes: str) -> None:
    with Process(*ARGUMENTS, "--processes", processes, REDIS_URL="") as process:
        url_of(process)
        redis = OwnRedis.of(process)
        [server] = [each for each in redis.processes if not command_of(each).startswith(b"sh\0")]
        os.kill(server, signal.SIGKILL)
        code, errors = process.wait()
        assert code == 2
        assert errors.splitlines()[-1] == "fireside: the redis-server of this program has ended"
        assert "Traceback" not in errors
        redis.wait_until_ended()


def test_two_services_never_use_one_folder(tmp_path: Path) -> None:
    with Process(*ARGUMENTS, "--data", str(tmp_path), REDIS_URL="") as process:
        url_of(process)
        code, errors = Process(*ARGUMENTS, "--data", str(tmp_path), REDIS_URL="").wait()
        assert code == 2
        assert f"--data: another process uses {tmp_path}" in errors


def test_data_that_redis_cannot_read_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "appendonlydir"
    folder.mkdir()
    (folder / "appendonly.aof.manifest").write_text("not a manifest\n")
    code, errors = Process(*ARGUMENTS, "--data", str(tmp_path), REDIS_URL="").wait()
    assert code == 2
    assert "the redis-server of this program does not start" in errors


def test_a_folder_without_a_server_of_ones_own_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://localhost")
    assert main([*ARGUMENTS, "--data", str(tmp_path)]) == 2
    assert "--data: not with REDIS_URL" in capsys.readouterr().err
    monkeypatch.setenv("REDIS_URL", "")
    monkeypatch.setattr(serve, "redis_server_path", lambda: None)
    assert main([*ARGUMENTS, "--data", str(tmp_path)]) == 2
    assert "--data: there is no redis-server" in capsys.readouterr().err
