// What the person may do: the legal moves as a list in words, narrowed by typing and by clicks on the picture.
import { clickable, isNamed, matching, next, remaining } from "./choosing.js";
import { button, element, fill } from "../elements/dom.js";
import { text } from "../words/texts.js";

/** So many moves, or fewer, need no filter. */
const FEW = 6;

/** @typedef {import("./choosing.js").Choice & {move: object}} Move */

/** The choice of a move, by list, picture and keys. */
export class Moves {
  element = element("section", { class: "moves", tabindex: "-1", "aria-label": text("match.moves") });
  #heading = element("h2", {}, text("match.moves"));
  #hint = element("p", { class: "hint" }, text("match.hint"), " ", element("span", { class: "keys" }, text("match.hint.keys")));
  #filter = element("input", {
    type: "search",
    placeholder: text("match.filter"),
    "aria-label": text("match.filter"),
    oninput: () => this.#list(),
    onkeydown: (/** @type {KeyboardEvent} */ event) => this.#filterKey(event),
  });
  #clear = button(text("match.clear"), () => this.clear(), { class: "quiet" });
  #none = element("p", {}, text("match.noMove"));
  #shown = element("ol", { class: "list", onkeydown: (/** @type {KeyboardEvent} */ event) => this.#listKey(event) });
  /** @type {Move[]} */
  #moves = [];
  /** @type {string[]} */
  #clicked = [];
  /** @type {{focus(): void} | undefined} Where the focus was before the last move was made, and is to return to. */
  #focus;
  #board;
  #play;

  /**
   * @param {import("./board.js").Board} board
   * @param {(move: Move) => void} play
   */
  constructor(board, play) {
    this.#board = board;
    this.#play = play;
    fill(this.element, this.#heading, this.#hint, this.#filter, this.#clear, this.#none, this.#shown);
    this.show([]);
  }

  /**
   * Offer moves, none when the person has nothing to choose.
   * @param {Move[]} moves
   */
  show(moves) {
    const focused = document.activeElement;
    if (this.element.contains(focused)) this.#focus = this.element;
    else if (this.#board.element.contains(focused)) this.#focus = this.#board;
    this.#moves = moves;
    this.clear();
    if (!moves.length) return;
    if (document.activeElement === document.body) this.#focus?.focus();
    this.#focus = undefined;
  }

  /**
   * Whether the offered moves are these: another seat that chooses at the same time does not change them.
   * @param {Move[]} moves
   */
  offers(moves) {
    return moves.length === this.#moves.length && moves.every(({ notation }, index) => notation === this.#moves[index]?.notation);
  }

  /** Forget what was clicked and typed. */
  clear() {
    this.#clicked = [];
    this.#filter.value = "";
    this.#list();
  }

  /**
   * Click a part of the picture, or take a click back. The move is made if no other names the clicked parts.
   * @param {string} part
   */
  click(part) {
    if (clickable(this.#moves, this.#clicked).has(part)) this.#clicked.push(part);
    else this.#clicked = this.#clicked.filter((each) => each !== part);
    this.#filter.value = "";
    const left = remaining(this.#moves, this.#clicked);
    if (left.length === 1 && left[0] && isNamed(left[0], this.#clicked)) this.#play(left[0]);
    else this.#list();
  }

  /**
   * A key that was pressed outside of the picture, the list and all fields. Digits go to a move of the list, letters to
   * the filter, Enter makes the only move that is left, Escape begins again.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const buttons = this.#buttons();
    if (event.key === "Escape") this.clear();
    else if (event.key === "Enter" && buttons.length === 1) buttons[0]?.click();
    else if (/^[1-9]$/.test(event.key)) buttons[Number(event.key) - 1]?.focus();
    else if (/^\p{L}$/u.test(event.key) && !this.#filter.hidden) {
      this.#filter.value += event.key;
      this.#list();
      this.#filter.focus();
    } else return;
    event.preventDefault();
  }

  #buttons() {
    return [...this.#shown.querySelectorAll("button")];
  }

  #list() {
    const left = remaining(this.#moves, this.#clicked);
    const found = matching(left, this.#filter.value);
    const isOnly = found.length === 1;
    const items = found.map((move) => {
      const point = () => this.#board.point(move.parts);
      const chosen = button(move.text, () => this.#play(move), {
        class: isOnly ? "main" : null,
        onmouseenter: point,
        onfocus: point,
        onmouseleave: () => this.#board.point([]),
        onblur: () => this.#board.point([]),
      });
      return element("li", {}, chosen);
    });
    fill(this.#shown, ...items);
    this.#heading.textContent = text(this.#moves.length === 1 ? "match.only" : left.length === 1 ? "match.left" : "match.moves");
    this.#hint.hidden = this.#moves.length === 1 || this.#clicked.length > 0;
    this.#filter.hidden = this.#moves.length <= FEW;
    this.#clear.hidden = !this.#clicked.length;
    this.#none.hidden = found.length > 0;
    this.element.hidden = !this.#moves.length;
    this.element.classList.toggle("near", this.#clicked.length > 0 || this.#moves.length === 1);
    this.#board.mark(clickable(left, this.#clicked), next(left, this.#clicked), this.#clicked);
  }

  /** @param {KeyboardEvent} event */
  #filterKey(event) {
    const buttons = this.#buttons();
    if (event.key === "ArrowDown") buttons[0]?.focus();
    else if (event.key === "Enter" && buttons.length === 1) buttons[0]?.click();
    else if (event.key === "Enter") buttons[0]?.focus();
    else if (event.key === "Escape") this.clear();
    else return;
    event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  #listKey(event) {
    const buttons = this.#buttons();
    const index = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    if (event.key === "ArrowDown") buttons[(index + 1) % buttons.length]?.focus();
    else if (event.key === "ArrowUp") (index ? buttons[index - 1] : !this.#filter.hidden ? this.#filter : buttons.at(-1))?.focus();
    else return;
    event.preventDefault();
  }
}
