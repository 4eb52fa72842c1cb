export function choice(move) {
    return typeof move === "string" ? { notation: move } : { move };
}
