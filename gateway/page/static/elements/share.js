// Links and code by which a match is shown elsewhere: its page, a picture for chats, a frame for other pages.
import { game, matchPath } from "../api.js";
import { button, element } from "./dom.js";
import { text } from "../words/texts.js";

/**
 * Fields to copy from. A picture needs no script where it is shown.
 * @param {string} name of the game
 * @param {string} matchId
 */
export function sharing(name, matchId) {
  const id = encodeURIComponent(matchId);
  const picture = `${location.origin}${game(name).route}/matches/${id}/picture.png`;
  const frame = `${location.origin}/embed/${encodeURIComponent(name)}/${id}`;
  return element(
    "details",
    { class: "sharing" },
    element("summary", {}, text("share.title")),
    copied(text("share.page"), location.origin + matchPath(name, matchId)),
    copied(text("share.picture"), picture),
    copied(text("share.frame"), `<iframe src="${frame}" title="Fireside" width="600" height="700"></iframe>`),
  );
}

/**
 * A text that cannot be edited, with a button that copies it.
 * @param {string} label
 * @param {string} value
 */
export function copied(label, value) {
  const input = element("input", { readonly: true, value });
  const done = element("span", { role: "status" });
  const copy = button(
    text("share.copy"),
    async () => {
      input.select();
      // Browsers have a clipboard only on pages of https and of the machine itself; the text is selected anyway.
      await navigator.clipboard?.writeText(value).then(() => (done.textContent = text("share.copied")), () => undefined);
    },
    { "aria-label": `${text("share.copy")}: ${label}` },
  );
  return element("div", { class: "copied" }, element("label", {}, label, input), copy, done);
}
