"""Spring Festival: the twelve signs, on displays that tell each from its near misreadings."""

from __future__ import annotations

import pytest

from engine_core.games.spring_festival.components import SIGNS
from engine_core.games.spring_festival.signs import scoring_count
from tests.engine_core.games.spring_festival.positions import ONE_TILE, finale_position, new_position, parse_display

SIGN_CASES: list[tuple[str, str, str, int]] = [
    ("fw59 one column with one 1", "goat", "T37@0,0 T03@0,1", 1),
    ("fw59 two 1s in a column", "goat", "T37@0,0 T38@0,1", 0),
    ("fw59 no 1 at all", "goat", "T03@0,0 T13@0,1", 0),
    ("fw59 two 1s in a row are two columns", "goat", "T37@0,0 T38@1,0", 2),
    ("fw58 two 1s with a gap between them", "goat", "T37@0,0 T03@1,0 T06@1,1 T09@1,2 T39@0,2", 0),
    ("fw60 a 3 whose spark is complete", "rooster", "T15@0,0 T44@-1,0", 0),
    ("fw60 half spark W against E", "rooster", "T15@0,0 T43@-1,0", 1),
    ("fw60 two 3s that face each other", "rooster", "T14@0,0 T15@1,0", 2),
    ("fw60 a spark of a 2 next to a 3", "rooster", "T15@0,0 T43@1,0 T36@2,0", 0),
    ("fw61 a pair in a row", "rabbit", "T25@0,0 T26@1,0", 1),
    ("fw61 a pair in a column", "rabbit", "T25@0,0 T26@0,1", 1),
    ("fw61 three in a row are two pairs", "rabbit", "T25@0,0 T26@1,0 T27@2,0", 2),
    ("fw61 a block of four is four pairs", "rabbit", "T25@0,0 T26@1,0 T27@0,1 T28@1,1", 4),
    ("fw61 diagonal neighbours are no pair", "rabbit", "T25@0,0 T03@1,0 T26@1,1", 0),
    ("fw62 a 4 at the edge", "dog", "T03@0,0 T37@1,0", 1),
    ("fw62 a 4 with all four sides taken", "dog", "T03@0,0 T37@1,0 T38@-1,0 T39@0,1 T40@0,-1", 0),
    ("fw62 free corners do not matter", "dog", "T03@0,0 T37@1,0 T38@-1,0 T39@0,1 T40@0,-1 T41@1,1", 0),
    (
        "fw62 a hole is a free side",
        "dog",
        "T37@0,0 T38@1,0 T39@2,0 T40@2,1 T41@2,2 T42@1,2 T43@0,2 T03@0,1 T44@-1,1 T45@-1,0 T46@-1,2",
        1,
    ),
    ("fw63 a red tile framed by any colour", "snake", "T07@0,0 T37@1,0 T40@-1,0 T43@0,1 T46@0,-1", 1),
    ("fw63 three sides are not enough", "snake", "T07@0,0 T37@1,0 T40@-1,0 T43@0,1", 0),
    ("fw63 a framed tile of another colour", "snake", "T03@0,0 T37@1,0 T40@-1,0 T43@0,1 T46@0,-1", 0),
    ("fw64 a group of one", "tiger", "T10@0,0 T03@1,0", 1),
    ("fw64 none", "tiger", "T03@0,0 T06@1,0", 0),
    ("fw64 the largest of two groups", "tiger", "T10@0,0 T11@1,0 T03@2,0 T12@3,0", 2),
    ("fw64 two largest groups count once", "tiger", "T10@0,0 T11@1,0 T03@2,0 T12@3,0 T22@4,0", 2),
    ("fw64 corners do not join", "tiger", "T10@0,0 T03@1,0 T11@1,1", 1),
    ("fw64 a group round a corner", "tiger", "T10@0,0 T11@1,0 T12@1,1 T22@0,1", 4),
    ("fw65 two yellows by a corner", "rat", "T04@0,0 T03@1,0 T05@1,1", 2),
    ("fw65 two yellows by a side", "rat", "T04@0,0 T05@1,0", 0),
    ("fw65 a tile with two diagonal neighbours counts once", "rat", "T04@0,0 T03@1,0 T05@1,1 T06@1,-1", 3),
    ("fw65 another colour by a corner", "rat", "T04@0,0 T03@1,0 T10@1,1", 0),
    ("fw65 two greens by a side", "monkey", "T01@0,0 T02@1,0", 2),
    ("fw65 two greens by a corner", "monkey", "T01@0,0 T10@1,0 T02@1,1", 0),
    ("fw65 three greens in a row count once each", "monkey", "T01@0,0 T02@1,0 T03@2,0", 3),
    ("fw66 a spark counts once and not once a tile", "dragon", "T36@0,0 T33@1,0", 1),
    ("fw66 half a spark does not count", "dragon", "T36@0,0 T44@1,0 T03@2,0", 1),
    ("fw66 a half spark against an edge without", "dragon", "T36@0,0 T43@1,0", 0),
    ("fw66 two sparks of a tile", "dragon", "T36@0,0 T33@1,0 T44@2,0", 2),
    ("fw67 arrows that point at each other", "pig", "T44@0,0 T43@1,0", 1),
    ("fw67 an arrow that is not answered", "pig", "T44@0,0 T42@1,0", 0),
    ("fw67 diagonal pairs count", "pig", "T02@0,0 T47@1,0 T05@1,1", 1),
    ("fw67 each pair counts once", "pig", "T03@0,0 T06@1,0 T09@0,1", 2),
    ("fw67 arrows over a gap", "pig", "T44@0,0 T37@0,1 T38@1,1 T39@2,1 T43@2,0", 0),
    ("vector a column of 4, 3, 1, 2", "ox", "T03@0,0 T13@0,1 T37@0,2 T25@0,3", 1),
    ("vector a column of two 2s and two 4s", "ox", "T25@0,0 T26@0,1 T03@0,2 T06@0,3", 0),
    ("fw58 a longer column with all four", "ox", "T03@0,0 T13@0,1 T37@0,2 T25@0,3 T26@0,4", 1),
    ("fw58 all four in a row", "ox", "T03@0,0 T13@1,0 T37@2,0 T25@3,0", 0),
    ("fw58 a column with a gap", "ox", "T03@0,0 T13@0,1 T10@1,1 T11@1,2 T12@1,3 T37@0,3 T25@0,4", 1),
    ("vector a row of red, blue, yellow, green", "horse", "T07@0,0 T10@1,0 T04@2,0 T01@3,0", 1),
    ("vector a row of red, blue, yellow, red", "horse", "T07@0,0 T10@1,0 T04@2,0 T08@3,0", 0),
    ("fw68 all four colours in a column", "horse", "T07@0,0 T10@0,1 T04@0,2 T01@0,3", 0),
    ("fw58 a row with a gap", "horse", "T07@0,0 T10@1,0 T46@1,1 T47@2,1 T48@3,1 T04@3,0 T01@4,0", 1),
]


