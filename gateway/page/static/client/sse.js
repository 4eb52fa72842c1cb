// Server-sent events of a response, as the HTML standard parses them.
import { unreachable } from "./errors.js";
/** The events of a stream until it ends; a comment, which keeps it open, has no data. */
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
