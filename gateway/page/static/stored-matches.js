// Matches of this browser, with the tokens of their seats and hosts, in the storage of the tab and of the browser.
import { local, parsed, session } from "./storage.js";

/** @typedef {{game: string, matchId: string, token?: string, hostToken?: string, begun: number, private?: boolean}} MyMatch */

const MATCHES = "fireside.matches";
const TOKEN = "fireside.token.";
const MOST_MATCHES = 50;

/** The join code in the fragment of the address; empty for an open seat of a public match. */
export function joinCode() {
  return new URLSearchParams(location.hash.slice(1)).get("code");
}

/**
 * Take the token out of the fragment of the address, if it has one, and store it. `fireside play` prints such links.
 * @param {string} name
 * @param {string} matchId
 */
export function acceptToken(name, matchId) {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  saveSeat(name, matchId, token);
}

/**
 * Matches of this browser, the newest first.
 * @returns {MyMatch[]}
 */
export function myMatches() {
  return parsed(local, MATCHES, []);
}

/** @param {string} id */
export const myMatch = (id) => myMatches().find(({ matchId }) => matchId === id);

/**
 * The token of this tab for a match, else that of this browser, else the host's. Two tabs may so play two seats.
 * @param {string} matchId
 */
export function tokenOf(matchId) {
  const { token, hostToken } = myMatch(matchId) ?? {};
  return session.getItem(TOKEN + matchId) ?? token ?? hostToken;
}

/**
 * Whether a match that this browser began is private.
 * @param {string} matchId
 */
export function isPrivate(matchId) {
  return myMatch(matchId)?.private ?? false;
}

/**
 * Forget the token of a seat, which the service refuses now; another seat of this browser in the match stays.
 * @param {{matchId: string, token?: string | undefined}} seat
 */
export function forgetSeat({ matchId: id, token: dead }) {
  if (session.getItem(TOKEN + id) === dead) session.removeItem(TOKEN + id);
  const kept = myMatches().map(({ token, ...others }) => (others.matchId === id && token === dead ? others : { ...others, token }));
  local.setItem(MATCHES, JSON.stringify(kept));
}

/**
 * Forget a match with its tokens.
 * @param {string} id
 */
export function forgetMatch(id) {
  session.removeItem(TOKEN + id);
  local.setItem(MATCHES, JSON.stringify(myMatches().filter(({ matchId }) => matchId !== id)));
}

/** @param {string} name @param {string} matchId @param {string} token */
export function saveSeat(name, matchId, token) {
  const own = myMatch(matchId);
  if (own?.token && own.token !== token) session.setItem(TOKEN + matchId, token); // the seat that this browser has stays in its list
  else saveMatch({ game: name, matchId, begun: Date.now(), ...own, token });
}

/** @param {MyMatch} saved */
export function saveMatch(saved) {
  if (saved.token) session.setItem(TOKEN + saved.matchId, saved.token);
  const others = myMatches().filter(({ matchId }) => matchId !== saved.matchId);
  local.setItem(MATCHES, JSON.stringify([saved, ...others].slice(0, MOST_MATCHES)));
}
