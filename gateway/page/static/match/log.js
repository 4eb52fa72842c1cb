// The log of a match in words. Entries that come while the page is open have the time at which they came.
import { element } from "../elements/dom.js";
import { language, text } from "../words/texts.js";

/** @typedef {{revision: number, seat?: number, text: string, notation: string, head: string, reveals: {seat: number, text: string, notation: string}[]}} Entry */

/** @typedef {{seat?: number, text: string, notation: string}} Said */

/**
 * A log entry, and what it reveals but does not say itself. A sealed choice that it reveals at once stands for it.
 * @param {Entry} entry
 * @returns {Said[]}
 */
export function saidBy(entry) {
  return entry.reveals.some(({ seat }) => seat === entry.seat) ? entry.reveals : [entry, ...entry.reveals];
}

/** The list of log entries. */
export class Log {
  #list = element("ol", { class: "log", tabindex: "0", "aria-label": text("match.log") });
  element = element("section", {}, element("h2", {}, text("match.log")), this.#list);
  #nameOf;
  #time = new Intl.DateTimeFormat(language(), { timeStyle: "short" });

  /** @param {(seat: number) => string} nameOf */
  constructor(nameOf) {
    this.#nameOf = nameOf;
  }

  /**
   * @param {Entry} entry
   * @param {boolean} isNew whether it happened just now
   * @returns {string} the entry in words
   */
  add(entry, isNew) {
    const isAtEnd = this.#list.scrollTop + this.#list.clientHeight >= this.#list.scrollHeight - 40;
    const time = isNew && element("time", {}, this.#time.format(new Date()));
    const lines = saidBy(entry).map((each) => this.#line(each));
    this.#list.append(element("li", { value: entry.revision }, time, ...lines));
    if (isAtEnd) this.#list.scrollTop = this.#list.scrollHeight;
    return lines.map(({ textContent }) => textContent).join(" · ");
  }

  /** @param {Said} said */
  #line({ seat, text, notation }) {
    const name = seat !== undefined && element("b", {}, `${this.#nameOf(seat)}: `);
    return element("p", {}, name, text || notation);
  }
}
