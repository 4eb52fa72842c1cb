// Controls of the seats of a match: links that hand a seat over, and bots that play on in one.
import * as api from "../api.js";
import { button, confirmed, element, fill, replace } from "../elements/dom.js";
import { select } from "../elements/forms.js";
import { copied } from "../elements/share.js";
import { strengths } from "../elements/strengths.js";
import { forgetSeat } from "../stored-matches.js";
import { text } from "../words/texts.js";

/** @typedef {readonly import("../elements/strengths.js").BotKind[]} Bots */
/** @typedef {(error: unknown) => void} Fail */

/**
 * A list of bots, the second weakest chosen.
 * @param {Bots} bots
 * @param {Record<string, string>} names
 * @param {string} label for screen readers
 */
export function botSelect(bots, names, label) {
  const found = strengths(bots, names);
  const list = select("bot", found.map(({ bot, label, level }) => [bot, level === label ? label : `${level} (${label})`]), label);
  list.value = found[Math.min(1, found.length - 1)]?.bot ?? "";
  return list;
}

/**
 * A button, and then a link that gives the seat of this person to the first who opens it.
 * @param {string} name of the game
 * @param {api.MatchClient} match
 * @param {number} seat
 * @param {Fail} fail
 */
export function handOver(name, match, seat, fail) {
  const place = element("div", {});
  const onclick = async () => {
    try {
      const { code } = await match.invite(seat);
      fill(place, copied(text("seats.link"), api.joinLink(name, match.matchId, code)));
    } catch (error) {
      fail(error);
    }
  };
  fill(place, button(text("seats.handOver"), onclick, { class: "quiet" }));
  return place;
}

/**
 * A list of bots and a button that gives a seat to one of them.
 * @param {api.MatchClient} match of the seat, or of the host
 * @param {number} seat
 * @param {string} player who has it
 * @param {HTMLSelectElement} bots
 * @param {Fail} fail
 */
export function botPlaysOn(match, seat, player, bots, fail) {
  const label = text("seats.bot", { name: player });
  const onclick = async () => {
    if (await confirmed(text("seats.botQuestion", { name: player }), text("seats.yes"), text("seats.no"))) await match.substitute(bots.value, seat).catch(fail);
  };
  return element("div", { class: "seat" }, bots, button(label, onclick, { class: "quiet" }));
}

/**
 * Forget a token that the service refuses; returns a button to go on without it.
 * @param {api.MatchClient} match
 */
export function deadSeat(match) {
  forgetSeat(match);
  return button(text("seats.watch"), () => replace(location.pathname));
}
