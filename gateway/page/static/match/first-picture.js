// First picture of a match: requested and shown before the modules of its view are loaded, so it imports few.
import { Http } from "../client/http.js";
import { element, pictureElement } from "../elements/dom.js";
import { acceptToken, joinCode, tokenOf } from "../stored-matches.js";
import { theme } from "../theme.js";
import { language } from "../words/texts.js";

/** @type {Promise<string | undefined>} */
let requested = Promise.resolve(undefined);

/** The SVG document that `placeholder` requested last; undefined if the service refused it. */
export function firstPicture() {
  return requested;
}

/**
 * Request the picture of a match, and place it as the view does, which replaces it without a shift.
 * @param {string} name
 * @param {string} matchId
 */
export async function placeholder(name, matchId) {
  acceptToken(name, matchId);
  if (joinCode() !== null) return undefined; // no picture before the person has a seat
  const path = `/v1/${encodeURIComponent(name.replaceAll("_", "-"))}/matches/${encodeURIComponent(matchId)}/picture.svg`;
  const call = { token: tokenOf(matchId), query: { theme: theme() } };
  // The view comes to the same error, and says it.
  requested = new Http(location.origin, { locale: language() }).text(path, call).catch(() => undefined);
  const picture = await requested;
  return picture && element("div", { class: "match", "aria-busy": "true" }, element("header"), element("div", { class: "picture" }, pictureElement(picture)));
}
