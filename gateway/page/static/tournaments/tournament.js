// View of a tournament: its standings, live, with ratings as a plot, pairs, and the result of each match.
import { game, withApiKey } from "../api.js";
import { button, confirmed, element, fill, link } from "../elements/dom.js";
import { ratingsPlot, signed } from "./plot.js";
import { copied } from "../elements/share.js";
import { table, tableRow } from "../elements/table.js";
import { errorText, language, text } from "../words/texts.js";

/** @typedef {import("../api.js").Schemas} Schemas */
/** @typedef {Schemas["Tournament.Tournament"]} Tournament */
/** @typedef {Schemas["Tournament.EntrantStanding"]} Standing */
/** @typedef {Schemas["Tournament.BlockResult"]} BlockResult */
/** @typedef {Schemas["Tournament.Pair"]} Pair */
/** @typedef {Schemas["Tournament.SprtState"]} SprtState */
/** @typedef {{value: number, low?: number | undefined, high?: number | undefined}} Estimate */

const REFRESH = 2000; // the service publishes standings every two seconds or so
const PAGE = 20;
const PAIR_PAGE = 200; // blocks that are read at once to find those of a pair
const MOST_PAIRS = 12;
const NO_HEADING = -1;
const IN_PLAY = ["TOURNAMENT_STATE_PENDING", "TOURNAMENT_STATE_RUNNING"];

/** @type {import("../main.js").View} */
export async function show(place, tournamentId = "") {
  const path = `/v1/tournaments/${encodeURIComponent(tournamentId)}`;
  /** @type {Tournament} */
  const begun = await http().call(path);
  const { title, names } = await game(begun.spec?.game ?? "").components();
  const live = element("div");
  const problem = element("p", { role: "alert" });
  const cancel = button(text("tournament.cancel"), async () => {
    const sure = await confirmed(text("tournament.cancel.sure"), text("tournament.cancel"), text("tournament.keep"));
    if (!sure) return;
    try {
      await withApiKey(() => http().call(`${path}:cancel`, { body: {} }));
      await refresh();
    } catch (error) {
      fill(problem, errorText(error));
    }
  });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let left = false;
  /** @param {Tournament} tournament */
  const draw = (tournament) => {
    fill(live, ...standingsParts(tournament, (pair) => matches.show(pair)));
    cancel.hidden = !IN_PLAY.includes(String(tournament.state));
    if (!cancel.hidden && !left) timer = setTimeout(refresh, REFRESH);
  };
  const refresh = async () => {
    clearTimeout(timer);
    try {
      draw(await http().call(path));
      fill(problem);
    } catch (error) {
      fill(problem, errorText(error));
      if (!left) timer = setTimeout(refresh, REFRESH);
    }
  };
  const matches = new Matches(begun, path, names);
  fill(place, ...heading(begun, title), problem, live, element("p", {}, cancel), matches.section);
  draw(begun);
  return () => {
    left = true;
    clearTimeout(timer);
  };
}

/** @param {Tournament} tournament @param {string} title of the game */
function heading({ tournamentId, spec }, title) {
  const facts = {
    game: title,
    format: text(`tournaments.format.${spec?.format || "FORMAT_ROUND_ROBIN"}`),
    seats: spec?.tableSize ?? 0,
    blocks: spec?.blocks ?? 0,
    seed: spec?.seed ?? 0,
  };
  return [
    element("h1", {}, spec?.name || text("tournament.title", { id: tournamentId })),
    element("p", {}, text("tournament.spec", facts)),
    element("p", {}, link("/tournaments", text("tournaments.all"))),
  ];
}

/** What changes while a tournament is played.
 * @param {Tournament} tournament @param {(pair: Pair) => void} choose shows the matches of a pair */
