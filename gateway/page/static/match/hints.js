// Hints: the values of the legal moves as bars, as a bot estimates them from what the seat knows.
import { button, element, fill } from "../elements/dom.js";
import { errorText, language, text } from "../words/texts.js";

/** @typedef {{move: {notation: string, text?: string | undefined}, value: number, best: boolean}} MoveHint */
/** @typedef {{seat: number, moves: readonly MoveHint[]}} Hint */

/** A button that asks for the hints of a position, and what was answered. */
export class Hints {
  #status = element("p", { role: "status" });
  #lists = element("div", {});
  #button;
  #ask;
  #nameOf;
  /** Number of the last question: answers to earlier ones are about another position. */
  #asked = 0;

  /**
   * @param {string} label of the button
   * @param {() => Promise<readonly Hint[]>} ask hints of each seat that is to move
   * @param {(seat: number) => string} nameOf
   */
  constructor(label, ask, nameOf) {
    this.#ask = ask;
    this.#nameOf = nameOf;
    this.#button = button(label, () => this.#show(), { class: "quiet" });
    this.element = element("section", { class: "hints" }, this.#button, this.#status, this.#lists);
  }

  /** Forget the answer, since another position is shown. */
  clear() {
    this.#asked++;
    this.#button.disabled = false;
    fill(this.#status);
    fill(this.#lists);
  }

  async #show() {
    this.clear();
    const asked = this.#asked;
    this.#button.disabled = true;
    fill(this.#status, text("hint.waiting"));
    try {
      const hints = (await this.#ask()).filter(({ moves }) => moves.length);
      if (asked !== this.#asked) return;
      fill(this.#status, hints.map((hint) => this.#summary(hint)).join(" ") || text("hint.none"));
      fill(this.#lists, hints.length > 0 && element("p", { class: "small" }, text("hint.about")), ...hints.map((hint) => this.#list(hint)));
    } catch (error) {
      if (asked === this.#asked) fill(this.#status, errorText(error));
    }
    if (asked === this.#asked) this.#button.disabled = false;
  }

  /** @param {Hint} hint */
  #summary({ seat, moves }) {
    const best = moves.find((each) => each.best);
    return best ? text("hint.best", { name: this.#nameOf(seat), move: sentence(best), value: percent(best.value) }) : "";
  }

  /** @param {Hint} hint */
  #list({ seat, moves }) {
    const name = text("hint.of", { name: this.#nameOf(seat) });
    const ordered = [...moves].sort((one, other) => Number(other.best) - Number(one.best) || other.value - one.value);
    return element("ol", { class: "values", tabindex: 0, "aria-label": name }, ...ordered.map(item));
  }
}

/** @param {MoveHint} hint */
function item(hint) {
  const bar = element("meter", { min: 0, max: 1, value: hint.value, "aria-label": sentence(hint) });
  return element("li", { class: hint.best ? "best" : null }, element("span", {}, sentence(hint)), bar, element("span", {}, percent(hint.value)));
}

/** @param {MoveHint} hint */
const sentence = ({ move }) => move.text || move.notation;

/** @param {number} value */
const percent = (value) => new Intl.NumberFormat(language(), { style: "percent" }).format(value);
