"""Openings from files of records: what is taken, what is refused, and a tournament that goes on from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.main import main
from cli.records.openings import read_openings
from services.tournaments.plan.plan import Block, Spec
from services.tournaments.play.blocks import play_block
from services.tournaments.records import replay_match
from tests.services.tournaments.plans import SPEC


def record_of(spec: Spec, block: int = 0) -> dict[str, object]:
    result = play_block(spec, Block(block, (0, 1)))
    fields: dict[str, object] = json.loads(replay_match("cup", spec, result, result.encode_moves(), 0).record())
    return fields


def written(folder: Path, *records: dict[str, object]) -> Path:
    file = folder / "records.ndjson"
    file.write_text("\n".join([json.dumps(record) for record in records]))
    return file


def test_openings_are_the_first_choices_of_the_matches_that_fit_the_plan(tmp_path: Path) -> None:
    italian = Spec("fire_bulls", ("random", "random"), 2, "it")
    other_game = Spec("spring_festival", ("random", "random"), 2)
    file = written(tmp_path, record_of(SPEC), record_of(italian), record_of(other_game), record_of(SPEC, 1))
    openings = read_openings([file], SPEC, 5)
    assert [len(opening.moves) for opening in openings] == [5, 5]
    assert openings[0].secret_seed == record_of(SPEC)["secretSeed"]
    assert read_openings([file], italian, 5) != openings[:1]


def test_a_record_whose_draws_do_not_follow_from_its_seeds_is_refused(tmp_path: Path) -> None:
    forged = record_of(SPEC) | {"secretSeed": "ab" * 32}
    with pytest.raises(ValueError, match="--openings: match cup-0: it begins with fewer than 5 choices that follow"):
        read_openings([written(tmp_path, forged)], SPEC, 5)


def test_a_record_with_fewer_choices_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="--openings: match cup-0: it begins with fewer than 100000 choices"):
        read_openings([written(tmp_path, record_of(SPEC))], SPEC, 100_000)


def test_a_record_whose_seed_is_no_seed_is_refused_by_its_id(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="--openings: match cup-0: "):
        read_openings([written(tmp_path, record_of(SPEC) | {"secretSeed": "no seed"})], SPEC, 5)


def test_files_without_a_fitting_match_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no match of fireship with 2 seats and these options"):
        read_openings([written(tmp_path, record_of(SPEC))], Spec("fireship", ("random", "random"), 2), 5)


def test_a_tournament_goes_on_from_openings_and_is_resumed_only_with_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, ledger = written(tmp_path, record_of(SPEC), record_of(SPEC, 1)), str(tmp_path / "cup.db")
    plan = ["--game", "fire_bulls", "--entrants", "random,random", "--openings", str(file), "--ledger", ledger]
    records = tmp_path / "records"
    assert main(["tournament", "run", *plan, "--workers", "1", "--records", str(records)]) == 0
    played = json.loads(next(records.glob("*-0.json")).read_text())
    opening = read_openings([file], SPEC, 8)
    assert played["secretSeed"] in {each.secret_seed for each in opening}
    tournament_id = played["matchId"].rpartition("-")[0]
    resume = ["tournament", "run", "--resume", tournament_id, "--ledger", ledger, "--openings", str(file)]
    assert main([*resume, "--workers", "1"]) == 0
    capsys.readouterr()
    assert main([*resume, "--opening-moves", "3"]) == 2
    assert "--openings is 2 openings of 16 choices, not 2 openings of 6 choices" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--opening-moves", "3"], ["--openings", "x.ndjson", "--opening-moves", "0"]])
def test_options_of_openings_that_make_no_sense_are_refused(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = ["--game", "fire_bulls", "--entrants", "random,random", "--ledger", str(tmp_path / "cup.db")]
    assert main(["tournament", "run", *plan, *words]) == 2
    assert "--opening-moves: " in capsys.readouterr().err
