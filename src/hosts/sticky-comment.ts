import { accept, type Outcome } from "../text/model/outcome.ts";
import type { CommentResult, WriteComment } from "./host.ts";

/** A comment or an issue. */
export type Comment = { readonly id: number | string; readonly body: string; readonly url: string | null };

/** Our comments on one pull request, oldest first. */
export type OwnComments = {
  list(): Promise<Outcome<readonly Comment[]>>;
  create(body: string): Promise<Outcome<Comment>>;
  update(id: Comment["id"], body: string): Promise<Outcome<Comment>>;
  remove(id: Comment["id"]): Promise<Outcome<true>>;
};

/** Writes the comment that begins with a marker. Afterwards there is exactly one, also if two runs wrote at once. */
export async function keepOneComment(
  comments: OwnComments,
  marker: string,
  write: WriteComment,
): Promise<Outcome<CommentResult>> {
  const find = async (): Promise<Outcome<readonly Comment[]>> => {
    const all = await comments.list();
    return all.ok ? accept(all.value.filter(({ body }) => body.startsWith(marker))) : all;
  };
  const found = await find();
  if (!found.ok) return found;
  const [first, ...copies] = found.value;
  const body = write(first?.body ?? null);
  if (first === undefined) {
    if (body === null) return accept({ did: "nothing", url: null });
    return createOne(comments, body, find);
  }
  const cleared = await clear(comments, copies);
  if (!cleared.ok) return cleared;
  if (body === null || body === first.body) return accept({ did: "nothing", url: first.url });
  const updated = await comments.update(first.id, body);
  return updated.ok ? accept({ did: "updated", url: updated.value.url }) : updated;
}

/** Lists the comments again: the response may have been lost, or two runs may have written at once. */
async function createOne(
  comments: OwnComments,
  body: string,
  find: () => Promise<Outcome<readonly Comment[]>>,
): Promise<Outcome<CommentResult>> {
  let created = await comments.create(body);
  const after = await find();
  if (!after.ok) return created.ok ? after : created;
  if (!created.ok && after.value.length === 0) {
    created = await comments.create(body);
    return created.ok ? accept({ did: "created", url: created.value.url }) : created;
  }
  const [first, ...copies] = after.value;
  const cleared = await clear(comments, copies);
  if (!cleared.ok) return cleared;
  if (first && first.body !== body) {
    const updated = await comments.update(first.id, body);
    if (!updated.ok) return updated;
  }
  return accept({ did: "created", url: first?.url ?? (created.ok ? created.value.url : null) });
}

async function clear(comments: OwnComments, copies: readonly Comment[]): Promise<Outcome<true>> {
  for (const { id } of copies) {
    const removed = await comments.remove(id);
    if (!removed.ok && removed.refusal.code !== "not-found") return removed;
  }
  return accept(true);
}
