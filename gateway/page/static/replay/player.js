// Player of a replay: the board at each revision with a slider, buttons and keys, and the log.
import { button, element, fill, pictureElement } from "../elements/dom.js";
import { Hints } from "../match/hints.js";
import { saidBy } from "../match/log.js";
import { observerField } from "../elements/observer.js";
import { playerName } from "../elements/standings.js";
import { errorText, text } from "../words/texts.js";
import { theme } from "../theme.js";

/** @typedef {import("../match/log.js").Entry} Event */
/** @typedef {{name?: string, bot?: string}} Seat */
/**
 * @typedef {object} Replayed
 * @property {readonly Seat[]} seats
 * @property {readonly Event[]} events as `own` saw them, or a spectator
 * @property {(seat: number) => Promise<readonly Event[]>} eventsOf what another seat saw
 * @property {boolean} open whether the picture can be drawn as any seat saw it
 * @property {number} [own] seat that sees it unless another is chosen; a spectator without one
 * @property {(revision: number, seat: number | undefined) => Promise<string>} picture
 * @property {(revision: number) => Promise<readonly import("../match/hints.js").Hint[]>} [hints] of each seat that is to move
 * @property {(revision: number) => Promise<import("./variation.js").Variation | undefined>} [variation] none where no seat is to move
 */

const STEP = 900; // milliseconds between moves when it plays by itself
const MOST_PICTURES = 400;

/** The board with its controls, and the log. */
export class Player {
  /** @param {Replayed} replayed */
  constructor(replayed) {
    this.replayed = replayed;
    this.last = replayed.events.length;
    this.revision = this.last;
    /** @type {Map<string, Promise<string>>} */
    this.pictures = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {import("./variation.js").Variation | undefined} */
    this.variation = undefined;
    this.picture = element("div", { class: "picture" });
    this.sentence = element("p", { class: "sentence", "aria-live": "polite" });
    this.slider = element("input", {
      type: "range",
      min: 0,
      max: this.last,
      "aria-label": text("replay.slider"),
      oninput: () => this.choose(Number(this.slider.value)),
    });
    this.play = button(text("replay.play"), () => this.toggle());
    const { hints, seats } = replayed;
    this.hints = hints && new Hints(text("hint.analyse"), () => hints(this.revision), (seat) => playerName(seats, seat));
    this.vary = replayed.variation && button(text("variation.begin"), () => this.#vary(), { class: "quiet" });
    this.problem = element("p", { role: "status" });
    const shown = [this.picture, this.sentence, this.slider, this.#buttons(), this.hints?.element, this.vary, this.problem];
    this.board = element("div", { class: "board" }, ...shown);
    /** @type {number | undefined} seat that was chosen to see as */
    this.observer = undefined;
    /** @type {Map<number | undefined, Promise<readonly Event[]>>} by the observer, as it is chosen */
    this.events = new Map([[undefined, Promise.resolve(replayed.events)]]);
    this.lines = replayed.events.map((event) => this.#line(event));
    this.log = element("ol", { class: "log", tabindex: 0, "aria-label": text("replay.log") }, ...this.lines);
    this.side = element("div", { class: "side" }, this.#observers(), this.log);
  }

  #buttons() {
    /** @param {string} name @param {string} mark @param {() => void} act */
    const step = (name, mark, act) => button(mark, act, { "aria-label": text(`replay.${name}`), title: text(`replay.${name}`) });
    return element(
      "div",
      { class: "controls" },
      step("first", "«", () => this.choose(0)),
      step("previous", "‹", () => this.choose(this.revision - 1)),
      this.play,
      step("next", "›", () => this.choose(this.revision + 1)),
      step("last", "»", () => this.choose(this.last)),
    );
  }

  /** Play on from the position that is shown, in its place, until the person comes back. */
  async #vary() {
    this.stop();
    const place = this.board.closest("main");
    const replay = [...(place?.children ?? [])];
    try {
      const variation = (this.variation = await this.replayed.variation?.(this.revision));
      if (!variation) return fill(this.problem, text("hint.none"));
      const back = button(text("variation.end"), () => {
        variation.close();
        place?.replaceChildren(...replay);
        this.vary?.focus();
      });
      fill(this.problem);
      place?.replaceChildren(...replay.filter(({ tagName }) => tagName === "H1"), back, variation.element);
      back.focus();
      await variation.follow();
    } catch (error) {
      fill(this.problem, errorText(error));
    }
  }

  /** Whose knowledge the picture shows: any seat's, once the match is over. */
  #observers() {
    const { open, seats, own } = this.replayed;
    if (!open) return null;
    return observerField(seats, own, (seat) => {
      this.observer = seat;
      void this.go(this.revision);
      void this.#tell();
    });
  }

  /** @param {Event} event */
  #line(event) {
    return element("li", {}, button(this.#words(event), () => this.choose(event.revision), { class: "quiet" }));
  }

  /** A log entry in words, with what it reveals.
   * @param {Event} event */
  #words(event) {
    const said = saidBy(event).map(({ seat, text: sentence, notation }) => {
      const player = seat === undefined ? text("replay.nature") : playerName(this.replayed.seats, seat);
      return `${player}: ${sentence || notation}`;
    });
    return said.join(" · ");
  }

  /** Tell the log as the chosen observer saw it. */
  async #tell() {
    const chosen = this.observer;
    let found = this.events.get(chosen);
    if (!found) {
      found = this.replayed.eventsOf(/** @type {number} */ (chosen));
      found.catch(() => this.events.delete(chosen));
      this.events.set(chosen, found);
    }
    const events = await found.catch(() => undefined); // the picture says what failed
    if (!events || chosen !== this.observer) return;
    for (const [at, event] of events.entries()) fill(this.lines[at]?.firstElementChild ?? this.log, this.#words(event));
    this.#caption();
  }

  /** Show a position because the person chose it, which ends playing.
   * @param {number} revision */
  choose(revision) {
    this.stop();
    void this.go(revision);
  }

  /** @param {number} revision */
  async go(revision) {
    const before = this.revision;
    this.revision = Math.min(Math.max(revision, 0), this.last);
    if (this.revision !== before) {
      this.hints?.clear();
      fill(this.problem);
    }
    this.slider.value = String(this.revision);
    const line = this.#caption();
    for (const each of this.lines) each.removeAttribute("aria-current");
    line?.setAttribute("aria-current", "step");
    if (line) this.log.scrollTop += line.getBoundingClientRect().top - this.log.getBoundingClientRect().top - this.log.clientHeight / 2;
    const shown = this.revision;
    try {
      const drawn = await this.#picture(shown);
      if (shown === this.revision) fill(this.picture, pictureElement(drawn));
    } catch (error) {
      if (shown === this.revision) fill(this.picture, element("p", { role: "alert" }, errorText(error)));
    }
  }

  /** Say what led to the position that is shown; returns its line of the log. */
  #caption() {
    const line = this.lines[this.revision - 1];
    const sentence = line?.textContent ?? text("replay.start");
    this.slider.setAttribute("aria-valuetext", `${this.revision} / ${this.last}: ${sentence}`);
    fill(this.sentence, element("strong", {}, `${this.revision} / ${this.last}`), " ", sentence);
    return line;
  }

