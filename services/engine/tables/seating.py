"""Seating of a stored match: who has each seat, which token of it is valid, and which join codes are.

It is stored apart from the log, since it is no move: any change of it makes a step lose its race that was made on the
seating of before, so that a replaced token is refused by every engine at once.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final, NamedTuple

from fireside.match.v1.match_pb2 import SeatChange, SeatSpec
from fireside.match.v1.match_record_pb2 import MatchHeader, SeatHolding
from fireside.match.v1.match_record_pb2 import Seating as SeatingMessage

from services.store.keys import TOKEN_KEY
from services.store.matches.store import Store

CODE_LABEL: Final = b"fireside/join-code/1/"
CODE_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32, without letters that look like others."""
CODE_LENGTH: Final = 12
"""Characters of a join code, of 5 bits each: too many to guess within the life of a match."""
LOOK_ALIKES: Final = str.maketrans("OIL", "011", " -")


class Player(NamedTuple):
    """Who takes a seat; `platform` is the digest of the API key's holder who vouches for the player id."""

    spec: SeatSpec
    player_id: str = ""
    platform: str = ""


class Seating:
    """Who has the seats of a match. Immutable: each change returns another."""

    def __init__(self, header: MatchHeader, encoded: bytes = b"") -> None:
        """`encoded` is what is stored; empty for the players of the header, with their first tokens."""
        self.encoded: Final = encoded
        self._message: Final = SeatingMessage.FromString(encoded)
        self._header: Final = header
        self.waiting: Final = self._message.waiting
        """Whether a seat is open, so that the match has not begun."""
        self.expire_ms: Final = self._message.expire_ms
        """When the match expires if it has not begun by then, in milliseconds since 1970; 0 once it has."""

    @classmethod
    def first(cls, header: MatchHeader, players: Sequence[Player], expire_ms: int) -> Seating:
        """The seating of a new match; `expire_ms` is when it expires if it has to wait for players."""
        is_open = [player.spec.HasField("open") for player in players]
        if not any(is_open) and not any(player.player_id for player in players):
            return cls(header)
        seats = [
            SeatHolding(offered=offered, player_id=player.player_id, platform=player.platform)
            for offered, player in zip(is_open, players, strict=True)
        ]
        waiting = any(is_open)
        message = SeatingMessage(waiting=waiting, expire_ms=expire_ms if waiting else 0, seats=seats)
        return cls(header, message.SerializeToString(deterministic=True))

    @property
    def platforms(self) -> list[str]:
        """Digests of the API keys' holders that hear of the match: of its beginner, and of who vouches for a player."""
        found = {self._header.platform, *[holding.platform for holding in self._message.seats]}
        return sorted(found - {""})

    @property
    def holdings(self) -> Sequence[SeatHolding]:
        """What is stored of the seats; empty if it is nothing."""
        return self._message.seats

    @property
    def seats(self) -> list[SeatSpec]:
        """The players by seat."""
        if not self._message.seats:
            return list(self._header.seats)
        return [self._player(seat) for seat in range(len(self._header.seats))]

    def _player(self, seat: int) -> SeatSpec:
        holding = self._message.seats[seat]
        return holding.player if holding.HasField("player") else self._header.seats[seat]

    def holding(self, seat: int) -> SeatHolding:
        """What is stored of a seat."""
        return self._message.seats[seat] if self._message.seats else SeatHolding()

    def token_number(self, seat: int) -> int:
        """Number of the seat's valid token."""
        return self._message.seats[seat].token_number if self._message.seats else 0

    def change(self, seat: int) -> SeatChange.ValueType:
        """What has happened to a seat whose player has just changed, as a `SeatChange`."""
        return change_to(self.seats[seat])

    def was_changed_by(self, seat: int, request_digest: bytes) -> bool:
        """Whether the request of this digest is the one that changed the seat last; an empty digest is of none."""
        return bool(request_digest) and hmac.compare_digest(self.holding(seat).request_digest, request_digest)

    def is_open(self, seat: int) -> bool:
        """Whether nobody has the seat."""
        return self.seats[seat].HasField("open")

    def taken(self, seat: int, player: Player, request_digest: bytes = b"") -> Seating:
        """The seating after a player, or a bot, has taken a seat: earlier tokens and codes of it are invalid."""
        return self._changed(
            seat,
            SeatHolding(
                player=player.spec,
                token_number=self.token_number(seat) + 1,
                request_digest=request_digest,
                player_id=player.player_id,
                platform=player.platform,
            ),
        )

    def vacated(self, seat: int, request_digest: bytes = b"") -> Seating:
        """The seating after the player of a seat has left a match that has not begun: the seat is open again."""
        spec = SeatSpec()
        spec.open.SetInParent()
        number = self.token_number(seat) + 1
        holding = SeatHolding(player=spec, token_number=number, offered=True, request_digest=request_digest)
        return self._changed(seat, holding)

    def offered(self, seat: int) -> Seating:
        """The seating in which a join code hands over a seat, whose player has it until then."""
        holding = self._copy(seat)
        holding.offered = True
        return self._changed(seat, holding)

    def reissued(self, seat: int, request_digest: bytes = b"") -> Seating:
        """The seating in which earlier tokens and codes of a seat are invalid."""
        holding = self._copy(seat)
        holding.offered = False
        holding.request_digest = request_digest
        holding.token_number += 1
        return self._changed(seat, holding)

    def _copy(self, seat: int) -> SeatHolding:
        holding = SeatHolding()
        holding.CopyFrom(self.holding(seat))
        return holding

    def _changed(self, seat: int, holding: SeatHolding) -> Seating:
        message = SeatingMessage()
        message.CopyFrom(self._message)
        while len(message.seats) < len(self._header.seats):
            message.seats.add()
        message.seats[seat].CopyFrom(holding)
        changed = Seating(self._header, message.SerializeToString())
        message.waiting = any(spec.HasField("open") for spec in changed.seats)
        if not message.waiting:
            message.expire_ms = 0
        return Seating(self._header, message.SerializeToString(deterministic=True))

    def with_header(self, header: MatchHeader) -> Seating:
        """The seating of a match that begins, whose new header has the players."""
        message = SeatingMessage()
        message.CopyFrom(self._message)
        for holding in message.seats:
            holding.ClearField("player")
        return Seating(header, message.SerializeToString(deterministic=True))


