// View of a match: the picture, what the person may do, and all that happens, live.
import * as api from "../api.js";
import { Board } from "./board.js";
import { button, confirmed, element, fill, link, replace } from "../elements/dom.js";
import { Hints } from "./hints.js";
import { Log } from "./log.js";
import { Moves } from "./moves.js";
import { note } from "../verification/notes.js";
import { firstPicture } from "./first-picture.js";
import { rules } from "./rules.js";
import { RematchOffer } from "../tables/rematch.js";
import { botPlaysOn, botSelect, deadSeat, handOver } from "../tables/seats.js";
import { observerField } from "../elements/observer.js";
import { sharing } from "../elements/share.js";
import { botName, namedSeats, playerName, standingsTable } from "../elements/standings.js";
import { isPrivate, joinCode } from "../stored-matches.js";
import { clockText, errorText, text } from "../words/texts.js";
import { showJoin, WaitingView } from "../tables/waiting.js";

/** @typedef {{revision: number, toMove: number[], deadline?: string, matchDeadline?: string, clocks: {bankMs: number, deadline?: string}[], moves: import("./moves.js").Move[]}} Turn */

const RETRY = 1000;
const HIDDEN_REFRESH = 10_000;
const LATEST = 3;

/** @type {import("../main.js").View} */
export async function show(place, name, matchId) {
  const code = joinCode();
  if (code !== null) return showJoin(place, name, matchId, code);
  const match = api.match(name, matchId);
  // At once: one after another the calls took most of the time until the view was there.
  const found = await Promise.all([api.game(name).components(), match.get(), api.publicKeys()]).catch((error) => refused(place, match, error));
  if (!found) return;
  const [components, begun, publicKeys] = found;
  if (begun.waiting) {
    const waiting = new WaitingView(name, components, match, () => replace(location.pathname));
    fill(place, waiting.element);
    void waiting.follow();
    return () => waiting.close();
  }
  const { over, seat, commitment, head } = begun;
  if (!over) note(matchId, seat, { commitment, head, publicKeys });
  if (begun.deadline || begun.matchDeadline) void api.compareClocks().catch(() => undefined);
  const view = new MatchView(name, components, match, begun);
  fill(place, view.element);
  void view.showFirst(firstPicture());
  void view.follow();
  return () => view.close();
}

/**
 * Say that the token of this browser gives no seat: it was replaced, or is of another match. Throws other errors.
 * @param {HTMLElement} place
 * @param {api.MatchClient} match
 * @param {unknown} error
 * @returns {undefined}
 */
function refused(place, match, error) {
  // Only a token of another match is denied to read one: without a way to forget it, the match could not be watched.
  const isForeign = error instanceof api.FiresideError && error.reason === "PERMISSION_DENIED";
  if (!isForeign && !api.isDeadToken(error)) throw error;
  fill(place, element("h1", {}, text("page.failed")), element("p", { role: "alert" }, text("error.UNAUTHENTICATED")), deadSeat(match));
}

class MatchView {
  #name;
  #title;
  #names;
  #match;
  #seats;
  /** @type {number | undefined} */
  #own;
  /** @type {Turn | undefined} */
  #turn;
  #end = new AbortController();
  #stream = new AbortController();
  /** Revision after the last log entry that came, from which the stream resumes. */
  #after = 0;
  /** Revision that the match had when the view was opened: later entries are new. */
  #opened;
  /** Revision after the last move of this person: turns before it are over. */
  #moved = 0;
  /** @type {number | undefined} */
  #drawn;
  /** @type {{revision: number | undefined} | undefined} */
  #wanted;
  /** @type {Promise<void> | undefined} */
  #drawing;
  #isSending = false;

