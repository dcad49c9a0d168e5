import { z } from "zod";
import type { RequestHead } from "../../http/request.ts";
import { defined } from "../../text/model/defined.ts";

const key = z.int().min(0);
const keys = z.array(key).min(1).max(20_000);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** The schemas of the requests that decide or preview. They are strict: nothing is coerced or ignored. */
const changeSchemas = {
  together: z.strictObject({ keys }),
  approve: z.strictObject({ keys, hash }),
  reject: z.strictObject({
    key,
    reason: z.string().max(2000).exactOptional(),
    dismiss: z.boolean().exactOptional(),
  }),
  "reject-all": z.strictObject({
    keys,
    reason: z.string().max(2000).exactOptional(),
    dismiss: z.boolean().exactOptional(),
  }),
  reword: z.strictObject({ key, text: z.string().max(1_000_000).nullable() }),
  "take-back": z.strictObject({ key }),
  undo: z.strictObject({ entry: z.string().regex(/^[0-9a-z-]{1,40}$/) }),
};

type ReviewChange = {
  [what in keyof typeof changeSchemas]: { readonly what: what } & z.infer<(typeof changeSchemas)[what]>;
};

/** A parsed request. */
export type ReviewRequest =
  | { readonly what: "run" }
  | { readonly what: "history"; readonly before?: string; readonly limit: number }
  | { readonly what: "item"; readonly key: number; readonly whole: boolean }
  | ReviewChange[keyof ReviewChange];

/** Parses a request, or returns the status to deny it with. GET requests only read; POST requests decide or preview. */
export function parseRequest({ method, url }: RequestHead, body: unknown): ReviewRequest | number {
  if (method === "GET") return parseRead(url);
  const name = /^\/api\/([a-z-]+)$/.exec(url)?.[1] ?? "";
  if (!Object.hasOwn(changeSchemas, name)) return 404;
  if (method !== "POST") return 405;
  const what = name as keyof typeof changeSchemas;
  const parsed = changeSchemas[what].safeParse(body);
  return parsed.success ? ({ what, ...parsed.data } as ReviewRequest) : 400;
}

function parseRead(url: string): ReviewRequest | number {
  if (url === "/api/run") return { what: "run" };
  const item = /^\/api\/items\/(\d{1,6})(\/whole)?$/.exec(url);
  if (item) return { what: "item", key: Number(item[1]), whole: item[2] !== undefined };
  const history = /^\/api\/history(?:\/before\/([0-9a-z-]{1,40}))?$/.exec(url);
  if (history) return { what: "history", limit: 100, ...defined({ before: history[1] || undefined }) };
  return Object.hasOwn(changeSchemas, url.slice("/api/".length)) ? 405 : 404;
}
