"""Laws: every language has every text, and the sentences of the moves of a position tell them apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_core.bots import SERVED_LIMITS
from engine_core.game import NATURE, Over, Turn, is_in_audience
from engine_core.games import GAMES
from engine_core.words import LOCALES, Words
from services.engine.codecs import CODECS
from services.engine.presentation.components import ComponentsCalls, enum_kind
from services.engine.presentation.localization import Localization
from tests.conformance.game_setups import GAME_SETUPS, ROOT, GameSetup, random_choice

SETUPS = st.sampled_from(GAME_SETUPS)
SEEDS = st.integers(0, 2**32 - 1)
NOT_NAMED = ("TileId", "CompositionId")
"""Enums whose values are the ids that are printed on the things."""

EACH_GAME = pytest.mark.parametrize("game", sorted(GAMES))
EACH_LANGUAGE = pytest.mark.parametrize("locale", LOCALES)


def placeholder_numbers(text: str) -> list[str]:
    """The numbers of a text's places."""
    return sorted(set(re.findall(r"{(\d)}", text)))


def texts_by_path(words: Words) -> Iterator[tuple[str, str]]:
    """Every text with its path."""
    yield "title", words.title
    yield "summary", words.summary
    for kind, names in words.names.items():
        yield from [(f"names.{kind}.{key}", text) for key, text in names.items()]
    yield from [(f"sentences.{key}", text) for key, text in words.sentences.items()]


@EACH_GAME
@EACH_LANGUAGE
def test_every_language_has_the_texts_and_placeholders_of_english(game: str, locale: str) -> None:
    first, other = [dict(texts_by_path(GAMES[game].words(each))) for each in (LOCALES[0], locale)]
    assert other.keys() == first.keys()
    for path, text in other.items():
        assert text.strip() or path == "names.list.and", path
        assert placeholder_numbers(text) == placeholder_numbers(first[path]), path


@EACH_GAME
@EACH_LANGUAGE
def test_every_value_of_every_enum_has_a_name(game: str, locale: str) -> None:
    words, file = GAMES[game].words(locale), CODECS[game].messages.move.DESCRIPTOR.file
    for enum in file.enum_types_by_name.values():
        if enum.name in NOT_NAMED:
            continue
        kind = enum_kind(enum.name)
        for value in enum.values:
            if value.number:
                assert words.name(kind, value.name.lower().removeprefix(f"{kind}_"))


@EACH_GAME
@EACH_LANGUAGE
def test_every_option_and_preset_has_a_name(game: str, locale: str) -> None:
    words = GAMES[game].words(locale)
    options = CODECS[game].encode_options(next(iter(GAMES[game].presets().values())))
    assert {*options.DESCRIPTOR.fields_by_name} <= {*words.names.get("option", {})}
    assert GAMES[game].presets().keys() <= words.names["preset"].keys()


@EACH_GAME
@EACH_LANGUAGE
def test_every_kind_of_name_is_documented(game: str, locale: str) -> None:
    method = CODECS[game].service.methods_by_name["GetComponents"]
    calls = ComponentsCalls(CODECS[game], Localization(GAMES[game]), SERVED_LIMITS)
    request = GetMessageClass(method.input_type)(locale=locale)
    response = GetMessageClass(method.output_type).FromString(calls.get_components(request))  # type: ignore[arg-type]
    kinds = {key.partition(".")[0] for key in response.names if "." in key}  # type: ignore[attr-defined]
    for page in ("docs/clients.md", "proto/templates/service.proto.template"):
        assert {kind for kind in kinds if f"`{kind}." not in (ROOT / page).read_text()} == set()


@settings(max_examples=10, deadline=None)
@given(SETUPS, SEEDS)
def test_every_language_says_what_a_move_brought_in_as_many_clauses(setup: GameSetup, seed: int) -> None:
    game, state, random = setup.game, setup.start(), Random(seed)
    languages = [game.words(locale).with_players(("Ada", "Bob", "", "Eve", "")) for locale in LOCALES]
    while not isinstance(phase := game.phase(state), Over):
        seat = random.choice(phase.seats) if isinstance(phase, Turn) else NATURE
        move, observer = random.choice(game.legal_moves(state, seat)), random.choice(setup.observers())
        is_seen = is_in_audience(observer, game.audience(state, seat, move))
        seen, before = move if is_seen else game.conceal(state, seat, move), game.view(state, observer)
        game.apply(state, seat, move)
        after = game.view(state, observer)
        clauses = [game.consequences(before, seat, seen, after, words) for words in languages]
        assert len({len(each) for each in clauses}) == 1
        text = "".join(["".join(each) for each in clauses])
        assert not {"{", "}"} & set(text)
        assert all(each.strip() == each != "" for each in [*clauses[0], *clauses[1], *clauses[2]])


@settings(max_examples=10, deadline=None)
@given(SETUPS, SEEDS)
def test_sentences_tell_the_moves_of_a_position_apart_in_every_language(setup: GameSetup, seed: int) -> None:
    match, random, game = setup.match(seed), Random(seed), setup.game
    languages = [game.words(locale) for locale in LOCALES]
    while not match.is_over():
        for seat in match.to_move():
            moves = match.legal_moves(seat)
            for words in languages:
                assert len({game.sentence(move, words) for move in moves}) == len(moves)
                view = game.view(match.state, seat)
                shown = {game.sentence_in_view(view, move, words) or game.sentence(move, words) for move in moves}
                assert len(shown) == len(moves)
        for entry in match.play(*random_choice(match, random)):
            for move in (entry.move, entry.concealed):
                if move is not None:
                    assert not {"{", "}"} & set("".join([game.sentence(move, words) for words in languages]))


@settings(max_examples=10, deadline=None)
@given(SETUPS, SEEDS)
def test_phases_score_lines_and_ends_have_names_in_every_language(setup: GameSetup, seed: int) -> None:
    match, random, game = setup.match(seed), Random(seed), setup.game
    languages = [game.words(locale) for locale in LOCALES]
    while True:
        for standing in game.score(match.state).standings:
            for line in standing.breakdown:
                for words in languages:
                    assert words.name("score", line.label)
        phase = match.phase()
        if isinstance(phase, Over):
            for words in languages:
                assert words.name("reason", phase.reason)
            return
        match.play(*random_choice(match, random))
