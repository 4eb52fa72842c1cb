// Verifies requests that a webhook has received, as the README of the package says. Usage: node webhook.js SECRET HEADERS BODY
// with the headers as JSON: prints the type of the event.
import type { WebhookPayload } from "fireside-client";
import { Webhook } from "standardwebhooks";

declare global {
  interface Buffer extends Uint8Array {} // of Node.js, whose types are not installed
}
declare const process: { argv: string[] };
const [secret, headers, body] = process.argv.slice(2) as [string, string, string];

const payload = new Webhook(secret).verify(body, JSON.parse(headers) as Record<string, string>) as WebhookPayload;
if (payload.type === "webhook.test") console.log(payload.type);
else console.log(payload.type, payload.data.eventId);