  #status = element("p", { class: "status", role: "status" });
  #clock = element("p", { class: "clock" });
  #offline = element("p", { class: "offline", role: "status", hidden: true }, text("match.offline"));
  #alert = element("p", { class: "error", role: "alert", hidden: true });
  /** @type {{words: string, times: number}[]} What happened since the last move of this person, the latest of it. */
  #since = [];
  /** It under the picture, since the log is out of sight on a phone. Screen readers have the log. */
  #latest = element("p", { class: "latest small", "aria-hidden": "true" });
  #late = element("p", { class: "small", hidden: true });
  #players = element("ul", { class: "players" });
  /** @type {HTMLElement[]} The time in the bank of each seat; screen readers do not read it at each tick. */
  #banks;
  #outcome = element("section", { class: "outcome", hidden: true });
  #leave = button(text("match.leave"), () => this.#leaveMatch(), { class: "quiet" });
  #log = new Log((seat) => this.#nameOf(seat));
  #bots;
  /** Controls to hand over seats, and to let bots play on in them. */
  #seatControls = element("details", { class: "seats", hidden: true });
  #board = new Board((part) => this.#moves.click(part));
  #moves = new Moves(this.#board, (move) => this.#play(move));
  #room = element("div", {}, this.#moves.element);
  #hints = new Hints(text("hint.ask"), async () => [await this.#match.hint()], (seat) => this.#nameOf(seat));
  /** Whether seats may ask for hints. */
  #givesHints;
  /** Whether the match is shown as each seat sees it once it is over. */
  #openAfter;
  /** @type {number | undefined} Seat as which the end is shown, if not as the own one. */
  #observer;
  /** @type {RematchOffer | undefined} */
  #rematch;

