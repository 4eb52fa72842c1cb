export { FiresideClient, GameClient, MatchClient } from "./client.js";
export { FiresideError, UnreachableError, type Problem } from "./errors.js";
export type * from "./games.js";
export type { ClientOptions } from "./http.js";
export type * from "./platforms.js";
export { PlaySession } from "./play.js";
export type { components } from "./schema.js";
