"""Matches as plain text for language models: status, position, moves, log entries and standings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Final

from rich.console import Console, RenderableType

from cli.boards import board_of, words_of
from cli.play.history import event_lines
from cli.standings import breakdown, score_title
from cli.translation import gettext, labelled
from engine_core.games import GAMES
from fireside_client.types.any_game import (
    Event,
    Game,
    GetComponentsResponse,
    HintResponse,
    LegalMove,
    Match,
    Option,
    ScoreResponse,
)
from fireside_client.types.shared import MatchSummary

WIDTH: Final = 120
"""Columns of positions and tables: those of the widest board."""
MAX_LISTED_MOVES: Final = 100
"""Most moves in one list, which is about 3,000 tokens."""


def paragraphs(*parts: str) -> str:
    """The parts that are not empty, with empty lines between them."""
    return "\n\n".join(part for part in parts if part)


def plain(renderable: RenderableType) -> str:
    """What a terminal without colours would show."""
    output = StringIO()
    Console(file=output, width=WIDTH, color_system=None, highlight=False).print(renderable)
    return "\n".join(line.rstrip() for line in output.getvalue().splitlines())


def game_text(game: Game, components: GetComponentsResponse) -> str:
    """A game of the list: what it is about, its presets, options and bots."""
    summary = words_of(game["name"]).summary if game["name"] in GAMES else components["summary"]
    seats = gettext("{least} to {most} seats", least=game["minSeats"], most=game["maxSeats"])
    lines = [f"{game['name']}: {game['title']}, {seats}. {summary}"]
    lines.append("  " + labelled(gettext("Presets"), ", ".join(preset["name"] for preset in components["presets"])))
    lines.append("  " + labelled(gettext("Bots"), ", ".join(bot["name"] for bot in components["bots"])))
    lines += [f"  {_option_text(option)}" for option in game["options"]]
    return "\n".join(lines)


def _option_text(option: Option) -> str:
    values = f" ({', '.join(option['values'])})" if option["values"] else ""
    return labelled(gettext("Option {name}", name=f"{option['name']}, {option['type']}{values}"), option["description"])


def player_names(match: Match | MatchSummary) -> list[str]:
    """The names of the players by seat; open seats have none yet."""
    names = [seat["name"] or (gettext("(open)") if "open" in seat else "-") for seat in match["seats"]]
    return ["".join(each if each.isprintable() else "?" for each in name) for name in names]


def open_match_text(match: MatchSummary) -> str:
    """A line of the list of open matches."""
    return labelled(match["matchId"], ", ".join(f"{seat} {name}" for seat, name in enumerate(player_names(match), 1)))


def status(match: Match) -> str:
    """Revision, players, and who is to move."""
    names = player_names(match)
    own = match.get("seat")
    players = [f"{seat + 1} {name}" for seat, name in enumerate(names)]
    if own is not None:
        players[own] = gettext("{player} (you)", player=players[own])
    title = {"match": match["matchId"], "game": match["game"], "revision": match["revision"]}
    lines = [
        gettext("Match {match} of {game}, revision {revision}", **title),
        labelled(gettext("Players"), ", ".join(players)),
    ]
    if match["over"]:
        lines.append(gettext("The match is over."))
    elif match["waiting"]:
        lines.append(gettext("The match begins when the open seats are taken."))
    elif own in match["toMove"]:
        lines.append(gettext("It is your turn."))
    else:
        waiting = ", ".join(f"{seat + 1} {names[seat]}" for seat in match["toMove"])
        lines.append(gettext("Waiting for {players} ...", players=waiting))
    if match.get("deadline"):
        lines.append(labelled(gettext("Deadline"), match["deadline"]))
    return "\n".join(lines)


def position(match: Match) -> str:
    """The board that `fireside play` prints."""
    return plain(board_of(match["game"]).draw(dict(match)))


def legend(match: Match) -> str:
    """What the letters and marks of the position mean."""
    return plain(board_of(match["game"]).legend(dict(match)))


def moves_text(moves: Sequence[LegalMove], revision: int, containing: str = "", player: str = "") -> str:
    """The legal moves at a revision as numbered sentences with their notation, at most `MAX_LISTED_MOVES`.

    `player`: whose moves they are, if not the agent's.
    """
    wanted = containing.lower()
    found = [
        f"{number}. {move['notation']}: {move['text']}"
        for number, move in enumerate(moves, 1)
        if wanted in f"{move['notation']} {move['text']}".lower()
    ]
    counts = {"revision": revision, "count": len(moves)}
    lines = [gettext("Your legal moves at revision {revision}: {count}", **counts)]
    if player:
        lines = [gettext("Legal moves of {player} at revision {revision}: {count}", player=player, **counts)]
    lines += found[:MAX_LISTED_MOVES]
    if not found and wanted:
        lines.append(gettext("No move contains {part}.", part=repr(containing)))
    if len(found) > MAX_LISTED_MOVES:
        more = len(found) - MAX_LISTED_MOVES
        lines.append(gettext("… and {count} more: use list_moves with `containing`.", count=more))
    return "\n".join(lines)


def hint_text(hint: HintResponse) -> str:
    """The legal moves with their values for the seat in percent, the best first, at most `MAX_LISTED_MOVES`."""
    moves = sorted(hint["moves"], key=lambda move: (not move["best"], -move["value"]))
    lines = [gettext("Values at revision {revision} by {bot}:", revision=hint["revision"], bot=hint["bot"])]
    lines += [f"{each['value']:4.0%} {each['move']['notation']}: {each['move']['text']}" for each in moves]
    return "\n".join(lines[: MAX_LISTED_MOVES + 1])


def events_text(events: Iterable[Event], match: Match) -> str:
    """A line for each log entry."""
    return "\n".join(line.plain.strip() for line in event_lines(events, player_names(match), match.get("seat")))


def score_text(score: ScoreResponse, match: Match) -> str:
    """Who has won if the match is over, and the players by rank."""
    names = player_names(match)
    lines = [score_title(score, names)]
    for standing in sorted(score["standings"], key=lambda standing: standing["rank"]):
        player = f"{standing['rank']}. {names[standing['seat']]}"
        points = gettext("points {points} ({breakdown})", points=standing["points"], breakdown=breakdown(standing))
        lines.append(labelled(player, points))
    return "\n".join(lines)
