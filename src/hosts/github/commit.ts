import { z } from "zod";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { CommitDraft, CommittedFile } from "../host.ts";
import { encodePath, type Http } from "../rest.ts";

type Ask = <T>(shape: z.ZodType<T>, question: Parameters<Http>[0]) => Promise<Outcome<T>>;

/**
 * A commit made by the host itself: no clone is written to, and no credential is given to git. Each file must be the
 * blob it was, and a plain file; the branch moves only from where it was.
 */
export async function commitTo(ask: Ask, draft: CommitDraft): Promise<Outcome<{ id: string }>> {
  const parent = await ask(commitShape, { path: `git/commits/${encodeURIComponent(draft.parent)}` });
  if (!parent.ok) return parent;
  const base = parent.value.tree.sha;
  const modes = await findModes(ask, base, draft.files);
  if (!modes.ok) return modes;
  const entries = await writeBlobs(ask, draft.files, modes.value);
  if (!entries.ok) return entries;
  const tree = await make(ask, "git/trees", { base_tree: base, tree: entries.value });
  if (!tree.ok) return tree;
  const same = draft.replace ? await findSame(ask, draft, tree.value) : accept(null);
  if (!same.ok || same.value !== null) return same.ok ? accept({ id: same.value! }) : same;
  const body = { message: draft.message, tree: tree.value, parents: [draft.parent] };
  const commit = await make(ask, "git/commits", body);
  if (!commit.ok) return commit;
  const moved = await moveBranch(ask, draft, commit.value);
  return moved.ok ? accept({ id: commit.value }) : moved;
}

/** The mode each file has in the tree, looked up folder by folder. */
async function findModes(
  ask: Ask,
  root: string,
  files: readonly CommittedFile[],
): Promise<Outcome<ReadonlyMap<string, string>>> {
  const seen = new Map<string, Promise<Outcome<z.infer<typeof treeShape>>>>();
  const list = (id: string) => {
    const known = seen.get(id) ?? ask(treeShape, { path: `git/trees/${id}` });
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
        return refuse({ code: "not-allowed", path, detail: "it is no plain file" });
      else modes.set(path, entry.mode);
    }
  }
  return accept(modes);
}

async function writeBlobs(ask: Ask, files: readonly CommittedFile[], modes: ReadonlyMap<string, string>) {
  const entries = [];
  for (const { path, content } of files) {
    const body = { content: Buffer.from(content).toString("base64"), encoding: "base64" };
    const blob = await make(ask, "git/blobs", body);
    if (!blob.ok) return blob;
    entries.push({ path, mode: modes.get(path)!, type: "blob", sha: blob.value });
  }
  return accept(entries);
}

/** Objects are named by what they hold, so making one twice makes one. */
async function make(ask: Ask, path: string, body: unknown): Promise<Outcome<string>> {
  const made = await ask(madeShape, { method: "POST", path, body, repeatable: true });
  return made.ok ? accept(made.value.sha) : made;
}

/** The tip of a branch of ours that already is what the commit would be: then it is left alone. */
async function findSame(
  ask: Ask,
  { branch, parent }: CommitDraft,
  tree: string,
): Promise<Outcome<string | null>> {
  const now = await ask(refShape, { path: `git/ref/heads/${encodePath(branch)}` });
  if (!now.ok) return now.refusal.code === "not-found" ? accept(null) : now;
  const { sha: tip } = now.value.object;
  const commit = await ask(commitShape, { path: `git/commits/${tip}` });
  if (!commit.ok) return commit;
  const isSame = commit.value.tree.sha === tree && commit.value.parents?.[0]?.sha === parent;
  return accept(isSame ? tip : null);
}

async function moveBranch(
  ask: Ask,
  { branch, parent, replace }: CommitDraft,
  commit: string,
): Promise<Outcome<true>> {
  const name = encodePath(branch);
  const now = await ask(refShape, { path: `git/ref/heads/${name}` });
  if (!now.ok && now.refusal.code !== "not-found") return now;
  if (!now.ok) {
    const made = await ask(z.unknown(), {
      method: "POST",
      path: "git/refs",
      body: { ref: `refs/heads/${branch}`, sha: commit },
    });
    return made.ok ? accept(true) : made;
  }
  const tip = now.value.object.sha;
  if (!replace && tip !== parent)
    return refuse({ code: "stale", expected: parent, actual: tip, detail: `${branch} has moved on` });
  // Without force the host itself refuses when somebody was quicker.
  const body = { sha: commit, force: replace === true };
  const moved = await ask(z.unknown(), { method: "PATCH", path: `git/refs/heads/${name}`, body });
  return moved.ok ? accept(true) : moved;
}

const sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const madeShape = z.object({ sha });
const commitShape = z.object({
  tree: z.object({ sha }),
  parents: z.array(z.object({ sha })).optional(),
});
const refShape = z.object({ object: z.object({ sha }) });
const treeShape = z.object({
  tree: z.array(z.object({ path: z.string(), mode: z.string(), type: z.string(), sha })),
});
