import { FiresideError, UnreachableError } from "./errors.js";
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5000;
const RETRYABLE = new Set([429, 502, 503, 504]);
export const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
export class Backoff {
    seconds;
    #pause = FIRST_PAUSE;
    #deadline;
    constructor(seconds) {
        this.seconds = seconds;
    }
    reset() {
        this.#pause = FIRST_PAUSE;
        this.#deadline = undefined;
    }
    async wait(error) {
        if (error instanceof FiresideError ? !RETRYABLE.has(error.status) : !(error instanceof UnreachableError))
            throw error;
        const after = error instanceof FiresideError ? (error.retryAfter ?? 0) * 1000 : 0;
        const pause = Math.max(after, this.#pause * (0.5 + Math.random() / 2));
        this.#deadline ??= Date.now() + this.seconds * 1000;
        if (Date.now() + pause > this.#deadline)
            throw error;
        this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
        await sleep(pause);
    }
}
