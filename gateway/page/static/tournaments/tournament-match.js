// View of one match of a tournament: the replay of its record.
import { game } from "../api.js";
import { element, link } from "../elements/dom.js";
import { showRecord } from "../replay/replay.js";
import { text } from "../words/texts.js";

/** @type {import("../main.js").View} */
export async function show(place, tournamentId = "", match = "") {
  const tournament = `/tournaments/${encodeURIComponent(tournamentId)}`;
  const json = await game("").http.text(`/v1${tournament}/matches/${match}/record.json`);
  const leave = await showRecord(place, json);
  place.append(element("p", {}, link(tournament, text("tournament.back"))));
  return leave;
}