function standingsParts({ state, detail, revision, plannedBlocks, standings }, choose) {
  const title = text("tournament.progress", { done: revision, planned: plannedBlocks });
  const entrants = standings?.entrants ?? [];
  return [
    element(
      "p",
      {},
      element("strong", {}, text(`tournaments.state.${state}`)),
      ` ${title} `,
      element("progress", { max: plannedBlocks, value: revision, "aria-label": title }),
    ),
    detail && (!standings?.sprt || state === "TOURNAMENT_STATE_FAILED") && element("p", {}, detail),
    standings?.sprt && element("p", {}, sprtLine(standings.sprt)),
    !entrants.length && element("p", {}, text("tournament.waiting")),
    ...(entrants.length ? [standingsTable(entrants), plot(entrants), pairsTable(entrants, standings?.pairs ?? [], choose)] : []),
  ];
}

/** @param {SprtState} state */
function sprtLine({ blocks, llr, lower, upper, accepted }) {
  const bounds = { llr: decimal(llr), lower: decimal(lower), upper: decimal(upper) };
  return text("tournament.sprt", { decision: text(`tournament.sprt.${accepted}`), blocks, ...bounds });
}

/** @param {readonly Standing[]} entrants */
function standingsTable(entrants) {
  const columns = ["rank", "entrant", "rating", "winShare", "points", "meanRank", "played", "forfeits"];
  const rows = entrants.map((row) => [
    String(row.rank),
    row.label,
    estimate(row.rating, signed),
    estimate(row.winShare, percent),
    decimal(row.meanPoints),
    decimal(row.meanRank),
    String(row.played),
    String(row.forfeits),
  ]);
  return table(text("tournament.standings"), columns.map((name) => text(`tournament.${name}`)), rows, 1);
}

/** @param {readonly Standing[]} entrants */
function plot(entrants) {
  if (!entrants.some(({ rating }) => rating)) return null;
  return element(
    "figure",
    {},
    ratingsPlot(/** @type {any} */ (entrants), text("tournament.plot")),
    element("figcaption", {}, text("tournament.plot.about")),
  );
}

/** How often each entrant ranked before each other.
 * @param {readonly Standing[]} entrants @param {readonly Pair[]} pairs
 * @param {(pair: Pair) => void} choose shows the matches of a pair */
function pairsTable(entrants, pairs, choose) {
  const shown = entrants.slice(0, MOST_PAIRS);
  const rows = shown.map((one) => [
    one.label,
    ...shown.map((other) => {
      const pair = pairs.find(({ entrant, opponent }) => entrant === one.entrant && opponent === other.entrant);
      if (!pair) return "–";
      const title = text("tournament.pairs.matches", { one: one.label, other: other.label });
      return button(estimate(pair.share, percent), () => choose(pair), { class: "quiet", title });
    }),
  ]);
  return table(text("tournament.pairs"), [text("tournament.pairs.beats"), ...shown.map(({ label }) => label)], rows, 0);
}

/** The matches, each with a link to its replay: of a pair of entrants, or of all; and the command that plays them again. */
class Matches {
  #rows = element("tbody");
  #chosen = element("p", { role: "status" });
  #problem = element("p", { role: "alert" });
  #more = button(text("tournament.matches.show"), () => this.#next());
  #listed;
  #token = "";
  /** @type {Pair | undefined} */
  #pair;

  /** @param {Tournament} tournament @param {string} path @param {Record<string, string>} names of the game */
  constructor({ tournamentId, spec }, path, names) {
    this.path = path;
    this.names = names;
    this.id = tournamentId;
    this.entrants = spec?.entrants ?? [];
    this.tableSize = spec?.tableSize ?? 0;
    const columns = ["block", "match", "seats", "moves", "end", "replay"].map((name) => text(`tournament.match.${name}`));
    this.#listed = table(text("tournament.matches"), columns, [], NO_HEADING);
    this.#listed.querySelector("tbody")?.replaceWith(this.#rows);
    this.#listed.hidden = true;
    this.section = element(
      "section",
      {},
      element("h2", {}, text("tournament.matches")),
      element("p", {}, text("tournament.matches.about")),
      copied(text("tournament.command"), command(spec)),
      this.#chosen,
      this.#listed,
      this.#more,
      this.#problem,
    );
  }

