import type { z } from "zod";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { RestClient, RestRequest, RestResponse } from "./rest.ts";

const mostPages = 200;

/** Reads a paginated list, at most `most` items. */
export async function readPages<T>(
  http: RestClient,
  request: RestRequest,
  schema: z.ZodType<T>,
  { most }: { readonly most: number },
): Promise<Outcome<T[]>> {
  const items: T[] = [];
  for (let page = 1; page <= mostPages && items.length < most; page++) {
    const response = await http({ ...request, query: { ...request.query, per_page: 100, page } });
    const list = parseResponse(schema.array(), response);
    if (!list.ok) return list;
    items.push(...list.value);
    if (!response.ok || !hasNext(response.value)) break;
  }
  return accept(items.slice(0, most));
}

/** GitHub links to the next page, GitLab numbers it. Only its existence is used, never the link. */
function hasNext({ headers }: RestResponse): boolean {
  return /rel="?next"?/.test(headers.get("link") ?? "") || (headers.get("x-next-page") ?? "") !== "";
}

/** Parses a response. A response of another shape is refused. */
export function parseResponse<T>(schema: z.ZodType<T>, response: Outcome<RestResponse>): Outcome<T> {
  if (!response.ok) return response;
  const parsed = schema.safeParse(response.value.value);
  if (parsed.success) return accept(parsed.data);
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") || "its top";
  return refuse({
    code: "unavailable",
    detail: `the code host sent an unexpected response (at ${where})`,
  });
}

/** What was asked for; null where the host has no such thing. */
export function nullIfMissing<T>(outcome: Outcome<T>): Outcome<T | null> {
  return outcome.ok || outcome.refusal.code !== "not-found" ? outcome : accept(null);
}

/** An outcome without its value. */
export function done(outcome: Outcome<unknown>): Outcome<true> {
  return outcome.ok ? accept(true) : outcome;
}
