"""Engine requests: which ones change nothing, and which ones may be sent twice."""

from __future__ import annotations

import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.fire_bulls.v1.fire_bulls_pb2 import State
from fireside.tournament.v1 import tournament_service_pb2 as tournaments
from google.protobuf.message import Message

from gateway.routing import registry
from gateway.routing.bindings import TOURNAMENTS, bindings
from gateway.routing.retries import EngineRequest, engine_request

BINDINGS_BY_REQUEST = {
    binding.method.input_type.full_name: binding
    for game, service in {**registry.GAMES, TOURNAMENTS: registry.TOURNAMENTS}.items()
    for binding in bindings(game, service)
}


def request_for(message: Message) -> EngineRequest:
    return engine_request(BINDINGS_BY_REQUEST[message.DESCRIPTOR.full_name], message)


@pytest.mark.parametrize(
    ("request_", "is_idempotent"),
    [
        (verbs.GetMatchRequest(match_id="m1"), True),
        (verbs.LegalMovesRequest(match_id="m1"), True),
        (verbs.WatchRequest(match_id="m1"), True),
        (verbs.SampleRequest(match_id="m1"), True),
        (verbs.HintRequest(match_id="m1"), True),
        (verbs.ForkRequest(match_id="m1"), True),
        (verbs.BatchApplyRequest(), True),
        (verbs.ApplyRequest(match_id="m1", notation="stop"), False),
        (verbs.ApplyRequest(match_id="m1", notation="stop", expected_revision=3), False),
        (verbs.ApplyRequest(match_id="m1", notation="stop", request_id="r1"), True),
        (verbs.ApplyRequest(match_id="m1", notation="stop", validate_only=True), True),
        (verbs.ApplyRequest(state=State(), notation="stop"), True),
        (verbs.NewGameRequest(), False),
        (verbs.NewGameRequest(ephemeral=True), True),
        (verbs.LeaveRequest(match_id="m1"), False),
        (tournaments.CreateTournamentRequest(), False),
        (tournaments.CreateTournamentRequest(request_id="r1"), True),
        (tournaments.ListTournamentsRequest(), True),
        (tournaments.CancelTournamentRequest(), False),
    ],
)
def test_only_calls_without_a_second_effect_may_be_retried(request_: Message, is_idempotent: bool) -> None:
    assert request_for(request_).is_idempotent is is_idempotent


@pytest.mark.parametrize(
    ("request_", "changes"),
    [
        (verbs.LegalMovesRequest(match_id="m1"), False),
        (verbs.BatchApplyRequest(), False),
        (verbs.ApplyRequest(state=State(), notation="stop"), False),
        (verbs.ApplyRequest(match_id="m1", notation="stop", validate_only=True), False),
        (verbs.ApplyRequest(match_id="m1", notation="stop"), True),
        (verbs.ApplyRequest(match_id="m1", notation="stop", request_id="r1"), True),
        (verbs.NewGameRequest(ephemeral=True), False),
        (tournaments.CreateTournamentRequest(request_id="r1"), True),
    ],
)
def test_an_idempotent_call_still_counts_as_a_change(request_: Message, changes: bool) -> None:
    assert request_for(request_).changes_nothing is not changes
