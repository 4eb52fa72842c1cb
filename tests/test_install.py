"""The wheel in a fresh environment: what runs without any dependency, and what says which extra is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from cli.main import COMMAND_HELP
from engine_core.games import GAMES

ROOT = Path(__file__).parents[1]
PACKAGES = ("cli", "engine_core", "environments", "gateway", "runtime", "services")
FILES = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
WITHOUT_EXTRAS = {"key"}
IGNORED_PATTERNS = shutil.ignore_patterns("__pycache__", "*.so")
TOURNAMENT_PACKAGES = ("choix", "dask", "distributed", "numpy", "scipy")
MATCH_PROGRAM = """
import sys
from random import Random
from engine_core.bots import bot_named
from engine_core.bots.observation import Observation
from engine_core.chance import Luck
from engine_core.encodings import encoding_of
from engine_core.games import GAMES
from engine_core.match import Match

game = GAMES[sys.argv[1]]
bot, random = bot_named("random"), Random(1)
match = Match(game, game.start(game.min_seats, next(iter(game.presets().values()))), Luck(bytes(32), []))
match.begin()
encoding = encoding_of(game, game.min_seats)
while seats := match.to_move():
    move = bot.choose(Observation(game, match.state, seats[0]), random)
    assert encoding.action(move) in encoding.legal_actions(match.state, seats[0])
    assert len(encoding.observe(match.state, seats[0])) == encoding.observation_size
    match.play(seats[0], move)
print(match.phase(), encoding.returns(match.state))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment with the wheel, and nothing else."""
    source = tmp_path_factory.mktemp("source")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, source / package, ignore=IGNORED_PATTERNS)
    for folder in ("proto/gen", "docs/games", "clients/python/fireside_client"):
        shutil.copytree(ROOT / folder, source / folder, ignore=IGNORED_PATTERNS)
    for file in FILES:
        shutil.copy(ROOT / file, source)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    building = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", "dist", "."]
    subprocess.run([*pip, *building], cwd=source, env={**os.environ, "FIRESIDE_PURE": "1"}, check=True)
    [wheel] = (source / "dist").glob("*.whl")
    environment = tmp_path_factory.mktemp("environment")
    venv.create(environment)
    python = environment / "bin" / "python"
    subprocess.run([*pip, "--python", python, "install", "--no-deps", "--no-index", wheel], check=True)
    return environment / "bin"


@pytest.mark.parametrize("game", GAMES)
def test_bots_and_encodings_play_a_match_without_any_dependency(installed: Path, game: str) -> None:
    done = subprocess.run(
        [installed / "python", "-I", "-c", MATCH_PROGRAM, game], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize("name", sorted(set(COMMAND_HELP) - WITHOUT_EXTRAS))
def test_a_command_reports_a_missing_extra_in_one_line(installed: Path, name: str) -> None:
    done = subprocess.run([installed / "fireside", name], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"fireside: {name} needs ")
    assert done.stderr.count("\n") == 1
    assert ": pip install 'fireside[" in done.stderr


def test_keys_are_made_without_any_dependency(installed: Path) -> None:
    done = subprocess.run([installed / "fireside", "key", "ann"], capture_output=True, text=True, check=True)
    assert "FIRESIDE_API_KEYS" in done.stdout


@pytest.mark.parametrize("name", COMMAND_HELP)
def test_commands_without_tournaments_need_no_package_of_tournaments(name: str) -> None:
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({TOURNAMENT_PACKAGES}))\n"
        f"from cli.main import EXTRA_BY_COMMAND, import_command\n"
        f"try:\n    import_command({name!r})\n"
        f"except ValueError as error:\n    assert 'fireside[tournaments]' in str(error), error\n"
    )
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'proto/gen'}"}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0


@pytest.mark.parametrize(
    "path",
    ["gateway/page/static/index.html", "gateway/page/static/client/index.js", "runtime/game_pages/fireship.fr.md"],
)
def test_the_page_and_the_rules_of_the_games_are_in_the_wheel(path: str, installed: Path) -> None:
    [folder] = installed.parent.glob("lib/python*/site-packages")
    assert (folder / path).is_file()


def test_the_python_client_is_a_package_of_the_wheel_once(installed: Path) -> None:
    [folder] = installed.parent.glob("lib/python*/site-packages")
    found = [str(path.relative_to(folder)) for path in folder.rglob("py.typed") if "fireside_client" in path.parts]
    assert found == ["fireside_client/py.typed"]
