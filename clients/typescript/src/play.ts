// Play over WebSocket: turns come and choices go over one connection, which is resumed when it breaks.
import { FiresideError, isProblem, UnreachableError } from "./errors.js";
import type { Game, Message, Move } from "./games.js";
import { SILENCE, type Http } from "./http.js";
import { choice, type Parts } from "./messages.js";

const SUBPROTOCOL = "fireside.play.v1";

/** What one step brings. */
interface Batch<G extends Game> {
  batch: { responses: Message<G>[] };
}

/** Plays one seat: iterate over its messages, and `choose` at each turn that has moves. The last message is `over`. */
export class PlaySession<G extends Game> implements AsyncIterable<Message<G>> {
  #socket: WebSocket | undefined;

  constructor(
    readonly http: Http,
    readonly path: string,
    readonly matchId: string,
    readonly token: string,
    readonly after: number | undefined,
  ) {}

  /** Send a move, as a message or in notation, for the turn with this revision. If it is lost, the turn comes again. */
  choose(move: Move<G> | string, revision: number): void {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify({ choice: { revision, ...choice(move) } }));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Message<G>, void, void> {
    let after = this.after;
    const backoff = this.http.backoff();
    for (;;) {
      try {
        for await (const text of this.#connect(after)) {
          const received = JSON.parse(text) as Message<G> | Batch<G>;
          const { problem } = received as Parts;
          if (isProblem(problem)) throw new FiresideError(problem);
          backoff.reset();
          for (const message of "batch" in received ? received.batch.responses : [received]) {
            const { event, over } = message as Parts;
            if (event && after !== undefined) after = event.revision;
            if (Object.keys(message).length) yield message; // an empty one is a heartbeat
            if (over) return;
          }
        }
        throw new UnreachableError("the connection was closed before the end of the match");
      } catch (error) {
        await backoff.wait(error);
      }
    }
  }

  #connect(after: number | undefined): AsyncGenerator<string> {
    const join = { matchId: this.matchId, fromRevision: after, locale: this.http.options.locale, batched: true };
    const Socket = this.http.options.WebSocket ?? globalThis.WebSocket;
    const socket = new Socket(this.http.url.replace(/^http/, "ws") + this.path, SUBPROTOCOL);
    socket.onopen = () => socket.send(JSON.stringify({ token: this.token, join }));
    this.#socket = socket;
    return received(socket);
  }
}

/** The text messages of a connection, until it is closed or silent for too long. */
async function* received(socket: WebSocket): AsyncGenerator<string> {
  const queue: string[] = [];
  let isClosed = false;
  let wake = (): void => undefined;
  socket.onmessage = ({ data }) => (queue.push(data as string), wake());
  socket.onclose = socket.onerror = () => ((isClosed = true), wake());
  try {
    for (;;) {
      while (queue.length) yield queue.shift()!;
      if (isClosed) return;
      const timer = setTimeout(() => socket.onclose!(new Event("close") as CloseEvent), SILENCE);
      await new Promise<void>((done) => (wake = done));
      clearTimeout(timer);
    }
  } finally {
    socket.close();
  }
}
