"""Plays a whole match over gRPC with code generated from the protos.

Usage: grpc_player.py FOLDER ADDRESS game_name: the folder holds the generated code. Nothing else of Fireside is
imported. Seat 0 plays over the stream `Play`, seat 1 with unary calls, and a spectator watches.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from queue import SimpleQueue
from random import Random
from threading import Thread

import grpc

folder, address, game = sys.argv[1:]
sys.path.insert(0, folder)
verbs = import_module(f"fireside.{game}.v1.{game}_service_pb2")
stubs = import_module(f"fireside.{game}.v1.{game}_service_pb2_grpc")
nouns = import_module("fireside.match.v1.match_pb2")
prefix = game.replace("_", " ").title().replace(" ", "")
random = Random(7)
channel = grpc.insecure_channel(address)
service = getattr(stubs, f"{prefix}ServiceStub")(channel)

new_game = service.NewGame(verbs.NewGameRequest(seats=[nouns.SeatSpec(name="Ada"), nouns.SeatSpec(name="Ben")]))
streaming, calling = ([("authorization", f"Bearer {seat.token}")] for seat in new_game.seats)
watched: list[int] = []
requests: SimpleQueue[object] = SimpleQueue()
results: list[object] = []


def watch_match() -> None:
    request = verbs.WatchRequest(match_id=new_game.match_id, from_revision=0)
    watched.extend(answer.event.revision for answer in service.Watch(request) if answer.HasField("event"))


def request_stream() -> Iterator[object]:
    while True:
        yield requests.get()


def play_by_stream() -> None:
    requests.put(verbs.PlayRequest(join=verbs.Join(match_id=new_game.match_id)))
    for answer in service.Play(request_stream(), metadata=streaming):
        if answer.HasField("over"):
            results.append(answer.over.score)
            return
        if answer.turn.moves:
            move = random.choice(answer.turn.moves).move
            requests.put(verbs.PlayRequest(choice=verbs.Choice(revision=answer.turn.match.revision, move=move)))


def play_by_unary_calls() -> None:
    """Play the seat by unary calls, at each turn of a watch: so it need not poll `LegalMoves`."""
    request = verbs.WatchRequest(match_id=new_game.match_id, from_revision=new_game.revision)
    for answer in service.Watch(request, metadata=calling):
        if answer.HasField("turn"):
            answer_turn()


def answer_turn() -> None:
    while (listed := service.LegalMoves(verbs.LegalMovesRequest(match_id=new_game.match_id), metadata=calling)).moves:
        move = random.choice(listed.moves).move
        request = verbs.ApplyRequest(match_id=new_game.match_id, move=move, expected_revision=listed.revision)
        try:
            service.Apply(request, metadata=calling)
        except grpc.RpcError as error:
            if error.code() is not grpc.StatusCode.ABORTED:
                raise


threads = [Thread(target=work, daemon=True) for work in (watch_match, play_by_stream, play_by_unary_calls)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(100)
score = service.Score(verbs.ScoreRequest(match_id=new_game.match_id))
match = service.GetMatch(verbs.GetMatchRequest(match_id=new_game.match_id)).match
assert score.over, score
assert results == [score]
assert watched == [*range(1, match.revision + 1)]
assert str(verbs.__file__).startswith(folder)
assert not {"cli", "engine_core", "gateway", "services"} & {name.partition(".")[0] for name in sys.modules}
print(f"over at revision {match.revision}, won by {list(score.winners)}")
