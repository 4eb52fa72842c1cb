// Types of what platforms call, and of what their webhooks receive.
import type { components } from "./schema.js";

type Schemas = components["schemas"];

export type PlatformEvent = Schemas["Platform.PlatformEvent"];
export type PlatformMatch = Schemas["Platform.PlatformMatch"];
export type NewWebhook = Schemas["Platform.CreateWebhookRequest"];
export type WebhookSecret = Schemas["Platform.CreateWebhookResponse"];
export type Webhook = Schemas["Platform.WebhookEndpoint"];
export type WebhookDelivery = Schemas["Platform.WebhookDelivery"];
export type SigningKey = Schemas["Catalog.SigningKey"];

/** Body of a request that a webhook receives: what `verify` of `standardwebhooks` returns. */
export type WebhookPayload =
  | { type: "match.turn" | "match.seat" | "match.over"; timestamp: string; data: PlatformEvent }
  | { type: "webhook.test"; timestamp: string; data: Record<string, never> };
