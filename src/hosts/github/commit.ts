import { z } from "zod";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { CommitDraft, CommittedFile } from "../host.ts";
import { encodePath, type RestRequest } from "../rest.ts";

type SendRequest = <T>(schema: z.ZodType<T>, request: RestRequest) => Promise<Outcome<T>>;

/**
 * Makes a commit through the API, so no clone is written and git gets no credential. Each file must still be the blob
 * that was read, and a regular file. The branch moves only if it still points where it did.
 */
export async function commitTo(request: SendRequest, draft: CommitDraft): Promise<Outcome<{ id: string }>> {
  const parent = await request(commitSchema, { path: `git/commits/${encodeURIComponent(draft.parent)}` });
  if (!parent.ok) return parent;
  const base = parent.value.tree.sha;
  const modes = await findModes(request, base, draft.files);
  if (!modes.ok) return modes;
  const entries = await writeBlobs(request, draft.files, modes.value);
  if (!entries.ok) return entries;
  const tree = await make(request, "git/trees", { base_tree: base, tree: entries.value });
  if (!tree.ok) return tree;
  const same = draft.replace ? await findSame(request, draft, tree.value) : accept(null);
  if (!same.ok || same.value !== null) return same.ok ? accept({ id: same.value! }) : same;
  const body = { message: draft.message, tree: tree.value, parents: [draft.parent] };
  const commit = await make(request, "git/commits", body);
  if (!commit.ok) return commit;
  const moved = await moveBranch(request, draft, commit.value);
  return moved.ok ? accept({ id: commit.value }) : moved;
}

/** The mode of each file in the tree, read folder by folder. */
async function findModes(
  request: SendRequest,
  root: string,
  files: readonly CommittedFile[],
): Promise<Outcome<ReadonlyMap<string, string>>> {
  const seen = new Map<string, Promise<Outcome<z.infer<typeof treeSchema>>>>();
  const list = (id: string) => {
    const known = seen.get(id) ?? request(treeSchema, { path: `git/trees/${id}` });
    seen.set(id, known);
    return known;
  };
  const modes = new Map<string, string>();
  for (const { path, before } of files) {
    let at = root;
    const names = path.split("/");
    for (const [depth, name] of names.entries()) {
      const tree = await list(at);
      if (!tree.ok) return tree;
      const entry = tree.value.tree.find((one) => one.path === name);
      const isLast = depth === names.length - 1;
      if (!entry || entry.type !== (isLast ? "blob" : "tree"))
        return refuse({ code: "not-found", what: "file", path, detail: "the commit has no such file" });
      if (!isLast) at = entry.sha;
      else if (entry.sha !== before)
        return refuse({ code: "stale", path, expected: before, actual: entry.sha });
      else if (entry.mode !== "100644" && entry.mode !== "100755")
        return refuse({ code: "not-allowed", path, detail: "it is not a regular file" });
      else modes.set(path, entry.mode);
    }
  }
  return accept(modes);
}

async function writeBlobs(
  request: SendRequest,
  files: readonly CommittedFile[],
  modes: ReadonlyMap<string, string>,
) {
  const entries = [];
  for (const { path, content } of files) {
    const body = { content: Buffer.from(content).toString("base64"), encoding: "base64" };
    const blob = await make(request, "git/blobs", body);
    if (!blob.ok) return blob;
    entries.push({ path, mode: modes.get(path)!, type: "blob", sha: blob.value });
  }
  return accept(entries);
}

/** Git names objects by their content, so creating one twice gives the same object. */
async function make(request: SendRequest, path: string, body: unknown): Promise<Outcome<string>> {
  const made = await request(madeSchema, { method: "POST", path, body, repeatable: true });
  return made.ok ? accept(made.value.sha) : made;
}

/** The tip of our branch, if it has the same tree and parent already. Then the branch stays as it is. */
async function findSame(
  request: SendRequest,
  { branch, parent }: CommitDraft,
  tree: string,
): Promise<Outcome<string | null>> {
  const now = await request(refSchema, { path: `git/ref/heads/${encodePath(branch)}` });
  if (!now.ok) return now.refusal.code === "not-found" ? accept(null) : now;
  const { sha: tip } = now.value.object;
  const commit = await request(commitSchema, { path: `git/commits/${tip}` });
  if (!commit.ok) return commit;
  const isSame = commit.value.tree.sha === tree && commit.value.parents?.[0]?.sha === parent;
  return accept(isSame ? tip : null);
}

async function moveBranch(
  request: SendRequest,
  { branch, parent, replace }: CommitDraft,
  commit: string,
): Promise<Outcome<true>> {
  const name = encodePath(branch);
  const now = await request(refSchema, { path: `git/ref/heads/${name}` });
  if (!now.ok && now.refusal.code !== "not-found") return now;
  if (!now.ok) {
    const made = await request(z.unknown(), {
      method: "POST",
      path: "git/refs",
      body: { ref: `refs/heads/${branch}`, sha: commit },
    });
    return made.ok ? accept(true) : made;
  }
  const tip = now.value.object.sha;
  if (!replace && tip !== parent)
    return refuse({ code: "stale", expected: parent, actual: tip, detail: `${branch} has moved on` });
  // Without `force`, the host refuses if the branch has moved meanwhile.
  const body = { sha: commit, force: replace === true };
  const moved = await request(z.unknown(), { method: "PATCH", path: `git/refs/heads/${name}`, body });
  return moved.ok ? accept(true) : moved;
}

const sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const madeSchema = z.object({ sha });
const commitSchema = z.object({
  tree: z.object({ sha }),
  parents: z.array(z.object({ sha })).optional(),
});
const refSchema = z.object({ object: z.object({ sha }) });
const treeSchema = z.object({
  tree: z.array(z.object({ path: z.string(), mode: z.string(), type: z.string(), sha })),
});
