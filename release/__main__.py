"""`python -m release TAG`: build the release of a tag, or compare two that were built in different folders."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Final

from release.build import build_release
from release.checksums import differing
from release.tag import Refused, tagged_release

ROOT: Final = Path(__file__).parents[1]


def main() -> int:
    """Build a release, print where it is, and compare it with another one; 1 if it is refused or differs."""
    parser = ArgumentParser(prog="python -m release", description=__doc__)
    parser.add_argument("tag", help="vX.Y.Z, which is checked out")
    parser.add_argument("--out", type=Path, default=ROOT / "build/release", help="folder to build in, deleted first")
    parser.add_argument("--node-modules", type=Path, required=True, help="folder with the TypeScript compiler")
    parser.add_argument("--compare", type=Path, help="folder of the same release that was built before")
    arguments = parser.parse_args()
    try:
        folder = build_release(ROOT, tagged_release(ROOT, arguments.tag), arguments.node_modules, arguments.out)
    except Refused as reason:
        print(f"release: {reason}", file=sys.stderr)
        return 1
    print((folder / "SHA256SUMS").read_text(), end="")
    print(f"release: {folder}", file=sys.stderr)
    if arguments.compare is None:
        return 0
    differences = differing(folder, arguments.compare)
    print(f"differ: {', '.join(differences)}" if differences else "all checksums are equal to those of the other build")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
