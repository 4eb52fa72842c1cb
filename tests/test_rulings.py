"""docs/rulings.md has one line for each ruling number that the sources, docs and tests cite."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "rulings.md"
FOLDERS = (
    "bench",
    "cli",
    "docs",
    "engine_core",
    "environments",
    "examples",
    "gateway",
    "proto",
    "runtime",
    "services",
    "tests",
)
# FB-34 in prose, test_fb34_ in the name of a test, "fw59 …" in the id of a case
CITATION = re.compile(r"(?<![A-Za-z0-9])(?:(F[BSW])-(\d+)\b|(?:test_)?(f[bsw])(\d+)[_ ])")


def cited_rulings(text: str) -> set[str]:
    """The numbers that a text cites, such as FB-34."""
    return {f"{(match[1] or match[3]).upper()}-{int(match[2] or match[4]):02}" for match in CITATION.finditer(text)}


def test_every_cited_ruling_has_one_line_on_the_page() -> None:
    listed = re.findall(r"^\| (F[BSW]-\d+) \|", PAGE.read_text(), re.MULTILINE)
    assert len(listed) == len(set(listed))
    files = [
        path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".md", ".proto"}
    ]
    cited = set().union(*(cited_rulings(path.read_text()) for path in files if path != PAGE))
    assert len(cited) > 200
    assert cited - set(listed) == set()
