// Streams of server-sent events, resumed when a connection breaks, and parsed as the HTML standard does.
import { FiresideError, isProblem, unreachable, UnreachableError } from "./errors.js";
import { SILENCE, type Call, type Http } from "./http.js";

/** Where a stream is resumed: a revision, or the id of an event; undefined before the first message. */
export type Position = string | number | undefined;

/**
 * The messages of a stream after a position, such as `{ event: … }`, without end. `call` gives the call for a position.
 * Aborting `signal` ends them.
 */
export async function* resumed<Message extends object>(
  http: Http,
  path: string,
  call: (position: Position) => Call,
  after: Position,
  signal?: AbortSignal,
): AsyncGenerator<Message, void, void> {
  const backoff = http.backoff();
  for (;;) {
    try {
      for await (const message of messages<Message>(http, path, call(after), signal)) {
        backoff.reset();
        const [data] = Object.values(message) as { eventId?: string; revision?: number }[];
        after = data?.eventId ?? data?.revision ?? after;
        yield message;
      }
      throw new UnreachableError("the stream has ended");
    } catch (error) {
      if (signal?.aborted) return;
      await backoff.wait(error);
    }
  }
}

/** The messages of one connection, which is broken off when it is silent for too long. */
async function* messages<Message>(http: Http, path: string, call: Call, signal?: AbortSignal): AsyncGenerator<Message> {
  const silence = new AbortController();
  const stop = () => silence.abort();
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  let timer = setTimeout(stop, SILENCE);
  try {
    const response = await http.fetch(path, call, silence.signal);
    for await (const { type, data } of serverSentEvents(response.body!)) {
      clearTimeout(timer); // also while the caller works
      const value: unknown = data && JSON.parse(data);
      if (type === "problem" && isProblem(value)) throw new FiresideError(value);
      if (value) yield { [type || "event"]: value } as Message;
      timer = setTimeout(stop, SILENCE);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    stop();
  }
}

export interface ServerSentEvent {
  type: string;
  data: string;
}

/** The events of a stream until it ends; a comment, which keeps it open, has no data. */
export async function* serverSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const next = () => reader.read().catch(unreachable);
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let read = await next(); !read.done; read = await next()) {
      text += decoder.decode(read.value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop()!;
      yield* blocks.map(parsed);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parsed(block: string): ServerSentEvent {
  const event = { type: "", data: "" };
  for (const line of block.split("\n")) {
    const [, field, value] = /^([a-z]+): ?(.*)$/s.exec(line) ?? [];
    if (field === "event") event.type = value!;
    if (field === "data") event.data += value;
  }
  return event;
}