@pytest.mark.parametrize(
    ("sign", "shown", "number"), [case[1:] for case in SIGN_CASES], ids=[case[0] for case in SIGN_CASES]
)
def test_a_sign_counts_what_its_card_says(sign: str, shown: str, number: int) -> None:
    assert scoring_count(parse_display(shown), SIGNS.index(sign)) == number


@pytest.mark.parametrize(
    ("sign", "shown", "number"), [case[1:] for case in SIGN_CASES], ids=[case[0] for case in SIGN_CASES]
)
def test_fw57_signs_look_at_every_tile_whatever_its_face(sign: str, shown: str, number: int) -> None:
    found = parse_display(shown)
    found.exploded = (1 << len(found.tiles)) - 1
    assert scoring_count(found, SIGNS.index(sign)) == number
    found.exploded = 0b101
    assert scoring_count(found, SIGNS.index(sign)) == number


def test_every_sign_has_a_case_with_points_and_one_without() -> None:
    assert {case[1] for case in SIGN_CASES} == set(SIGNS)
    assert all(any(case[1] == sign and case[3] > 0 for case in SIGN_CASES) for sign in SIGNS)
    assert all(any(case[1] == sign and case[3] == 0 for case in SIGN_CASES) for sign in SIGNS)


SIGN_POINTS = {
    "goat": ("T37@0,0 T03@0,1", 3),
    "rooster": ("T14@0,0 T15@1,0", 6),
    "rabbit": ("T25@0,0 T26@1,0 T27@2,0", 10),
    "dog": ("T03@0,0 T37@1,0", 3),
    "snake": ("T07@0,0 T37@1,0 T40@-1,0 T43@0,1 T46@0,-1", 5),
    "tiger": ("T10@0,0 T11@1,0", 6),
    "rat": ("T04@0,0 T03@1,0 T05@1,1", 6),
    "monkey": ("T01@0,0 T02@1,0 T03@2,0", 6),
    "dragon": ("T36@0,0 T33@1,0", 2),
    "pig": ("T44@0,0 T43@1,0", 2),
    "ox": ("T03@0,0 T13@0,1 T37@0,2 T25@0,3", 5),
    "horse": ("T07@0,0 T10@1,0 T04@2,0 T01@3,0", 5),
}


@pytest.mark.parametrize("sign", SIGNS)
def test_a_sign_gives_its_points_at_the_end(sign: str) -> None:
    shown, points = SIGN_POINTS[sign]
    position = finale_position([shown, "S2-2@0,0"], sign=sign).all_default()
    assert position.reason() == "finale"
    assert position.breakdown(0)["sign"] == points


def test_without_a_sign_the_breakdown_has_no_line_for_it() -> None:
    assert "sign" not in new_position([ONE_TILE, ONE_TILE]).breakdown()
