// Variation of a finished match: from one of its positions the person plays a seat, and a bot the others. Nothing of it is stored.
import { game } from "../api.js";
import { element, fill } from "../elements/dom.js";
import { playerName, standingsTable } from "../elements/standings.js";
import { Board } from "../match/board.js";
import { Log } from "../match/log.js";
import { Moves } from "../match/moves.js";
import { theme } from "../theme.js";
import { errorText, text } from "../words/texts.js";

const BOT = "greedy"; // answers at once

/** @typedef {{match: {toMove: number[], over: boolean}, state: object}} Position */

export class Variation {
  #rules;
  #seats;
  #own;
  #names;
  /** @type {Position} */
  #position;
  #isClosed = false;
  #entries = 0;
  #status = element("p", { class: "status", role: "status" });
  #alert = element("p", { class: "error", role: "alert" });
  #outcome = element("section", { class: "outcome" });
  #board = new Board((part) => this.#moves.click(part));
  #moves = new Moves(this.#board, ({ move }) => void this.#play(move));
  #log = new Log((seat) => playerName(this.#seats, seat));

  /**
   * @param {string} name of the game
   * @param {readonly {name?: string, bot?: string}[]} seats
   * @param {Record<string, string>} names of the game
   * @param {Position} position in which a seat is to move
   * @param {number} own seat of the person
   */
  constructor(name, seats, names, position, own) {
    this.#rules = /** @type {any} */ (game(name));
    this.#seats = seats;
    this.#own = own;
    this.#names = names;
    this.#position = position;
    const [player, number] = [playerName(seats, own), text("player.seat", { number: own + 1 })];
    const called = player === number ? number : `${player} (${number})`; // pictures of inline states have numbers only
    const about = element("p", { class: "small" }, text("variation.about", { name: called }));
    this.element = element(
      "div",
      { class: "match" },
      element("header", {}, this.#status, about),
      this.#alert,
      element("div", { class: "table" }, this.#board.element),
      element("div", { class: "side" }, this.#outcome, this.#moves.element, this.#log.element),
    );
  }

  close() {
    this.#isClosed = true;
  }

  /** Let the bot move until the person has to choose, or the match is over. */
  async follow() {
    try {
      for (;;) {
        const { state, match } = this.#position;
        const [seat] = match.toMove;
        const isOwn = match.toMove.includes(this.#own);
        this.#status.textContent = match.over ? text("match.over") : isOwn ? text("match.yourTurn") : text("match.waiting", { names: playerName(this.#seats, seat ?? 0) });
        this.#board.show(await this.#rules.picture(state, { seat: this.#own, theme: theme() }));
        if (this.#isClosed) return;
        if (match.over) return fill(this.#outcome, standingsTable(await this.#rules.score(state), this.#seats, this.#names));
        if (isOwn) return this.#moves.show((await this.#rules.legalMoves(state, this.#own)).moves);
        const { moves } = await this.#rules.hint(state, seat, { bot: BOT });
        await this.#apply(seat, moves.find((/** @type {{best: boolean}} */ { best }) => best).move.move);
      }
    } catch (error) {
      fill(this.#alert, errorText(error));
    }
  }

  /** @param {object} move */
  async #play(move) {
    this.#moves.show([]);
    try {
      await this.#apply(this.#own, move);
    } catch (error) {
      fill(this.#alert, errorText(error)); // and offer the moves again
    }
    await this.follow();
  }

  /** @param {number | undefined} seat @param {object} move */
  async #apply(seat, move) {
    const applied = await this.#rules.apply(this.#position.state, seat, move);
    fill(this.#alert);
    this.#position = applied;
    for (const event of applied.events) this.#log.add({ ...event, revision: ++this.#entries }, false); // those of a call are counted from 1
  }
}