  /** Begin the list again, with the matches in which both entrants of a pair played.
   * @param {Pair} pair */
  async show(pair) {
    this.#pair = pair;
    this.#token = "";
    fill(this.#rows);
    const [one, other] = [pair.entrant, pair.opponent].map((entrant) => this.entrants[entrant]);
    fill(this.#chosen, text("tournament.pairs.matches", { one: one ?? "", other: other ?? "" }));
    await this.#next();
    this.section.scrollIntoView();
  }

  /** Read pages until one has a match of the pair. */
  async #next() {
    const before = this.#rows.childElementCount;
    try {
      do {
        const query = { pageSize: this.#pair ? PAIR_PAGE : PAGE, ...(this.#token && { pageToken: this.#token }) };
        /** @type {{results: BlockResult[], nextPageToken: string}} */
        const page = await http().call(`${this.path}/results`, { query });
        this.#rows.append(...page.results.filter((block) => this.#isShown(block)).flatMap((block) => this.#blockRows(block)));
        this.#token = page.nextPageToken;
      } while (this.#token && this.#rows.childElementCount === before);
      this.#listed.hidden = false;
      this.#more.hidden = !this.#token;
      fill(this.#more, text("tournaments.more"));
      fill(this.#problem);
    } catch (error) {
      fill(this.#problem, errorText(error));
    }
  }

  /** @param {BlockResult} block */
  #isShown({ matches }) {
    const seated = matches[0]?.seats.map(({ entrant }) => entrant) ?? [];
    return !this.#pair || (seated.includes(this.#pair.entrant) && seated.includes(this.#pair.opponent));
  }

  /** @param {BlockResult} result */
  #blockRows({ block, matches }) {
    return matches.map(({ seats, moves, reason }, at) => {
      const players = seats.map(({ entrant, points, rank, forfeit }) => {
        const facts = { entrant: this.entrants[entrant] ?? entrant + 1, points, rank };
        return text(forfeit ? "tournament.match.forfeit" : "tournament.match.seat", facts);
      });
      const path = `/tournaments/${encodeURIComponent(this.id)}/matches/${block * this.tableSize + at}`;
      const title = text("tournament.match.watch.one", { block: block + 1, match: at + 1 });
      const replay = element("a", { href: path, title }, text("tournament.match.watch"));
      const end = this.names[`reason.${reason}`] ?? reason;
      return tableRow([String(block + 1), String(at + 1), players.join("; "), String(moves), end, replay], NO_HEADING);
    });
  }
}

/** The command that plays the same matches again: equal specs give equal results.
 * @param {Tournament["spec"]} spec */
function command(spec) {
  const format = spec?.format?.replace("FORMAT_", "").toLowerCase();
  const given = {
    game: spec?.game,
    entrants: spec?.entrants?.join(","),
    options: spec?.preset,
    table: spec?.tableSize,
    format: format === "unspecified" ? "" : format,
    blocks: spec?.blocks,
    rounds: spec?.rounds,
    seed: spec?.seed,
    sprt: spec?.sprt && Object.entries(spec.sprt).map((pair) => pair.join("=")).join(","),
  };
  const words = Object.entries(given).flatMap(([name, value]) => (value ? [`--${name} ${quoted(String(value))}`] : []));
  return ["fireside tournament run", ...words].join(" ");
}

/** A word of a shell command.
 * @param {string} value */
const quoted = (value) => (/^[\w.,:=+@%/-]*$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`);

/** A value with its interval; empty without one.
 * @param {Estimate | undefined} found @param {(value: number) => string} format */
function estimate(found, format) {
  if (!found) return "";
  const { value, low, high } = found;
  const interval = low === undefined || high === undefined ? "" : ` (${format(low)} … ${format(high)})`;
  return format(value) + interval;
}

/** @param {number} share */
const percent = (share) => new Intl.NumberFormat(language(), { style: "percent" }).format(share);

/** @param {number | undefined} value */
const decimal = (value) => (value === undefined ? "" : new Intl.NumberFormat(language(), { maximumFractionDigits: 2 }).format(value));


/** Calls of the service that belong to no game. */
const http = () => game("").http;
