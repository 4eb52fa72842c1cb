export class FiresideError extends Error {
    problem;
    retryAfter;
    name = "FiresideError";
    constructor(problem, retryAfter) {
        super(problem.violations.map(({ field, description }) => `${field}: ${description}`).join("; ") || problem.detail);
        this.problem = problem;
        this.retryAfter = retryAfter;
    }
    get status() {
        return this.problem.status;
    }
    get reason() {
        return this.problem.reason;
    }
}
export class UnreachableError extends Error {
    name = "UnreachableError";
}
export function unreachable(cause) {
    throw new UnreachableError("the service does not respond", { cause });
}
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