  /**
   * @param {string} name
   * @param {{title: string, summary: string, names: Record<string, string>, bots: readonly import("../elements/strengths.js").BotKind[]}} components
   * @param {api.MatchClient} match
   * @param {{seats: api.Seat[], seat?: number, revision: number, hints: boolean, spectatorDelay: number, openAfter: boolean}} begun
   */
  constructor(name, { title, summary, names, bots }, match, { seats, seat, revision, hints, spectatorDelay, openAfter }) {
    this.#givesHints = hints;
    this.#openAfter = openAfter;
    this.#name = name;
    this.#title = title;
    this.#names = names;
    this.#bots = bots;
    this.#match = match;
    this.#seats = namedSeats(seats, names, seat);
    this.#own = seat;
    this.#banks = seats.map(() => element("span", { class: "bank", role: "timer" }));
    this.#opened = revision;
    this.#leave.hidden = seat === undefined;
    this.#late.textContent = text("match.late", { number: spectatorDelay });
    this.#late.hidden = !spectatorDelay || seat !== undefined;
    this.#controlSeats();
    this.element = element(
      "div",
      { class: "match" },
      element("header", {}, element("h1", {}, title), this.#status, this.#clock, this.#late),
      this.#offline,
      this.#alert,
      element("div", { class: "table" }, this.#board.element, this.#latest),
      element("div", { class: "side" }, this.#outcome, this.#room, this.#hints.element, rules(name, summary), this.#playersSection(), this.#log.element, this.#links()),
    );
    const { signal } = this.#end;
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
    window.addEventListener("offline", () => this.#connected(false), { signal });
    window.addEventListener("online", () => this.#stream.abort(), { signal });
    document.addEventListener("visibilitychange", () => this.#stream.abort(), { signal });
    window.addEventListener("themechange", () => this.#draw(this.#drawn), { signal });
    const timer = setInterval(() => this.#tick(), 250);
    signal.addEventListener("abort", () => clearInterval(timer));
  }

  close() {
    this.#end.abort();
    this.#stream.abort();
    this.#rematch?.close();
  }

  /**
   * Show a picture until the stream says what to draw.
   * @param {Promise<string | undefined>} picture
   */
  async showFirst(picture) {
    const drawn = await picture;
    if (drawn && this.#drawn === undefined) this.#board.show(drawn);
  }

  /**
   * Follow the match to its end; after a break from where it was. A hidden tab only looks now and then, for the title:
   * over HTTP/1.1 browsers open six connections to a host, and a seventh tab would wait for ever.
   */
  async follow() {
    // The stream is not repeated by the client, since the person is to see that it broke.
    const match = api.match(this.#name, this.#match.matchId, { retrySeconds: 0 });
    while (!this.#end.signal.aborted) {
      this.#stream = new AbortController();
      try {
        for await (const message of match.events({ after: this.#after, views: true, signal: this.#stream.signal })) {
          this.#connected(true);
          if ("event" in message) this.#add(message.event);
          else if ("turn" in message) this.#show(/** @type {Turn} */ (message.turn));
          else if ("seat" in message) this.#changeSeat(message.seat);
          else if ("over" in message) return this.#finish(message.over);
          if (document.hidden && "turn" in message) break;
        }
        if (document.hidden) await this.#pause(HIDDEN_REFRESH);
      } catch (error) {
        this.#connected(!api.isPassing(error));
        if (!api.isPassing(error)) return this.#fail(error);
        await this.#pause();
      }
    }
  }

  /** Wait for the next attempt, or until the tab is shown, the browser is online again or the view is left. */
  async #pause(milliseconds = RETRY) {
    const woken = new AbortController();
    const { signal } = woken;
    await new Promise((done) => {
      setTimeout(done, milliseconds);
      document.addEventListener("visibilitychange", done, { signal });
      window.addEventListener("online", done, { signal });
      this.#end.signal.addEventListener("abort", done, { signal });
    });
    woken.abort();
  }

  /** @param {boolean} isConnected */
  #connected(isConnected) {
    this.#offline.hidden = isConnected;
    if (!isConnected) this.#stream.abort();
  }

  /** @param {import("./log.js").Entry} entry */
  #add(entry) {
    this.#after = entry.revision;
    const words = this.#log.add(entry, entry.revision > this.#opened);
    const isOwn = entry.seat !== undefined && entry.seat === this.#own;
    if (isOwn) this.#since = [];
    else this.#tell(words);
    if (entry.revision > this.#opened) note(this.#match.matchId, this.#own, { head: entry.head });
  }

  /** @param {string} words */
  #tell(words) {
    const before = this.#since.at(-1);
    if (before?.words === words) before.times++;
    else this.#since = [...this.#since, { words, times: 1 }].slice(-LATEST);
    this.#latest.textContent = this.#since.map(({ words, times }) => (times > 1 ? `${words} (× ${times})` : words)).join(" · ");
  }

  /** Another has a seat now; of one who leaves the log says it.
   * @param {{seat: number, change: string, player?: api.Seat}} changed */
  #changeSeat({ seat, player }) {
    const before = this.#seats[seat];
    if (!player || (before?.bot === player.bot && before?.name === player.name)) return;
    this.#seats = namedSeats(this.#seats.map((each, at) => (at === seat ? player : each)), this.#names, this.#own);
    this.#tell(text("seats.changed", { number: seat + 1, name: this.#nameOf(seat) }));
    this.#controlSeats();
    if (this.#turn) this.#describe();
    if (this.#drawn !== undefined) this.#draw(this.#drawn);
  }

  /** @param {Turn} turn */
  #show(turn) {
    if (turn.revision < this.#moved) return;
    this.#turn = turn;
    if (!turn.moves.length) this.#describe(); // else with the moves: a call to a turn without any would be a riddle
    this.#draw(turn.revision);
  }

  /** @param {{revision: number, score: import("../elements/standings.js").Score & {winners: number[]}}} over */
  #finish({ revision, score }) {
    this.#turn = undefined;
    this.#leave.hidden = this.#late.hidden = true;
    this.#seatControls.hidden = true;
    this.#describe();
    this.#offer([]);
    const isWon = this.#own !== undefined && score.winners.includes(this.#own);
    const names = score.winners.map((seat) => this.#nameOf(seat)).join(", ");
    const path = `${encodeURIComponent(this.#name)}/${encodeURIComponent(this.#match.matchId)}`;
    const rematch = (this.#rematch = new RematchOffer(this.#name, this.#match, this.#own, (seat) => this.#nameOf(seat), (error) => this.#fail(error)));
    if (this.#seats.some(({ bot }, seat) => !bot && seat !== this.#own)) void rematch.follow();
    fill(
      this.#outcome,
      element("h2", {}, isWon ? text("match.won") : text("match.winners", { names })),
      element("p", {}, score.reasonText || score.reason),
      standingsTable(score, this.#seats, this.#names),
      rematch.element,
      this.#openAfter && observerField(this.#seats, this.#own, (seat) => ((this.#observer = seat), this.#draw(revision))),
      element("p", { class: "actions" }, link(`/replay/${path}`, text("match.replay")), link("/", text("page.home"))),
    );
    this.#outcome.hidden = false;
    this.#draw(revision);
  }

  /**
   * Draw the match at a revision, and then offer the moves of the turn. While a picture is on its way, only the newest
   * of those that are wanted meanwhile is drawn next.
   * @param {number | undefined} revision
   */
  #draw(revision) {
    this.#wanted = { revision };
    if (!this.#offers()) this.#offer([]); // until the picture has their parts
    this.#drawing ??= this.#drawAll().finally(() => (this.#drawing = undefined));
  }

  async #drawAll() {
    while (this.#wanted && !this.#end.signal.aborted) {
      const wanted = this.#wanted;
      try {
        const picture = await api.picture(this.#match, wanted.revision, this.#observer);
        if (this.#wanted === wanted) this.#wanted = undefined;
        this.#board.show(picture);
        this.#drawn = wanted.revision;
      } catch (error) {
        if (api.isPassing(error)) {
          await this.#pause();
          continue;
        }
        this.#fail(error); // the list of moves is enough to play
        this.#wanted = undefined;
      }
    }
    if (!this.#offers()) this.#offer(this.#turn?.moves ?? []);
    if (this.#turn?.moves.length) this.#describe();
  }

  /**
   * Offer moves. The most room that they took stays when they are fewer: the column below would jump at each turn.
   * @param {import("./moves.js").Move[]} moves
   */
  #offer(moves) {
    this.#moves.show(moves);
    this.#room.style.minHeight = this.#turn ? `${this.#room.offsetHeight}px` : "";
  }

  /** Whether the offered moves are those of the turn. */
  #offers() {
    return this.#moves.offers(this.#turn?.moves ?? []);
  }

  /** @param {import("./moves.js").Move} move */
  async #play({ move }) {
    const turn = this.#turn;
    if (this.#isSending || !turn) return;
    this.#sending(true);
    this.#status.textContent = text("match.sending");
    try {
      const { revision } = await this.#match.apply(/** @type {any} */ (move), { revision: turn.revision });
      this.#moved = revision;
      this.#hints.clear();
      if (this.#turn === turn) this.#offer([]); // else the stream was faster than the response
    } catch (error) {
      this.#fail(error);
      this.#moves.clear();
      this.#describe();
    } finally {
      this.#sending(false);
    }
  }

  /** @param {boolean} isSending */
  #sending(isSending) {
    this.#isSending = isSending;
    this.#alert.hidden ||= isSending;
    this.#moves.element.ariaBusy = String(isSending);
  }

  async #leaveMatch() {
    if (!(await confirmed(text("match.leaveQuestion"), text("match.leave"), text("match.stay")))) return;
    await this.#match.leave().catch((error) => this.#fail(error));
  }

  /** @param {unknown} error */
  #fail(error) {
    if (this.#end.signal.aborted) return;
    fill(this.#alert, errorText(error), api.isDeadToken(error) && deadSeat(this.#match));
    this.#alert.hidden = false;
    if (api.isGone(error) && this.#turn) this.#vanish();
  }

  /** The match in play is gone: nobody has a turn, and nothing can be done in it. */
  #vanish() {
    this.#turn = undefined;
    this.#leave.hidden = this.#late.hidden = this.#seatControls.hidden = true;
    this.#offer([]);
    this.#describe(text("match.gone"));
  }

  /**
   * Say whose turn it is.
   * @param {string} ended what to say when it is nobody's
   */
  #describe(ended = text("match.over")) {
    const toMove = this.#turn?.toMove ?? [];
    const isOwn = this.#own !== undefined && toMove.includes(this.#own);
    const names = toMove.map((seat) => this.#nameOf(seat)).join(", ");
    const words = !this.#turn ? ended : isOwn ? text("match.yourTurn") : names ? text("match.waiting", { names }) : text("match.chance");
    this.#status.textContent = words;
    this.#status.classList.toggle("own", isOwn);
    this.#hints.element.hidden = !isOwn || !this.#givesHints;
    if (!isOwn) this.#hints.clear();
    document.title = `${isOwn ? "● " : ""}${words} · ${this.#title}`;
    fill(this.#players, ...this.#seats.map((_, seat) => this.#player(seat, toMove.includes(seat))));
    this.#tick();
  }

  /**
   * @param {number} seat
   * @param {boolean} isToMove
   */
  #player(seat, isToMove) {
    const { name, bot } = this.#seats[seat] ?? {};
    const kind = bot && botName(bot, this.#names);
    const isNameless = name === text("player.you", { number: seat + 1 });
    const notes = [
      name && !isNameless && text("player.seat", { number: seat + 1 }), // as sentences call a player without a name
      seat === this.#own && !isNameless && text("match.you"),
      kind && kind !== name && text("match.bot", { bot: kind }),
      isToMove && text("match.toMove"),
    ].filter(Boolean);
    const bank = this.#turn?.clocks[seat] ? [" · ", this.#banks[seat]] : [];
    return element("li", { class: isToMove ? "toMove" : null }, name || this.#nameOf(seat), notes.length > 0 && ` (${notes.join(", ")})`, ...bank);
  }

  #playersSection() {
    return element("section", {}, element("h2", {}, text("match.players")), this.#players);
  }

  /** @param {number} seat */
  #nameOf(seat) {
    return playerName(this.#seats, seat);
  }

  /** Show the time that is left. */
  #tick() {
    const { clocks = [], deadline, matchDeadline } = this.#turn ?? {};
    const left = [clocks[this.#own ?? -1]?.deadline ?? deadline, matchDeadline].map(secondsUntil);
    const words = [
      left[0] !== undefined && text("match.moveTime", { time: clockText(left[0]) }),
      left[1] !== undefined && text("match.matchTime", { time: clockText(left[1]) }),
    ];
    this.#clock.textContent = words.filter(Boolean).join(" · ");
    this.#clock.classList.toggle("short", left[0] !== undefined && left[0] < 10);
    clocks.forEach(({ bankMs, deadline }, seat) => {
      // The bank is used after the time of the move, so what is left of it is what is less.
      const seconds = Math.min(bankMs / 1000, secondsUntil(deadline) ?? Infinity);
      const bank = this.#banks[seat];
      if (bank) bank.textContent = text("match.bank", { time: clockText(seconds) });
    });
  }

  /** What this person may do with the own seat, and as host with those of others. */
  #controlSeats() {
    const host = api.host(this.#name, this.#match.matchId);
    /** @param {unknown} error */
    const fail = (error) => this.#fail(error);
    const rows = this.#seats.map(({ bot }, seat) => {
      const isOwn = seat === this.#own;
      const client = isOwn ? this.#match : bot ? undefined : host;
      if (!client) return null;
      const player = this.#nameOf(seat);
      const bots = botSelect(this.#bots, this.#names, text("seats.bot", { name: player }));
      return element("div", {}, isOwn && handOver(this.#name, client, seat, fail), botPlaysOn(client, seat, player, bots, fail));
    });
    fill(this.#seatControls, element("summary", {}, text("seats.title")), ...rows);
    this.#seatControls.hidden = !rows.some(Boolean);
  }

  #links() {
    const { matchId } = this.#match;
    return element("section", { class: "links" }, !isPrivate(matchId) && sharing(this.#name, matchId), this.#seatControls, this.#leave);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input, select, textarea")) return;
    if (target.closest("button, a, summary") && event.key === "Enter") return;
    this.#moves.key(event);
  }
}

/**
 * The time until then by the clock of the service; undefined if it is never.
 * @param {string | undefined} end
 */
function secondsUntil(end) {
  return end ? (Date.parse(end) - api.serviceTime()) / 1000 : undefined;
}
