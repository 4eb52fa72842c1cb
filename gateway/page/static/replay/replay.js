// View of a finished match, from the service or from a file: every position, the log, the standings, and its proof.
import { client, game, match as matchOf, matchPath, picture } from "../api.js";
import { element, fill, link } from "../elements/dom.js";
import { field } from "../elements/forms.js";
import { Player } from "./player.js";
import { sharing } from "../elements/share.js";
import { namedSeats, playerName, standingsTable } from "../elements/standings.js";
import { errorText, text } from "../words/texts.js";
import { theme } from "../theme.js";
import { Variation } from "./variation.js";
import { fileName, verificationPanel } from "../verification/verification.js";

/** @import { Event, Seat } from "./player.js" */
/**
 * What the records of all games have.
 * @typedef {object} Recorded
 * @property {string} game
 * @property {string} matchId
 * @property {string} commitment
 * @property {string} [publicKey]
 * @property {Seat[]} seats
 * @property {Event[]} events
 * @property {import("../elements/standings.js").Score} result
 */

const MOST_BYTES = 4 << 20; // far above any record; the gateway breaks the connection of a body that it refuses if it is long

/** @type {import("../main.js").View} */
export async function show(place, name, matchId) {
  if (name === undefined || matchId === undefined) return showFiles(place);
  const match = matchOf(name, matchId);
  const [begun, { names }] = await Promise.all([match.get(), game(name).components()]);
  const { over, seat, openAfter } = begun;
  const seats = namedSeats(begun.seats, names, seat);
  const events = /** @type {any} */ (await match.history());
  /** @type {Recorded | undefined} */
  const record = over ? /** @type {any} */ (await match.record()) : undefined;
  const drawn = (/** @type {number} */ revision, /** @type {number | undefined} */ seen) =>
    record && seen !== undefined && !openAfter ? recordedPicture(record, revision, seen) : picture(match, revision, seen);
  const eventsOf = (/** @type {number} */ seen) => (openAfter ? match.history(0, seen) : record ? recordedEvents(record, seen) : events);
  const ofRecord = record && recordedCalls(record, seats, names, seat);
  const player = new Player({ seats, events, eventsOf, open: over, picture: drawn, ...(seat !== undefined && { own: seat }), ...ofRecord });
  await fillPlace(place, player, name, matchId);
  if (record) place.append(...(await ending(record, JSON.stringify(record), seat)));
  else place.append(element("p", {}, link(matchPath(name, matchId), text("replay.live"))));
  place.append(sharing(name, matchId));
  return player.begin();
}

/** Let the person choose the file of a record.
 * @param {HTMLElement} place */
function showFiles(place) {
  const problem = element("p", { role: "alert" });
  /** @type {(() => void) | undefined} */
  let leave;
  const input = element("input", {
    type: "file",
    accept: ".json,application/json",
    onchange: async () => {
      const [file] = input.files ?? [];
      if (!file) return;
      try {
        if (file.size > MOST_BYTES) throw new NoRecord(text("replay.file.large"));
        const json = await file.text();
        leave = await showRecord(place, json);
      } catch (error) {
        fill(problem, text("replay.file.invalid", { problem: fileProblem(error) }));
      }
    },
  });
  fill(
    place,
    element("h1", {}, text("replay.title")),
    element("p", {}, text("replay.file.about")),
    field(text("replay.file"), input),
    problem,
  );
  return () => leave?.();
}

/** Show a record from its JSON; returns what ends the replay.
 * @param {HTMLElement} place @param {string} json */
export async function showRecord(place, json) {
  const read = JSON.parse(json);
  /** @type {Recorded} */
  const record = read?.record ?? read;
  if (typeof record?.game !== "string" || !Array.isArray(record.events) || !Array.isArray(record.seats)) {
    throw new NoRecord(text("replay.file.none"));
  }
  const drawn = (/** @type {number} */ revision, /** @type {number | undefined} */ seen) => recordedPicture(record, revision, seen);
  const eventsOf = (/** @type {number | undefined} */ seen) => recordedEvents(record, seen);
  const events = await eventsOf(undefined); // before the view changes: the file may be no record
  const { names } = await game(record.game).components();
  const seats = namedSeats(record.seats, names);
  const player = new Player({ seats, events, eventsOf, open: true, picture: drawn, ...recordedCalls(record, seats, names) });
  await fillPlace(place, player, record.game, record.matchId);
  place.append(...(await ending(record, json, undefined)));
  return player.begin();
}

