"""Fixtures: a service in a process of its own, and pages of it in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page

from tests.clients.python.test_matches import Service
from tests.clients.test_generated import MODULES

NewPage: TypeAlias = Callable[..., Page]
PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
"""Options of `Browser.new_context` for a phone."""
AXE: Final = MODULES / "axe-core" / "axe.min.js"
VIOLATIONS: Final = (
    """async () => (await axe.run()).violations.map(({id, nodes}) => [id, ...nodes.map(({html}) => html)])"""
)


def accessibility_violations(page: Page) -> list[list[str]]:
    """What axe finds in the page as it is now: the rule and the elements of each violation."""
    page.evaluate(AXE.read_text("utf-8"))
    found: list[list[str]] = page.evaluate(VIOLATIONS)
    return found


@pytest.fixture(scope="session")
def service(redis_url: str) -> Iterator[Service]:
    service = Service(redis_url)
    yield service
    service.stop()


@pytest.fixture
def faults() -> Iterator[list[str]]:
    """What the console of a page reports as an error, a violation of its policy included. It is to be empty."""
    found: list[str] = []
    yield found
    assert found == []


@pytest.fixture
def new_page(browser: Browser, service: Service, faults: list[str]) -> Iterator[NewPage]:
    """Opens pages of the service, each as another person's browser: options are those of `Browser.new_context`."""
    contexts = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            faults.append(message.text)

    def note_error(error: Error) -> None:
        faults.append(str(error))

    def opened(**options: Any) -> Page:
        context = browser.new_context(base_url=service.url, **{"locale": "en-GB", **options})
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", note)
        page.on("pageerror", note_error)
        return page

    yield opened
    for context in contexts:
        context.close()
