"""Names of bots on the command line."""

from __future__ import annotations

import pytest

from cli.bots import check_names, player_name, split_names

KNOWN = (
    "the bots are random, greedy, mcts, strong, or file.py:Class, module:Class, grpc:host:port, http://… or https://…"
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("random,greedy", ("random", "greedy")),
        ("mcts:iterations=4,exploration=1.4,random", ("mcts:iterations=4,exploration=1.4", "random")),
        ("a=random,b=greedy,c=mcts:depth=2,d=random", ("a=random", "b=greedy", "c=mcts:depth=2", "d=random")),
        (
            "deep=mcts:depth=9,iterations=4,x=https://a.example/?b=1",
            ("deep=mcts:depth=9,iterations=4", "x=https://a.example/?b=1"),
        ),
        ("random,mcts:iterations=4,mcts:iterations=5", ("random", "mcts:iterations=4", "mcts:iterations=5")),
        ("b.py:D(sizes=[64,64]),greedy", ("b.py:D(sizes=[64,64])", "greedy")),
        ("b.py:D(a=1,url='http://x'),x=greedy", ("b.py:D(a=1,url='http://x')", "x=greedy")),
    ],
)
def test_options_belong_to_the_bot_before_them(text: str, names: tuple[str, ...]) -> None:
    assert split_names(text) == names


@pytest.mark.parametrize(
    ("name", "error"),
    [
        (
            "deep_blue",
            f"--against deep_blue: {KNOWN}",
        ),
        ("mcts:iterations=0", "--against mcts:iterations=0: iterations must be from 1 to 1000000, not '0'"),
        ("greedy:depth=3", "--against greedy:depth=3: it has no option 'depth'"),
        ("", f"--against : {KNOWN}"),
        (
            "b.py:Deep(64)",
            "--against 'b.py:Deep(64)': its options must be name=value, with literals of Python",
        ),
    ],
)
def test_a_bot_that_no_service_has_is_an_error(name: str, error: str) -> None:
    with pytest.raises(ValueError, match="--against") as caught:
        check_names([name], "against")
    assert str(caught.value) == error


def test_the_address_of_a_bot_is_for_the_service_to_check() -> None:
    check_names(["grpc:bots.example:50051", "https://bots.example/play", "mcts:iterations=4"], "against")


@pytest.mark.parametrize(
    ("seat", "bot", "name"),
    [(1, "greedy", "Ben (greedy)"), (5, "mcts:iterations=4", "Ada (mcts)"), (0, "grpc:a:1", "Ada (grpc:a:1)")],
)
def test_a_bot_has_a_name_and_its_kind(seat: int, bot: str, name: str) -> None:
    assert player_name(seat, bot) == name
