"""A person at a match who sees no more than the page shows, and chooses at random what it offers."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from playwright.sync_api import Page

MOST_STEPS: Final = 3000
OFFERED: Final = """() => {
  if (document.querySelector(".outcome table")) return {over: true};
  const moves = document.querySelector(".moves");
  if (!moves || moves.hidden || moves.ariaBusy === "true") return null;
  const parts = document.querySelectorAll(".marks .clickable").length;
  return {over: false, parts, moves: moves.querySelectorAll("ol button").length};
}"""
"""What the page offers: whether the match is over, and the numbers of parts to click and of moves in words."""
POINT: Final = """index => {
  const part = document.getElementById(document.querySelectorAll(".marks .clickable")[index].dataset.part);
  part.scrollIntoView({block: "center"});
  const {left, top, width, height} = part.getBoundingClientRect();
  for (const across of [0.5, 0.25, 0.75, 0.1, 0.9]) for (const down of [0.5, 0.25, 0.75, 0.1, 0.9]) {
    const [x, y] = [left + across * width, top + down * height];
    const parts = document.elementsFromPoint(x, y).map(each => each.closest("[role=button]"));
    if (parts.find(Boolean) === part) return [x, y];
  }
  return null;
}"""
"""A point of a part that no other part to click covers."""


class Player:
    """Plays by clicks or by keys until the match is over. A click may be a touch."""

    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page = page
        self.random = Random(seed)
        self.clicks = 0
        self.choices_in_words = 0

    def play(self, how: str, most: int = MOST_STEPS) -> bool:
        """Play; false if so many steps did not end the match."""
        for _ in range(most):
            offered = self.page.wait_for_function(OFFERED).json_value()
            if offered["over"]:
                return True
            if how == "clicks":
                self._click(offered)
            else:
                self._press()
        return False

    def _click(self, offered: dict[str, Any]) -> None:
        """Click a part that is marked; where there is none, a move in words."""
        self.clicks += 1
        if offered["parts"]:
            self.page.mouse.click(*self.page.evaluate(POINT, self.random.randrange(offered["parts"])))
        else:
            self.choices_in_words += 1
            self.page.locator(".moves ol button").nth(self.random.randrange(offered["moves"])).click()

    def _press(self) -> None:
        """Reach a part of the picture, or a move in words, by keys alone, and choose it."""
        keyboard = self.page.keyboard
        self.clicks += 1
        picture = self.page.locator(".picture [role=button][tabindex='0']")
        if picture.count() and self.random.random() < 0.5:
            picture.focus()
            for _ in range(self.random.randrange(4)):
                keyboard.press(self.random.choice(["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]))
        else:
            self.choices_in_words += 1
            keyboard.press("1")
            for _ in range(self.random.randrange(4)):
                keyboard.press("ArrowDown")
        keyboard.press("Enter")
