// Standings of a match with their breakdown, as a table with a column for each player.
import { element } from "./dom.js";
import { table } from "./table.js";
import { text } from "../words/texts.js";

/** @typedef {{label: string, points: number, text?: string | undefined}} Points */
/** @typedef {{seat: number, points: number, rank: number, breakdown: readonly Points[]}} Standing */
/** @typedef {{standings: readonly Standing[], reason?: string, reasonText?: string}} Score */

/**
 * @param {Score} score
 * @param {readonly {name?: string, bot?: string}[]} seats
 * @param {Record<string, string>} names of the game
 */
export function standingsTable(score, seats, names) {
  const ranked = [...score.standings].sort((one, other) => one.rank - other.rank);
  /** A line of the score, or what the game calls all lines of its kind, as `composition` for `composition-c01`. @param {string} label */
  const groupOf = (label) => label.split("-").find((kind) => `score.${kind}` in names) ?? label;
  const lines = ranked.flatMap(({ breakdown }) => breakdown).filter(isFirst);
  const parts = lines.filter(({ label }) => groupOf(label) !== label);
  const groups = [...new Set(lines.map(({ label }) => groupOf(label)))];
  /** @param {string} label */
  const title = (label) => lines.find((line) => line.label === label)?.text || names[`score.${label}`] || label;
  /** @param {(standing: Standing) => number} number */
  const numbers = (number) => ranked.map((standing) => String(number(standing)));
  /** @param {string} row @param {(label: string) => string} of */
  const summed = (row, of) => [title(row), ...numbers(({ breakdown }) => sum(breakdown.filter(({ label }) => of(label) === row)))];
  // The labels are sentences: as columns they are wider than a phone, while as rows they wrap.
  const rows = [
    [text("standings.rank"), ...numbers(({ rank }) => rank)],
    [text("standings.points"), ...numbers(({ points }) => points)],
    ...groups.map((group) => summed(group, groupOf)),
  ];
  const columns = [text("standings.player"), ...ranked.map(({ seat }) => playerName(seats, seat))];
  const details = table(text("standings.details"), columns, parts.map(({ label }) => summed(label, (each) => each)), 0);
  const isTied = ranked.some(({ points, rank }, at) => points === ranked[at + 1]?.points && rank !== ranked[at + 1]?.rank);
  return element(
    "div",
    {},
    table(text("standings.title"), columns, rows, 0),
    isTied && element("p", { class: "ties" }, names["score.ties"]),
    parts.length > 0 && element("details", {}, element("summary", {}, text("standings.details")), details),
  );
}

/** @param {readonly Points[]} all */
const sum = (all) => all.reduce((total, { points }) => total + points, 0);

/** @param {Points} points @param {number} index @param {Points[]} all */
const isFirst = ({ label }, index, all) => all.findIndex((each) => each.label === label) === index;

/**
 * The name of a bot in the language of the person: `Greedy` for `greedy:samples=8`, or as a seat says if none is known.
 * @param {string} bot
 * @param {Record<string, string>} names of the game
 */
export function botName(bot, names) {
  return names[`bot.${bot.split(":")[0]}`]?.split(":")[0]?.trim() ?? bot;
}

/**
 * Seats with names, as pictures have them: a bot that has none is called by its kind, the person of this browser by the seat, as in sentences.
 * @template {{name?: string, bot?: string}} Seat
 * @param {readonly Seat[]} seats
 * @param {Record<string, string>} names of the game
 * @param {number} [own]
 */
export function namedSeats(seats, names, own) {
  return seats.map((each, seat) => {
    const name = each.name || (each.bot ? botName(each.bot, names) : seat === own ? text("player.you", { number: seat + 1 }) : "");
    return { ...each, name };
  });
}

/** Control characters, and those that change the direction of what follows a name. */
const UNFIT = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * What a player is called: by name, else by bot, else by number of the seat; with that number if others are called so.
 * @param {readonly {name?: string, bot?: string}[]} seats
 * @param {number} seat
 */
export function playerName(seats, seat) {
  const called = seats.map(({ name, bot }) => name?.replace(UNFIT, "").trim() || bot);
  const own = called[seat];
  if (!own) return text("player.seat", { number: seat + 1 });
  return called.indexOf(own) === called.lastIndexOf(own) ? own : `${own} (${seat + 1})`;
}
