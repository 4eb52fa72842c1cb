import { errorOf, unreachable } from "./errors.js";
import { Backoff } from "./retries.js";
const TIMEOUT = 30_000;
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
    call(path, call = {}) {
        return this.#repeated(path, call, (response) => response.json());
    }
    text(path, call = {}) {
        return this.#repeated(path, call, (response) => response.text());
    }
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
    async fetch(path, { token, query = {}, body, apiKey }, signal, key = "") {
        const headers = new Headers({ accept: "*/*" });
        if (token)
            headers.set("authorization", `Bearer ${token}`);
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
function randomKey() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
