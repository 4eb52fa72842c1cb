export { FiresideClient, GameClient, MatchClient } from "./client.js";
export { FiresideError, UnreachableError } from "./errors.js";
export { PlaySession } from "./play.js";
