// The service, through its ready client, and the API key that this tab stores.
import { FiresideClient, FiresideError, UnreachableError } from "./client/index.js";
import { askedSecret } from "./elements/dom.js";
import { note } from "./verification/notes.js";
import { session } from "./storage.js";
import { isPrivate, myMatch, saveMatch, saveSeat, tokenOf } from "./stored-matches.js";
import { language, text } from "./words/texts.js";
import { theme } from "./theme.js";

export { FiresideError, UnreachableError } from "./client/index.js";

/** @typedef {import("./client/index.js").Game} Game */
/** @typedef {import("./client/index.js").MatchClient<Game>} MatchClient */
/** @typedef {import("./client/index.js").components["schemas"]} Schemas */
/** @typedef {{name?: string, bot?: string, open?: object}} Seat A seat of a match: of a bot, of a person, or open. */
/** @typedef {{seats: Seat[], options?: object, clock?: object, private?: boolean, listed?: boolean, hints?: boolean, spectatorDelay?: number, openAfter?: boolean}} NewMatch */

const API_KEY = "fireside.apiKey";

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
 * @param {number} [seat] as another seat sees it, once a match with `openAfter` is over
 */
export function picture(match, revision, seat) {
  return match.picture({ theme: theme(), ...(revision !== undefined && { revision }), ...(seat !== undefined && { seat }) });
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
 * Start a match, of which the caller is the host and plays the first seat that is neither a bot's nor open, if any.
 * @param {string} name
 * @param {NewMatch} setup
 * @returns {Promise<string>} the path of its view
 */
export async function startMatch(name, setup) {
  const { matchId, seats, commitment, hostToken } = await withApiKey(() => game(name).newMatch(/** @type {any} */ (setup)));
  const [own] = seats;
  note(matchId, own?.seat, { commitment, publicKeys: await publicKeys() });
  const isHost = setup.seats.some(({ open }) => open);
  saveMatch({ game: name, matchId, begun: Date.now(), private: setup.private ?? false, ...(own && { token: own.token }), ...(isHost && { hostToken }) });
  return matchPath(name, matchId);
}

/**
 * Take a seat by its join code; without a code an open seat of a public match.
 * @param {string} name
 * @param {string} matchId
 * @param {string} code
 * @param {string} player
 */
export async function join(name, matchId, code, player) {
  const { token } = await game(name).match(matchId).join({ code, name: player });
  saveSeat(name, matchId, token);
}

/**
 * Take the seat of this browser in the rematch of a match.
 * @param {string} name
 * @param {MatchClient} match
 * @returns {Promise<string>} the path of its view
 */
export async function rematch(name, match) {
  const { matchId, seat } = await match.rematch();
  saveMatch({ game: name, matchId, begun: Date.now(), private: isPrivate(match.matchId), token: seat.token });
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

/** Whether this tab has an API key. */
export function hasApiKey() {
  return session.getItem(API_KEY) !== null;
}

export function forgetApiKey() {
  session.removeItem(API_KEY);
}

/**
 * @param {string} name
 * @param {string} matchId
 */
export function matchPath(name, matchId) {
  return `/match/${encodeURIComponent(name)}/${encodeURIComponent(matchId)}`;
}

/**
 * The link by which a person takes a seat. The code is in the fragment, which browsers send to no server.
 * @param {string} name
 * @param {string} matchId
 * @param {string} code
 */
export function joinLink(name, matchId, code) {
  return `${location.origin}${matchPath(name, matchId)}#code=${encodeURIComponent(code)}`;
}

/**
 * A match for the calls of its host, if this browser is the host.
 * @param {string} name
 * @param {string} matchId
 */
export function host(name, matchId) {
  const token = myMatch(matchId)?.hostToken;
  return token ? game(name).match(matchId, token) : undefined;
}

/**
 * Whether a call may succeed if it is repeated.
 * @param {unknown} error
 */
export function isPassing(error) {
  return error instanceof UnreachableError || (error instanceof FiresideError && [429, 502, 503, 504].includes(error.status));
}

/**
 * Whether the match is gone: withdrawn or expired.
 * @param {unknown} error
 */
export function isGone(error) {
  return error instanceof FiresideError && error.reason === "UNKNOWN_MATCH";
}

/**
 * Whether the service refuses the token of a seat: somebody else has the seat now.
 * @param {unknown} error
 */
export function isDeadToken(error) {
  return error instanceof FiresideError && error.reason === "UNAUTHENTICATED" && error.problem.metadata.credential !== "apiKey";
}
