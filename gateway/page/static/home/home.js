// Home: the games with a picture and a match against a bot at once, matches of this browser and of others, tournaments.
import { client, game, matchPath, startMatch } from "../api.js";
import { button, element, fill, go, link } from "../elements/dom.js";
import { choice } from "../elements/forms.js";
import { PublicMatches } from "./public.js";
import { standingOf } from "../mine/lists.js";
import { myMatches } from "../stored-matches.js";
import { setupForm } from "./setup.js";
import { strengths } from "../elements/strengths.js";
import { errorText, language, text } from "../words/texts.js";
import { theme } from "../theme.js";

/** @typedef {import("../api.js").Schemas["Catalog.Game"]} Game */
/** @typedef {import("./setup.js").Components} Components */

const MOST_MATCHES = 5;
const DEFAULT_STRENGTH = 1; // of random, greedy and searching bots: no pushover, and moves at once

/** @type {import("../main.js").View} */
export async function show(place) {
  const games = await client().games();
  const components = games.map(({ name }) => /** @type {Promise<Components>} */ (game(name).components()));
  const cards = games.map((each, at) => card(each, components[at]));
  const publicMatches = new PublicMatches(games, components);
  fill(
    place,
    element("h1", {}, text("home.title")),
    element("p", {}, text("home.about")),
    await recentMatches(games),
    element("div", { class: "games" }, ...cards.map(({ root }) => root)),
    publicMatches.element,
    element("p", {}, link("/tournaments", text("home.tournaments")), " · ", link("/replay", text("home.replay"))),
  );
  const redraw = () => cards.forEach(({ draw }) => void draw());
  addEventListener("themechange", redraw);
  return () => {
    publicMatches.close();
    removeEventListener("themechange", redraw);
  };
}

/** A game; what the service says of it comes later, so that the page is seen at once.
 * @param {Game} listed @param {Promise<Components> | undefined} components */
function card(listed, components) {
  const picture = element("img", { class: "example", alt: "", width: 400, height: 300 });
  const about = element("div", { class: "about" });
  const heading = element("h2", { id: `game-${listed.name}` }, listed.title);
  const root = element("section", { class: "game", "aria-labelledby": heading.id }, picture, element("div", {}, heading, about));
  const draw = async () => {
    try {
      const url = URL.createObjectURL(await examplePicture(listed));
      picture.addEventListener("load", () => URL.revokeObjectURL(url), { once: true });
      picture.src = url;
      picture.alt = text("home.example", { title: listed.title });
    } catch {
      picture.hidden = true; // a game may have no pictures
    }
  };
  void draw();
  components?.then(
    (found) => fill(about, playNow(listed, found), element("p", {}, found.summary), moreChoices(listed, found)),
    (error) => fill(about, element("p", { role: "alert" }, errorText(error))),
  );
  return { root, draw };
}

/** A position of a new match as its first seat sees it.
 * @param {Game} listed */
async function examplePicture({ name, minSeats }) {
  const { route, http } = game(name);
  const seats = Array.from({ length: minSeats }, () => ({}));
  const { state } = await http.call(`${route}:newGame`, { body: { seats } });
  const body = { state, seat: 0, theme: theme(), locale: language() };
  return new Blob([await http.text(`${route}:picture`, { body })], { type: "image/svg+xml" });
}

/** A match with the fewest seats against bots of a strength: two clicks.
 * @param {Game} listed @param {Components} components */
function playNow({ name, minSeats }, { bots, names }) {
  const found = strengths(bots, names);
  const problem = element("p", { role: "alert" });
  const checked = Math.min(DEFAULT_STRENGTH, found.length - 1);
  const chosen = element("p", { class: "small" }, found[checked]?.detail);
  const choices = found.map(({ bot, level, detail }, at) => {
    const onchange = () => fill(chosen, detail);
    const radio = { type: "radio", name: `strength-${name}`, value: bot, checked: at === checked, onchange };
    return choice(level, element("input", radio));
  });
  const against = element("fieldset", {}, element("legend", {}, text("home.against")), ...choices, chosen);
  const play = button(
    text("home.play"),
    async () => {
      const bot = against.querySelector("input:checked")?.getAttribute("value") ?? "";
      const seats = Array.from({ length: minSeats }, (_, seat) => (seat ? { bot } : {}));
      play.disabled = true;
      try {
        go(await startMatch(name, { seats }));
      } catch (error) {
        fill(problem, errorText(error));
      }
      play.disabled = false;
    },
    { class: "main" },
  );
  return element("div", { class: "now" }, against, play, problem);
}

/** @param {Game} listed @param {Components} components */
function moreChoices(listed, components) {
  const details = element("details", {}, element("summary", {}, text("home.more")));
  details.addEventListener("toggle", () => details.append(setupForm(listed, components)), { once: true });
  return details;
}

/** The matches that this browser began or was invited to, and how they stand.
 * @param {readonly Game[]} games */
async function recentMatches(games) {
  const recent = myMatches().slice(0, MOST_MATCHES);
  if (!recent.length) return null;
  const items = recent.map((each) => {
    const title = games.find(({ name }) => name === each.game)?.title ?? each.game;
    const began = new Date(each.begun).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
    const status = element("span");
    void standingOf(each.game, each.matchId).then(({ standing, problem }) => fill(status, ` — ${problem ?? text(`home.match.${standing}`)}`));
    return element("li", {}, link(matchPath(each.game, each.matchId), `${title}, ${began}`), status);
  });
  return element("section", {}, element("h2", {}, text("home.mine")), element("ul", {}, ...items), link("/matches", text("home.mine.all")));
}
