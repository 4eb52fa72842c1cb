// Lists of matches by how they stand: whose turn it is, which wait for players, which are over or gone.
import * as api from "../api.js";
import { button, element, fill, link } from "../elements/dom.js";
import { namedSeats, playerName } from "../elements/standings.js";
import { errorText, language, text } from "../words/texts.js";

/** How a match stands, in the order of the lists. */
const STANDINGS = /** @type {const} */ (["yours", "others", "waiting", "over", "gone", "failed"]);

/** @typedef {typeof STANDINGS[number]} Standing */
/** @typedef {{standing: Standing, seats: readonly api.Seat[], own?: number | undefined, problem?: string}} Found */
/** @typedef {Found & {game: string, matchId: string, begun: number}} Row */
/** @typedef {{title: string, names: Record<string, string>}} GameWords */

/** Lists under headings; a standing that no match has gets no heading. */
export class MatchLists {
  element = element("div", {});
  #words;
  #headings;
  #remove;
  #shown = "";

  /**
   * @param {(game: string) => GameWords} words
   * @param {(standing: Standing) => string} headings
   * @param {(row: Row) => void} [remove] called where the person removes a match from the list
   */
  constructor(words, headings, remove) {
    this.#words = words;
    this.#headings = headings;
    this.#remove = remove;
  }

  /** @param {readonly Row[]} rows */
  show(rows) {
    const shown = JSON.stringify(rows);
    if (shown === this.#shown) return; // the focus stays where it is
    this.#shown = shown;
    const focused = document.activeElement?.getAttribute("data-match");
    const hadFocus = this.element.contains(document.activeElement);
    fill(this.element, ...STANDINGS.map((standing) => this.#list(standing, rows.filter((row) => row.standing === standing))));
    if (!hadFocus) return;
    const items = /** @type {HTMLElement[]} */ ([...this.element.querySelectorAll("[data-match]")]);
    (items.find((item) => item.getAttribute("data-match") === focused) ?? items[0])?.focus();
  }

  /** @param {Standing} standing @param {readonly Row[]} rows */
  #list(standing, rows) {
    return rows.length > 0 && element("section", {}, element("h3", {}, this.#headings(standing)), element("ul", {}, ...rows.map((row) => this.#item(row))));
  }

  /** @param {Row} row */
  #item(row) {
    const { title, names } = this.#words(row.game);
    const seats = namedSeats(row.seats, names, row.own);
    const players = seats.map(({ open }, seat) => (open ? text("table.open") : playerName(seats, seat))).join(", ");
    const label = `${title}, ${new Date(row.begun).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" })}`;
    const anchor = link(api.matchPath(row.game, row.matchId), label);
    anchor.dataset["match"] = row.matchId;
    const remove = this.#remove;
    const removal = remove && button(text("mine.remove"), () => remove(row), { class: "quiet", "data-match": `-${row.matchId}`, "aria-label": `${text("mine.remove")}: ${label}` });
    return element("li", {}, anchor, players && ` — ${players}`, row.problem && ` — ${row.problem}`, removal);
  }
}

/**
 * How a match of this browser stands, by one call without retries.
 * @param {string} name of the game
 * @param {string} matchId
 * @returns {Promise<Found>}
 */
export async function standingOf(name, matchId) {
  try {
    const { over, waiting, toMove, seat, seats } = await api.match(name, matchId, { retrySeconds: 0 }).get();
    const isYours = seat !== undefined && toMove.includes(seat);
    return { standing: over ? "over" : waiting ? "waiting" : isYours ? "yours" : "others", seats, own: seat };
  } catch (error) {
    return { standing: isFinal(error) ? "gone" : "failed", seats: [], problem: errorText(error) };
  }
}

/** Whether a match cannot come back for this browser.
 * @param {unknown} error */
function isFinal(error) {
  return api.isDeadToken(error) || api.isGone(error) || (error instanceof api.FiresideError && error.reason === "UNKNOWN_GAME");
}
