// Home: the games of the service.
import { client } from "./api.js";
import { element, fill } from "./dom.js";
import { text } from "./texts.js";

/** @type {import("./main.js").View} */
export async function show(place) {
  const games = await client().games();
  const list = games.map((game) => element("li", {}, game.name));
  fill(place, element("h1", {}, text("home.title")), element("ul", {}, ...list));
}
