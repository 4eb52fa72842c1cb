// What this browser noted of a match while it was in play, by which its record is verified later without trust.

const NOTES = "fireside.notes.";

/**
 * @typedef {object} Notes
 * @property {string} [commitment] to the secret seed
 * @property {string} [head] the last that this browser was sent
 * @property {string[]} [publicKeys] those that the service listed, while the match was in play
 */

/**
 * @param {string} matchId
 * @param {number} [seat] that this browser plays; a spectator without one
 * @returns {Notes}
 */
export function notes(matchId, seat) {
  return JSON.parse(localStorage.getItem(key(matchId, seat)) ?? "{}");
}

/**
 * Note something of a match that is in play; what was noted first stays, but for the head.
 * @param {string} matchId
 * @param {number | undefined} seat
 * @param {Notes} noted
 */
export function note(matchId, seat, noted) {
  const { head, ...first } = noted;
  const all = { ...first, ...notes(matchId, seat), ...(head && { head }) };
  localStorage.setItem(key(matchId, seat), JSON.stringify(all));
}

/** @param {string} matchId @param {number | undefined} seat */
const key = (matchId, seat) => `${NOTES}${matchId}.${seat ?? "spectator"}`;
