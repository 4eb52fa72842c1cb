"""Build `fireside`: a wheel has the rules compiled, an editable install leaves the sources as they are."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import cast

from setuptools import Extension, find_namespace_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.dist import Distribution
from setuptools.errors import BaseError, CompileError, ExecError, LinkError

SOURCES = ["cli*", "engine_core*", "gateway*", "runtime*", "services*"]
GENERATED = Path("proto/gen")
COMPILED = [
    "engine_core/**/*.py",
    "services/engine/codecs/**/*.py",
    *[f"services/engine/{name}.py" for name in ("codec", "responses", "wire")],
    "services/engine/inline/fast_path.py",
    "services/engine/inline/state_cache.py",
    "services/engine/matches/progress.py",
    "services/engine/records/heads.py",
    "services/grpc_server/fast_path.py",
    "runtime/telemetry/measures.py",
    *[f"gateway/protojson/{name}.py" for name in ("fields", "quick", "values", "wire")],
    *[f"services/tournaments/results/{name}.py" for name in ("estimates", "results", "tally")],
]
"""The rules, what reads, writes and prints messages, what counts, and what a coordinator does with every result."""
OWN_CALLS = "-fno-semantic-interposition"
"""The functions of the library call each other directly, or become parts of each other: nobody replaces any."""

REHEARSAL = "rehearsal.py"
COUNTED = ["-fprofile-generate"]
LEARNT = ["-fprofile-use", "-fprofile-partial-training", "-Wno-missing-profile"]
"""What the rehearsal does not touch is compiled as if there were none."""
PYTHON = '#include "Python.h"'
GCC = f"{PYTHON}\n#if !defined(__GNUC__) || defined(__clang__)\n#error the flags are those of GCC\n#endif"


def packages() -> list[str]:
    """Our packages, and the generated ones, which have no `__init__.py`."""
    return find_namespace_packages(include=SOURCES) + find_namespace_packages(str(GENERATED))


def compiles(source: str, flags: Sequence[str] = ()) -> bool:
    """Whether a C extension of this Python that begins so can be compiled and linked here, with those flags."""
    with tempfile.TemporaryDirectory() as folder:
        probe = Path(folder, "probe.c")
        probe.write_text(f"{source}\nPyMODINIT_FUNC PyInit_probe(void) {{ return NULL; }}\n")
        extension = Extension("probe", [str(probe)], extra_compile_args=[*flags], extra_link_args=[*flags])
        command = build_ext(Distribution({"ext_modules": [extension]}))
        command.build_temp = command.build_lib = folder
        command.ensure_finalized()
        try:
            command.run()
        except (BaseError, CompileError, LinkError):
            return False
    return True


class RehearsedBuild(build_ext):
    """Compiles twice: so that the ways are counted that a rehearsal goes, and so that those are short.

    Another compiler than GCC compiles once. What it makes does the same, but slower.
    """

    def build_extensions(self) -> None:
        """Build what there is to build. Raises `ExecError` where what was compiled could not be rehearsed."""
        if not (compiles(GCC, COUNTED) and compiles(GCC, LEARNT)):
            print("fireside: no GCC that can learn from a rehearsal, what is compiled stays slower", file=sys.stderr)
            super().build_extensions()
            return
        for counts in self._counts():
            counts.unlink()
        self._build(COUNTED)
        self._rehearse()
        self._build(LEARNT)

    def _rehearse(self) -> None:
        path = [str(Path(self.build_lib).resolve()), *filter(None, [os.environ.get("PYTHONPATH")])]
        command = [sys.executable, "-B", "-P", REHEARSAL]
        held = subprocess.run(command, env={**os.environ, "PYTHONPATH": os.pathsep.join(path)}, check=False)
        if held.returncode or not self._counts():
            raise ExecError("what was compiled could not be rehearsed")

    def _counts(self) -> list[Path]:
        return list(Path(self.build_temp).rglob("*.gcda"))

    def _build(self, flags: list[str]) -> None:
        plain = self.extensions
        self.extensions = [copy(extension) for extension in plain]
        for extension in self.extensions:
            extension.extra_compile_args = extension.extra_compile_args + flags
            extension.extra_link_args = extension.extra_link_args + flags
        self.force = True
        super().build_extensions()
        self.extensions = plain


def compiled_modules() -> list[Extension]:
    """What is compiled, as C extensions; none where the wheel is to be plain Python."""
    if "bdist_wheel" not in sys.argv:  # an editable install would put them beside the sources, and hide later edits
        return []
    if os.environ.get("FIRESIDE_PURE") == "1":
        print("fireside: FIRESIDE_PURE=1, all stays interpreted", file=sys.stderr)
        return []
    if not compiles(PYTHON):
        print("fireside: no C compiler with Python's headers, all stays interpreted", file=sys.stderr)
        return []
    from mypyc.build import mypycify

    modules = sorted(path.as_posix() for pattern in COMPILED for path in Path().glob(pattern))
    mypycified = mypycify(modules, opt_level="3", group_name="fireside", target_dir="build/mypyc")
    extensions = cast("list[Extension]", mypycified)
    for extension in extensions:
        extension.extra_compile_args.append(OWN_CALLS)
    return extensions


Path("build").mkdir(exist_ok=True)
setup(
    packages=packages(),
    ext_modules=compiled_modules(),
    cmdclass={"build_ext": RehearsedBuild},
    options={"egg_info": {"egg_base": "build"}},
)
