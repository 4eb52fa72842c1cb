// View of a match.
import { acceptInvitation, match as matchOf, picture } from "./api.js";
import { element, fill, pictureElement } from "./dom.js";

/** @type {import("./main.js").View} */
export async function show(place, name, matchId) {
  acceptInvitation(name, matchId);
  const match = matchOf(name, matchId);
  const drawn = pictureElement(await picture(match, name));
  fill(place, element("div", { class: "picture" }, drawn));
}