def change_to(player: SeatSpec) -> SeatChange.ValueType:
    """What has happened to a seat that a player or nobody has now, as a `SeatChange`."""
    if player.HasField("open"):
        return SeatChange.SEAT_CHANGE_LEFT
    return SeatChange.SEAT_CHANGE_SUBSTITUTED if player.bot else SeatChange.SEAT_CHANGE_JOINED


class JoinCodes:
    """Join codes, computed from the key that all engines on a store share, so that none is stored."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store

    async def code(self, match_id: str, seat: int, number: int) -> str:
        """The code of a seat whose token has the number."""
        key = await self._store.shared_key(TOKEN_KEY)
        digest = hmac.digest(key, CODE_LABEL + f"{match_id}/{seat}/{number}".encode(), "sha256")
        bits = int.from_bytes(digest, "big")
        return "".join(CODE_ALPHABET[bits >> 5 * place & 31] for place in range(CODE_LENGTH))

    async def seat_of(self, match_id: str, seating: Seating, code: str, digest: bytes) -> tuple[int, bool] | None:
        """The seat that a code gives now, and whether the same request has taken it before; None for no seat."""
        given = code.upper().translate(LOOK_ALIKES).encode(errors="replace")
        for seat in range(len(seating.seats)):
            holding = seating.holding(seat)
            is_repeat = seating.was_changed_by(seat, digest)
            if not (holding.offered or is_repeat):
                continue
            expected = await self.code(match_id, seat, holding.token_number - is_repeat)
            if hmac.compare_digest(expected.encode(), given):
                return seat, is_repeat
        return None


def public_seat(seating: Seating, digest: bytes) -> tuple[int, bool] | None:
    """The first open seat of a public match, or the one that the same request has taken before; None for no seat."""
    seats = range(len(seating.seats))
    for seat in seats:
        if seating.was_changed_by(seat, digest):
            return seat, True
    return next(((seat, False) for seat in seats if seating.is_open(seat)), None)


def request_digest(call: str, request: bytes, request_id: str) -> bytes:
    """The digest by which a repeated call is recognised; empty without a request id."""
    return hashlib.sha256(f"{call}/".encode() + request).digest() if request_id else b""
