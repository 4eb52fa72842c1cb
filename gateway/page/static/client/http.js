// HTTP calls of the REST API: headers, repeats, errors.
import { errorOf, unreachable } from "./errors.js";
import { Backoff } from "./retries.js";
const TIMEOUT = 30_000;
/** Longest wait for a response, and for a sign of life of a stream, which sends one every 5 seconds. */
export const SILENCE = 30_000;
export class Http {
    options;
    url;
    constructor(url, options) {
        this.options = options;
        this.url = url.replace(/\/$/, "");
    }
    backoff() {
        return new Backoff(this.options.retrySeconds ?? 60);
    }
    /** The JSON of a response. A call with a body has an idempotency key, so that it takes effect once. */
    call(path, call = {}) {
        return this.#repeated(path, call, (response) => response.json());
    }
    /** The text of a response. */
    text(path, call = {}) {
        return this.#repeated(path, call, (response) => response.text());
    }
    /** The bytes of a response. */
    blob(path, call = {}) {
        return this.#repeated(path, call, (response) => response.blob());
    }
    async #repeated(path, call, body) {
        const key = randomKey();
        const backoff = this.backoff();
        for (;;) {
            try {
                const response = await this.fetch(path, call, AbortSignal.timeout(TIMEOUT), key);
                return await body(response).catch(unreachable);
            }
            catch (error) {
                await backoff.wait(error);
            }
        }
    }
    /** One response, which is no error. */
    async fetch(path, { token, query = {}, body, apiKey }, signal, key = "") {
        const headers = new Headers({ accept: "*/*" });
        if (token)
            headers.set("authorization", `Bearer ${token}`);
        // Other reads need none, and would fail with one that was revoked.
        if (this.options.apiKey && (apiKey || body))
            headers.set("x-api-key", this.options.apiKey);
        if (this.options.locale)
            headers.set("accept-language", this.options.locale);
        if (body) {
            headers.set("content-type", "application/json");
            if (key)
                headers.set("idempotency-key", key);
        }
        const given = Object.entries(query).filter(([, value]) => value !== undefined);
        const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
        const address = `${this.url}${path}${given.length ? `?${search}` : ""}`;
        const request = body ? { method: "POST", headers, signal, body: JSON.stringify(body) } : { headers, signal };
        const response = await fetch(address, request).catch(unreachable);
        if (!response.ok)
            throw await errorOf(response);
        return response;
    }
}
/** 128 random bits; `crypto.randomUUID` exists on pages of https and of the machine itself only. */
function randomKey() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