  /** @param {number} revision */
  #picture(revision) {
    const seat = this.observer;
    const key = `${revision} ${seat} ${theme()}`;
    let found = this.pictures.get(key);
    if (!found) {
      found = this.replayed.picture(revision, seat);
      found.catch(() => this.pictures.delete(key));
      if (this.pictures.size >= MOST_PICTURES) this.pictures.clear();
      this.pictures.set(key, found);
    }
    return found;
  }

  toggle() {
    if (this.timer) return this.stop();
    fill(this.play, text("replay.pause"));
    void this.#advance(this.revision === this.last ? 0 : this.revision + 1);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    fill(this.play, text("replay.play"));
  }

  /** @param {number} revision */
  async #advance(revision) {
    const timer = (this.timer = setTimeout(() => undefined));
    await this.go(revision);
    if (this.timer !== timer) return; // stopped meanwhile
    if (this.revision === this.last) return this.stop();
    this.timer = setTimeout(() => void this.#advance(this.revision + 1), STEP);
  }

  /** Show the end, and listen to keys and to the theme; returns what ends it. */
  begin() {
    /** @param {KeyboardEvent} event */
    const onKey = (event) => {
      const target = event.target instanceof Element ? event.target : document.body;
      if (!this.board.isConnected || event.ctrlKey || event.metaKey || event.altKey || target.closest("input:not([type=range]), select, textarea")) return;
      const act = this.#keys()[event.key];
      if (!act || (event.key === " " && target.closest("button, a, summary"))) return;
      event.preventDefault();
      act();
    };
    const redraw = () => void this.go(this.revision);
    void this.go(this.last);
    document.addEventListener("keydown", onKey);
    addEventListener("themechange", redraw);
    return () => {
      this.stop();
      this.variation?.close();
      document.removeEventListener("keydown", onKey);
      removeEventListener("themechange", redraw);
    };
  }

  /** @returns {Record<string, () => void>} */
  #keys() {
    return {
      ArrowLeft: () => this.choose(this.revision - 1),
      ArrowRight: () => this.choose(this.revision + 1),
      Home: () => this.choose(0),
      End: () => this.choose(this.last),
      " ": () => this.toggle(),
    };
  }
}
