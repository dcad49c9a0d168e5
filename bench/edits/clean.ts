import { decode } from "../../src/text/model/encoding.ts";
import { offer } from "../../src/tools/call.ts";
import { editingTools } from "../../src/tools/catalog.ts";
import { openContext } from "../../src/tools/context.ts";
import { createMemoryDisk, type MemoryDisk } from "../../src/workspace/files/memory-files.ts";
import type { Clone } from "./clone.ts";
import type { Setting } from "./setting.ts";
import { type Fate, Tally } from "./tally.ts";

/** The diffs of real commits through the `apply_patch` tool, with consent, on the files they were made for. */
export async function measureClean(setting: Setting): Promise<Tally> {
  const tally = new Tally();
  for (const clone of setting.clones())
    for (const commit of commitsOf(clone, setting.cases)) {
      const patch = diffOf(clone, commit);
      if (patch === null || patch.length === 0) continue;
      const changes = readChanges(clone, commit);
      const { fate, why } = await judge(clone, changes, patch);
      const example = (): string => `${clone.name} ${commit} ${why}`;
      tally.add(rowOf(changes, patch), fate, fate === "right" ? undefined : example);
    }
  return tally;
}

/** The diff of a commit as git prints it; null where the clone lacks a blob. */
function diffOf(clone: Clone, commit: string): Buffer | null {
  const args = ["diff", "-M", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv"];
  try {
    return clone.git([...args, `${commit}^`, commit]);
  } catch {
    return null;
  }
}

/** Commits with one parent, spread over the newest of a clone. */
function commitsOf(clone: Clone, most: number): string[] {
  const args = ["log", "--no-merges", "--min-parents=1", "--format=%H", `-n${most * 12}`, "HEAD"];
  const all = clone.git(args).toString("utf8").split("\n").filter(Boolean);
  const step = Math.max(1, Math.floor(all.length / most));
  return all.filter((_, i) => i % step === 0).slice(0, most);
}

/** One file of a commit: its mode, blob and path on both sides. */
type FileChange = {
  readonly modes: readonly [string, string];
  readonly blobs: readonly [string, string];
  readonly from: string;
  readonly to: string;
};

function readChanges(clone: Clone, commit: string): FileChange[] {
  const fields = clone
    .git(["diff", "--raw", "--no-abbrev", "-M", "-z", `${commit}^`, commit])
    .toString("utf8")
    .split("\0");
  const changes: FileChange[] = [];
  for (let at = 0; at < fields.length - 1; ) {
    const [oldMode, newMode, before, after, how] = fields[at]!.slice(1).split(" ") as [
      string,
      string,
      string,
      string,
      string,
    ];
    const isMoved = /^[RC]/.test(how);
    const [from, to] = [fields[at + 1]!, fields[at + (isMoved ? 2 : 1)]!];
    changes.push({ modes: [oldMode, newMode], blobs: [before, after], from, to });
    at += isMoved ? 3 : 2;
  }
  clone.load(changes.flatMap(({ blobs }) => blobs).filter((id) => !isNothing(id)));
  return changes;
}

const isNothing = (id: string): boolean => /^0+$/.test(id);

/** Diffs that no text tool can apply are counted apart. */
function rowOf(changes: readonly FileChange[], patch: Buffer): string {
  const modes = changes.flatMap((change) => change.modes);
  if (modes.some((mode) => mode === "120000" || mode === "160000")) return "with a link or a submodule";
  return /^Binary files .* differ$/m.test(patch.toString("latin1")) ? "with a binary file" : "text";
}

type Judged = { readonly fate: Fate; readonly why?: string };

async function judge(clone: Clone, changes: readonly FileChange[], patch: Buffer): Promise<Judged> {
  const disk = createMemoryDisk();
  for (const { from, blobs, modes } of changes)
    if (!isNothing(blobs[0]) && clone.bytes(blobs[0]))
      disk.put(from, clone.bytes(blobs[0])!, Number.parseInt(modes[0].slice(-3), 8));
  const opened = await openContext({
    root: "/",
    files: disk.process(),
    strict: true,
    policy: { consent: true },
  });
  if (!opened.ok) return { fate: "refused", why: opened.refusal.code };
  const text = readPatch(patch);
  const answer = await offer(editingTools).callTool(opened.value, "apply_patch", { patch: text });
  await opened.value.close();
  if (!answer.success) {
    return {
      fate: "refused",
      why: `${answer.code}: ${answer.error?.slice(0, 160)}`,
    };
  }
  const paths = new Set(changes.map(({ to }) => to));
  const isLeft = ({ from }: FileChange): boolean => !paths.has(from) && disk.read(from) !== null;
  const other = changes.find((change) => isLeft(change) || !isMade(clone, disk, change));
  return other ? { fate: "wrong", why: other.to } : { fate: "right" };
}

/** The patch as a text; bytes that are not UTF-8 stand as the reading tools show them. */
function readPatch(patch: Buffer): string {
  const decoded = decode(patch, { strayBytes: "keep" });
  return decoded.ok ? decoded.value.text : patch.toString("utf8");
}

/** Whether a file is as the commit left it: bytes, mode, and no file where it was removed or moved away. */
function isMade(clone: Clone, disk: MemoryDisk, { blobs, modes, from, to }: FileChange): boolean {
  if (isNothing(blobs[1])) return disk.read(from) === null;
  const file = disk.read(to);
  const wanted = clone.bytes(blobs[1]);
  if (file === null || wanted === null || !wanted.equals(file.bytes)) return false;
  return (file.mode & 0o100) === (Number.parseInt(modes[1], 8) & 0o100);
}
