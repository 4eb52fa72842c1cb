"""Every text of the command line that a user sees is translated: the sources are searched for texts that are not."""

from __future__ import annotations

import argparse
import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from cli import translation
from cli.main import main
from cli.translation import catalogue, environment_locale
from engine_core.words import LOCALES
from runtime import connection_faults
from services.tournaments.ledger.ledger import Status

CLI_FOLDER = Path(translation.__file__).parent
ENGLISH_FILES = {"http_server.py", "metrics_app.py", "metrics_server.py", "supervisor.py", "descriptions.py"}
"""Modules whose texts only operators read, in logs and probes, or language models, in descriptions of tools."""
ARGPARSE_TEXTS = {
    "usage: ",
    "options",
    "positional arguments",
    "show this help message and exit",
    "%(prog)s: error: %(message)s\n",
    "argument %(argument_name)s: %(message)s",
    "the following arguments are required: %s",
    "unrecognized arguments: %s",
    "ambiguous option: %(option)s could match %(matches)s",
    "invalid choice: %(value)r (choose from %(choices)s)",
    "invalid %(type)s value: %(value)r",
    "expected one argument",
    "ignored explicit argument %r",
}
"""The texts of argparse that a user can meet with our options."""
CONNECTION_FAULTS = {text for _, text in connection_faults.DESCRIPTIONS} | {"connection lost"}
TOURNAMENT_STATUSES = {status.value for status in Status}
SEVERAL_WORDS = re.compile(r"[A-Za-z`]{2,},? [a-z]{2,}")
"""What a text of several words has in it."""
NOT_TEXTS = re.compile(r"(bold|black on) .*|fireside (play|tournament run) .*|pip install .*|<.*")
"""Styles of rich, commands to copy, and SVG."""


def cli_sources() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(CLI_FOLDER.rglob("*.py")):
        if path.name not in ENGLISH_FILES:
            yield path, ast.parse(path.read_text("utf-8"))


def marked_calls(tree: ast.AST) -> Iterator[ast.Call]:
    """The calls of gettext with a text, and of `gettext_noop`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.startswith("gettext"):
            yield node


def text_of(call: ast.Call) -> str | None:
    argument = call.args[0]
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else None


def placeholders_of(text: str) -> list[str]:
    if text in ARGPARSE_TEXTS or "%(" in text or re.search(r"%[rs]", text):
        return sorted(re.findall(r"%(?:\(\w+\))?[rs]", text))
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


MARKED_TEXTS = {text for _, tree in cli_sources() for call in marked_calls(tree) if (text := text_of(call)) is not None}


def untranslated_texts(tree: ast.Module) -> Iterator[str]:
    """Texts of several words that no call of gettext translates."""
    docstrings = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    marked = {id(part) for call in marked_calls(tree) for part in ast.walk(call.args[0])}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if (
            id(node) not in docstrings | marked
            and SEVERAL_WORDS.search(node.value)
            and not NOT_TEXTS.fullmatch(node.value)
        ):
            yield node.value


DISPLAY_CALLS = re.compile(
    r"print|Text|assemble|append|add_row|add_column|Column|Table|Grid|Rule|Panel|input|getpass|.*Error"
)
"""Calls that show their texts, even single words."""
UNTRANSLATED = {"[bold]", "[/bold]", "fireside:", "--option", "--against", "id", "orient"}
"""Markup of rich, commands, options, notation, and the column `id`."""


def shown_words(tree: ast.Module) -> Iterator[str]:
    """Texts in calls that show them, parts of f-strings included."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        shown = [keyword.value for keyword in node.keywords if keyword.arg in ("help", "metavar", "description")]
        for argument in [*(node.args if DISPLAY_CALLS.fullmatch(name) else []), *shown]:
            parts = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
            yield from (part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))


def test_every_text_of_the_sources_is_translated() -> None:
    left_out = {(path.name, text) for path, tree in cli_sources() for text in untranslated_texts(tree)}
    assert left_out == set()


def test_every_caption_and_help_text_is_translated() -> None:
    shown = {(path.name, text.strip()) for path, tree in cli_sources() for text in shown_words(tree)}
    assert {
        (name, text) for name, text in shown if re.search(r"[A-Za-z]{2}", text) and text not in UNTRANSLATED
    } == set()


@pytest.mark.parametrize("locale", LOCALES[1:])
def test_a_catalogue_has_exactly_the_texts_in_use(locale: str) -> None:
    assert set(catalogue(locale)) == MARKED_TEXTS | ARGPARSE_TEXTS | CONNECTION_FAULTS | TOURNAMENT_STATUSES


@pytest.mark.parametrize("locale", LOCALES[1:])
def test_a_translation_has_the_placeholders_of_its_text(locale: str) -> None:
    for text, translated in catalogue(locale).items():
        assert placeholders_of(translated) == placeholders_of(text), text
        assert translated.strip()
        assert (translated[0] == " ", translated[-1] == " ") == (text[0] == " ", text[-1] == " "), text


def test_every_placeholder_gets_its_value() -> None:
    for path, tree in cli_sources():
        for call in marked_calls(tree):
            text = text_of(call)
            names = [keyword.arg for keyword in call.keywords]
            if text is not None and None not in names:
                assert sorted(map(str, names)) == sorted(set(placeholders_of(text))), (path, text)


def test_argparse_still_has_the_translated_texts() -> None:
    source = inspect.getsource(argparse)
    constants = {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)}
    assert constants >= ARGPARSE_TEXTS


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "en"),
        ({"LANG": "fr_CH.UTF-8"}, "fr"),
        ({"LANG": "it.UTF-8@euro"}, "it"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "it_IT"}, "it"),
        ({"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "C"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": ""}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_the_language_is_read_from_the_environment(environment: dict[str, str], expected: str) -> None:
    assert environment_locale(environment) == expected


@pytest.mark.parametrize(
    ("locale", "usage", "missing"), [("fr", "usage\N{NO-BREAK SPACE}: ", "il manque"), ("it", "uso: ", "mancano")]
)
@pytest.mark.parametrize("at_the_end", [False, True])
def test_help_and_errors_are_in_the_chosen_language(
    locale: str, usage: str, missing: str, at_the_end: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    words, chosen = ["play"], ["--locale", locale]
    with pytest.raises(SystemExit):
        main([*words, *chosen] if at_the_end else [*chosen, *words])
    error = capsys.readouterr().err
    assert error.startswith(f"{usage}fireside play ")
    assert missing in error


def test_the_language_of_the_environment_is_used(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "it_IT.UTF-8")
    assert main(["rules", "chess"]) == 2
    assert "il gioco 'chess'" in capsys.readouterr().err
    assert main(["rules", "chess", "--locale", "fr"]) == 2
    assert "pas de jeu 'chess'" in capsys.readouterr().err


def test_an_unknown_language_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["rules", "--locale", "de"])
    assert caught.value.code == 2
    assert "invalid choice: 'de'" in capsys.readouterr().err
