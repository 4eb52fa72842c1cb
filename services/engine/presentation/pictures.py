"""Pictures of positions as SVG and PNG files: the file that a request asks for, drawn from the view of an observer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, Generic

from fireside.match.v1.match_pb2 import SeatSpec
from google.api.httpbody_pb2 import HttpBody

from engine_core.game import SPECTATOR
from engine_core.pictures import Setting, pictures_of
from engine_core.pictures.themes import LIGHT, THEMES, Theme
from engine_core.words import LOCALES, package_of
from services.engine.codec import Codec, M, O, S, V
from services.engine.presentation.localization import Localization
from services.engine.presentation.players import player_names
from services.engine.presentation.png import PngRenderer
from services.engine.requests.messages import GetPictureRequest
from services.grpc_server.errors import InvalidRequest, NoPictures

SVG_FILE: Final = "picture.svg"
PNG_FILE: Final = "picture.png"
DEFAULT_WIDTH: Final = 800
MIN_WIDTH: Final = 200
MAX_WIDTH: Final = 2000
"""Widths of a PNG in pixels."""


class PictureCalls(Generic[S, M, O, V]):
    """Serves `GetPicture` of one version of a game."""

    def __init__(self, codec: Codec[S, M, O, V], localization: Localization) -> None:
        self._game: Final = codec.game
        self._localization: Final = localization
        self._renderer: Final = PngRenderer()
        # Imported with the engine, not by the first call.
        self._pictures: Final = pictures_of(package_of(codec.game))

    def check(self, request: GetPictureRequest) -> None:
        """Check what a request says of the file. Raises `InvalidRequest`, or `NoPictures` without pictures."""
        if self._pictures is None:
            raise NoPictures(self._game.name)
        _theme(request)
        if request.file not in ("", SVG_FILE, PNG_FILE):
            raise InvalidRequest("file", f"{SVG_FILE} or {PNG_FILE}")
        if request.width and not MIN_WIDTH <= request.width <= MAX_WIDTH:
            raise InvalidRequest("width", f"{MIN_WIDTH} to {MAX_WIDTH}, not {request.width}")
        self._localization.requested_words(request.locale)

    async def picture(self, request: GetPictureRequest, state: S, observer: int, seats: Sequence[SeatSpec]) -> bytes:
        """The picture of a position as an observer sees it, as an `HttpBody`; the request has been checked.

        `seats` are the players, or empty.
        """
        words = self._localization.requested_words(request.locale or LOCALES[0])
        assert words is not None
        assert self._pictures is not None
        setting = Setting(words, _theme(request), player_names(seats, observer, words))
        draw = partial(self._pictures.draw, self._game.view(state, observer), setting)
        if request.file == PNG_FILE:
            width = request.width or DEFAULT_WIDTH
            data = await self._renderer.png(draw, width, is_public=observer == SPECTATOR)
            body = HttpBody(content_type="image/png", data=data)
        else:
            body = HttpBody(content_type="image/svg+xml", data=draw().encode())
        return body.SerializeToString()


def _theme(request: GetPictureRequest) -> Theme:
    theme = THEMES.get(request.theme or LIGHT.name)
    if theme is None:
        raise InvalidRequest("theme", f"one of {', '.join(THEMES)}")
    return theme
