import { FiresideError, isProblem, unreachable, UnreachableError } from "./errors.js";
import { SILENCE } from "./http.js";
export async function* resumed(http, path, call, after, signal) {
    const backoff = http.backoff();
    for (;;) {
        try {
            for await (const message of messages(http, path, call(after), signal)) {
                backoff.reset();
                const [data] = Object.values(message);
                after = data?.eventId ?? data?.revision ?? after;
                yield message;
            }
            throw new UnreachableError("the stream has ended");
        }
        catch (error) {
            if (signal?.aborted)
                return;
            await backoff.wait(error);
        }
    }
}
async function* messages(http, path, call, signal) {
    const silence = new AbortController();
    const stop = () => silence.abort();
    signal?.addEventListener("abort", stop);
    if (signal?.aborted)
        stop();
    let timer = setTimeout(stop, SILENCE);
    try {
        const response = await http.fetch(path, call, silence.signal);
        for await (const { type, data } of serverSentEvents(response.body)) {
            clearTimeout(timer);
            const value = data && JSON.parse(data);
            if (type === "problem" && isProblem(value))
                throw new FiresideError(value);
            if (value)
                yield { [type || "event"]: value };
            timer = setTimeout(stop, SILENCE);
        }
    }
    finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
        stop();
    }
}
export async function* serverSentEvents(body) {
    const reader = body.getReader();
    const next = () => reader.read().catch(unreachable);
    const decoder = new TextDecoder();
    let text = "";
    try {
        for (let read = await next(); !read.done; read = await next()) {
            text += decoder.decode(read.value, { stream: true });
            const blocks = text.split("\n\n");
            text = blocks.pop();
            yield* blocks.map(parsed);
        }
    }
    finally {
        await reader.cancel().catch(() => undefined);
    }
}
function parsed(block) {
    const event = { type: "", data: "" };
    for (const line of block.split("\n")) {
        const [, field, value] = /^([a-z]+): ?(.*)$/s.exec(line) ?? [];
        if (field === "event")
            event.type = value;
        if (field === "data")
            event.data += value;
    }
    return event;
}
