import { FiresideError, isProblem, UnreachableError } from "./errors.js";
import { SILENCE } from "./http.js";
import { choice } from "./messages.js";
const SUBPROTOCOL = "fireside.play.v1";
export class PlaySession {
    http;
    path;
    matchId;
    token;
    after;
    #socket;
    constructor(http, path, matchId, token, after) {
        this.http = http;
        this.path = path;
        this.matchId = matchId;
        this.token = token;
        this.after = after;
    }
    choose(move, revision) {
        if (this.#socket?.readyState === 1)
            this.#socket.send(JSON.stringify({ choice: { revision, ...choice(move) } }));
    }
    async *[Symbol.asyncIterator]() {
        let after = this.after;
        const backoff = this.http.backoff();
        for (;;) {
            try {
                for await (const text of this.#connect(after)) {
                    const received = JSON.parse(text);
                    const { problem } = received;
                    if (isProblem(problem))
                        throw new FiresideError(problem);
                    backoff.reset();
                    for (const message of "batch" in received ? received.batch.responses : [received]) {
                        const { event, over } = message;
                        if (event && after !== undefined)
                            after = event.revision;
                        if (Object.keys(message).length)
                            yield message;
                        if (over)
                            return;
                    }
                }
                throw new UnreachableError("the connection was closed before the end of the match");
            }
            catch (error) {
                await backoff.wait(error);
            }
        }
    }
    #connect(after) {
        const join = { matchId: this.matchId, fromRevision: after, locale: this.http.options.locale, batched: true };
        const Socket = this.http.options.WebSocket ?? globalThis.WebSocket;
        const socket = new Socket(this.http.url.replace(/^http/, "ws") + this.path, SUBPROTOCOL);
        socket.onopen = () => socket.send(JSON.stringify({ token: this.token, join }));
        this.#socket = socket;
        return received(socket);
    }
}
async function* received(socket) {
    const queue = [];
    let isClosed = false;
    let wake = () => undefined;
    socket.onmessage = ({ data }) => (queue.push(data), wake());
    socket.onclose = socket.onerror = () => ((isClosed = true), wake());
    try {
        for (;;) {
            while (queue.length)
                yield queue.shift();
            if (isClosed)
                return;
            const timer = setTimeout(() => socket.onclose(new Event("close")), SILENCE);
            await new Promise((done) => (wake = done));
            clearTimeout(timer);
        }
    }
    finally {
        socket.close();
    }
}
