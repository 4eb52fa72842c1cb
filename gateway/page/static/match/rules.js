// The rules of a game, as the gateway renders docs/games.
import { element, fill } from "../elements/dom.js";
import { language, text } from "../words/texts.js";

/**
 * A section that opens; the rules are loaded when it does.
 * @param {string} game
 * @param {string} summary
 */
export function rules(game, summary) {
  const content = element("div", { class: "rules" });
  const ontoggle = async () => {
    if (content.hasChildNodes()) return;
    const response = await fetch(`/page/rules/${encodeURIComponent(game)}/${language()}`);
    fill(content, ...(response.ok ? sections(await response.text()) : [text("rules.none")]));
  };
  return element("details", { ontoggle }, element("summary", {}, text("rules.title")), element("p", {}, summary), content);
}

/**
 * The elements of a rendered page. Its links and images lead into the folder of the docs, which is not served.
 * @param {string} html
 */
function sections(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const image of body.querySelectorAll("img")) image.remove();
  for (const each of body.querySelectorAll("a:not([href^='http'])")) each.replaceWith(...each.childNodes);
  for (const empty of body.querySelectorAll("th:empty")) empty.replaceWith(document.createElement("td"));
  for (const table of body.querySelectorAll("table")) {
    const scrolled = element("div", { class: "wide", tabindex: "0", role: "group", "aria-label": text("rules.table") });
    table.replaceWith(scrolled);
    scrolled.append(table);
  }
  return [...body.childNodes].map((node) => document.adoptNode(node));
}
