/** The service rejected a call: `problem` has the HTTP status, the reason for programs, a text, and wrong fields. */
export class FiresideError extends Error {
    problem;
    retryAfter;
    name = "FiresideError";
    /** `retryAfter`: seconds after which the service accepts the call again, if it said so. */
    constructor(problem, retryAfter) {
        super(problem.violations.map(({ field, description }) => `${field}: ${description}`).join("; ") || problem.detail);
        this.problem = problem;
        this.retryAfter = retryAfter;
    }
    get status() {
        return this.problem.status;
    }
    /** For example `ILLEGAL_MOVE`; `GET /errors/{reason}` explains it. */
    get reason() {
        return this.problem.reason;
    }
}
/** No response came, for as long as calls are repeated. */
export class UnreachableError extends Error {
    name = "UnreachableError";
}
export function unreachable(cause) {
    throw new UnreachableError("the service does not respond", { cause });
}
/** The error that a response with an error status describes. */
export async function errorOf(response) {
    const after = Number(response.headers.get("retry-after") ?? NaN);
    const body = await response.json().catch(() => undefined);
    const problem = isProblem(body) ? body : { ...UNKNOWN, status: response.status, title: response.statusText };
    return new FiresideError(problem, Number.isNaN(after) ? undefined : after);
}
export function isProblem(value) {
    return typeof value === "object" && value !== null && "reason" in value && "violations" in value;
}
const UNKNOWN = { type: "about:blank", detail: "not a response of Fireside", instance: "", reason: "", metadata: {}, violations: [] };
