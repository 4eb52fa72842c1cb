// The end of a match: ranks and points of all seats, and where the points come from.
import { element } from "./dom.js";
import { text } from "./texts.js";

/** @typedef {{label: string, points: number, text: string}} Points */
/** @typedef {{seat: number, points: number, rank: number, breakdown: Points[]}} Standing */
/** @typedef {{reason: string, reasonText: string, winners: number[], standings: Standing[]}} Score */

/**
 * @param {Score} score
 * @param {(seat: number) => string} nameOf
 * @param {number | undefined} own seat of the observer
 */
export function outcome(score, nameOf, own) {
  const winners = score.winners.map(nameOf).join(", ");
  const headline = own !== undefined && score.winners.includes(own) ? text("outcome.won") : text("outcome.over", { winners });
  const rows = [...score.standings].sort((one, other) => one.rank - other.rank).map((standing) => row(standing, nameOf));
  const heads = ["rank", "player", "points", "breakdown"].map((name) => element("th", { scope: "col" }, text(`outcome.${name}`)));
  return [
    element("h2", {}, headline),
    element("p", {}, score.reasonText || score.reason),
    element("table", { class: "standings" }, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)),
  ];
}

/**
 * @param {Standing} standing
 * @param {(seat: number) => string} nameOf
 */
function row({ seat, rank, points, breakdown }, nameOf) {
  const items = breakdown.map((item) => element("li", {}, `${item.text || item.label}: ${item.points}`));
  return element(
    "tr",
    {},
    element("td", {}, String(rank)),
    element("th", { scope: "row" }, nameOf(seat)),
    element("td", {}, String(points)),
    element("td", {}, element("ul", {}, ...items)),
  );
}
