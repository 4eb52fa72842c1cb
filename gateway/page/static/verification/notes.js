// What this browser noted of a match while it was in play, by which its record is verified later without trust.
import { local, parsed } from "../storage.js";

const NOTES = "fireside.notes.";
const MOST_NOTES = 200;

/**
 * @typedef {object} Notes
 * @property {string} [commitment] to the secret seed
 * @property {string} [head] the last that this browser was sent
 * @property {string[]} [publicKeys] those that the service listed, while the match was in play
 * @property {number} [begun] when the first of it was noted, in milliseconds
 */

/**
 * @param {string} matchId
 * @param {number} [seat] that this browser plays; a spectator without one
 * @returns {Notes}
 */
export function notes(matchId, seat) {
  return parsed(local, key(matchId, seat), {});
}

/**
 * Note something of a match that is in play; what was noted first stays, but for the head.
 * @param {string} matchId
 * @param {number | undefined} seat
 * @param {Notes} noted
 */
export function note(matchId, seat, noted) {
  const { head, ...first } = noted;
  if (!local.getItem(key(matchId, seat))) forgetOldest();
  const all = { ...first, begun: Date.now(), ...notes(matchId, seat), ...(head && { head }) };
  local.setItem(key(matchId, seat), JSON.stringify(all));
}

/** @param {string} matchId @param {number | undefined} seat */
const key = (matchId, seat) => `${NOTES}${matchId}.${seat ?? "spectator"}`;

/** Make room for one more match that was watched or played. */
function forgetOldest() {
  const keys = Array.from({ length: local.length }, (_, index) => local.key(index) ?? "").filter((each) => each.startsWith(NOTES));
  /** @param {string} each */
  const begun = (each) => Number(parsed(local, each, { begun: 0 }).begun);
  keys.sort((one, other) => begun(other) - begun(one));
  for (const old of keys.slice(MOST_NOTES - 1)) local.removeItem(old);
}
