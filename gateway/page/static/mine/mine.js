// View of my matches: those of this browser, and those of an API key.
import { client, game } from "../api.js";
import { element, fill } from "../elements/dom.js";
import { text } from "../words/texts.js";
import { BrowserMatches } from "./browser.js";
import { PlatformMatches } from "./platform.js";

/** @type {import("../main.js").View} */
export async function show(place) {
  const games = await client().games();
  const found = await Promise.all(games.map(({ name }) => game(name).components()));
  /** @param {string} name */
  const words = (name) => found.find((each) => each.game === name) ?? { title: name, names: {} };
  const browser = new BrowserMatches(words);
  const platform = new PlatformMatches(words);
  document.title = `${text("mine.title")} · Fireside`;
  fill(place, element("h1", {}, text("mine.title")), browser.element, platform.element);
  void browser.refresh();
  return () => {
    browser.close();
    platform.close();
  };
}
