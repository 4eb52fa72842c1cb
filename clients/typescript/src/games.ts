// Types of each game, by the name of the game.
import type { components } from "./schema.js";

type Schemas = components["schemas"];

/** Games with the prefix of their components: `FireBulls.Move` is a move of `fire_bulls`. */
export interface Prefixes {
  fire_bulls: "FireBulls";
  fireship: "Fireship";
  spring_festival: "SpringFestival";
}

export type Game = keyof Prefixes;

type Of<G extends Game, Name extends string> = `${Prefixes[G]}.${Name}` extends keyof Schemas
  ? Schemas[`${Prefixes[G]}.${Name}`]
  : never;

export type Match<G extends Game> = Of<G, "Match">;
export type Move<G extends Game> = Of<G, "Move">;
export type LegalMove<G extends Game> = Of<G, "LegalMove">;
export type Event<G extends Game> = Of<G, "Event">;
export type Turn<G extends Game> = Of<G, "Turn">;
export type Score<G extends Game> = Of<G, "ScoreResponse">;
export type Components<G extends Game> = Of<G, "GetComponentsResponse">;
export type MatchRecord<G extends Game> = Of<G, "MatchRecord">;
export type NewGame<G extends Game> = Of<G, "NewGameBody">;
export type NewMatch<G extends Game> = Of<G, "NewGameResponse">;
export type LegalMoves<G extends Game> = Of<G, "LegalMovesResponse">;
export type Applied<G extends Game> = Of<G, "ApplyResponse">;
export type Hint<G extends Game> = Of<G, "HintResponse">;
export type Fork<G extends Game> = Of<G, "ForkResponse">;
export type Replay<G extends Game> = Of<G, "ReplayResponse">;
export type Joined<G extends Game> = Of<G, "JoinResponse">;
export type Rematch<G extends Game> = Of<G, "RematchResponse">;
export type State<G extends Game> = Of<G, "State">;
export type History<G extends Game> = Of<G, "HistoryResponse">;

export type MatchSummary = Schemas["Match.MatchSummary"];
export type MatchState = Schemas["Match.MatchState"];

/** Colours of a picture. */
export type Theme = "light" | "dark";

/** A message of a stream or of a WebSocket, with exactly one member: `"turn" in message` narrows its type. */
export type Message<G extends Game> = Exclude<Of<G, "PlayResponse">, { batch: unknown }>;
