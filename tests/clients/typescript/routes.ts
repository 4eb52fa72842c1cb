// Calls every method of the installed package once, and checks what comes back. Usage: node routes.js URL API_KEY WEBHOOK_URL:
// prints the secret of the webhook.
import { FiresideClient, type Event, type LegalMove, type State } from "fireside-client";

declare const process: { argv: string[]; exit(code: number): never };
const [url, apiKey, webhookUrl] = process.argv.slice(2) as [string, string, string];
const client = new FiresideClient(url, { apiKey, locale: "en" });
const game = client.game("fireship");

function check(condition: unknown, text: string): void {
  if (!condition) throw new Error(text);
}

async function webhooks(): Promise<void> {
  const { webhookId, secret } = await client.createWebhook({ url: webhookUrl, types: ["match.turn"] });
  console.log(secret);
  const tested = await client.testWebhook(webhookId);
  check(tested.status === 204 && !tested.error, "the test has failed");
  check((await client.webhookDeliveries(webhookId))[0]?.eventId === tested.eventId, "a delivery is missing");
  check((await client.webhooks())[0]?.url === webhookUrl, "the webhook is missing");
  await client.enableWebhook(webhookId);
  const own = await client.rotateWebhookSecret(webhookId);
  check((await client.rotateWebhookSecret(webhookId, own)) === own, "the secret is another one");
  await client.deleteWebhook(webhookId);
  check(!(await client.webhooks()).length, "the webhook is still there");
}

async function inlineState(): Promise<void> {
  const { state, match } = await game.newState({ seats: [{}, {}], clientSeed: "s" });
  const seat = match.toMove[0]!;
  const { moves } = await game.legalMoves(state!, seat);
  const next = (await game.apply(state!, seat, moves[0]!.move, { seed: "s" })).state!;
  const same = await game.apply(state!, seat, moves[0]!.notation, { seed: "s" });
  check(JSON.stringify(next) === JSON.stringify(same.state), "equal seeds give other draws");
  check((await game.hint(state!, seat, { bot: "greedy" })).moves.length === moves.length, "hints are missing");
  check(!(await game.score(next)).over, "the match is over");
  check((await game.picture(next, { seat, theme: "dark" })).startsWith("<svg "), "the picture is missing");
}

async function match(): Promise<void> {
  const begun = await game.newMatch({
    seats: [{ name: "Ada", playerId: "ada" }, { open: {} }],
    listed: true,
    openAfter: true,
  });
  for (const filters of [{ playerId: "ada" }, { listed: true }])
    for await (const each of client.platformMatches({ ...filters, state: "MATCH_STATE_WAITING" }))
      check(each.match.matchId === begun.matchId, "another match is listed");
  for await (const each of game.listMatches()) check(each.matchId === begun.matchId, "another match is in the public list");
  const host = game.match(begun.matchId, begun.hostToken);
  const ada = game.match(begun.matchId, begun.seats[0]!.token);
  const code = await host.invite(1);
  await game.match(begun.matchId).join({ code: code.code, name: "Bo", playerId: "bo" });
  const bo = game.match(begun.matchId, (await host.reissue(1)).token);
  const mover = [ada, bo][(await ada.get()).toMove[0]!]!;
  const { revision } = await mover.apply((await mover.legalMoves()).moves[0]!.move);
  await bo.substitute("random");
  await ada.leave();
  const kinds: string[] = [];
  for await (const message of ada.events({ views: true })) kinds.push(...Object.keys(message));
  check(kinds.at(-1) === "over" && kinds.includes("event"), "the end is missing");
  check((await ada.score()).over, "the match is not over");
  const record = await ada.record();
  const replayed = await game.replay(record, { revision, seat: 1 });
  const seen = await ada.get(revision, 1);
  check(JSON.stringify(replayed.match.view) === JSON.stringify(seen.view), "the views of seat 1 differ");
  const events = (await game.replay(record, { seat: 1, after: 0 })).events as Event<"fireship">[];
  check(events.at(-1)?.notation === (await ada.history(0, 1)).at(-1)?.notation, "the logs differ");
  const pictures = [await ada.picture({ revision, seat: 1 }), await ada.picture({ revision, seat: 0 })];
  check(pictures[0] !== pictures[1], "the pictures of both seats are equal");
  check((await ada.picturePng({ width: 200 })).type === "image/png", "the picture is missing");
  const seat = (await ada.fork(revision)).match.toMove[0]!;
  const legal = (await ada.legalMoves(revision, seat)).moves as LegalMove<"fireship">[];
  check(legal.length === (await ada.hint({ revision, seat, bot: "greedy" })).moves.length, "hints are missing");
  check((await ada.rematch()).matchId !== begun.matchId, "the rematch is missing");
  const table = await game.newMatch({ seats: [{}, { open: {} }] });
  await game.match(table.matchId, table.hostToken).withdraw();
}

/** The first event that is stored, and then the next one, by a stream that begins after it. */
async function events(): Promise<void> {
  const ids: string[] = [];
  for (let after = "0-0"; ids.length < 2; after = ids.at(-1)!)
    for await (const event of client.platformEvents({ after })) {
      check(event.game === "fireship" && ("turn" in event || "seat" in event || "over" in event), "an event is empty");
      ids.push(event.eventId);
      break;
    }
  check(ids[0] !== ids[1], "an event came twice");
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  for await (const event of client.platformEvents({ signal: stop.signal })) check(!event, "an old event came");
}

async function main(): Promise<void> {
  check((await client.games()).some(({ name }) => name === "fireship"), "the game is missing");
  check((await client.signingKeys())[0]?.algorithm === "Ed25519", "the key is missing");
  check(Object.keys((await game.components()).names).length, "names are missing");
  await webhooks();
  await inlineState();
  await match();
  await events();
}

// Each game has its own states.
// @ts-expect-error: a state of another game
export const foreign = (state: State<"fire_bulls">) => game.score(state);

void main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.log(error);
    process.exit(1);
  },
);
