// Plays a whole match with a client that was generated from the OpenAPI document, and watches it.
// Usage: node player.js URL
import { createClient } from "./client/client";
import { applyFireship, getMatchFireship, legalMovesFireship, newGameFireship, watchFireship } from "./client/sdk.gen";
import type { FireshipLegalMove, FireshipMatch, FireshipMove, FireshipScoreResponse } from "./client/types.gen";
import type { components, operations } from "./schema";

// What two generators make of the same document is the same.
const asOne = (match: FireshipMatch): components["schemas"]["Fireship.Match"] => match;
type Watched = operations["Watch_Fireship"]["responses"][200]["content"]["text/event-stream"];

// A move has exactly one member, which narrows its type.
const attackedIsland = ({ move }: FireshipLegalMove): number | undefined =>
  "attack" in move && "island" in move.attack ? move.attack.island : undefined;
// @ts-expect-error: no member
const none: FireshipMove = {};
// @ts-expect-error: a member of no move
const unknown: FireshipMove = { shout: {} };

declare const process: { argv: string[]; exit(code: number): never };

async function play(url: string): Promise<string> {
  const stranger = createClient({ baseUrl: url, throwOnError: true });
  const body = { seats: [{ name: "Ada" }, { name: "Ben" }], options: { rounds: 5 } };
  const { data: begun } = await newGameFireship({ client: stranger, body, throwOnError: true });
  const tokens = new Map(begun.seats.map(({ seat, token }) => [seat, token]));
  let match = asOne(begun.match);
  while (!match.over) {
    const seat = match.toMove[0]!;
    const call = { client: stranger, path: { match_id: begun.matchId }, throwOnError: true as const };
    const headers = { Authorization: `Bearer ${tokens.get(seat)}` };
    const { data: listed } = await legalMovesFireship({ ...call, headers });
    const { move, notation } = listed.moves[Math.floor(Math.random() * listed.moves.length)]!;
    if ("throw" in move !== (notation === "throw")) throw new Error(`${notation} is something else`);
    const { data: applied } = await applyFireship({ ...call, headers, body: { move } });
    match = applied.match;
  }

  const { stream } = await watchFireship({ client: stranger, path: { match_id: begun.matchId } });
  const revisions: number[] = [];
  let score: FireshipScoreResponse | undefined;
  for await (const event of stream) {
    if (typeof event !== "object") throw new Error("an event is an object");
    const watched: Watched = event;
    if ("notation" in watched) revisions.push(watched.revision);
    if ("score" in watched) score = watched.score;
    if (score) break;
  }
  if (!score?.over) throw new Error("the end is missing");
  const { data: seen } = await getMatchFireship({ client: stranger, path: { match_id: begun.matchId }, throwOnError: true });
  if (!seen.over || revisions.some((revision, index) => revision !== index + 1)) throw new Error("events are missing");
  return `over at revision ${match.revision}`;
}

void play(process.argv[2]!).then((said) => {
  console.log(said);
  process.exit(0);
});
