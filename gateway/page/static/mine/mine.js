// View of my matches: those of this browser.
import { client, game } from "../api.js";
import { element, fill } from "../elements/dom.js";
import { text } from "../words/texts.js";
import { BrowserMatches } from "./browser.js";

/** @type {import("../main.js").View} */
export async function show(place) {
  const games = await client().games();
  const found = await Promise.all(games.map(({ name }) => game(name).components()));
  /** @param {string} name */
  const words = (name) => found.find((each) => each.game === name) ?? { title: name, names: {} };
  const browser = new BrowserMatches(words);
  document.title = `${text("mine.title")} · Fireside`;
  fill(place, element("h1", {}, text("mine.title")), browser.element);
  void browser.refresh();
  return () => browser.close();
}
