// Repeats of calls that got no response, or that the service was too busy for.
import { FiresideError, UnreachableError } from "./errors.js";
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5000;
const RETRYABLE = new Set([429, 502, 503, 504]);
export const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
/** Pauses between attempts, which double; a success begins anew. */
export class Backoff {
    seconds;
    #pause = FIRST_PAUSE;
    #deadline;
    /** `seconds`: how long an outage may last. */
    constructor(seconds) {
        this.seconds = seconds;
    }
    reset() {
        this.#pause = FIRST_PAUSE;
        this.#deadline = undefined;
    }
    /** Wait before the next attempt. Throws the error if it is final, or the outage lasts too long. */
    async wait(error) {
        if (error instanceof FiresideError ? !RETRYABLE.has(error.status) : !(error instanceof UnreachableError))
            throw error;
        const after = error instanceof FiresideError ? (error.retryAfter ?? 0) * 1000 : 0;
        const pause = Math.max(after, this.#pause * (0.5 + Math.random() / 2)); // clients do not all return at once
        this.#deadline ??= Date.now() + this.seconds * 1000;
        if (Date.now() + pause > this.#deadline)
            throw error;
        this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
        await sleep(pause);
    }
}
