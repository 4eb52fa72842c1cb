"""`fireside_client` has a method for every route, and reads what webhooks receive."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest

from environments.play import encoding_named
from fireside_client import FiresideClient
from fireside_client.types import fireship
from fireside_client.webhooks import read_webhook
from tests.clients.platform_service import KEY, Platform, platform_service


@pytest.fixture(scope="module")
def platform() -> Iterator[Platform]:
    with platform_service() as platform:
        yield platform


def test_there_is_a_method_for_every_route(platform: Platform) -> None:
    with FiresideClient(platform.url, api_key=KEY) as client:
        _receive_by_a_webhook(client, platform)
        _play_an_inline_state(client)
        _play_a_match(client)
        assert next(client.platform_events("0-0"))["eventId"]
        assert [game["name"] for game in client.games()]
        assert [key["algorithm"] for key in client.signing_keys()] == ["Ed25519"]
    assert platform.uncalled_routes() == set()


def _receive_by_a_webhook(client: FiresideClient, platform: Platform) -> None:
    created = client.create_webhook(platform.receiver_url, ["match.turn"])
    tested = client.test_webhook(created["webhookId"])
    assert (tested["status"], tested["error"]) == (204, "")
    headers, body = platform.requests.get(timeout=20)
    assert read_webhook(created["secret"], headers, body)["type"] == "webhook.test"
    client.enable_webhook(created["webhookId"])
    rotated = client.rotate_webhook_secret(created["webhookId"])
    new = client.game(fireship.GAME).new_match([{"name": "Ada", "playerId": "ada"}, {"name": "Bo"}])
    headers, body = platform.requests.get(timeout=20)
    payload = read_webhook(created["secret"], headers, body)
    assert payload["type"] == "match.turn"
    assert (payload["data"]["matchId"], payload["data"]["game"]) == (new["matchId"], "fireship")
    assert read_webhook(rotated, headers, body) == payload
    for fault in ({"webhook-id": "x"}, {"webhook-timestamp": "1"}, {"webhook-signature": "v1,="}):
        with pytest.raises(ValueError, match="not a request that the service signed"):
            read_webhook(created["secret"], headers | fault, body)
    for faulty_body in (body + b" ", b"\xff"):
        with pytest.raises(ValueError, match="not a request that the service signed"):
            read_webhook(created["secret"], headers, faulty_body)
    assert client.webhook_deliveries(created["webhookId"])[-1] == tested
    assert [webhook["webhookId"] for webhook in client.webhooks()] == [created["webhookId"]]
    client.delete_webhook(created["webhookId"])
    assert client.webhooks() == []


def _play_an_inline_state(client: FiresideClient) -> None:
    game = client.game(fireship.GAME)
    begun = game.new_state([{}, {}], client_seed="s")
    state, seat = begun["state"], begun["match"]["toMove"][0]
    move = game.legal_moves(state, seat)[0]["move"]
    first, second = [game.apply(state, seat, move, seed="s", next=True) for _ in "12"]
    assert first == second
    assert first["state"] != state
    next_seat = first["match"]["toMove"][0]
    assert game.hint(first["state"], next_seat, bot="greedy")["moves"]
    assert not game.score(first["state"])["over"]
    assert game.picture(first["state"], next_seat, theme="dark").startswith("<svg ")
    [start] = game.batch_apply([{"state": state}], encodings=True)
    assert "encoded" in start
    action = start["encoded"]["legalActions"][0]
    [result] = game.batch_apply([{"state": state, "seat": seat, "action": action, "seed": "s"}], encodings=True)
    assert "encoded" in result
    assert len(base64.b64decode(result["encoded"]["observation"])) == encoding_named("fireship", 2).observation_size


def _play_a_match(client: FiresideClient) -> None:
    game = client.game(fireship.GAME)
    assert game.components()["names"]
    new = game.new_match([{"name": "Ada", "playerId": "eve"}, {"open": {}}], listed=True, open_after=True)
    assert [match["matchId"] for match in game.list_matches("MATCH_STATE_WAITING")] == [new["matchId"]]
    assert [match["match"]["matchId"] for match in client.platform_matches("eve")] == [new["matchId"]]
    assert [match["match"]["matchId"] for match in client.platform_matches(listed=True)] == [new["matchId"]]
    host, ada = [game.match(new["matchId"], token) for token in (new["hostToken"], new["seats"][0]["token"])]
    game.match(new["matchId"]).join(host.invite(1)["joinCode"]["code"], "Bo")
    bo = game.match(new["matchId"], host.reissue(1)["seat"]["token"])
    to_move = [ada, bo][ada.get()["toMove"][0]]
    moved = to_move.apply(to_move.legal_moves()[0]["move"])["revision"]
    assert bo.substitute("random")["match"]["seats"][1]["bot"] == "random"
    ada.leave()
    *_, last = ada.events()
    assert "over" in last
    assert ada.score()["over"]
    record = ada.record()
    assert game.replay(record, moved, 1)["match"]["view"] == ada.get(moved, seat=1)["view"]
    assert game.replay(record, seat=1, after=0)["events"][-1]["notation"] == ada.history(seat=1)[-1]["notation"]
    assert ada.picture(moved, seat=1) != ada.picture(moved, seat=0)
    assert ada.picture_png(width=200).startswith(b"\x89PNG")
    seat = ada.fork(moved)["match"]["toMove"][0]
    assert ada.legal_moves(moved, seat=seat)
    assert ada.hint(moved, seat, bot="greedy")["moves"]
    assert ada.rematch()["matchId"] != new["matchId"]
    table = game.new_match([{"name": "Ada"}, {"open": {}}])
    game.match(table["matchId"], table["hostToken"]).withdraw()
