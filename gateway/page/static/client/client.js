import { Http } from "./http.js";
import { choice } from "./messages.js";
import { PlaySession } from "./play.js";
import { resumed } from "./sse.js";
const LIST_PAGE = 100;
export class FiresideClient {
    #http;
    constructor(url, options = {}) {
        this.#http = new Http(url, options);
    }
    async games() {
        return (await this.#http.call("/v1/games")).games;
    }
    async signingKeys() {
        return (await this.#http.call("/v1/keys")).keys;
    }
    async *platformEvents(options = {}) {
        const call = (position) => ({ apiKey: true, query: { fromEventId: position } });
        for await (const message of resumed(this.#http, "/v1/events", call, options.after, options.signal))
            if ("event" in message)
                yield message.event;
    }
    platformMatches(filters = {}) {
        return pages(this.#http, "/v1/matches", filters, !filters.listed);
    }
    createWebhook(webhook) {
        return this.#http.call("/v1/webhooks", { body: webhook });
    }
    async webhooks() {
        return (await this.#http.call("/v1/webhooks", { apiKey: true })).webhooks;
    }
    async deleteWebhook(webhookId) {
        await this.#http.call(`${webhookPath(webhookId)}:delete`, { body: {} });
    }
    async enableWebhook(webhookId) {
        await this.#http.call(`${webhookPath(webhookId)}:enable`, { body: {} });
    }
    async rotateWebhookSecret(webhookId, secret = newSecret()) {
        return (await this.#http.call(`${webhookPath(webhookId)}:rotateSecret`, { body: { secret } })).secret;
    }
    async testWebhook(webhookId) {
        const call = { body: {} };
        return (await this.#http.call(`${webhookPath(webhookId)}:test`, call)).delivery;
    }
    async webhookDeliveries(webhookId) {
        const path = `${webhookPath(webhookId)}/deliveries`;
        return (await this.#http.call(path, { apiKey: true })).deliveries;
    }
    game(name) {
        return new GameClient(this.#http, `/v1/${encodeURIComponent(name.replaceAll("_", "-"))}`);
    }
}
export class GameClient {
    http;
    route;
    constructor(http, route) {
        this.http = http;
        this.route = route;
    }
    components() {
        return this.http.call(`${this.route}/components`);
    }
    newMatch(body) {
        return this.http.call(`${this.route}/matches`, { body: body });
    }
    newState(body) {
        return this.#post(":newGame", body);
    }
    legalMoves(state, seat) {
        return this.#post(":legalMoves", { state, seat });
    }
    apply(state, seat, move, options = {}) {
        return this.#post(":apply", { state, seat, ...choice(move), ...options });
    }
    score(state) {
        return this.#post(":score", { state });
    }
    picture(state, options = {}) {
        return this.http.text(`${this.route}:picture`, { body: { state, ...options } });
    }
    hint(state, seat, options = {}) {
        return this.#post(":hint", { state, seat, ...options });
    }
    replay(record, options = {}) {
        const { after, ...position } = options;
        return this.#post(":replay", { record, ...position, fromRevision: after });
    }
    listMatches(state) {
        return pages(this.http, `${this.route}/matches`, { state });
    }
    match(matchId, token) {
        return new MatchClient(this.http, this.route, matchId, token);
    }
    #post(suffix, body) {
        return this.http.call(this.route + suffix, { body });
    }
}
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
    get(revision, seat) {
        return this.#get("", { revision, seat });
    }
    legalMoves(revision, seat) {
        return this.#get("/legal-moves", { revision, seat });
    }
    score(revision) {
        return this.#get("/score", { revision });
    }
    picture(options = {}) {
        return this.http.text(`${this.#path}/picture.svg`, { token: this.token, query: options });
    }
    picturePng(options = {}) {
        return this.http.blob(`${this.#path}/picture.png`, { token: this.token, query: options });
    }
    record() {
        return this.#get("/record", {});
    }
    async history(after = 0, seat) {
        const events = [];
        for (let next = after; next !== undefined;) {
            const page = await this.#get("/history", { fromRevision: next, seat });
            events.push(...page.events);
            next = page.nextRevision;
        }
        return events;
    }
    apply(move, options = {}) {
        const { revision, next } = options;
        return this.#post("/moves", { ...choice(move), expectedRevision: revision, next });
    }
    hint(options = {}) {
        return this.#post(":hint", options);
    }
    fork(revision) {
        return this.#post(":fork", { revision });
    }
    join(options = {}) {
        return this.#post(":join", options);
    }
    async invite(seat) {
        return (await this.#post(":invite", { seat })).joinCode;
    }
    async reissue(seat) {
        return (await this.#post(":reissue", { seat })).seat;
    }
    substitute(bot, seat) {
        return this.#post(":substitute", { bot, seat });
    }
    async withdraw() {
        await this.#post(":withdraw", {});
    }
    rematch() {
        return this.#post(":rematch", {});
    }
    leave() {
        return this.#post(":leave", {});
    }
    async *events(options = {}) {
        const { after = 0, views = false, signal } = options;
        const call = (position) => ({ token: this.token, query: { fromRevision: position, views } });
        for await (const message of resumed(this.http, `${this.#path}/events`, call, after, signal)) {
            yield message;
            if ("over" in message)
                return;
        }
    }
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
function newSecret() {
    return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}
