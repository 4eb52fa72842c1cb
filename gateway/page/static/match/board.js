// The picture of a match in the document: parts that can be clicked are marked, and reached by keys.
import { element, fill, pictureElement } from "../elements/dom.js";

const SVG = "http://www.w3.org/2000/svg";
const ACROSS = new Map([["ArrowLeft", -1], ["ArrowRight", 1]]);
const ALONG = new Map([["ArrowUp", -1], ["ArrowDown", 1]]);

/** A picture whose parts can be chosen. */
export class Board {
  element = element("div", { class: "picture" });
  /** @type {SVGSVGElement | undefined} */
  #svg;
  /** @type {ReadonlySet<string>} */
  #clickable = new Set();
  /** @type {ReadonlySet<string>} */
  #next = new Set();
  /** @type {readonly string[]} */
  #clicked = [];
  #onclick;

  /** @param {(part: string) => void} onclick */
  constructor(onclick) {
    this.#onclick = onclick;
    this.element.addEventListener("click", (event) => this.#choose((partOf(event) ?? partBelow(event))?.id ?? this.#named(event)));
    this.element.addEventListener("pointermove", (event) => {
      this.element.classList.toggle("over", Boolean(partBelow(event) || this.#named(event)));
    });
    this.element.addEventListener("keydown", (event) => this.#keydown(event));
    // An outline of the part itself would lie under the mark.
    this.element.addEventListener("focusin", () => this.point([this.#focused()]));
    this.element.addEventListener("focusout", () => this.point([]));
  }

  /**
   * Show a picture, an SVG document.
   * @param {string} picture
   */
  show(picture) {
    this.#svg = pictureElement(picture);
    this.#svg.setAttribute("role", "group"); // an image would hide its parts from screen readers
    const focused = this.#focused();
    fill(this.element, this.#svg);
    this.mark(this.#clickable, this.#next, this.#clicked, focused);
  }

  /**
   * Mark the parts that can be clicked, and those that have been.
   * @param {ReadonlySet<string>} clickable in any order
   * @param {ReadonlySet<string>} next those of them that come first in the order of their moves
   * @param {readonly string[]} clicked
   */
  mark(clickable, next, clicked, focused = this.#focused()) {
    this.#clickable = clickable;
    this.#next = next;
    this.#clicked = clicked;
    const svg = this.#svg;
    if (!svg) return;
    svg.querySelector(":scope > g.marks")?.remove();
    const marks = svgElement("g", { class: "marks" });
    for (const part of svg.querySelectorAll("g[role=button]")) {
      for (const name of ["role", "tabindex", "aria-pressed"]) part.removeAttribute(name);
    }
    for (const part of this.#parts()) {
      part.setAttribute("role", "button");
      part.setAttribute("tabindex", "-1");
      part.setAttribute("aria-pressed", String(clicked.includes(part.id)));
      marks.append(...outline(svg, part, clicked.filter((id) => id === part.id).length, clickable.has(part.id)));
    }
    svg.append(marks);
    const parts = this.#parts();
    (parts.find(({ id }) => id === focused) ?? parts[0])?.setAttribute("tabindex", "0");
    if (focused) parts.find(({ id }) => id === focused)?.focus();
    this.point([this.#focused()]);
  }

  /** Focus a part that can be clicked. */
  focus() {
    /** @type {SVGElement | null | undefined} */ (this.#svg?.querySelector("[role=button][tabindex='0']"))?.focus();
  }

  /**
   * Point at the parts of a move, or at none.
   * @param {readonly string[]} parts
   */
  point(parts) {
    for (const mark of this.#svg?.querySelectorAll("g.marks [data-part]") ?? []) {
      mark.classList.toggle("pointed", parts.includes(mark.getAttribute("data-part") ?? ""));
    }
  }

  /** The parts that can be clicked, or were, in the order of the document. */
  #parts() {
    const found = /** @type {NodeListOf<SVGGraphicsElement>} */ (this.#svg?.querySelectorAll("[id]") ?? []);
    const parts = [...found].filter(({ id }) => this.#clickable.has(id) || this.#clicked.includes(id));
    // A part before its turn must not share a place with one whose turn it is, as a square with the pawn to click first.
    const first = parts.filter(({ id }) => this.#next.has(id));
    return parts.filter((part) => {
      return first.includes(part) || this.#clicked.includes(part.id) || !first.some((each) => isNested(each, part));
    });
  }

  /** @returns {string} */
  #focused() {
    const focused = document.activeElement;
    return focused && this.element.contains(focused) ? focused.id : "";
  }

  /** @param {string | undefined} part */
  #choose(part) {
    if (part) this.#onclick(part);
  }

  /**
   * The part for which a click on another thing stands, as on the card at the end of a line.
   * @param {MouseEvent} event
   */
  #named({ clientX, clientY }) {
    const [thing] = document.elementsFromPoint(clientX, clientY).flatMap((each) => each.closest("[data-names]") ?? []);
    return thing?.getAttribute("data-names")?.split(" ").find((part) => this.#clickable.has(part));
  }

  /** @param {KeyboardEvent} event */
  #keydown(event) {
    const parts = this.#parts();
    const index = parts.findIndex(({ id }) => id === this.#focused());
    if (index < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this.#choose(partOf(event)?.id);
    else if (ACROSS.has(event.key) || ALONG.has(event.key)) {
      // No way leads round from the first part to the last: that is often the button that ends the turn.
      const along = ALONG.get(event.key);
      const next = along ? nearest(parts, index, along) : parts[index + (ACROSS.get(event.key) ?? 0)];
      if (next) this.#focus(next);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {SVGGraphicsElement} part */
  #focus(part) {
    for (const each of this.#parts()) each.setAttribute("tabindex", each === part ? "0" : "-1");
    part.focus();
  }
}

/** The part in which an event happened. @param {Event} event */
const partOf = ({ target }) => /** @type {Element} */ (target).closest("[role=button]");

/**
 * The topmost part at a point that can be clicked: what covers it, as a piece its square, may be no such part.
 * @param {MouseEvent} event
 */
function partBelow({ clientX, clientY }) {
  const parts = document.elementsFromPoint(clientX, clientY).map((each) => each.closest("[role=button]"));
  return parts.find(Boolean);
}

/** @param {Element} one @param {Element} other */
const isNested = (one, other) => one.contains(other) || other.contains(one);

/**
 * The nearest part above (-1) or below (1).
 * @param {SVGGraphicsElement[]} parts
 * @param {number} index
 * @param {number} direction
 */
function nearest(parts, index, direction) {
  const centres = parts.map((part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  });
  const from = centres[index] ?? { x: 0, y: 0 };
  let found;
  let least = Infinity;
  for (const [other, { x, y }] of centres.entries()) {
    const down = (y - from.y) * direction;
    const distance = down + 2 * Math.abs(x - from.x);
    if (down > 4 && distance < least) [found, least] = [parts[other], distance];
  }
  return found;
}

/**
 * A frame around a part, in the coordinates of the picture, with the number of clicks where it is more than one.
 * @param {SVGSVGElement} svg
 * @param {SVGGraphicsElement} part
 * @param {number} clicks
 * @param {boolean} isClickable whether one more click is possible
 */
function outline(svg, part, clicks, isClickable) {
  const { x, y, width, height } = part.getBBox();
  const matrix = svg.getScreenCTM()?.inverse().multiply(part.getScreenCTM() ?? new DOMMatrix()) ?? new DOMMatrix();
  const corners = [[x, y], [x + width, y], [x, y + height], [x + width, y + height]];
  const points = corners.map(([across, down]) => new DOMPoint(across, down).matrixTransform(matrix));
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const frame = { x: left, y: top, width: right - left, height: bottom - top, rx: 8 };
  const halo = svgElement("rect", { ...frame, class: "halo" });
  const drawn = [halo, svgElement("rect", { ...frame, "data-part": part.id, class: `${clicks ? "clicked" : ""} ${isClickable ? "clickable" : ""}` })];
  if (clicks > 1) drawn.push(svgElement("text", { x: (left + right) / 2, y: (top + bottom) / 2 }, `${clicks} ×`));
  return drawn;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function svgElement(name, attributes, content = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = content;
  return made;
}
