// Parts of messages that are the same in every game.
import type { Game, Move } from "./games.js";

/** The members of any game's messages that the client itself reads. */
export interface Parts {
  event?: { revision: number };
  over?: object;
  problem?: unknown;
}

/** The members of a request that name a move: the move itself, or its notation. */
export function choice<G extends Game>(move: Move<G> | string): object {
  return typeof move === "string" ? { notation: move } : { move };
}
