// Entry of the page: its frame, and a router that shows a view for each path.
import { button, element, fill, go, link } from "./elements/dom.js";
import { chooseLanguage, errorText, language, LANGUAGES, loadTexts, text } from "./words/texts.js";
import { placeholder } from "./match/first-picture.js";
import { applyTheme, chooseTheme, theme } from "./theme.js";

/**
 * A view fills its place in the document. What it returns is called when another view is shown.
 * @typedef {(place: HTMLElement, ...names: string[]) => Promise<(() => void) | void>} View
 */

/** @typedef {(...names: string[]) => Promise<Element | "" | undefined>} Placeholder Element that is shown until the view is loaded, if any. */

/** @type {[RegExp, () => Promise<{show: View}>, Placeholder?][]} */
const ROUTES = [
  [/^\/$/, () => import("./home/home.js")],
  [/^\/match\/([^/]+)\/([^/]+)$/, () => import("./match/match.js"), placeholder],
  [/^\/matches$/, () => import("./mine/mine.js")],
  [/^\/replay(?:\/([^/]+)\/([^/]+))?$/, () => import("./replay/replay.js")],
  [/^\/tournaments$/, () => import("./tournaments/tournaments.js")],
  [/^\/tournaments\/([^/]+)$/, () => import("./tournaments/tournament.js")],
  [/^\/tournaments\/([^/]+)\/matches\/(\d+)$/, () => import("./tournaments/tournament-match.js")],
  [/^\/embed\/([^/]+)(?:\/([^/]+))?$/, () => import("./match/embed.js")],
];

/** @type {(() => void) | void} */
let leave;
let shown = 0;

/** Show the view of the present path, once the texts of the page are loaded. */
async function route(load = async () => {}) {
  leave?.();
  leave = undefined;
  const ticket = ++shown;
  const opening = begin(location.pathname);
  await load();
  if (ticket !== shown) return;
  document.title = "Fireside";
  const place = element("main", { tabindex: "-1" });
  fill(document.body, ...frame(), place);
  try {
    const { view, names, first } = await opening;
    void first?.then((picture) => picture && !place.hasChildNodes() && fill(place, picture));
    const { show } = await view;
    const left = await show(place, ...names);
    if (ticket === shown) leave = left;
    else left?.();
  } catch (error) {
    console.error(error);
    fill(place, element("h1", {}, text("page.failed")), element("p", { role: "alert" }, errorText(error)));
  }
}

/**
 * Begin to load the module of a path and its placeholder; returns also the names in the path.
 * @param {string} path
 */
async function begin(path) {
  for (const [pattern, load, placeholder] of ROUTES) {
    const found = pattern.exec(path);
    if (!found) continue;
    const names = found.slice(1).filter((name) => name !== undefined).map(decodeURIComponent);
    const first = placeholder?.(...names); // requested before the module
    return { view: load(), names, first };
  }
  return { view: { show: nowhere }, names: [] };
}

/** @type {View} */
async function nowhere(place) {
  fill(place, element("h1", {}, text("page.nowhere")), link("/", text("page.home")));
}

/** What is around every view, which an embedded board has not. */
function frame() {
  if (location.pathname.startsWith("/embed/")) return [];
  const languages = Object.entries(LANGUAGES).map(([tag, name]) =>
    element("option", { value: tag, lang: tag, selected: tag === language() }, name),
  );
  /** @param {Event} event */
  const onchange = async (event) => {
    const select = /** @type {HTMLSelectElement} */ (event.target);
    await chooseLanguage(/** @type {import("./words/texts.js").Language} */ (select.value));
    await route();
    document.querySelector("select")?.focus();
  };
  const other = theme() === "dark" ? "light" : "dark";
  const switched = button(
    text(`page.theme.${other}`),
    () => {
      chooseTheme(other);
      document.querySelector("header.page")?.replaceWith(...frame());
    },
    { class: "quiet" },
  );
  return [
    element(
      "header",
      { class: "page" },
      element("nav", { "aria-label": "Fireside" }, link("/", "Fireside"), link("/matches", text("mine.title")), link("/tournaments", text("tournaments.title")), link("/replay", text("replay.title"))),
      element("select", { "aria-label": text("page.language"), onchange }, ...languages),
      switched,
    ),
  ];
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target.closest("a") : null;
  if (!target || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (target.origin !== location.origin || target.target || target.hasAttribute("download")) return;
  if (/^\/(v1|docs|page|errors|openapi)/.test(target.pathname)) return;
  event.preventDefault();
  go(target.pathname + target.search + target.hash);
});
window.addEventListener("popstate", async () => {
  await route();
  document.querySelector("main")?.focus(); // a screen reader goes on from there
});

applyTheme();
await route(loadTexts);
