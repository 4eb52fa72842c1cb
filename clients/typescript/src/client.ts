// Client of the REST API. It knows no rule of any game: what a game's messages have, the types of the document say.
import type { Applied, Components, Event, Fork, Game, Hint, History, Joined, LegalMoves, Match, MatchRecord, MatchState, MatchSummary, Message, Move, NewGame, NewMatch, Rematch, Replay, Score, State, Theme } from "./games.js";
import { Http, type ClientOptions, type Query } from "./http.js";
import { choice } from "./messages.js";
import type { NewWebhook, PlatformEvent, PlatformMatch, SigningKey, Webhook, WebhookDelivery, WebhookSecret } from "./platforms.js";
import { PlaySession } from "./play.js";
import type { components } from "./schema.js";
import { resumed, type Position } from "./sse.js";

const LIST_PAGE = 100; // the most matches that a page of the list may have

/** A service. Methods throw `FiresideError` for an error response, `UnreachableError` for none. */
export class FiresideClient {
  readonly #http: Http;

  constructor(url: string, options: ClientOptions = {}) {
    this.#http = new Http(url, options);
  }

  /** The games of the service. */
  async games(): Promise<components["schemas"]["Catalog.Game"][]> {
    return (await this.#http.call<components["schemas"]["Catalog.ListGamesResponse"]>("/v1/games")).games;
  }

  /** The public keys with which the service signs the records of matches. */
  async signingKeys(): Promise<SigningKey[]> {
    return (await this.#http.call<{ keys: SigningKey[] }>("/v1/keys")).keys;
  }

  /**
   * What happens in the matches of the API key, without end: new events, or those after the one with an id. Resumed after
   * a break without leaving out an event. Aborting `signal` ends it.
   */
  async *platformEvents(options: { after?: string; signal?: AbortSignal } = {}): AsyncGenerator<PlatformEvent, void, void> {
    const call = (position: Position) => ({ apiKey: true, query: { fromEventId: position } });
    for await (const message of resumed<PlatformMessage>(this.#http, "/v1/events", call, options.after, options.signal))
      if ("event" in message) yield message.event;
  }

  /**
   * The matches of the API key, newest first, read page by page; only those of a player, a state or a game. `listed`: the
   * public lists of all games instead, for which no key is needed.
   */
  platformMatches(
    filters: { playerId?: string; state?: MatchState; game?: string; listed?: boolean } = {},
  ): AsyncGenerator<PlatformMatch, void, void> {
    return pages(this.#http, "/v1/matches", filters, !filters.listed);
  }

  /**
   * Have the events of the API key sent to a URL from now on, all or those of some types, such as `match.turn`. Only this
   * response has the secret, with which `standardwebhooks` verifies requests.
   */
  createWebhook(webhook: NewWebhook): Promise<WebhookSecret> {
    return this.#http.call("/v1/webhooks", { body: webhook });
  }

  /** The webhooks of the API key, oldest first: since when one fails, and why it is disabled. */
  async webhooks(): Promise<Webhook[]> {
    return (await this.#http.call<{ webhooks: Webhook[] }>("/v1/webhooks", { apiKey: true })).webhooks;
  }

  /** Delete a webhook, with the events that it has not received. */
  async deleteWebhook(webhookId: string): Promise<void> {
    await this.#http.call(`${webhookPath(webhookId)}:delete`, { body: {} });
  }

  /** Put a disabled webhook in use again, which is sent what it has missed. */
  async enableWebhook(webhookId: string): Promise<void> {
    await this.#http.call(`${webhookPath(webhookId)}:enable`, { body: {} });
  }

  /** Give a webhook another secret, a new one by default, and return it; the old one signs too for 24 hours. */
  async rotateWebhookSecret(webhookId: string, secret = newSecret()): Promise<string> {
    return (await this.#http.call<WebhookSecret>(`${webhookPath(webhookId)}:rotateSecret`, { body: { secret } })).secret;
  }

  /** Send an event of the type `webhook.test` once, and return what came back. */
  async testWebhook(webhookId: string): Promise<WebhookDelivery> {
    const call = { body: {} };
    return (await this.#http.call<{ delivery: WebhookDelivery }>(`${webhookPath(webhookId)}:test`, call)).delivery;
  }

  /** The last 100 attempts of a webhook, newest first. */
  async webhookDeliveries(webhookId: string): Promise<WebhookDelivery[]> {
    const path = `${webhookPath(webhookId)}/deliveries`;
    return (await this.#http.call<{ deliveries: WebhookDelivery[] }>(path, { apiKey: true })).deliveries;
  }

  game<G extends Game>(name: G): GameClient<G> {
    return new GameClient(this.#http, `/v1/${encodeURIComponent(name.replaceAll("_", "-"))}`);
  }
}

/** One game of a service. */
export class GameClient<G extends Game> {
  constructor(
    readonly http: Http,
    readonly route: string,
  ) {}

  /** What a page needs to draw positions, with names in the language of the client. */
  components(): Promise<Components<G>> {
    return this.http.call(`${this.route}/components`);
  }

  /** Start a match. For `open` seats the response has join codes: the match waits until all are taken. */
  newMatch(body: NewGame<G>): Promise<NewMatch<G>> {
    return this.http.call(`${this.route}/matches`, { body: body as object });
  }

  /**
   * The first position of a match that the service does not store, as an inline `state` with all secrets. The caller keeps
   * the state, and sends it to the methods below.
   */
  newState(body: NewGame<G>): Promise<NewMatch<G>> {
    return this.#post(":newGame", body as object);
  }

  /** The legal moves of a seat on an inline state; none when it is not to move. */
  legalMoves(state: State<G>, seat: number): Promise<LegalMoves<G>> {
    return this.#post(":legalMoves", { state, seat });
  }

  /**
   * Make a move of a seat on an inline state; the response has the next state. `seed`: of nature's draws, which are random
   * without it; the same seed gives the same draws. `next`: the response has the next legal moves of the seat.
   */
  apply(
    state: State<G>,
    seat: number,
    move: Move<G> | string,
    options: { seed?: string; next?: boolean } = {},
  ): Promise<Applied<G>> {
    return this.#post(":apply", { state, seat, ...choice(move), ...options });
  }

  /** Points and ranks of an inline state. */
  score(state: State<G>): Promise<Score<G>> {
    return this.#post(":score", { state });
  }

  /** The picture of an inline state as a seat sees it, or a spectator: an SVG document. */
  picture(state: State<G>, options: { seat?: number; theme?: Theme } = {}): Promise<string> {
    return this.http.text(`${this.route}:picture`, { body: { state, ...options } });
  }

  /** Every legal move of a seat on an inline state with its value; by `mcts` unless a bot is named. */
  hint(state: State<G>, seat: number, options: { bot?: string; seed?: string } = {}): Promise<Hint<G>> {
    return this.#post(":hint", { state, seat, ...options });
  }

  /**
   * The position of a record after so many log entries, as a seat or a spectator saw it; the last by default. `after`: the
   * response also has the log entries after this revision; 0 for all.
   */
  replay(record: MatchRecord<G>, options: { revision?: number; seat?: number; after?: number } = {}): Promise<Replay<G>> {
    const { after, ...position } = options;
    return this.#post(":replay", { record, ...position, fromRevision: after });
  }

  /** The public list, newest first, read page by page: matches started with `listed`, all or only those in a state. */
  listMatches(state?: MatchState): AsyncGenerator<MatchSummary, void, void> {
    return pages(this.http, `${this.route}/matches`, { state });
  }

  /** A match as the seat of the token sees it, or for its host; as a spectator does without one. */
  match(matchId: string, token?: string): MatchClient<G> {
    return new MatchClient(this.http, this.route, matchId, token);
  }

  #post<T>(suffix: string, body: object): Promise<T> {
    return this.http.call(this.route + suffix, { body });
  }
}

/** A stored match, for a seat or a spectator. */
export class MatchClient<G extends Game> {
  readonly #path: string;

  constructor(
    readonly http: Http,
    route: string,
    readonly matchId: string,
    readonly token?: string,
  ) {
    this.#path = `${route}/matches/${encodeURIComponent(matchId)}`;
  }

  /**
   * The match now, or at an earlier revision as it could be seen then. `seat`: as another seat saw it, once a match that
   * was started with `openAfter` is over.
   */
  get(revision?: number, seat?: number): Promise<Match<G>> {
    return this.#get("", { revision, seat });
  }

  /** The legal moves of the seat; none when it is not to move. `seat`: of another one, as with `get`. */
  legalMoves(revision?: number, seat?: number): Promise<LegalMoves<G>> {
    return this.#get("/legal-moves", { revision, seat });
  }

  score(revision?: number): Promise<Score<G>> {
    return this.#get("/score", { revision });
  }

  /**
   * The picture of the position, an SVG document: now, or at an earlier revision as it could be seen then. `seat`: as
   * another seat saw it, as with `get`.
   */
  picture(options: { revision?: number; seat?: number; theme?: Theme } = {}): Promise<string> {
    return this.http.text(`${this.#path}/picture.svg`, { token: this.token, query: options });
  }

  /** The same picture as PNG, `width` pixels wide: 200 to 2000, by default 800. */
  picturePng(options: { revision?: number; seat?: number; theme?: Theme; width?: number } = {}): Promise<Blob> {
    return this.http.blob(`${this.#path}/picture.png`, { token: this.token, query: options });
  }

  /** The whole record of a match that is over. */
  record(): Promise<MatchRecord<G>> {
    return this.#get("/record", {});
  }

  /** The log after a revision; reads all pages. `seat`: as another seat saw it, as with `get`. */
  async history(after = 0, seat?: number): Promise<Event<G>[]> {
    const events: Event<G>[] = [];
    for (let next: number | undefined = after; next !== undefined; ) {
      const page: Page<G> = await this.#get("/history", { fromRevision: next, seat });
      events.push(...page.events);
      next = page.nextRevision;
    }
    return events;
  }

  /**
   * Make a move, as a message or in notation. `revision`: what the move responds to; it fails if the match has moved on.
   * `next`: the response has the next legal moves of the seat, if it is to move again.
   */
  apply(move: Move<G> | string, options: { revision?: number; next?: boolean } = {}): Promise<Applied<G>> {
    const { revision, next } = options;
    return this.#post("/moves", { ...choice(move), expectedRevision: revision, next });
  }

  /** Every legal move with its value for the seat; of a finished match for any seat at any revision. */
  hint(options: { revision?: number; seat?: number; bot?: string; seed?: string } = {}): Promise<Hint<G>> {
    return this.#post(":hint", options);
  }

  /** A position of a match that is over as an inline state, to play on from there; the last by default. */
  fork(revision?: number): Promise<Fork<G>> {
    return this.#post(":fork", { revision });
  }

  /** Take the seat that a join code gives; without a code an open seat of a public match. */
  join(options: { code?: string; name?: string; playerId?: string } = {}): Promise<Joined<G>> {
    return this.#post(":join", options);
  }

  /** The join code of an open seat, as host; with a seat's token one that hands over the seat. */
  async invite(seat?: number): Promise<components["schemas"]["Match.JoinCode"]> {
    return (await this.#post<{ joinCode: components["schemas"]["Match.JoinCode"] }>(":invite", { seat })).joinCode;
  }

  /** A new token of a seat, by the host or the seat itself; its earlier tokens and codes are refused from then on. */
  async reissue(seat?: number): Promise<components["schemas"]["Match.SeatToken"]> {
    return (await this.#post<{ seat: components["schemas"]["Match.SeatToken"] }>(":reissue", { seat })).seat;
  }

  /** Let a bot take a seat, or play on in it, by the host or the seat itself. */
  substitute(bot: string, seat?: number): Promise<{ match: Match<G> }> {
    return this.#post(":substitute", { bot, seat });
  }

  /** Delete a match that has not begun, as host. */
  async withdraw(): Promise<void> {
    await this.#post(":withdraw", {});
  }

  /** Take the seat in the rematch of a match that is over; it begins when all players have called this. */
  rematch(): Promise<Rematch<G>> {
    return this.#post(":rematch", {});
  }

  /** Leave the match for good; one that has not begun opens the seat again. */
  leave(): Promise<{ match: Match<G> }> {
    return this.#post(":leave", {});
  }

  /**
   * The log entries after a revision, each once, with turns, seats that change and the end. With `views` a turn has the
   * match and the legal moves. Resumed after a break; the current turn may then come twice. Aborting `signal` ends it.
   */
  async *events(
    options: { after?: number; views?: boolean; signal?: AbortSignal } = {},
  ): AsyncGenerator<Message<G>, void, void> {
    const { after = 0, views = false, signal } = options;
    const call = (position: Position) => ({ token: this.token, query: { fromRevision: position, views } });
    for await (const message of resumed<Message<G>>(this.http, `${this.#path}/events`, call, after, signal)) {
      yield message;
      if ("over" in message) return;
    }
  }

  /** Play the seat over a WebSocket. `after`: also send the log after this revision, and turns of other seats. */
  play(options: { after?: number } = {}): PlaySession<G> {
    if (!this.token) throw new TypeError("to play needs the token of a seat");
    return new PlaySession(this.http, `${this.#path}/play`, this.matchId, this.token, options.after);
  }

  #get<T>(path: string, query: Record<string, number | undefined>): Promise<T> {
    return this.http.call(this.#path + path, { token: this.token, query });
  }

  #post<T>(path: string, body: object): Promise<T> {
    return this.http.call(this.#path + path, { token: this.token, body });
  }
}

interface ListPage<Entry> {
  matches: Entry[];
  nextPageToken: string;
}

type PlatformMessage = { event: PlatformEvent } | { start: object };

/** The entries of a list, read page by page. */
async function* pages<Entry>(http: Http, path: string, filters: Query, apiKey = false): AsyncGenerator<Entry, void, void> {
  for (let pageToken: string | undefined; pageToken !== ""; ) {
    const query = { ...filters, pageToken, pageSize: LIST_PAGE };
    const page: ListPage<Entry> = await http.call(path, { apiKey, query });
    yield* page.matches;
    pageToken = page.nextPageToken;
  }
}

function webhookPath(webhookId: string): string {
  return `/v1/webhooks/${encodeURIComponent(webhookId)}`;
}

/** A secret of a webhook. Made here, a repeated call has the same one, and replaces none twice. */
function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}

type Page<G extends Game> = History<G> & { events: Event<G>[]; nextRevision?: number };