/** The picture of a position of a record, as a seat saw it or a spectator.
 * @param {Recorded} record @param {number} revision @param {number | undefined} seat */
async function recordedPicture(record, revision, seat) {
  const rules = game(record.game);
  const seen = seat === undefined ? {} : { seat };
  const { state } = await rules.replay(/** @type {any} */ (record), { revision, ...seen });
  return rules.picture(state, { theme: theme(), ...seen });
}

/** The hints of each seat that is to move in a position of a record, and a variation that begins there.
 * @param {Recorded} record @param {readonly Seat[]} seats @param {Record<string, string>} names @param {number} [own] */
function recordedCalls(record, seats, names, own) {
  const rules = game(record.game);
  const position = (/** @type {number} */ revision) => rules.replay(/** @type {any} */ (record), { revision });
  return {
    hints: async (/** @type {number} */ revision) => {
      const { match, state } = await position(revision);
      return Promise.all(match.toMove.map((seat) => rules.hint(state, seat)));
    },
    variation: async (/** @type {number} */ revision) => {
      const found = await position(revision);
      const seat = found.match.toMove.find((each) => each === own) ?? found.match.toMove[0];
      return seat === undefined ? undefined : new Variation(record.game, seats, names, found, seat);
    },
  };
}

/** The log of a record in sentences, as a seat saw it or a spectator.
 * @param {Recorded} record @param {number | undefined} seat
 * @returns {Promise<readonly Event[]>} */
async function recordedEvents(record, seat) {
  const { events } = await game(record.game).replay(/** @type {any} */ (record), { after: 0, ...(seat !== undefined && { seat }) });
  if (events.length !== record.events.length) throw new TypeError("some entries are missing");
  return events;
}

/** A file that is no record, in words. */
class NoRecord extends Error {}

/** @param {unknown} error */
function fileProblem(error) {
  if (error instanceof NoRecord) return error.message;
  const isUnfit = error instanceof SyntaxError || error instanceof TypeError; // no JSON, or another shape
  return isUnfit ? text("replay.file.none") : errorText(error, labelOf);
}

/** What a person knows a field of a record as.
 * @param {string} field */
function labelOf(field) {
  const entry = /^record\.events\[(\d+)\]/.exec(field)?.[1];
  return entry === undefined ? undefined : text("replay.file.entry", { entry: Number(entry) + 1 });
}

/** @param {HTMLElement} place @param {Player} player @param {string} name @param {string} matchId */
async function fillPlace(place, player, name, matchId) {
  const title = (await client().games()).find((each) => each.name === name)?.title ?? name;
  const names = player.replayed.seats.map((_, seat) => playerName(player.replayed.seats, seat));
  fill(
    place,
    element("h1", {}, text("replay.of", { title })),
    element("p", {}, `${names.join(", ")} · ${matchId}`),
    element("div", { class: "replay" }, player.board, player.side),
  );
}

/** Standings, download and proof of a match that is over.
 * @param {Recorded} record @param {string} json of the record @param {number | undefined} seat that this browser played */
async function ending(record, json, seat) {
  const { names } = await game(record.game).components();
  const log = () => matchOf(record.game, record.matchId).history();
  const reason = names[`reason.${record.result.reason}`] ?? record.result.reason;
  return [
    element("p", {}, element("strong", {}, reason ?? "")),
    standingsTable(record.result, namedSeats(record.seats, names, seat), names),
    element("p", {}, download(record.matchId, json)),
    verificationPanel(json, record, log, seat),
  ];
}

/** @param {string} matchId @param {string} json */
function download(matchId, json) {
  const href = URL.createObjectURL(new Blob([json], { type: "application/json" }));
  return element("a", { href, download: fileName(matchId), class: "button" }, text("replay.download"));
}
