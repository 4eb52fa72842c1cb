/** The members of a request that name a move: the move itself, or its notation. */
export function choice(move) {
    return typeof move === "string" ? { notation: move } : { move };
}
