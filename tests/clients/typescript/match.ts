// Plays a whole match with the installed package, over event streams or a WebSocket, and checks what it was sent.
// Usage: node match.js URL GAME rest|socket: prints the revision before each move, and the last line says how it ended.
import { FiresideClient, FiresideError, type Event, type Game, type GameClient, type LegalMove, type Message, type Move, type State } from "fireside-client";

declare const process: { argv: string[]; exit(code: number): never };
const [url, game, way] = process.argv.slice(2) as [string, Game, string];

// Types narrow by the one member of a move or message, and belong to their game.
export const attackedIsland = (move: Move<"fireship">): number | undefined =>
  "attack" in move && "island" in move.attack ? move.attack.island : undefined;
export const revision = (message: Message<"fire_bulls">): number | undefined =>
  "event" in message ? message.event.revision : "refusal" in message ? undefined : Object.values(message)[0]?.revision;
// @ts-expect-error: a move of another game
export const other: Move<"fireship"> = { take: { card: "ATTACK_CARD_BLUE" } };

export const joined = (message: Message<"fireship">): string | undefined =>
  "seat" in message && message.seat.change === "SEAT_CHANGE_JOINED" ? message.seat.player?.name : undefined;

/** A table where somebody joins, is replaced, gives the seat to a bot; and one that is withdrawn. */
async function seats(rules: GameClient<Game>): Promise<void> {
  const table = await rules.newMatch({ seats: [{ name: "Ada" }, { open: {} }] });
  const host = rules.match(table.matchId, table.hostToken);
  const code = await host.invite(1);
  if (!table.match.waiting || code.code !== table.joinCodes[0]!.code) throw new Error("the table does not wait");
  const eve = await rules.match(table.matchId).join({ code: code.code, name: "Eve" });
  const again = rules.match(table.matchId, (await host.reissue(eve.seat)).token);
  const { match } = await again.substitute("random");
  if (match.seats[1]?.bot !== "random" || match.waiting) throw new Error("the bot is missing");
  const other = await rules.newMatch({ seats: [{ name: "Ada" }, { open: {} }] });
  await rules.match(other.matchId, other.hostToken).withdraw();
}

async function main(): Promise<void> {
  const client = new FiresideClient(url, { locale: "fr", retrySeconds: 90 });
  const rules = client.game<Game>(game);
  if (!(await client.games()).some(({ name }) => name === game)) throw new Error("the game is missing");
  if ((await rules.components()).locale !== "fr") throw new Error("components are in another language");
  const begun = await rules.newMatch({ seats: [{ name: "Ada" }, { bot: "random" }], listed: true });
  const listed: string[] = [];
  for await (const { matchId } of rules.listMatches("MATCH_STATE_IN_PLAY")) listed.push(matchId);
  if (!listed.includes(begun.matchId)) throw new Error("the match is not in the list");
  const match = rules.match(begun.matchId, begun.seats[0]!.token);
  const play = way === "socket" ? match.play({ after: 0 }) : undefined;
  const events: Event<Game>[] = [];
  let moved = 0;
  let winners: number[] = [];
  for await (const message of play ?? match.events({ views: true })) {
    if ("event" in message) events.push(message.event);
    if ("over" in message) winners = message.over.score.winners;
    if (!("turn" in message) || !message.turn.moves.length || message.turn.revision < moved) continue;
    const { moves, revision } = message.turn;
    console.log(`at ${revision}`);
    const { move } = (moves as LegalMove<Game>[])[Math.floor(Math.random() * moves.length)]!;
    if (play) play.choose(move, revision);
    else moved = (await match.apply(move)).revision;
  }
  const history = await match.history();
  const same = history.length === events.length && history.every(({ notation }, index) => notation === events[index]!.notation);
  if (!same || events.some(({ revision }, index) => revision !== index + 1)) throw new Error("events are missing");
  if (!(await match.picture({ revision: 1, theme: "dark" })).startsWith("<svg ")) throw new Error("the picture is missing");
  const fork = await match.fork(begun.revision);
  const seat = fork.match.toMove[0]!;
  const asked = { bot: "greedy", seed: "s" };
  const hints = [await match.hint({ revision: begun.revision, seat, ...asked }), await rules.hint(fork.state as State<Game>, seat, asked)];
  const [stored, inline] = hints.map(({ moves }) => JSON.stringify(moves.map(({ value }) => value)));
  if (!hints[0]!.moves.length || stored !== inline) throw new Error("hints differ");
  const seen = await match.get();
  if (!seen.over || !winners.length || !history.every(({ text }) => text)) throw new Error("the end is missing");
  const error = await match.apply("nothing").catch((caught: unknown) => caught);
  if (!(error instanceof FiresideError) || error.status < 400 || !error.reason) throw new Error("errors are missing");
  if (new Set((await match.rematch()).match.seats.map(({ name }) => name)).size !== 2) throw new Error("the rematch is missing");
  await seats(rules);
  console.log(`over at ${seen.revision}`);
}

void main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.log(error);
    process.exit(1);
  },
);
