import type { z } from "zod";
import { accept, type Outcome } from "../text/model/outcome.ts";
import { done, parseResponse, readPages } from "./pages.ts";
import type { RestClient, RestRequest, RestResponse } from "./rest.ts";
import type { Comment, OwnComments } from "./sticky-comment.ts";

/** How a host keeps our comments or issues: the requests, and the shape of one in a response. */
export type OwnTexts<T> = {
  readonly schema: z.ZodType<T>;
  readonly list: RestRequest;
  /** The most that are listed. */
  readonly most: number;
  isOurs(found: T): boolean;
  toComment(found: T): Comment;
  create(body: string): RestRequest;
  update(id: Comment["id"], body: string): RestRequest;
  remove(id: Comment["id"]): RestRequest;
};

/** Our comments or issues on a host. */
export function openOwnTexts<T>(http: RestClient, texts: OwnTexts<T>): OwnComments {
  const { schema, most } = texts;
  const read = (response: Outcome<RestResponse>): Outcome<Comment> => {
    const found = parseResponse(schema, response);
    return found.ok ? accept(texts.toComment(found.value)) : found;
  };
  return {
    list: async () => {
      const all = await readPages(http, texts.list, schema, { most });
      return all.ok ? accept(all.value.filter(texts.isOurs).map(texts.toComment)) : all;
    },
    create: async (body) => read(await http(texts.create(body))),
    update: async (id, body) => read(await http(texts.update(id, body))),
    remove: async (id) => done(await http(texts.remove(id))),
  };
}
