// Views of a match that has not begun: a form to take a seat, and the seats of a table that waits for players.
import * as api from "../api.js";
import { button, confirmed, element, fill, go, link, replace } from "../elements/dom.js";
import { field } from "../elements/forms.js";
import { forgetMatch, forgetSeat } from "../stored-matches.js";
import { botSelect, deadSeat, handOver } from "./seats.js";
import { copied } from "../elements/share.js";
import { namedSeats, playerName } from "../elements/standings.js";
import { errorText, language, text } from "../words/texts.js";

/** @typedef {{title: string, names: Record<string, string>, bots: readonly import("../elements/strengths.js").BotKind[]}} Components */
/** @typedef {{seats: api.Seat[], seat?: number, waiting: boolean, expireTime?: string}} Waiting */

const RETRY = 1000;
const HIDDEN_REFRESH = 10_000;

/**
 * A form by which the person takes the seat of a join code; without a code an open seat of a public match.
 * @param {HTMLElement} place
 * @param {string} name of the game
 * @param {string} matchId
 * @param {string} code
 */
export async function showJoin(place, name, matchId, code) {
  const { title } = await api.game(name).components();
  const input = element("input", { maxlength: 64, autocomplete: "nickname" });
  const problem = element("p", { class: "error", role: "alert" });
  /** @param {SubmitEvent} event */
  const onsubmit = async (event) => {
    event.preventDefault();
    try {
      await api.join(name, matchId, code, input.value);
      replace(api.matchPath(name, matchId));
    } catch (error) {
      fill(problem, errorText(error));
    }
  };
  const sit = element("button", { type: "submit", class: "main" }, text("join.sit"));
  const watch = link(api.matchPath(name, matchId), text("join.watch"));
  document.title = `${text("join.title")} · ${title}`;
  fill(
    place,
    element("h1", {}, title),
    element("p", {}, text("join.about")),
    element("form", { class: "setup", onsubmit }, field(text("join.name"), input), element("p", { class: "actions" }, sit, watch), problem),
  );
}

/** Who sits at a table and who is missing, live until the match begins. */
export class WaitingView {
  #name;
  #title;
  #names;
  #bots;
  #match;
  #host;
  #begun;
  #end = new AbortController();
  #stream = new AbortController();
  #status = element("p", { class: "status", role: "status" });
  #alert = element("p", { class: "error", role: "alert", hidden: true });
  #seats = element("ul", { class: "players" });
  #expires = element("p", { class: "small" });
  #shown = "";

  /**
   * @param {string} name
   * @param {Components} components
   * @param {api.MatchClient} match
   * @param {() => void} begun called when the match has begun
   */
  constructor(name, { title, names, bots }, match, begun) {
    this.#name = name;
    this.#title = title;
    this.#names = names;
    this.#bots = bots;
    this.#match = match;
    this.#host = api.host(name, match.matchId);
    this.#begun = begun;
    const withdraw = this.#host && button(text("table.withdraw"), () => this.#withdraw(), { class: "quiet" });
    const isSeated = Boolean(match.token) && match.token !== this.#host?.token;
    const leave = isSeated && button(text("table.giveUp"), () => this.#giveUp(), { class: "quiet" });
    const about = text(this.#host ? "table.about.host" : "table.about");
    this.element = element(
      "div",
      { class: "waiting" },
      element("h1", {}, title),
      this.#status,
      this.#alert,
      element("section", {}, element("h2", {}, text("match.players")), this.#seats),
      element("p", {}, about),
      this.#expires,
      element("p", { class: "actions" }, leave, withdraw, link("/", text("page.home"))),
    );
    document.addEventListener("visibilitychange", () => this.#stream.abort(), { signal: this.#end.signal });
  }

  close() {
    this.#end.abort();
    this.#stream.abort();
  }

  /** Follow the table until the match begins. A hidden tab has no stream: over HTTP/1.1 these are few. */
  async follow() {
    while (!this.#end.signal.aborted) {
      this.#stream = new AbortController();
      const { signal } = this.#stream;
      try {
        await this.#refresh();
        if (document.hidden) await this.#pause(HIDDEN_REFRESH);
        else for await (const message of this.#match.events({ signal })) if ("seat" in message || "event" in message) await this.#refresh();
      } catch (error) {
        this.#fail(error);
        if (!api.isPassing(error)) return;
        await this.#pause(RETRY);
      }
    }
  }

  /** @param {number} milliseconds */
  #pause(milliseconds) {
    return new Promise((done) => {
      setTimeout(done, milliseconds);
      this.#stream.signal.addEventListener("abort", done);
    });
  }

  async #refresh() {
    /** @type {Waiting} */
    const found = await this.#match.get();
    if (this.#end.signal.aborted) return;
    this.#alert.hidden = true;
    if (!found.waiting) {
      this.close();
      return this.#begun();
    }
    const shown = JSON.stringify(found.seats);
    if (shown === this.#shown) return; // who is choosing a bot is not disturbed
    const seats = namedSeats(found.seats, this.#names, found.seat);
    const rows = await Promise.all(seats.map((each, seat) => (each.open ? this.#open(seat) : this.#taken(seats, seat, found.seat))));
    const open = seats.filter((each) => each.open).length;
    this.#shown = shown;
    fill(this.#seats, ...rows);
    this.#status.textContent = text("table.status", { open });
    document.title = `${seats.length - open}/${seats.length} · ${this.#title}`;
    const time = found.expireTime && new Date(found.expireTime).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
    fill(this.#expires, time ? text("table.expires", { time }) : null);
  }

  /** @param {api.Seat[]} seats @param {number} seat @param {number | undefined} own */
  #taken(seats, seat, own) {
    const isOwn = seat === own;
    const you = isOwn && seats[seat]?.name !== text("player.you", { number: seat + 1 }) ? ` (${text("match.you")})` : null;
    return element("li", {}, playerName(seats, seat), you, isOwn && handOver(this.#name, this.#match, seat, (error) => this.#fail(error)));
  }

  /** An open seat; for the host with the link that gives it, and with bots to put there.
   * @param {number} seat */
  async #open(seat) {
    const number = text("player.seat", { number: seat + 1 });
    const host = this.#host;
    if (!host) return element("li", {}, `${number}: ${text("table.open")}`);
    const { code } = await host.invite(seat);
    const bots = botSelect(this.#bots, this.#names, number);
    const put = button(text("table.putBot"), () => host.substitute(bots.value, seat).then(() => this.#refresh()).catch((error) => this.#fail(error)), { "aria-label": `${number}: ${text("table.putBot")}` });
    return element(
      "li",
      {},
      `${number}: ${text("table.open")}`,
      copied(text("table.link", { name: number }), api.joinLink(this.#name, this.#match.matchId, code)),
      element("div", { class: "seat" }, bots, put),
    );
  }

  async #giveUp() {
    try {
      await this.#match.leave();
    } catch (error) {
      return this.#fail(error);
    }
    forgetSeat(this.#match);
    replace(location.pathname);
  }

  async #withdraw() {
    if (!(await confirmed(text("table.withdrawQuestion"), text("table.withdraw"), text("table.keep")))) return;
    try {
      await this.#host?.withdraw();
    } catch (error) {
      return this.#fail(error);
    }
    forgetMatch(this.#match.matchId);
    go("/");
  }

  /** @param {unknown} error */
  #fail(error) {
    if (this.#end.signal.aborted) return;
    fill(this.#alert, api.isGone(error) ? text("table.gone") : errorText(error), api.isDeadToken(error) && deadSeat(this.#match));
    this.#alert.hidden = false;
  }
}
