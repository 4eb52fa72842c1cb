"""Names of imported bots: which names they are, and their options."""

from __future__ import annotations

import pytest

from services.bots.imported.names import ImportedBotName, imported_bot_name, is_imported


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("bots.py:MyBot", ImportedBotName("bots.py", "MyBot", {})),
        ("folder/bots.py:MyBot()", ImportedBotName("folder/bots.py", "MyBot", {})),
        (
            "package.module:MyBot(depth=3,path='weights.npz',shares=(0.5, -1))",
            ImportedBotName("package.module", "MyBot", {"depth": 3, "path": "weights.npz", "shares": (0.5, -1)}),
        ),
    ],
)
def test_a_name_has_a_module_or_file_a_class_and_options(name: str, parts: ImportedBotName) -> None:
    assert is_imported(name)
    assert imported_bot_name(name) == parts


@pytest.mark.parametrize(
    "name", ["random", "greedy:samples", "mcts:iterations=3", "deep_blue", "grpc:host:1", "http://a/b", ":MyBot", "a:1"]
)
def test_names_of_other_bots_are_not_imported(name: str) -> None:
    assert not is_imported(name)


@pytest.mark.parametrize(
    "name",
    [
        *("a:B(3)", "a:B(**{})", "a:B(x=open('file'))", "a:B(x=y)", "a:B(x=1", "a:B(x=1,x=2)", "a:B(x=1)(y=2)"),
        *("a:B(x={[]:1})", f"a:B(x={'-' * 900}1)", f"a:B(x={'(' * 400}1{')' * 400})", "a:B(x='1;2')"),
    ],
)
def test_options_are_names_and_literals(name: str) -> None:
    with pytest.raises(ValueError, match="a:B"):
        imported_bot_name(name)


def test_a_long_name_is_refused_before_it_is_parsed() -> None:
    with pytest.raises(ValueError, match="at most 1000 characters") as caught:
        imported_bot_name(f"a:B(x={'-' * 20_000}1)")
    assert len(str(caught.value)) < 200
