// Section with the matches of an API key and of its players, live by the events of the key.
import * as api from "../api.js";
import { button, element, fill } from "../elements/dom.js";
import { field } from "../elements/forms.js";
import { errorText, text } from "../words/texts.js";
import { MatchLists } from "./lists.js";

/** @typedef {import("./lists.js").Row} Row */
/** @typedef {import("../client/index.js").PlatformMatch} PlatformMatch */

const PAGE = 20;
const SETTLING = 300; // events come in bursts
const RETRY = 5_000;
const STATES = /** @type {const} */ (["MATCH_STATE_IN_PLAY", "MATCH_STATE_WAITING", "MATCH_STATE_FINISHED"]);

/** The newest matches in each state; *Show more* lists older ones. */
export class PlatformMatches {
  #lists;
  #alert = element("p", { class: "error", role: "alert", hidden: true });
  #place = element("div", {});
  element = element("section", {}, element("h2", {}, text("mine.key")), this.#alert, this.#place);
  #player = element("input", { maxlength: 64, autocomplete: "off" });
  #none = element("p", { hidden: true }, text("mine.none"));
  #more = button(text("mine.more"), () => ((this.#most += PAGE), void this.#reload()));
  #most = PAGE;
  #end = new AbortController();
  #stream = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {(game: string) => import("./lists.js").GameWords} words */
  constructor(words) {
    this.#lists = new MatchLists(words, (standing) => text(standing === "yours" ? "mine.players" : `mine.${standing}`));
    document.addEventListener("visibilitychange", () => this.#stream.abort(), { signal: this.#end.signal });
    this.#show();
  }

  close() {
    this.#end.abort();
    this.#stream.abort();
    this.#cancel();
  }

  /** What belongs to the key that is stored, or a button to enter one. */
  #show() {
    if (!api.hasApiKey()) return fill(this.#place, element("p", {}, text("mine.key.about")), button(text("mine.key.enter"), () => this.#enter()));
    /** @param {SubmitEvent} event */
    const onsubmit = (event) => (event.preventDefault(), (this.#most = PAGE), void this.#reload());
    const forget = button(text("mine.key.forget"), () => this.#forget(), { class: "quiet" });
    const actions = element("p", { class: "actions" }, element("button", { type: "submit" }, text("mine.show")), forget);
    fill(this.#place, element("form", { onsubmit }, field(text("mine.player"), this.#player), actions), this.#none, this.#lists.element, this.#more);
    void this.#follow();
  }

  async #enter() {
    this.#alert.hidden = true;
    try {
      await api.withApiKey(() => this.#load());
      this.#show();
    } catch (error) {
      this.#fail(error);
    }
  }

  #forget() {
    api.forgetApiKey();
    this.#stream.abort();
    this.#cancel(); // a load without the key would be refused
    this.#alert.hidden = true;
    this.#show();
  }

  /** Load the lists, and again after events, as long as they are seen. A hidden tab has no stream: these are few. */
  async #follow() {
    while (!this.#end.signal.aborted && api.hasApiKey()) {
      this.#stream = new AbortController();
      const { signal } = this.#stream;
      try {
        if (document.hidden) await new Promise((done) => signal.addEventListener("abort", done));
        else {
          await this.#load();
          if (signal.aborted) continue; // without a key, a further load would be refused
          this.#soon(); // for what happened before the stream began
          for await (const _ of api.client({ retrySeconds: 0 }).platformEvents({ signal })) this.#soon();
        }
      } catch (error) {
        if (!api.hasApiKey()) return;
        this.#fail(error);
        if (!api.isPassing(error)) return;
        await new Promise((done) => (setTimeout(done, RETRY), signal.addEventListener("abort", done)));
      }
    }
  }

  #soon() {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#reload();
    }, SETTLING);
  }

  #cancel() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #reload() {
    await this.#load().catch((error) => this.#fail(error));
  }

  async #load() {
    const playerId = this.#player.value;
    const most = this.#most;
    const client = api.client({ retrySeconds: 0 });
    const lists = await Promise.all(STATES.map((state) => first(client.platformMatches({ state, ...(playerId && { playerId }) }), most + 1)));
    if (this.#end.signal.aborted) return;
    const rows = lists.flatMap((list) => list.slice(0, most)).map((each) => row(each, playerId));
    this.#alert.hidden = true;
    this.#none.hidden = rows.length > 0;
    this.#more.hidden = lists.every(({ length }) => length <= most);
    this.#lists.show(rows);
  }

  /** @param {unknown} error */
  #fail(error) {
    if (this.#end.signal.aborted) return;
    fill(this.#alert, errorText(error));
    this.#alert.hidden = false;
  }
}

/**
 * The first items, read no further than needed.
 * @template T
 * @param {AsyncIterable<T>} items
 * @param {number} most
 */
async function first(items, most) {
  const found = [];
  for await (const item of items) if (found.push(item) === most) break;
  return found;
}

/** @param {PlatformMatch} listed @param {string} playerId empty for all players of the key @returns {Row} */
function row({ match, players }, playerId) {
  const { game, matchId, seats, toMove, waiting, over, createTime } = match;
  const isTurn = players.some((each) => toMove.includes(each.seat) && (!playerId || each.playerId === playerId));
  const standing = over ? "over" : waiting ? "waiting" : isTurn ? "yours" : "others";
  return { game, matchId, begun: Date.parse(createTime), seats, standing };
}
