"""Build `fireside`: a wheel has the rules compiled, an editable install leaves the sources as they are."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import cast

from setuptools import Extension, find_namespace_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.dist import Distribution
from setuptools.errors import BaseError, CompileError, LinkError

SOURCES = ["cli", "cli.*", "engine_core*", "environments*", "gateway*", "runtime*", "services*"]
GENERATED = Path("proto/gen")
CLIENT = Path("clients/python")
"""The folder of `fireside_client`, which the command uses, and which is a package of its own too."""
GAME_PAGES = "runtime.game_pages"
"""The package of `docs/games`, for `fireside rules` and the page in the browser."""
COMPILED = [
    "engine_core/**/*.py",
    "services/engine/codecs/**/*.py",
    *[f"services/engine/{name}.py" for name in ("codec", "responses", "wire")],
    "services/engine/inline/fast_path.py",
    "services/engine/inline/state_cache.py",
    "services/engine/matches/progress.py",
    "services/engine/records/heads.py",
    "services/grpc_server/fast_path.py",
    *[f"gateway/protojson/{name}.py" for name in ("field_printers", "value_printers", "wire_reader")],
    *[f"services/tournaments/results/{name}.py" for name in ("estimates", "results", "tally")],
]
"""The rules, what reads, writes and prints messages, the fast path, and what a coordinator does with results."""
OWN_CALLS = "-fno-semantic-interposition"
"""Calls between functions of the library are direct, or inlined: no other library replaces one of its symbols."""
NO_INDENTATION_CHECK = "-Wno-misleading-indentation"
"""gcc checks the indentation in time that grows with the square of a file's length: for most of the time of a build."""


def packages() -> list[str]:
    """Our packages, and the generated ones, which have no `__init__.py`."""
    client = find_namespace_packages(str(CLIENT), include=["fireside_client*"])
    return [*find_namespace_packages(include=SOURCES), *find_namespace_packages(str(GENERATED)), *client, GAME_PAGES]


def has_compiler() -> bool:
    """Whether a C extension of this Python can be compiled and linked here, headers included."""
    with tempfile.TemporaryDirectory() as folder:
        probe = Path(folder, "probe.c")
        probe.write_text('#include "Python.h"\nPyMODINIT_FUNC PyInit_probe(void) { return NULL; }\n')
        command = build_ext(Distribution({"ext_modules": [Extension("probe", [str(probe)])]}))
        command.build_temp = command.build_lib = folder
        command.ensure_finalized()
        try:
            command.run()
        except (BaseError, CompileError, LinkError):
            return False
    return True


def compiled_modules() -> list[Extension]:
    """What is compiled, as C extensions; none where the wheel is to be plain Python."""
    if "bdist_wheel" not in sys.argv:  # an editable install would put them next to the sources, and hide later edits
        return []
    if os.environ.get("FIRESIDE_PURE") == "1":
        print("fireside: FIRESIDE_PURE=1, all stays interpreted", file=sys.stderr)
        return []
    if not has_compiler():
        print("fireside: no C compiler with Python's headers, all stays interpreted", file=sys.stderr)
        return []
    from mypyc.build import mypycify

    modules = sorted(path.as_posix() for pattern in COMPILED for path in Path().glob(pattern))
    mypycified = mypycify(
        modules, opt_level=os.environ.get("FIRESIDE_OPT_LEVEL", "3"), group_name="fireside", target_dir="build/mypyc"
    )
    extensions = cast("list[Extension]", mypycified)
    for extension in extensions:
        extension.extra_compile_args += [OWN_CALLS, NO_INDENTATION_CHECK]
    return extensions


Path("build").mkdir(exist_ok=True)
setup(packages=packages(), ext_modules=compiled_modules(), options={"egg_info": {"egg_base": "build"}})
