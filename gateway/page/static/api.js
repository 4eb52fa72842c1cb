// The service, through its ready client, and what this browser stores of it: tokens of seats, and an API key.
import { FiresideClient, FiresideError } from "./client/index.js";
import { askedSecret } from "./dom.js";
import { note } from "./notes.js";
import { local, parsed, session } from "./storage.js";
import { language, text } from "./texts.js";
import { theme } from "./theme.js";

export { FiresideError, UnreachableError } from "./client/index.js";

/** @typedef {import("./client/index.js").Game} Game */
/** @typedef {import("./client/index.js").MatchClient<Game>} MatchClient */
/** @typedef {import("./client/index.js").components["schemas"]} Schemas */
/** @typedef {{name?: string, bot?: string}} Seat A seat of a new match: of a bot, or of a person who gets a token. */
/** @typedef {{seats: Seat[], options?: object, clock?: object, private?: boolean, listed?: boolean, hints?: boolean}} NewMatch */
/** @typedef {{game: string, matchId: string, token?: string, seat?: number, begun: number, setup?: NewMatch}} MyMatch */
/** @typedef {{seat: number, name: string, token: string}} Invitation */

const API_KEY = "fireside.apiKey";
const MATCHES = "fireside.matches";
const INVITATIONS = "fireside.invitations.";
const TOKEN = "fireside.token.";
const MOST_MATCHES = 50;

/**
 * A client in the language of the page. `retrySeconds`: how long calls are repeated while the service is away.
 * @param {{retrySeconds?: number}} [options]
 */
export function client(options = {}) {
  const apiKey = session.getItem(API_KEY);
  return new FiresideClient(location.origin, { locale: language(), ...(apiKey && { apiKey }), ...options });
}

/**
 * The calls of one game.
 * @param {string} name
 * @param {{retrySeconds?: number}} [options]
 */
export function game(name, options) {
  return client(options).game(/** @type {Game} */ (name));
}

/**
 * A match, as the seat of this browser sees it, or a spectator.
 * @param {string} name
 * @param {string} matchId
 * @param {{retrySeconds?: number}} [options]
 * @returns {MatchClient}
 */
export function match(name, matchId, options) {
  return game(name, options).match(matchId, tokenOf(matchId));
}

/**
 * The picture of a match as an SVG document, now or at a revision.
 * @param {MatchClient} match
 * @param {number} [revision]
 */
export function picture(match, revision) {
  return match.picture({ theme: theme(), ...(revision !== undefined && { revision }) });
}

/** Milliseconds by which the clock of the service is ahead of that of this device. */
let ahead = 0;

/** Compare the clocks, so that a deadline is shown right on a device whose clock is wrong. */
export async function compareClocks() {
  const { headers } = await fetch("/healthz", { method: "HEAD", cache: "no-store" });
  const date = Date.parse(headers.get("date") ?? "");
  if (date) ahead = date + 500 - Date.now(); // the header has no fraction of its second
}

/** The time of the service, to a second, in milliseconds. */
export function serviceTime() {
  return Date.now() + ahead;
}

/**
 * Start a match. The caller plays a seat, by default the first that no bot plays; links for the other seats of persons
 * are stored as invitations.
 * @param {string} name
 * @param {NewMatch} setup
 * @param {number} [ownSeat]
 * @returns {Promise<string>} the path of its view
 */
export async function startMatch(name, setup, ownSeat) {
  const { matchId, seats, commitment } = await withApiKey(() => game(name).newMatch(/** @type {any} */ (setup)));
  const own = seats.find(({ seat }) => seat === ownSeat) ?? seats[0];
  const others = seats.filter((each) => each !== own);
  note(matchId, own?.seat, { commitment, publicKeys: await publicKeys() });
  saveMatch({ game: name, matchId, begun: Date.now(), setup, ...(own && { token: own.token, seat: own.seat }) });
  /** @type {Invitation[]} */
  const invitations = others.map(({ seat, token }) => ({ seat, token, name: setup.seats[seat]?.name ?? "" }));
  if (invitations.length) local.setItem(INVITATIONS + matchId, JSON.stringify(invitations));
  return matchPath(name, matchId);
}

/** The keys that the service lists now. */
export async function publicKeys() {
  /** @type {Schemas["Catalog.ListKeysResponse"]} */
  const { keys } = await game("").http.call("/v1/keys");
  return keys.map(({ publicKey }) => publicKey);
}

/**
 * Call, and again with an API key that the person enters as long as the service demands one.
 * @template T
 * @param {() => Promise<T>} call
 */
export async function withApiKey(call) {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof FiresideError) || error.problem.metadata.credential !== "apiKey") throw error;
      const isWrong = session.getItem(API_KEY) !== null;
      session.removeItem(API_KEY);
      const key = await askedSecret(text(isWrong ? "api.key.wrong" : "api.key"), text("api.key.use"), text("api.key.none"));
      if (!key) throw error;
      session.setItem(API_KEY, key.replace(/[^!-~]/g, "?")); // a header has no other characters
    }
  }
}

/**
 * @param {string} name
 * @param {string} matchId
 */
export function matchPath(name, matchId) {
  return `/match/${encodeURIComponent(name)}/${encodeURIComponent(matchId)}`;
}

/**
 * The link by which a person takes a seat. The token is in the fragment, which browsers send to no server.
 * @param {string} name
 * @param {string} matchId
 * @param {string} token
 */
export function invitationLink(name, matchId, token) {
  return `${location.origin}${matchPath(name, matchId)}#token=${encodeURIComponent(token)}`;
}

/**
 * Take the token out of the fragment of the address, if it has one, and store it.
 * @param {string} name
 * @param {string} matchId
 */
export function acceptInvitation(name, matchId) {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  const own = myMatches().find((each) => each.matchId === matchId)?.token;
  if (own && own !== token) session.setItem(TOKEN + matchId, token); // the seat that this browser has stays in its list
  else saveMatch({ game: name, matchId, token, begun: Date.now() });
}

/**
 * Links for seats of other persons of a match that this browser began.
 * @param {string} matchId
 * @returns {Invitation[]}
 */
export function invitations(matchId) {
  return parsed(local, INVITATIONS + matchId, []);
}

/**
 * Matches of this browser, the newest first.
 * @returns {MyMatch[]}
 */
export function myMatches() {
  return parsed(local, MATCHES, []);
}

/**
 * The token of this tab for a match, else that of this browser. Two tabs may so play two seats.
 * @param {string} matchId
 */
export function tokenOf(matchId) {
  return session.getItem(TOKEN + matchId) ?? myMatches().find((each) => each.matchId === matchId)?.token;
}

/**
 * Whether a match that this browser began is private.
 * @param {string} matchId
 */
export function isPrivate(matchId) {
  return myMatches().find((each) => each.matchId === matchId)?.setup?.private ?? false;
}

/**
 * Whether a match is hidden from spectators. This browser may only have been invited to it, so the service is asked; no
 * answer counts as yes.
 * @param {string} name
 * @param {string} matchId
 * @returns {Promise<boolean>}
 */
export function isHidden(name, matchId) {
  return game(name).match(matchId).get().then(() => false, () => true);
}

/** @param {MyMatch} saved */
function saveMatch(saved) {
  if (saved.token) session.setItem(TOKEN + saved.matchId, saved.token);
  const others = myMatches().filter(({ matchId }) => matchId !== saved.matchId);
  for (const { matchId } of others.splice(MOST_MATCHES - 1)) local.removeItem(INVITATIONS + matchId);
  local.setItem(MATCHES, JSON.stringify([saved, ...others]));
}
