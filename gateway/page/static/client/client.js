import { Http } from "./http.js";
import { choice } from "./messages.js";
import { PlaySession } from "./play.js";
import { resumed } from "./sse.js";
const LIST_PAGE = 100; // the most matches that a page of the list may have
/** A service. Methods throw `FiresideError` for an error response, `UnreachableError` for none. */
export class FiresideClient {
    #http;
    constructor(url, options = {}) {
        this.#http = new Http(url, options);
    }
    /** The games of the service. */
    async games() {
        return (await this.#http.call("/v1/games")).games;
    }
    /** The public keys with which the service signs the records of matches. */
    async signingKeys() {
        return (await this.#http.call("/v1/keys")).keys;
    }
    /**
     * What happens in the matches of the API key, without end: new events, or those after the one with an id. Resumed after
     * a break without leaving out an event. Aborting `signal` ends it.
     */
    async *platformEvents(options = {}) {
        const call = (position) => ({ apiKey: true, query: { fromEventId: position } });
        for await (const message of resumed(this.#http, "/v1/events", call, options.after, options.signal))
            if ("event" in message)
                yield message.event;
    }
    /**
     * The matches of the API key, newest first, read page by page; only those of a player, a state or a game. `listed`: the
     * public lists of all games instead, for which no key is needed.
     */
    platformMatches(filters = {}) {
        return pages(this.#http, "/v1/matches", filters, !filters.listed);
    }
    /**
     * Have the events of the API key sent to a URL from now on, all or those of some types, such as `match.turn`. Only this
     * response has the secret, with which `standardwebhooks` verifies requests.
     */
    createWebhook(webhook) {
        return this.#http.call("/v1/webhooks", { body: webhook });
    }
    /** The webhooks of the API key, oldest first: since when one fails, and why it is disabled. */
    async webhooks() {
        return (await this.#http.call("/v1/webhooks", { apiKey: true })).webhooks;
    }
    /** Delete a webhook, with the events that it has not received. */
    async deleteWebhook(webhookId) {
        await this.#http.call(`${webhookPath(webhookId)}:delete`, { body: {} });
    }
    /** Put a disabled webhook in use again, which is sent what it has missed. */
    async enableWebhook(webhookId) {
        await this.#http.call(`${webhookPath(webhookId)}:enable`, { body: {} });
    }
    /** Give a webhook another secret, a new one by default, and return it; the old one signs too for 24 hours. */
    async rotateWebhookSecret(webhookId, secret = "") {
        return (await this.#http.call(`${webhookPath(webhookId)}:rotateSecret`, { body: { secret } })).secret;
    }
    /** Send an event of the type `webhook.test` once, and return what came back. */
    async testWebhook(webhookId) {
        const call = { body: {} };
        return (await this.#http.call(`${webhookPath(webhookId)}:test`, call)).delivery;
    }
    /** The last 100 attempts of a webhook, newest first. */
    async webhookDeliveries(webhookId) {
        const path = `${webhookPath(webhookId)}/deliveries`;
        return (await this.#http.call(path, { apiKey: true })).deliveries;
    }
    game(name) {
        return new GameClient(this.#http, `/v1/${encodeURIComponent(name.replaceAll("_", "-"))}`);
    }
}
/** One game of a service. */
export class GameClient {
    http;
    route;
    constructor(http, route) {
        this.http = http;
        this.route = route;
    }
    /** What a page needs to draw positions, with names in the language of the client. */
    components() {
        return this.http.call(`${this.route}/components`);
    }
    /** Start a match. For `open` seats the response has join codes: the match waits until all are taken. */
    newMatch(body) {
        return this.http.call(`${this.route}/matches`, { body: body });
    }
    /**
     * The first position of a match that the service does not store, as an inline `state` with all secrets. The caller keeps
     * the state, and sends it to the methods below.
     */
    newState(body) {
        return this.#post(":newGame", body);
    }
    /** The legal moves of a seat on an inline state; none when it is not to move. */
    legalMoves(state, seat) {
        return this.#post(":legalMoves", { state, seat });
    }
    /**
     * Make a move of a seat on an inline state; the response has the next state. `seed`: of nature's draws, which are random
     * without it; the same seed gives the same draws. `next`: the response has the next legal moves of the seat.
     */
    apply(state, seat, move, options = {}) {
        return this.#post(":apply", { state, seat, ...choice(move), ...options });
    }
    /** Points and ranks of an inline state. */
    score(state) {
        return this.#post(":score", { state });
    }
    /** The picture of an inline state as a seat sees it, or a spectator: an SVG document. */
    picture(state, options = {}) {
        return this.http.text(`${this.route}:picture`, { body: { state, ...options } });
    }
    /** Every legal move of a seat on an inline state with its value; by `mcts` unless a bot is named. */
    hint(state, seat, options = {}) {
        return this.#post(":hint", { state, seat, ...options });
    }
    /**
     * The position of a record after so many log entries, as a seat or a spectator saw it; the last by default. `after`: the
     * response also has the log entries after this revision; 0 for all.
     */
    replay(record, options = {}) {
        const { after, ...position } = options;
        return this.#post(":replay", { record, ...position, fromRevision: after });
    }
    /** The public list, newest first, read page by page: matches started with `listed`, all or only those in a state. */
    listMatches(state) {
        return pages(this.http, `${this.route}/matches`, { state });
    }
    /** A match as the seat of the token sees it, or for its host; as a spectator does without one. */
    match(matchId, token) {
        return new MatchClient(this.http, this.route, matchId, token);
    }
    #post(suffix, body) {
        return this.http.call(this.route + suffix, { body });
    }
}
/** A stored match, for a seat or a spectator. */
export class MatchClient {
    http;
    matchId;
    token;
    #path;
    constructor(http, route, matchId, token) {
        this.http = http;
        this.matchId = matchId;
        this.token = token;
        this.#path = `${route}/matches/${encodeURIComponent(matchId)}`;
    }
    /**
     * The match now, or at an earlier revision as it could be seen then. `seat`: as another seat saw it, once a match that
     * was started with `openAfter` is over.
     */
    get(revision, seat) {
        return this.#get("", { revision, seat });
    }
    /** The legal moves of the seat; none when it is not to move. `seat`: of another one, as with `get`. */
    legalMoves(revision, seat) {
        return this.#get("/legal-moves", { revision, seat });
    }
    score(revision) {
        return this.#get("/score", { revision });
    }
    /**
     * The picture of the position, an SVG document: now, or at an earlier revision as it could be seen then. `seat`: as
     * another seat saw it, as with `get`.
     */
    picture(options = {}) {
        return this.http.text(`${this.#path}/picture.svg`, { token: this.token, query: options });
    }
    /** The same picture as PNG, `width` pixels wide: 200 to 2000, by default 800. */
    picturePng(options = {}) {
        return this.http.blob(`${this.#path}/picture.png`, { token: this.token, query: options });
    }
    /** The whole record of a match that is over. */
    record() {
        return this.#get("/record", {});
    }
    /** The log after a revision; reads all pages. `seat`: as another seat saw it, as with `get`. */
    async history(after = 0, seat) {
        const events = [];
        for (let next = after; next !== undefined;) {
            const page = await this.#get("/history", { fromRevision: next, seat });
            events.push(...page.events);
            next = page.nextRevision;
        }
        return events;
    }
    /**
     * Make a move, as a message or in notation. `revision`: what the move responds to; it fails if the match has moved on.
     * `next`: the response has the next legal moves of the seat, if it is to move again.
     */
    apply(move, options = {}) {
        const { revision, next } = options;
        return this.#post("/moves", { ...choice(move), expectedRevision: revision, next });
    }
    /** Every legal move with its value for the seat; of a finished match for any seat at any revision. */
    hint(options = {}) {
        return this.#post(":hint", options);
    }
    /** A position of a match that is over as an inline state, to play on from there; the last by default. */
    fork(revision) {
        return this.#post(":fork", { revision });
    }
    /** Take the seat that a join code gives; without a code an open seat of a public match. */
    join(options = {}) {
        return this.#post(":join", options);
    }
    /** The join code of an open seat, as host; with a seat's token one that hands over the seat. */
    async invite(seat) {
        return (await this.#post(":invite", { seat })).joinCode;
    }
    /** A new token of a seat, by the host or the seat itself; its earlier tokens and codes are refused from then on. */
    async reissue(seat) {
        return (await this.#post(":reissue", { seat })).seat;
    }
    /** Let a bot take a seat, or play on in it, by the host or the seat itself. */
    substitute(bot, seat) {
        return this.#post(":substitute", { bot, seat });
    }
    /** Delete a match that has not begun, as host. */
    async withdraw() {
        await this.#post(":withdraw", {});
    }
    /** Take the seat in the rematch of a match that is over; it begins when all players have called this. */
    rematch() {
        return this.#post(":rematch", {});
    }
    /** Leave the match for good; one that has not begun opens the seat again. */
    leave() {
        return this.#post(":leave", {});
    }
    /**
     * The log entries after a revision, each once, with turns, seats that change and the end. With `views` a turn has the
     * match and the legal moves. Resumed after a break; the current turn may then come twice. Aborting `signal` ends it.
     */
    async *events(options = {}) {
        const { after = 0, views = false, signal } = options;
        const call = (position) => ({ token: this.token, query: { fromRevision: position, views } });
        for await (const message of resumed(this.http, `${this.#path}/events`, call, after, signal)) {
            yield message;
            if ("over" in message)
                return;
        }
    }
    /** Play the seat over a WebSocket. `after`: also send the log after this revision, and turns of other seats. */
    play(options = {}) {
        if (!this.token)
            throw new TypeError("to play needs the token of a seat");
        return new PlaySession(this.http, `${this.#path}/play`, this.matchId, this.token, options.after);
    }
    #get(path, query) {
        return this.http.call(this.#path + path, { token: this.token, query });
    }
    #post(path, body) {
        return this.http.call(this.#path + path, { token: this.token, body });
    }
}
/** The entries of a list, read page by page. */
async function* pages(http, path, filters, apiKey = false) {
    for (let pageToken; pageToken !== "";) {
        const query = { ...filters, pageToken, pageSize: LIST_PAGE };
        const page = await http.call(path, { apiKey, query });
        yield* page.matches;
        pageToken = page.nextPageToken;
    }
}
function webhookPath(webhookId) {
    return `/v1/webhooks/${encodeURIComponent(webhookId)}`;
}
