// Rematch at the end of a match: a button to play again, and who else wants to. Streams end with the match, so it is polled.
import * as api from "../api.js";
import { button, element, fill, go, link } from "../elements/dom.js";
import { text } from "../words/texts.js";

/** @typedef {import("../api.js").Schemas["Match.Rematch"]} Rematch */

const REFRESH = 5_000;
const SLOW_REFRESH = 30_000; // of spectators, and of hidden tabs, whose titles say it

/** The button, and what the others have said. */
export class RematchOffer {
  #name;
  #match;
  #own;
  #nameOf;
  #end = new AbortController();
  #status = element("p", { role: "status" });
  #watch = element("span", {});
  #title = document.title;

  /**
   * @param {string} name of the game
   * @param {api.MatchClient} match that is over
   * @param {number | undefined} own seat; a spectator without one
   * @param {(seat: number) => string} nameOf
   * @param {(error: unknown) => void} fail
   */
  constructor(name, match, own, nameOf, fail) {
    this.#name = name;
    this.#match = match;
    this.#own = own;
    this.#nameOf = nameOf;
    const again = () => api.rematch(name, match).then(go, fail);
    this.element = element("div", {}, this.#status, own !== undefined && button(text("match.rematch"), again, { class: "main" }), this.#watch);
  }

  close() {
    this.#end.abort();
  }

  /** Ask until the end is no longer shown, or the rematch has begun. */
  async follow() {
    while (!this.#end.signal.aborted) {
      try {
        const { rematch } = await api.match(this.#name, this.#match.matchId, { retrySeconds: 0 }).get();
        if (this.#end.signal.aborted) return;
        this.#show(rematch);
        if (rematch && !rematch.waiting) return;
      } catch (error) {
        if (!api.isPassing(error)) return; // the match has expired
      }
      await this.#pause();
    }
  }

  #pause() {
    const woken = new AbortController();
    const { signal } = woken;
    return new Promise((done) => {
      const timer = setTimeout(done, this.#own === undefined || document.hidden ? SLOW_REFRESH : REFRESH);
      signal.addEventListener("abort", () => clearTimeout(timer));
      document.addEventListener("visibilitychange", done, { signal });
      this.#end.signal.addEventListener("abort", done, { signal });
    }).finally(() => woken.abort());
  }

  /** @param {Rematch | undefined} rematch */
  #show(rematch) {
    const others = (rematch?.seats ?? []).filter((seat) => seat !== this.#own).map(this.#nameOf);
    const wanted = others.length && text(others.length > 1 ? "rematch.several" : "rematch.one", { names: others.join(", ") });
    const isBegun = rematch && !rematch.waiting;
    const words = isBegun ? text("rematch.begun") : wanted || "";
    if (words !== this.#status.textContent) this.#status.textContent = words; // screen readers say what is new
    document.title = words ? `● ${words} · ${this.#title}` : this.#title;
    fill(this.#watch, isBegun && this.#own === undefined && link(api.matchPath(this.#name, rematch.matchId), text("rematch.watch")));
  }
}
