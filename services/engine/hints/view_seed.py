"""Seed of a random computation about a position as an observer sees it, such as samples and hints."""

from __future__ import annotations

import hashlib
import secrets

from services.engine.codec import Codec, M, O, S, V


def view_seed(codec: Codec[S, M, O, V], label: bytes, seed: str, state: S, observer: int) -> bytes:
    """The seed of a computation with that label; random if `seed` is empty.

    Of the state only the view goes into it, so that what is computed reveals no more than that.
    """
    if not seed:
        return secrets.token_bytes(hashlib.sha256().digest_size)
    view = codec.write_view(codec.game.view(state, observer))
    return hashlib.sha256(label + hashlib.sha256(seed.encode()).digest() + view).digest()
