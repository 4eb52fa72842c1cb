"""Program of the process of an imported bot: imports its class, and answers tasks until the pipe is closed."""

from __future__ import annotations

import importlib.util
import os
import resource
import signal
import sys
import traceback
from importlib import import_module
from math import ceil
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from threading import Thread
from time import process_time
from types import ModuleType

from engine_core.bots.bot import Bot
from engine_core.bots.observation import Observation
from engine_core.games import game_of_version
from services.bots.imported.names import imported_bot_name
from services.bots.imported.task import ImportedBotAnswer, ImportedBotTask


def load_bot(name: str) -> Bot:
    """Import the class of a bot and make an object of it. Raises whatever that raises, and `TypeError` for no bot."""
    module, class_name, options = imported_bot_name(name)
    loaded = _load_file(Path(module)) if module.endswith(".py") else _load_module(module)
    bot: Bot = getattr(loaded, class_name)(**options)
    if not callable(getattr(bot, "choose", None)):
        raise TypeError(f"{class_name} has no method choose(observation, random)")
    return bot


def _load_module(name: str) -> ModuleType:
    """Import a module, which may be in the working directory."""
    sys.path.insert(0, os.getcwd())
    return import_module(name)


def _load_file(path: Path) -> ModuleType:
    """Import a file as the module of its name; its folder is on the path for its own imports."""
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def answer(bot: Bot, task: ImportedBotTask) -> ImportedBotAnswer:
    """Let the bot choose a move; its exceptions become part of the answer."""
    used = ceil(process_time()) + 1
    cpu_seconds = used + ceil(task.seconds) * (os.cpu_count() or 1)  # ends a choice whose caller has gone
    hard_limit = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (_allowed(resource.RLIMIT_CPU, cpu_seconds), hard_limit))
    game = game_of_version(task.rules_version)
    try:
        move = bot.choose(Observation(game, task.state, task.seat), Random(task.seed))
        return ImportedBotAnswer(game.notation(move))
    except Exception:
        return ImportedBotAnswer(error=traceback.format_exc())


def _allowed(kind: int, most: int) -> int:
    """`most`, or the hard limit of this process if that is lower: it cannot be raised."""
    hard_limit = resource.getrlimit(kind)[1]
    return most if hard_limit == resource.RLIM_INFINITY else min(most, hard_limit)


def _exit_at_eof() -> None:
    """End this process at the end of standard input, which comes with the end of the process that started it."""
    while os.read(0, 4096):
        pass
    os._exit(1)


def main(descriptor: int, memory: int, name: str) -> None:
    """Serve the tasks of a pipe. First sends an answer without notation, with the error if the bot cannot be made."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of the terminal; the parent ends us
    Thread(target=_exit_at_eof, daemon=True).start()
    allowed = _allowed(resource.RLIMIT_AS, memory)
    resource.setrlimit(resource.RLIMIT_AS, (allowed, allowed))
    pipe: Connection[ImportedBotAnswer, ImportedBotTask] = Connection(descriptor)
    try:
        bot = load_bot(name)
    except Exception as error:
        pipe.send(ImportedBotAnswer(error=f"{type(error).__name__}: {error}"))
        return
    try:
        pipe.send(ImportedBotAnswer())
        while True:
            pipe.send(answer(bot, pipe.recv()))
    except (EOFError, OSError):
        pass


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
