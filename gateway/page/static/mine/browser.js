// Section with the matches whose tokens this browser stores, and how they stand; each can be removed.
import { confirmed, element } from "../elements/dom.js";
import { forgetMatch, myMatches } from "../stored-matches.js";
import { text } from "../words/texts.js";
import { MatchLists, standingOf } from "./lists.js";

/** @typedef {import("./lists.js").Row} Row */

const REFRESH = 30_000; // a stream for each would take the connections of the browser

/** Fetched when it is shown, and every `REFRESH` while the tab is visible; what is over or gone stays so. */
export class BrowserMatches {
  #lists;
  #none = element("p", { hidden: true }, text("mine.none"));
  element;
  /** @type {Map<string, Row>} */
  #final = new Map();
  #end = new AbortController();

  /** @param {(game: string) => import("./lists.js").GameWords} words */
  constructor(words) {
    this.#lists = new MatchLists(words, (standing) => text(`mine.${standing}`), (row) => void this.#remove(row));
    this.element = element("section", {}, element("h2", {}, text("mine.browser")), element("p", { class: "small" }, text("mine.browser.about")), this.#none, this.#lists.element);
    const { signal } = this.#end;
    const refresh = () => document.hidden || void this.refresh();
    document.addEventListener("visibilitychange", refresh, { signal });
    const timer = setInterval(refresh, REFRESH);
    signal.addEventListener("abort", () => clearInterval(timer));
  }

  close() {
    this.#end.abort();
  }

  async refresh() {
    const rows = await Promise.all(myMatches().map((each) => this.#final.get(each.matchId) ?? row(each)));
    for (const each of rows) if (each.standing === "over" || each.standing === "gone") this.#final.set(each.matchId, each);
    const stored = new Set(myMatches().map(({ matchId }) => matchId));
    const left = rows.filter(({ matchId }) => stored.has(matchId)); // one may have been removed meanwhile
    this.#none.hidden = left.length > 0;
    this.#lists.show(left);
  }

  /** @param {Row} row */
  async #remove({ matchId, standing }) {
    const isLost = standing !== "over" && standing !== "gone";
    if (isLost && !(await confirmed(text("mine.removeQuestion"), text("mine.remove"), text("mine.keep")))) return;
    forgetMatch(matchId);
    await this.refresh();
  }
}

/** @param {import("../stored-matches.js").MyMatch} match @returns {Promise<Row>} */
async function row({ game, matchId, begun }) {
  return { game, matchId, begun, ...(await standingOf(game, matchId)) };
}
