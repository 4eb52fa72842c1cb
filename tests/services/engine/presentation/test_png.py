"""PNGs of SVG documents: their size, their texts, and what calls wait for."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import Callable
from time import perf_counter

import pytest

from services.engine.presentation import png as png_module
from services.engine.presentation.png import MAX_WAITING, PngRenderer
from services.grpc_server.admission.callers import set_call_origin
from services.grpc_server.errors import Busy

BEGIN = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 100" font-family="DejaVu Sans, sans-serif">'
SQUARE = '<rect width="400" height="100" fill="#fff"/>'


def svg(text: str) -> Callable[[], str]:
    """Draws a document with a text."""
    return lambda: f'{BEGIN}{SQUARE}<text x="10" y="70" font-size="60">{text}</text></svg>'


def pixels(data: bytes) -> bytes:
    """The filtered rows of a PNG, which are equal if the pictures are."""
    found, place = b"", 8
    while place < len(data):
        (length,) = struct.unpack(">I", data[place : place + 4])
        if data[place + 4 : place + 8] == b"IDAT":
            found += data[place + 8 : place + 8 + length]
        place += 12 + length
    return zlib.decompress(found)


async def test_a_png_is_as_wide_as_requested() -> None:
    data = await PngRenderer().png(svg(""), 240, is_public=True)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (240, 60)


async def test_a_png_has_the_glyphs_of_its_texts() -> None:
    renderer = PngRenderer()
    texts = ["", "Ada", "Été", "Àlì", "Ωж", "♠→"]
    drawn = [pixels(await renderer.png(svg(text), 400, is_public=True)) for text in texts]
    assert len(set(drawn)) == len(texts)


async def test_the_event_loop_serves_other_calls_meanwhile() -> None:
    rendering = asyncio.ensure_future(PngRenderer().png(svg("A" * 2000), 2000, is_public=True))
    begin, longest = perf_counter(), 0.0
    while not rendering.done():
        before = perf_counter()
        await asyncio.sleep(0.001)
        longest = max(longest, perf_counter() - before)
    assert longest < (perf_counter() - begin) / 2
    assert await rendering


async def test_a_cancelled_call_frees_the_turn_of_the_next() -> None:
    renderer = PngRenderer()
    first, second = [
        asyncio.ensure_future(renderer.png(svg(text), 200, is_public=True)) for text in ("first", "second")
    ]
    await asyncio.sleep(0.01)
    first.cancel()
    assert pixels(await second) == pixels(await renderer.png(svg("second"), 200, is_public=True))
    assert first.cancelled()


async def test_a_document_that_cannot_be_rendered_is_an_internal_error() -> None:
    with pytest.raises(RuntimeError, match="resvg ended with 1"):
        await PngRenderer().png(lambda: "<svg", 200, is_public=True)


async def test_rendering_has_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(png_module, "MAX_SECONDS", 0.001)
    with pytest.raises(TimeoutError):
        await PngRenderer().png(svg(""), 200, is_public=True)


async def png_for(renderer: PngRenderer, address: str, text: str, done: list[str]) -> None:
    set_call_origin(f"ipv4:{address}:1", {})
    await renderer.png(svg(text), 200, is_public=True)
    done.append(text)


async def test_a_caller_with_many_calls_delays_another_by_one_picture() -> None:
    renderer, done = PngRenderer(), list[str]()
    calls = [asyncio.ensure_future(png_for(renderer, "192.0.2.1", f"flood {number}", done)) for number in range(8)]
    await asyncio.sleep(0)
    await png_for(renderer, "192.0.2.2", "other", done)
    assert done.index("other") <= 1
    for call in calls:
        call.cancel()


async def test_a_caller_may_not_have_more_than_so_many_calls_that_wait() -> None:
    renderer, done = PngRenderer(), list[str]()
    calls = [png_for(renderer, "192.0.2.1", "one picture", done) for _ in range(MAX_WAITING + 3)]
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(each) for each in results[MAX_WAITING:]] == [Busy] * 3
    await png_for(renderer, "192.0.2.1", "one picture", done)
    assert len(done) == MAX_WAITING + 1


async def test_calls_that_wait_or_are_refused_draw_nothing() -> None:
    drawn: list[int] = []

    def draw() -> str:
        drawn.append(1)
        return svg("")()

    renderer = PngRenderer()
    calls = [asyncio.ensure_future(renderer.png(draw, 200, is_public=False)) for _ in range(MAX_WAITING + 8)]
    await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
    await asyncio.sleep(0)
    assert len(drawn) <= 2
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)


async def test_a_picture_that_many_load_at_once_is_rendered_once() -> None:
    renderer = PngRenderer()
    assert (
        len(
            {
                id(data)
                for data in await asyncio.gather(*[renderer.png(svg("chat"), 200, is_public=True) for _ in range(20)])
            }
        )
        == 1
    )


async def test_a_picture_of_a_seat_is_not_cached() -> None:
    """Else the time that a guessed picture takes would say whether it was drawn before."""
    renderer = PngRenderer()
    first, second = [await renderer.png(svg("hand"), 200, is_public=False) for _ in range(2)]
    third = await renderer.png(svg("hand"), 200, is_public=True)
    assert first == second == third
    assert len({id(data) for data in (first, second, third)}) == 3
