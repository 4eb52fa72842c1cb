// Plot of ratings with their intervals, as SVG elements. Colours are those of style.css; a table has the same numbers.

/** @typedef {{value: number, low?: number | undefined, high?: number | undefined}} Estimate */
/** @typedef {{label: string, rating?: Estimate | undefined}} Rated */

const WIDTH = 560; // units; about a pixel each, so that labels can be read on a phone
const LEFT = 185;
const RIGHT = 30;
const TOP = 20;
const ROW = 34;
const BOTTOM = 34;
const AXIS_INTERVALS = 4;
const LABEL_LENGTH = 20;

/**
 * One row for each entrant that has a rating, the best at the top.
 * @param {readonly Rated[]} entrants in the order of the standings
 * @param {string} title what screen readers say
 * @returns {SVGElement}
 */
export function ratingsPlot(entrants, title) {
  const rated = entrants.flatMap(({ label, rating }) => (rating ? [{ label, rating }] : []));
  rated.sort((one, other) => other.rating.value - one.rating.value);
  const ends = rated.flatMap(({ rating }) => [rating.value, rating.low ?? rating.value, rating.high ?? rating.value]);
  const axis = new Axis(Math.min(0, ...ends), Math.max(0, ...ends));
  const height = TOP + ROW * rated.length + BOTTOM;
  const plot = svg("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": title });
  for (const tick of axis.ticks()) {
    const x = axis.x(tick);
    plot.append(svg("line", { class: tick ? "tick" : "tick zero", x1: x, x2: x, y1: TOP, y2: height - BOTTOM }));
    plot.append(text(x, height - 8, signed(tick), "middle"));
  }
  rated.forEach(({ label, rating }, row) => plot.append(...bar(label, rating, TOP + ROW * (row + 0.5), axis)));
  return plot;
}

/** @param {string} label @param {Estimate} rating @param {number} y @param {Axis} axis */
function bar(label, { value, low, high }, y, axis) {
  const short = label.length > LABEL_LENGTH ? `${label.slice(0, LABEL_LENGTH - 1)}…` : label;
  const parts = [text(LEFT - 12, y + 5, short, "end")];
  if (low !== undefined && high !== undefined)
    parts.push(svg("line", { class: "interval", x1: axis.x(low), x2: axis.x(high), y1: y, y2: y }));
  return [...parts, svg("circle", { class: "estimate", cx: axis.x(value), cy: y, r: 6 })];
}

/** A rating with its sign, to whole points.
 * @param {number} rating */
export function signed(rating) {
  const whole = Math.round(rating);
  return `${whole > 0 ? "+" : whole < 0 ? "−" : ""}${Math.abs(whole)}`;
}

/** Horizontal axis that begins and ends at round numbers. */
class Axis {
  /** @param {number} low @param {number} high */
  constructor(low, high) {
    this.step = roundStep((high - low) / AXIS_INTERVALS);
    this.low = Math.floor(low / this.step) * this.step;
    this.high = Math.max(Math.ceil(high / this.step) * this.step, this.low + this.step);
  }

  ticks() {
    return Array.from({ length: Math.round((this.high - this.low) / this.step) + 1 }, (_, at) => this.low + at * this.step);
  }

  /** @param {number} rating */
  x(rating) {
    const place = LEFT + ((WIDTH - LEFT - RIGHT) * (rating - this.low)) / (this.high - this.low);
    return Math.round(10 * place) / 10;
  }
}

/** The least of 1, 2, 5, 10, 20 … that is at least `least`.
 * @param {number} least */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return power * ([1, 2, 5, 10].find((factor) => power * factor >= least) ?? 10);
}

/** @param {number} x @param {number} y @param {string} content @param {string} anchor */
function text(x, y, content, anchor) {
  const element = svg("text", { x, y, "text-anchor": anchor });
  element.textContent = content;
  return element;
}

/** @param {string} name @param {Record<string, string | number>} attributes */
function svg(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
