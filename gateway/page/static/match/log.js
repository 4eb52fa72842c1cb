// The log of a match in words. Entries that come while the page is open have the time at which they came.
import { element } from "../elements/dom.js";
import { language, text } from "../words/texts.js";

/** @typedef {{revision: number, seat?: number, text: string, notation: string, head: string, reveals: {seat: number, text: string, notation: string}[]}} Entry */

/** @typedef {{seat?: number, text: string, notation: string}} Said */

/**
 * What a log entry reveals, then the entry itself, which says what all of it brought. The text of an entry that reveals
 * a choice of its own seat is that of the last such choice.
 * @param {Entry} entry
 * @returns {Said[]}
 */
export function saidBy(entry) {
  const own = entry.reveals.findLast(({ seat }) => seat === entry.seat);
  return [...entry.reveals.filter((each) => each !== own), entry];
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
