// Section of home with the public tables that wait for players and the matches in play, refreshed while it is seen.
import { game, matchPath } from "../api.js";
import { element, fill, link } from "../elements/dom.js";
import { namedSeats, playerName } from "../elements/standings.js";
import { text } from "../words/texts.js";

/** @typedef {import("../api.js").Schemas["Catalog.Game"]} Game */
/** @typedef {import("./setup.js").Components} Components */
/** @typedef {import("../api.js").Schemas["Match.MatchSummary"]} Summary */

const REFRESH = 10_000;
const MOST_MATCHES = 10;

/** The newest matches that their players listed, of all games. */
export class PublicMatches {
  #list = element("ul");
  #none = element("p", { hidden: true }, text("home.public.none"));
  element = element("section", { "aria-labelledby": "public" }, element("h2", { id: "public" }, text("home.public")), this.#list, this.#none);
  #games;
  #components;
  #timer;
  #shown = "";

  /**
   * @param {readonly Game[]} games
   * @param {readonly Promise<Components>[]} components of each game
   */
  constructor(games, components) {
    this.#games = games;
    this.#components = components;
    this.#timer = setInterval(() => document.hidden || void this.#refresh(), REFRESH);
    void this.#refresh();
  }

  close() {
    clearInterval(this.#timer);
  }

  async #refresh() {
    // A game whose engines are away has no matches to watch.
    const found = await Promise.all(this.#games.map((each, at) => publicMatches(each, this.#components[at]).catch(() => [])));
    const newest = found.flat().sort((one, other) => Number(other.waiting) - Number(one.waiting) || Date.parse(other.createTime) - Date.parse(one.createTime));
    const matches = newest.slice(0, MOST_MATCHES);
    const shown = JSON.stringify(matches);
    this.#none.hidden = matches.length > 0;
    if (shown === this.#shown) return; // who reads the list is not disturbed
    this.#shown = shown;
    const focused = document.activeElement?.getAttribute("href");
    fill(this.#list, ...matches.map(item));
    if (focused) [...this.#list.querySelectorAll("a")].find((each) => each.getAttribute("href") === focused)?.focus();
  }
}

/**
 * The newest public matches of a game that wait or are in play, with the names of their players.
 * @param {Game} listed
 * @param {Promise<Components> | undefined} components
 */
async function publicMatches({ name, title }, components) {
  const { http, route } = game(name);
  /** @param {string} state @returns {Promise<{matches: Summary[]}>} */
  const list = (state) => http.call(`${route}/matches`, { query: { state, pageSize: MOST_MATCHES } });
  const pages = await Promise.all([list("MATCH_STATE_WAITING"), list("MATCH_STATE_IN_PLAY")]);
  const matches = pages.flatMap((page) => page.matches);
  const names = (await components)?.names ?? {};
  return matches.map((each) => ({ ...each, title, seats: namedSeats(each.seats, names) }));
}

/** @param {Summary & {title: string}} match */
function item({ title, game, matchId, seats, toMove, waiting }) {
  const players = seats.map(({ open }, seat) => (open ? text("table.open") : playerName(seats, seat))).join(", ");
  if (waiting) return element("li", {}, link(`${matchPath(game, matchId)}#code=`, text("home.public.join", { title, players })));
  const names = toMove.map((seat) => playerName(seats, seat)).join(", ");
  const words = names && ` — ${text("match.waiting", { names })}`;
  return element("li", {}, link(matchPath(game, matchId), text("home.public.watch", { title, players })), words);
}
