"""Widths of text in pictures."""

from __future__ import annotations

import pytest

from engine_core.pictures.svg import fitted_size, shortened, text_width, wrapped


@pytest.mark.parametrize(
    ("bold", "widths"), [(False, {"Wi": 99 + 28, "é": 62, "…": 100}), (True, {"Wi": 111 + 35, "é": 68, "…": 100})]
)
def test_a_line_of_text_is_as_wide_as_its_characters(bold: bool, widths: dict[str, int]) -> None:
    for text, width in widths.items():
        assert text_width(text, 100, bold) == pytest.approx(width)


@pytest.mark.parametrize(
    "name", ["Wilhelmine Hohenstaufen von und zu Hohenzollern", "諸葛亮孔明諸葛亮孔明諸葛亮孔明", "W" * 40]
)
def test_a_long_line_is_shortened_to_the_width_and_a_short_one_is_not(name: str) -> None:
    short = shortened(name, 24, 200)
    assert short.endswith("…")
    assert 150 < text_width(short, 24) <= 200
    assert shortened("Anna", 24, 200) == "Anna"


def test_a_font_size_is_fitted_to_the_width() -> None:
    assert fitted_size("Anna", 24, 200) == 24
    assert text_width("Wilhelmine", fitted_size("Wilhelmine", 24, 100)) <= 100


def test_a_text_is_wrapped_between_words_and_a_long_word_stays_whole() -> None:
    assert wrapped("pass until the next turn", 10, 80) == ["pass until the", "next turn"]
    assert wrapped("to Donaudampfschiff", 10, 50) == ["to", "Donaudampfschiff"]
