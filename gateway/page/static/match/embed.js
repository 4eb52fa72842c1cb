// View of a board in a frame of another page: its picture, live, and a link to the match.
import { client, game, matchPath, picture } from "../api.js";
import { element, fill, pictureElement } from "../elements/dom.js";
import { namedSeats, playerName, standingsTable } from "../elements/standings.js";
import { errorText, text } from "../words/texts.js";

/** @type {import("../main.js").View} */
export async function show(place, ...names) {
  const [name, matchId] = await named(names);
  // Without a token: the page that frames the board must not be shown a hand.
  // A frame may stay open for days: it waits for the service as long as that is away.
  const match = game(name, { retrySeconds: Infinity }).match(matchId);
  const [begun, components] = await Promise.all([match.get(), game(name).components()]);
  const seats = namedSeats(begun.seats, components.names);
  const board = element("div", { class: "picture" });
  const below = element("div");
  const players = seats.map((_, seat) => playerName(seats, seat)).join(", ");
  const open = element("a", { href: matchPath(name, matchId), target: "_blank", title: text("embed.open") }, players);
  fill(place, element("h1", {}, open), board, below);
  if (begun.spectatorDelay && !begun.over) fill(below, element("p", { class: "small" }, text("match.late", { number: begun.spectatorDelay })));
  let latest = 0;
  const draw = async () => {
    const ticket = ++latest;
    const drawn = pictureElement(await picture(match));
    if (ticket === latest) fill(board, drawn);
  };
  await draw();
  const end = new AbortController();
  addEventListener("themechange", draw, { signal: end.signal });
  const follow = async () => {
    for await (const message of match.events({ signal: end.signal })) {
      if ("turn" in message || "over" in message) await draw();
      if ("over" in message) fill(below, standingsTable(message.over.score, seats, components.names));
    }
  };
  follow().catch((error) => fill(below, element("p", { role: "alert" }, errorText(error))));
  return () => end.abort();
}

/** The game and id of `/embed/GAME/ID`, or of `/embed/ID`, for which each game is tried.
 * @param {string[]} names
 * @returns {Promise<[game: string, matchId: string]>} */
async function named(names) {
  if (names.length > 1) return [names[0] ?? "", names[1] ?? ""];
  const [matchId = ""] = names;
  const games = await client().games();
  const found = games.map(({ name }) => game(name).match(matchId).get().then(() => name));
  return [await Promise.any(found).catch(({ errors }) => Promise.reject(errors[0])), matchId];
}
