// Client of the REST API. It knows no rule of any game: what a game's messages have, the types of the document say.
import { isProblem, FiresideError, UnreachableError } from "./errors.js";
import { Http, SILENCE } from "./http.js";
import { PlaySession } from "./play.js";
import { serverSentEvents } from "./sse.js";
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
    /** Every legal move of a seat on an inline state with its value; by `mcts` unless a bot is named. */
    hint(state, seat, options = {}) {
        return this.http.call(`${this.route}:hint`, { body: { state, seat, ...options } });
    }
    /** The public list, newest first, read page by page: matches started with `listed`, all or only those in a state. */
    async *listMatches(state) {
        for (let pageToken; pageToken !== "";) {
            const query = { state, pageToken, pageSize: LIST_PAGE };
            const page = await this.http.call(`${this.route}/matches`, { query });
            yield* page.matches;
            pageToken = page.nextPageToken;
        }
    }
    /** A match as the seat of the token sees it, or for its host; as a spectator does without one. */
    match(matchId, token) {
        return new MatchClient(this.http, this.route, matchId, token);
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
    /** The match now, or at an earlier revision as it could be seen then. */
    get(revision) {
        return this.#get("", { revision });
    }
    legalMoves(revision) {
        return this.#get("/legal-moves", { revision });
    }
    score(revision) {
        return this.#get("/score", { revision });
    }
    /** The picture of the position, an SVG document: now, or at an earlier revision as it could be seen then. */
    picture(options = {}) {
        return this.http.text(`${this.#path}/picture.svg`, { token: this.token, query: options });
    }
    record() {
        return this.#get("/record", {});
    }
    /** The log after a revision; reads all pages. */
    async history(after = 0) {
        const events = [];
        for (let next = after; next !== undefined;) {
            const page = await this.#get("/history", { fromRevision: next });
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
        const { views = false, signal } = options;
        let after = options.after ?? 0;
        const backoff = this.http.backoff();
        for (;;) {
            try {
                for await (const message of this.#stream(after, views, signal)) {
                    backoff.reset();
                    const { event, over } = message;
                    after = event?.revision ?? after;
                    yield message;
                    if (over)
                        return;
                }
                throw new UnreachableError("the stream ended before the match");
            }
            catch (error) {
                if (signal?.aborted)
                    return;
                await backoff.wait(error);
            }
        }
    }
    async *#stream(after, views, signal) {
        const silence = new AbortController();
        const stop = () => silence.abort();
        signal?.addEventListener("abort", stop);
        if (signal?.aborted)
            stop();
        let timer = setTimeout(() => silence.abort(), SILENCE);
        const query = { fromRevision: after, views };
        try {
            const response = await this.http.fetch(`${this.#path}/events`, { token: this.token, query }, silence.signal);
            for await (const { type, data } of serverSentEvents(response.body)) {
                clearTimeout(timer); // also while the caller works
                const value = data && JSON.parse(data);
                if (type === "problem" && isProblem(value))
                    throw new FiresideError(value);
                if (value)
                    yield { [type || "event"]: value };
                timer = setTimeout(() => silence.abort(), SILENCE);
            }
        }
        finally {
            clearTimeout(timer);
            signal?.removeEventListener("abort", stop);
            silence.abort();
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
export function choice(move) {
    return typeof move === "string" ? { notation: move } : { move };
}
