"""Finished matches as text for language models: positions as seats saw them, and moves tried on a copy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from cli.agents import texts
from fireside_client import AsyncGameClient
from fireside_client.types.any_game import (
    Components,
    Event,
    ForkResponse,
    Match,
    MatchRecord,
    Move,
    Options,
    State,
    View,
)

AnyGameClient: TypeAlias = AsyncGameClient[Components, Move, Options, State, View]

MAX_LISTED_ENTRIES: Final = 20
TRIAL_SEED: Final = "try_moves"
"""Seed of nature's draws after tried moves: equal moves lead to equal positions."""


async def replayed_text(
    rules: AnyGameClient, match: Match, record: MatchRecord, revision: int | None, seat: int | None
) -> str:
    """The position at a revision as a seat saw it, by default the own one, and the log entries before it."""
    own = match.get("seat", 0)
    watched = own if seat is None else seat
    replayed = await rules.replay(record, revision, watched, after=0)
    past = [event for event in replayed["events"] if event["revision"] <= replayed["revision"]]
    then = _position(match, replayed["match"], replayed["revision"])
    return texts.paragraphs(
        texts.events_text(past[-MAX_LISTED_ENTRIES:], match),
        texts.status({**then, "seat": own}),
        texts.position({**then, "seat": watched}),
    )


async def tried_text(rules: AnyGameClient, match: Match, fork: ForkResponse, moves: Sequence[str]) -> str:
    """The position after moves in notation, each made by the first seat that is to move, and what may follow.

    Raises `FiresideError` for a move that is not legal.
    """
    state, reached = fork["state"], _position(match, fork["match"], fork["revision"])
    events: list[Event] = []
    for move in moves:
        applied = await rules.apply(state, _next_seat(reached), move, seed=TRIAL_SEED)
        events += applied["events"]
        state = applied["state"]
        reached = _position(match, applied["match"], fork["revision"] + len(events))
    return texts.paragraphs(
        texts.events_text(events, match),
        texts.status(reached),
        texts.position(reached),
        await _outcome(rules, reached, state),
    )


async def _outcome(rules: AnyGameClient, match: Match, state: State) -> str:
    """The result, or the legal moves of the seat that is to move."""
    if match["over"]:
        return texts.score_text(await rules.score(state), match)
    if not match["toMove"]:
        return ""
    seat = _next_seat(match)
    player = f"{seat + 1} {texts.player_names(match)[seat]}"
    return texts.moves_text(await rules.legal_moves(state, seat), match["revision"], player=player)


def _position(match: Match, position: Match, revision: int) -> Match:
    """A match at another position of it; an inline state has neither players nor a revision."""
    return {**position, "matchId": match["matchId"], "seats": match["seats"], "revision": revision}


def _next_seat(match: Match) -> int:
    """The first seat that is to move; seat 0 if none is, whose move the service refuses."""
    return match["toMove"][0] if match["toMove"] else 0
