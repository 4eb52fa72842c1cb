"""Texts in the language of a request: in unary responses, in streams, and in no response without a language."""

from __future__ import annotations

from random import Random

import grpc
import pytest
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.fire_bulls.v1.fire_bulls_log_pb2 import Event
from fireside.match.v1.match_pb2 import SeatSpec

from engine_core.game import Move
from engine_core.games import GAMES
from engine_core.games.fire_bulls.components import LINES
from engine_core.words import LOCALES
from services.engine.presentation.localization import Localization
from tests.services.client import SERVICE, Client, FireBullsDriver, Refusal
from tests.services.streams import bearer_metadata, events

FRENCH = GAMES["fire_bulls"].words("fr")


def sentence(notation: str) -> str:
    """The French sentence of a move."""
    move: Move = GAMES["fire_bulls"].parse(notation)
    return GAMES["fire_bulls"].sentence(move, FRENCH.with_players(("Seat 0", "Seat 1")))


def first_sentence(event: Event) -> str:
    """The text of a log entry without what the move brought (`test_consequences`)."""
    return event.text.partition(". ")[0]


def legal_sentence(match: verbs.Match, move: verbs.LegalMove) -> str:
    """The French sentence of a legal move: an attack along a line names the nearest card."""
    if not move.notation.startswith("attack"):
        return sentence(move.notation)
    cards = [match.view.columns[square % 3].squares[square // 3] for square in LINES[move.move.attack.direction]]
    near = next(card for card in cards if card)
    name = FRENCH.one("point_card", pb.PointCard.Name(near).removeprefix("POINT_CARD_").lower())
    return sentence(move.notation).replace("Attaquer ", f"Attaquer {name} ")


async def test_legal_moves_and_events_have_sentences(driver: FireBullsDriver) -> None:
    request = verbs.LegalMovesRequest(match_id=driver.match_id, locale="fr")
    moves = (await driver.client.legal_moves(request, driver.token)).moves
    assert [move.text for move in moves] == [legal_sentence(driver.match, move) for move in moves]
    move_response = await driver.client.apply(
        verbs.ApplyRequest(match_id=driver.match_id, move=moves[0].move, locale="fr"), driver.token
    )
    assert [first_sentence(event) for event in move_response.events] == [
        sentence(event.notation) for event in move_response.events
    ]
    history = verbs.HistoryRequest(match_id=driver.match_id, locale="fr")
    log = verbs.HistoryResponse.FromString(await driver.client.raw("History", history.SerializeToString()))
    assert [first_sentence(event) for event in log.events] == [sentence(event.notation) for event in log.events]


async def test_the_legal_moves_of_streams_hints_and_next_turns_say_the_same(client: Client) -> None:
    begun = await client.new_game(verbs.NewGameRequest(seats=[SeatSpec(), SeatSpec()], hints=True))
    seat = begun.match.to_move[0]
    token = begun.seats[seat].token
    legal = await client.legal_moves(verbs.LegalMovesRequest(match_id=begun.match_id, locale="fr"), token)
    texts = {move.notation: move.text for move in legal.moves}
    assert texts == {move.notation: legal_sentence(begun.match, move) for move in legal.moves}
    watch: grpc.aio.UnaryStreamMultiCallable[verbs.WatchRequest, verbs.WatchResponse]
    watch = client.channel.unary_stream(
        f"/{SERVICE}/Watch", verbs.WatchRequest.SerializeToString, verbs.WatchResponse.FromString
    )
    request = verbs.WatchRequest(match_id=begun.match_id, locale="fr", views=True, batched=True)
    call = watch(request, metadata=bearer_metadata(token))
    async for response in call:
        turns = [each.turn for each in (*response.batch.responses, response) if each.HasField("turn")]
        if turns:
            assert {move.notation: move.text for move in turns[0].moves} == texts
            break
    call.cancel()
    hint = verbs.HintRequest(match_id=begun.match_id, locale="fr", bot="greedy:samples=1").SerializeToString()
    hints = verbs.HintResponse.FromString(await client.raw("Hint", hint, token)).moves
    assert {each.move.notation: each.move.text for each in hints} == texts
    apply = verbs.ApplyRequest(match_id=begun.match_id, move=legal.moves[0].move, locale="fr", next=True)
    after = (await client.apply(apply, token)).moves
    legal = await client.legal_moves(verbs.LegalMovesRequest(match_id=begun.match_id, locale="fr"), token)
    assert [move.text for move in after] == [move.text for move in legal.moves]


async def test_score_lines_and_the_outcome_have_texts(driver: FireBullsDriver) -> None:
    await driver.play_at_random(Random(4))
    score = await driver.client.score(verbs.ScoreRequest(match_id=driver.match_id, locale="fr"))
    assert score.reason_text == FRENCH.name("reason", score.reason)
    for standing in score.standings:
        assert [line.text for line in standing.breakdown] == [
            FRENCH.name("score", line.label) for line in standing.breakdown
        ]


@pytest.mark.parametrize("locale", ["fr", "fr-CH", "FR_ca"])
async def test_a_region_has_the_texts_of_its_language(driver: FireBullsDriver, locale: str) -> None:
    request = verbs.LegalMovesRequest(match_id=driver.match_id, locale=locale)
    moves = (await driver.client.legal_moves(request, driver.token)).moves
    assert [move.text for move in moves] == [legal_sentence(driver.match, move) for move in moves]


async def test_without_a_language_there_are_no_texts(driver: FireBullsDriver) -> None:
    moves = await driver.moves()
    assert not any(move.text for move in moves)
    move_response = await driver.play(moves[0].move)
    assert not any(event.text for event in move_response.events)


async def test_an_unknown_language_is_refused_and_changes_nothing(driver: FireBullsDriver) -> None:
    moves = await driver.moves()
    for locale in ("de", "-", "x" * 1000):
        request = verbs.ApplyRequest(match_id=driver.match_id, move=moves[0].move, locale=locale)
        with pytest.raises(Refusal) as caught:
            await driver.client.apply(request, driver.token)
        assert (caught.value.code, caught.value.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ["locale"])
    assert (await driver.client.match(driver.match_id)).revision == driver.match.revision


async def test_a_repeated_request_may_be_in_another_language(driver: FireBullsDriver) -> None:
    [move, *_] = await driver.moves()
    request = verbs.ApplyRequest(match_id=driver.match_id, move=move.move, request_id="r1", locale="fr")
    first = await driver.client.apply(request, driver.token)
    request.locale = "it"
    second = await driver.client.apply(request, driver.token)
    assert second.revision == first.revision
    assert second.events[0].notation == first.events[0].notation
    assert second.events[0].text != first.events[0].text


async def test_an_inline_move_has_the_same_response_except_for_its_texts(client: Client) -> None:
    game = await client.new_game(verbs.NewGameRequest(seats=[SeatSpec(), SeatSpec()], ephemeral=True))
    seat = game.match.to_move[0]
    [move, *_] = (await client.legal_moves(verbs.LegalMovesRequest(state=game.state, seat=seat))).moves
    request = verbs.ApplyRequest(state=game.state, seat=seat, move=move.move, seed="s")
    plain = await client.apply(request)
    request.locale = "fr"
    localized = await client.apply(request)
    assert all(event.text for event in localized.events)
    for event in localized.events:
        event.ClearField("text")
    assert localized == plain


async def test_texts_in_streams_do_not_change_the_heads(driver: FireBullsDriver) -> None:
    await driver.play_at_random(Random(6))
    requests = [verbs.WatchRequest(match_id=driver.match_id, locale=locale) for locale in ("", *LOCALES)]
    logs = []
    for request in requests:
        call: grpc.aio.UnaryStreamMultiCallable[verbs.WatchRequest, verbs.WatchResponse]
        call = driver.client.channel.unary_stream(
            f"/{SERVICE}/Watch", verbs.WatchRequest.SerializeToString, verbs.WatchResponse.FromString
        )
        logs.append([event async for event in events(call(request))])
    plain, *localized = logs
    assert not any(event.text for event in plain)
    assert len({tuple(event.text for event in entries) for entries in localized}) == len(LOCALES)
    for entries in localized:
        assert [(event.notation, event.head) for event in entries] == [(event.notation, event.head) for event in plain]
        assert all(event.text for event in entries)


@pytest.mark.parametrize("locale", ["", *LOCALES])
async def test_components_have_names_in_the_language(client: Client, locale: str) -> None:
    request = verbs.GetComponentsRequest(locale=locale).SerializeToString()
    components = verbs.GetComponentsResponse.FromString(await client.raw("GetComponents", request))
    words = GAMES["fire_bulls"].words(locale or LOCALES[0])
    assert (components.locale, components.title) == (locale or LOCALES[0], words.title)
    assert components.names["ATTACK_CARD_RED"] == words.name("attack_card", "red")
    assert components.names["reason.general"] == words.name("reason", "general")
    assert [preset.name for preset in components.presets] == [*GAMES["fire_bulls"].presets()]
    [iterations] = [
        option for bot in components.bots for option in bot.options if (bot.name, option.name) == ("mcts", "iterations")
    ]
    assert (iterations.minimum, iterations.maximum, iterations.whole) == (1, 2000, True)


ARABIC = "\u0639\u0644\u064a"
"""A name that is written from right to left."""


async def test_sentences_call_the_players_of_a_match_by_name(client: Client) -> None:
    seats = [
        SeatSpec(name="Ada"),
        SeatSpec(name=" \n"),
        SeatSpec(bot="greedy:samples=2"),
        SeatSpec(name=f"{ARABIC}\u202e"),
    ]
    begun = await client.new_game(verbs.NewGameRequest(seats=seats))
    for locale, ada, nameless, bot in (
        ("en", "Ada draws", "Seat 2 draws", "Greedy draws"),
        ("fr", "Ada pioche", "Le joueur 2 pioche", "Opportuniste pioche"),
        ("it", "Ada pesca", "Il giocatore 2 pesca", "Opportunista pesca"),
    ):
        history = verbs.HistoryRequest(match_id=begun.match_id, locale=locale)
        log = verbs.HistoryResponse.FromString(await client.raw("History", history.SerializeToString())).events
        watch: grpc.aio.UnaryStreamMultiCallable[verbs.WatchRequest, verbs.WatchResponse]
        watch = client.channel.unary_stream(
            f"/{SERVICE}/Watch", verbs.WatchRequest.SerializeToString, verbs.WatchResponse.FromString
        )
        call = watch(verbs.WatchRequest(match_id=begun.match_id, locale=locale))
        streamed = []
        async for event in events(call):
            streamed.append(event.text)
            if len(streamed) == len(log):
                call.cancel()
                break
        assert streamed == [event.text for event in log]
        for beginning in (ada, nameless, bot, f"\u2068{ARABIC}\u2069 "):
            assert any(event.text.startswith(beginning) for event in log)
        assert not any("\u202e" in event.text for event in log)


async def test_an_inline_state_has_no_players_to_name(client: Client) -> None:
    request = verbs.NewGameRequest(seats=[SeatSpec(name="Ada"), SeatSpec(name="Eve")], ephemeral=True)
    state = (await client.new_game(request)).state
    seat = [*(await client.legal_moves(verbs.LegalMovesRequest(state=state, seat=0))).moves] == []
    moves = (await client.legal_moves(verbs.LegalMovesRequest(state=state, seat=int(seat), locale="en"))).moves
    [draw] = [move for move in moves if move.notation == "draw"]
    moved = await client.apply(verbs.ApplyRequest(state=state, seat=int(seat), move=draw.move, locale="en"))
    assert any(event.text.startswith(f"Seat {int(seat) + 1} draws") for event in moved.events)


def test_a_response_to_many_streams_gets_its_texts_once_for_each_language() -> None:
    parsed: list[bytes] = []

    def parse(data: bytes) -> verbs.WatchResponse:
        parsed.append(data)
        return verbs.WatchResponse.FromString(data)

    localization, words = Localization(GAMES["fire_bulls"]), [GAMES["fire_bulls"].words(locale) for locale in LOCALES]
    response = verbs.WatchResponse(event=Event(revision=1, notation="stop")).SerializeToString()
    texts = {localization.with_texts(response, parse, each) for each in [*words, *words]}
    assert len(texts) == len(parsed) == len(LOCALES)
