import { z } from "zod";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { blobIdLike } from "../../workspace/git/git.ts";
import type { CommitDraft, CommitResult, CommittedFile } from "../host.ts";
import { nullIfMissing } from "../pages.ts";
import { encodePath, type RestRequest } from "../rest.ts";
import { refSchema, sha } from "./ref.ts";

type SendRequest = <T>(schema: z.ZodType<T>, request: RestRequest) => Promise<Outcome<T>>;

/**
 * Makes a commit through the API, so no clone is written and git gets no credential. Each file must still be the blob
 * that was read, and a regular file. The branch moves only if it still points where it did.
 */
export async function commitTo(request: SendRequest, draft: CommitDraft): Promise<Outcome<CommitResult>> {
  const tip = draft.replaceIfMessageHas === undefined ? accept(null) : await findTip(request, draft.branch);
  if (!tip.ok) return tip;
  if (tip.value !== null) {
    const left = await leaveTip(request, draft, tip.value);
    if (!left.ok || left.value !== null) return left.ok ? accept(left.value!) : left;
  }
  const parent = await request(commitSchema, { path: `git/commits/${encodeURIComponent(draft.parent)}` });
  if (!parent.ok) return parent;
  const base = parent.value.tree.sha;
  const found = await findEntries(request, base, draft.files);
  if (!found.ok) return found;
  const modes = checkEntries(found.value, draft.files);
  if (!modes.ok) return modes;
  const entries = await writeBlobs(request, draft.files, modes.value);
  if (!entries.ok) return entries;
  const tree = await make(request, "git/trees", { base_tree: base, tree: entries.value });
  if (!tree.ok) return tree;
  const body = { message: draft.message, tree: tree.value, parents: [draft.parent] };
  const commit = await make(request, "git/commits", body);
  if (!commit.ok) return commit;
  return moveBranch(request, draft, { commit: commit.value, seen: tip.value?.id ?? null });
}

type Tip = { readonly id: string; readonly tree: string; readonly message: string };

/** The newest commit of a branch; null if there is no such branch. */
async function findTip(request: SendRequest, branch: string): Promise<Outcome<Tip | null>> {
  const now = nullIfMissing(await request(refSchema, { path: `git/ref/heads/${encodePath(branch)}` }));
  if (!now.ok) return now;
  if (now.value === null) return accept(null);
  const id = now.value;
  const commit = await request(commitSchema, { path: `git/commits/${id}` });
  if (!commit.ok) return commit;
  const { tree, message = "" } = commit.value;
  return accept({ id, tree: tree.sha, message });
}

/** Leaves our branch as it is if a person has added a commit, or if it has these edits already. */
async function leaveTip(
  request: SendRequest,
  { replaceIfMessageHas = "", message, files }: CommitDraft,
  tip: Tip,
): Promise<Outcome<CommitResult | null>> {
  if (!tip.message.includes(replaceIfMessageHas)) return accept({ id: tip.id, did: "left" });
  if (tip.message.trim() !== message.trim()) return accept(null);
  const entries = await findEntries(request, tip.tree, files);
  if (!entries.ok) return entries.refusal.code === "not-found" ? accept(null) : entries;
  const isSame = files.every(
    ({ path, content }) => entries.value.get(path)?.sha === blobIdLike(content, tip.id),
  );
  return accept(isSame ? { id: tip.id, did: "kept" } : null);
}

type TreeEntry = z.infer<typeof treeSchema>["tree"][number];

/** The entry of each file, read folder by folder. */
async function findEntries(
  request: SendRequest,
  root: string,
  files: readonly CommittedFile[],
): Promise<Outcome<ReadonlyMap<string, TreeEntry>>> {
  const seen = new Map<string, Promise<Outcome<z.infer<typeof treeSchema>>>>();
  const list = (id: string) => {
    const known = seen.get(id) ?? request(treeSchema, { path: `git/trees/${id}` });
    seen.set(id, known);
    return known;
  };
  const entries = new Map<string, TreeEntry>();
  for (const { path } of files) {
    let at = root;
    const names = path.split("/");
    for (const [depth, name] of names.entries()) {
      const tree = await list(at);
      if (!tree.ok) return tree;
      const entry = tree.value.tree.find((one) => one.path === name);
      const isLast = depth === names.length - 1;
      if (!entry || entry.type !== (isLast ? "blob" : "tree"))
        return refuse({ code: "not-found", what: "file", path, detail: "the commit has no such file" });
      if (isLast) entries.set(path, entry);
      else at = entry.sha;
    }
  }
  return accept(entries);
}

/** The mode of each file. Refused if a file has changed or is not a regular file. */
function checkEntries(
  entries: ReadonlyMap<string, TreeEntry>,
  files: readonly CommittedFile[],
): Outcome<ReadonlyMap<string, string>> {
  const modes = new Map<string, string>();
  for (const { path, before } of files) {
    const { sha: actual = "", mode = "" } = entries.get(path) ?? {};
    if (actual !== before) return refuse({ code: "stale", path, expected: before, actual });
    if (mode !== "100644" && mode !== "100755")
      return refuse({ code: "not-allowed", path, detail: "it is not a regular file" });
    modes.set(path, mode);
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

/** Moves the branch to our commit. Our own branch is left alone if a person has added a commit since it was seen. */
async function moveBranch(
  request: SendRequest,
  { branch, parent, replaceIfMessageHas }: CommitDraft,
  { commit, seen }: { readonly commit: string; readonly seen: string | null },
): Promise<Outcome<CommitResult>> {
  const made: CommitResult = { id: commit, did: "made" };
  const name = encodePath(branch);
  const now = nullIfMissing(await request(refSchema, { path: `git/ref/heads/${name}` }));
  if (!now.ok) return now;
  const tip = now.value;
  if (tip === null) {
    const created = await request(z.unknown(), {
      method: "POST",
      path: "git/refs",
      body: { ref: `refs/heads/${branch}`, sha: commit },
    });
    return created.ok ? accept(made) : created;
  }
  const isOurs = replaceIfMessageHas !== undefined;
  if (isOurs && tip !== seen) return accept({ id: tip, did: "left" });
  if (!isOurs && tip !== parent)
    return refuse({
      code: "stale",
      expected: parent,
      actual: tip,
      detail: `the branch ${branch} has a newer commit`,
    });
  // Without `force`, the host refuses if the branch has moved meanwhile.
  const body = { sha: commit, force: isOurs };
  const moved = await request(z.unknown(), { method: "PATCH", path: `git/refs/heads/${name}`, body });
  return moved.ok ? accept(made) : moved;
}

const madeSchema = z.object({ sha });
const commitSchema = z.object({ tree: z.object({ sha }), message: z.string().optional() });
const treeSchema = z.object({
  tree: z.array(z.object({ path: z.string(), mode: z.string(), type: z.string(), sha })),
});
