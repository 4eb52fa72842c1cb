"""Plays a whole match over REST with a client generated from the OpenAPI document.

Usage: rest_player.py FOLDER PACKAGE URL game_name: the package in the folder is the generated client. Nothing else of
Fireside is imported.
"""

from __future__ import annotations

import sys
from importlib import import_module
from random import Random
from types import ModuleType

folder, package, url, game = sys.argv[1:]
sys.path.insert(0, folder)
prefix = game.replace("_", " ").title().replace(" ", "")
clients = import_module(f"{package}.client")
models = import_module(f"{package}.models")


def operation_module(name: str) -> ModuleType:
    return import_module(f"{package}.api.{game}.{name}_{game}")


random = Random(7)
stranger = clients.Client(base_url=url, raise_on_unexpected_status=True)
seats = [models.MatchSeatSpec(name="Ada"), models.MatchSeatSpec(name="Ben")]
body = getattr(models, f"{prefix}NewGameBody")(seats=seats)
new_game = operation_module("new_game").sync(client=stranger, body=body)
tokens = {each.seat: each.token for each in new_game.seats}
sitting = {
    seat: clients.AuthenticatedClient(base_url=url, token=token, raise_on_unexpected_status=True)
    for seat, token in tokens.items()
}
match = new_game.match
while not match.over:
    seat = random.choice(match.to_move)
    listed = operation_module("legal_moves").sync(new_game.match_id, client=sitting[seat])
    move = getattr(models, f"{prefix}ApplyBodyMove")(move=random.choice(listed.moves).move)
    answered = operation_module("apply").sync(new_game.match_id, client=sitting[seat], body=move, idempotency_key="")
    match = answered.match
again = operation_module("apply").sync(new_game.match_id, client=sitting[0], body=move)
score = operation_module("score").sync(new_game.match_id, client=stranger)
history = operation_module("history").sync(new_game.match_id, client=stranger)
assert again.reason == "MATCH_OVER", again
assert score.over, score
assert [event.revision for event in history.events] == [*range(1, match.revision + 1)]
ours = {"cli", "engine_core", "fireside", "gateway", "services"}
assert not ours & {name.partition(".")[0] for name in sys.modules}
print(f"over at revision {match.revision}, won by {score.winners}")
