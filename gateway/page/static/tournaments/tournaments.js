// Views of tournaments: all of them, with a form for a new one.
import { client, game, withApiKey } from "../api.js";
import { button, element, fill, go, link } from "../elements/dom.js";
import { field, choice, number, select } from "../elements/forms.js";
import { strengths } from "../elements/strengths.js";
import { errorText, hasText, language, text } from "../words/texts.js";

/** @typedef {import("../api.js").Schemas} Schemas */
/** @typedef {Schemas["Catalog.Game"]} Game */
/** @typedef {Schemas["Tournament.Tournament"]} Tournament */

const PATH = "/v1/tournaments";
const PAGE = 20;
const BLOCKS = 20;
const CHECKED = 2; // entrants of a new tournament, unless others are chosen
const FORMATS = ["FORMAT_ROUND_ROBIN", "FORMAT_SWISS", "FORMAT_KNOCKOUT"]; // nobody can choose here who is first in a gauntlet

/** @type {import("../main.js").View} */
export async function show(place) {
  const games = await client().games();
  const list = element("ul", { class: "tournaments" });
  fill(
    place,
    element("h1", {}, text("tournaments.title")),
    element("p", {}, text("tournaments.about")),
    await form(games),
    element("h2", {}, text("tournaments.all")),
    list,
  );
  const more = button(text("tournaments.more"), () => void load(more.dataset.token));
  /** @param {string} [token] */
  const load = async (token) => {
    const query = { pageSize: PAGE, ...(token && { pageToken: token }) };
    /** @type {{tournaments: Tournament[], nextPageToken: string}} */
    const { tournaments, nextPageToken } = await http().call(PATH, { query });
    list.append(...tournaments.map((each) => item(each, games)));
    if (!list.childElementCount) list.replaceWith(element("p", {}, text("tournaments.none")));
    more.dataset.token = nextPageToken;
    more.hidden = !nextPageToken;
  };
  place.append(more);
  await load();
}

/** @param {Tournament} tournament @param {readonly Game[]} games */
function item(tournament, games) {
  const { spec, state, createTime } = tournament;
  const made = new Date(String(createTime)).toLocaleString(language());
  const label = spec?.name || spec?.entrants?.join(", ") || tournament.tournamentId;
  const title = games.find(({ name }) => name === spec?.game)?.title ?? spec?.game;
  return element(
    "li",
    {},
    link(`/tournaments/${encodeURIComponent(tournament.tournamentId)}`, label),
    ` — ${title}, ${text(`tournaments.state.${state}`)}, ${made}`,
  );
}

/** The form of a new tournament.
 * @param {readonly Game[]} games */
async function form(games) {
  const name = element("input", { name: "name", maxlength: 64, autocomplete: "off" });
  const played = select(
    "game",
    games.map((each) => [each.name, each.title]),
  );
  const format = select(
    "format",
    FORMATS.map((each) => [each, text(`tournaments.format.${each}`)]),
  );
  const blocks = number("blocks", 1, 1000, BLOCKS);
  const seed = number("seed", 0, 4294967295, 0);
  const tableSize = number("tableSize", 2, 8, 2);
  const preset = select("preset", []);
  const bots = element("fieldset", {});
  const problem = element("p", { role: "alert" });
  const onGame = async () => {
    const chosen = played.value;
    const found = await game(chosen).components();
    if (chosen !== played.value) return loading; // another one has been chosen meanwhile
    const options = found.presets.map((each) => [each.name, found.names[`preset.${each.name}`] ?? each.name]);
    fill(preset, ...options.map(([value, label]) => element("option", { value }, label)));
    const boxes = strengths(/** @type {any} */ (found.bots), found.names).map(({ bot, label, detail }, at) => {
      const box = element("input", { type: "checkbox", name: "entrant", value: bot, checked: at < CHECKED });
      return choice(label, box, detail);
    });
    fill(bots, element("legend", {}, text("tournaments.entrants")), ...boxes);
    tableSize.min = tableSize.value = String(found.minSeats);
    tableSize.max = String(found.maxSeats);
  };
  /** @type {Promise<void>} */
  let loading = onGame();
  played.addEventListener("change", () => (loading = onGame()));
  await loading;
  /** @param {SubmitEvent} event */
  const onsubmit = async (event) => {
    event.preventDefault();
    await loading.catch(() => {}); // else the preset and the bots would be those of the game chosen before
    const entrants = [...bots.querySelectorAll("input")].filter(({ checked }) => checked).map(({ value }) => value);
    const spec = {
      name: name.value,
      game: played.value,
      preset: preset.value,
      entrants,
      format: format.value,
      tableSize: Number(tableSize.value),
      blocks: Number(blocks.value),
      seed: Number(seed.value),
    };
    try {
      /** @type {{tournamentId: string}} */
      const created = await withApiKey(() => http().call(PATH, { body: { spec } }));
      go(`/tournaments/${encodeURIComponent(created.tournamentId)}`);
    } catch (error) {
      fill(problem, errorText(error, labelOf));
    }
  };
  return element(
    "details",
    {},
    element("summary", {}, text("tournaments.new")),
    element(
      "form",
      { class: "setup", onsubmit },
      field(text("tournaments.game"), played),
      field(text("tournaments.preset"), preset),
      bots,
      field(text("tournaments.format"), format),
      field(text("tournaments.tableSize"), tableSize),
      field(text("tournaments.blocks"), blocks),
      field(text("tournaments.seed"), seed),
      field(text("tournaments.name"), name),
      element("button", { type: "submit", class: "main" }, text("tournaments.create")),
      problem,
    ),
  );
}

/** What the form calls a field of the request.
 * @param {string} field */
function labelOf(field) {
  const key = `tournaments.${field.replace("spec.", "").replace(/\[.*/, "")}`;
  return hasText(key) ? text(key) : undefined;
}

/** Calls of the service that belong to no game. */
const http = () => game("").http;
