// HTTP calls of the REST API: headers, repeats, errors.
import { errorOf, unreachable } from "./errors.js";
import { Backoff } from "./retries.js";

/** What is the same for all calls of a client. */
export interface ClientOptions {
  /** Language of the texts in responses, `en`, `fr` or `it`; without one there are no texts. */
  locale?: string;
  /** Key of a platform, which the service may require to begin matches. */
  apiKey?: string;
  /** Seconds for which calls and streams are repeated while the service is away; 60 by default. */
  retrySeconds?: number;
  /** The WebSocket class, if the platform has none: Node.js has one from version 22 on. */
  WebSocket?: typeof WebSocket;
}

export type Query = Record<string, string | number | boolean | undefined>;

export interface Call {
  token?: string | undefined;
  query?: Query;
  /** Whether the call needs the API key, as all with a body may. */
  apiKey?: boolean;
  body?: object;
}

const TIMEOUT = 30_000;
/** Longest wait for a response, and for a sign of life of a stream, which sends one every 5 seconds. */
export const SILENCE = 30_000;

export class Http {
  readonly url: string;

  constructor(
    url: string,
    readonly options: ClientOptions,
  ) {
    this.url = url.replace(/\/$/, "");
  }

  backoff(): Backoff {
    return new Backoff(this.options.retrySeconds ?? 60);
  }

  /** The JSON of a response. A call with a body has an idempotency key, so that it takes effect once. */
  call<T>(path: string, call: Call = {}): Promise<T> {
    return this.#repeated(path, call, (response) => response.json() as Promise<T>);
  }

  /** The text of a response. */
  text(path: string, call: Call = {}): Promise<string> {
    return this.#repeated(path, call, (response) => response.text());
  }

  /** The bytes of a response. */
  blob(path: string, call: Call = {}): Promise<Blob> {
    return this.#repeated(path, call, (response) => response.blob());
  }

  async #repeated<T>(path: string, call: Call, body: (response: Response) => Promise<T>): Promise<T> {
    const key = randomKey();
    const backoff = this.backoff();
    for (;;) {
      try {
        const response = await this.fetch(path, call, AbortSignal.timeout(TIMEOUT), key);
        return await body(response).catch(unreachable);
      } catch (error) {
        await backoff.wait(error);
      }
    }
  }

  /** One response, which is no error. */
  async fetch(path: string, { token, query = {}, body, apiKey }: Call, signal: AbortSignal, key = ""): Promise<Response> {
    const headers = new Headers({ accept: "*/*" });
    if (token) headers.set("authorization", `Bearer ${token}`);
    // Other reads need none, and would fail with one that was revoked.
    if (this.options.apiKey && (apiKey || body)) headers.set("x-api-key", this.options.apiKey);
    if (this.options.locale) headers.set("accept-language", this.options.locale);
    if (body) {
      headers.set("content-type", "application/json");
      if (key) headers.set("idempotency-key", key);
    }
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const address = `${this.url}${path}${given.length ? `?${search}` : ""}`;
    const request = body ? { method: "POST", headers, signal, body: JSON.stringify(body) } : { headers, signal };
    const response = await fetch(address, request).catch(unreachable);
    if (!response.ok) throw await errorOf(response);
    return response;
  }
}

/** 128 random bits; `crypto.randomUUID` exists on pages of https and of the machine itself only. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
