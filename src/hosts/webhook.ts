import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { HostKind } from "./registry.ts";

/** A webhook as it was received. */
export type Webhook = {
  readonly source: HostKind;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
};

/** The event of a webhook, without any text that people wrote. */
export type WebhookEvent = {
  readonly host: string;
  readonly organisation: string;
  readonly name: string;
  /** The host's own number of the repository; null if it does not say. */
  readonly hostId: string | null;
  /** When it happened; null if the host does not say. */
  readonly time: number | null;
} & (
  | { readonly what: "pushed"; readonly commit: string; readonly branch: string }
  | { readonly what: "requested"; readonly commit: string; readonly request: number }
  | { readonly what: "decided"; readonly url: string; readonly outcome: "merged" | "closed" | "reopened" }
  /** A comment that may hold a command for us. Its text and its author are read from the host, not from here. */
  | { readonly what: "commented"; readonly url: string }
  /** A person ticked a box of our dashboard. What was ticked is read from the host, not from here. */
  | { readonly what: "ticked" }
  /** The repository itself: it was archived, deleted, or can be worked on again; a rename shows in its name. */
  | { readonly what: "changed"; readonly now: "archived" | "deleted" | "active" | "renamed" }
);

/** How one kind of host sends webhooks. */
export type WebhookReader = {
  /** Whether the headers alone could be genuine. Asked before the body is read. */
  mayBeGenuine(headers: Webhook["headers"], secret: string): boolean;
  /** Whether the sender knows the secret. Takes the same time for every input. */
  isGenuine(webhook: Webhook, secret: string): boolean;
  readonly eventHeader: string;
  /** Headers that together identify a delivery. */
  readonly deliveryHeaders: readonly string[];
  /** A schema for each event. It gives null for an event that does not concern Suture. */
  events(context: WebhookContext): Readonly<Record<string, z.ZodType<WebhookEvent | null>>>;
};

export type WebhookContext = {
  /** The prefix of Suture's own branches. */
  readonly ownBranchPrefix: string;
  /** Whether a comment may hold a command for Suture. */
  isCommand(comment: string): boolean;
  /** Whether the text of an issue is our dashboard, with a box that is ticked. */
  isTicked(issue: string): boolean;
};

/** The host's id of a delivery; null if it sent none. */
export function deliveryId({ deliveryHeaders }: WebhookReader, { headers }: Webhook): string | null {
  const id = deliveryHeaders
    .map((name) => headerText(headers[name]))
    .filter(Boolean)
    .join("/");
  return /^[\x21-\x7e]{1,200}$/.test(id) ? id : null;
}

/** A digest of the content, which a replay under another id has too. */
export function digestOf({ eventHeader }: WebhookReader, { source, headers, body }: Webhook): Buffer {
  return createHash("sha256")
    .update(`${source}\n${headerText(headers[eventHeader])}\n`)
    .update(body)
    .digest();
}

/** `malformed`: the host does not send such a body. Null: an event that does not concern Suture. */
export function parseWebhook(
  reader: WebhookReader,
  { headers, body }: Webhook,
  context: WebhookContext,
): WebhookEvent | null | "malformed" {
  const schemas = reader.events(context);
  const name = headerText(headers[reader.eventHeader]);
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (!schema) return null;
  const parsed = schema.safeParse(parseBody(headers, body));
  return parsed.success ? parsed.data : "malformed";
}

/** A body is JSON, or a form whose field `payload` is JSON: hosts offer both, and some send forms by default. */
function parseBody(headers: Webhook["headers"], body: Uint8Array): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(headerText(headers["content-type"]));
    return JSON.parse(isForm ? (new URLSearchParams(text).get("payload") ?? "") : text);
  } catch {
    return undefined;
  }
}

export function headerText(value: string | readonly string[] | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Compares in the same time for every input. */
export function equalsInConstantTime(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

export function hmacOf(body: Uint8Array, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

export const commitSchema = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);

/** The id that hosts send for a branch that was deleted. */
export function isNoCommit(id: string): boolean {
  return /^0+$/.test(id);
}

export const timeSchema = z.union([z.number(), z.string()]).nullish();

/** Milliseconds since 1970, from seconds or a date. */
export function toTime(value: z.infer<typeof timeSchema>): number | null {
  const milliseconds = typeof value === "number" ? value * 1000 : Date.parse(value ?? "");
  return Number.isFinite(milliseconds) ? milliseconds : null;
}
