import { z } from "zod";
import type { RequestHead } from "../../http/request.ts";

const key = z.int().min(0);
const keys = z.array(key).min(1).max(20_000);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** What a page may ask for that changes something, each with its whole shape: nothing is coerced, nothing ignored. */
const changes = {
  together: z.strictObject({ keys }),
  approve: z.strictObject({ keys, hash }),
  reject: z.strictObject({
    key,
    reason: z.string().max(2000).exactOptional(),
    dismiss: z.boolean().exactOptional(),
  }),
  reword: z.strictObject({ key, text: z.string().max(1_000_000).nullable() }),
  "take-back": z.strictObject({ key }),
  undo: z.strictObject({ entry: z.string().regex(/^[0-9a-z-]{1,40}$/) }),
};

type Change = { [what in keyof typeof changes]: { readonly what: what } & z.infer<(typeof changes)[what]> };

/** A request that is understood. */
export type Wish =
  | { readonly what: "run" }
  | { readonly what: "history"; readonly before?: string; readonly limit: number }
  | { readonly what: "item"; readonly key: number; readonly whole: boolean }
  | Change[keyof Change];

/** What a request asks for, or the status that answers it. Reading is by GET and changes nothing; the rest is by POST. */
export function parseRequest({ method, url }: RequestHead, body: unknown): Wish | number {
  if (method === "GET") return parseReading(url);
  const name = /^\/api\/([a-z-]+)$/.exec(url)?.[1] ?? "";
  if (!Object.hasOwn(changes, name)) return 404;
  if (method !== "POST") return 405;
  const what = name as keyof typeof changes;
  const parsed = changes[what].safeParse(body);
  return parsed.success ? ({ what, ...parsed.data } as Wish) : 400;
}

function parseReading(url: string): Wish | number {
  if (url === "/api/run") return { what: "run" };
  const item = /^\/api\/items\/(\d{1,6})(\/whole)?$/.exec(url);
  if (item) return { what: "item", key: Number(item[1]), whole: item[2] !== undefined };
  const history = /^\/api\/history(?:\/before\/([0-9a-z-]{1,40}))?$/.exec(url);
  if (history) return { what: "history", limit: 100, ...(history[1] ? { before: history[1] } : {}) };
  return Object.hasOwn(changes, url.slice("/api/".length)) ? 405 : 404;
}
