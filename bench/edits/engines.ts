import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { applyPatch } from "diff";
import { patchApply, patchMake } from "diff-match-patch-es";
import { placeHunks } from "../../src/text/match/hunks/place-hunks.ts";
import { decode, encode } from "../../src/text/model/encoding.ts";
import { applySplices } from "../../src/text/model/splice.ts";
import { parseUnified } from "../../src/text/patch/unified.ts";

/** A patch, the bytes it is tried on, and the bytes before and after the change it was made of. */
export type PatchJob = {
  readonly patch: Uint8Array;
  readonly onto: Uint8Array;
  readonly base: Uint8Array;
  readonly to: Uint8Array;
};

/** The bytes after the patch, or null where the engine refused. */
export type PatchEngine = (job: PatchJob) => Uint8Array | null;

export const sutureEngines: Readonly<Record<string, PatchEngine>> = {
  Suture: ({ patch, onto }) => applyWithSuture(patch, onto),
  "Suture, base blob known": ({ patch, onto, base }) => applyWithSuture(patch, onto, base),
};

export const peerEngines: Readonly<Record<string, PatchEngine>> = {
  "git apply": (job) => runProgram(job, "git", ["apply", "--unidiff-zero", "patch"]),
  "GNU patch": (job) =>
    runProgram(job, "patch", ["--batch", "--silent", "--no-backup-if-mismatch", "file", "patch"]),
  "jsdiff, fuzz 0": (job) => applyWithJsdiff(job, 0),
  "jsdiff, fuzz 2": (job) => applyWithJsdiff(job, 2),
};

/** Needs the two texts and not the patch, so the context makes no difference. */
export const matchPatch: PatchEngine = ({ onto, base, to }) => {
  const [after, applied] = patchApply(patchMake(textOf(base), textOf(to)), textOf(onto)) as [
    string,
    boolean[],
  ];
  return applied.every(Boolean) ? bytesOf(after, onto) : null;
};

/** What Suture makes of a patch, byte for byte. Bytes that are not UTF-8 stand for themselves. */
export function applyWithSuture(patch: Uint8Array, onto: Uint8Array, base?: Uint8Array): Uint8Array | null {
  const [text, diff] = [onto, patch].map((bytes) => decode(bytes, { strayBytes: "keep" }));
  const known = base && decode(base, { strayBytes: "keep" });
  if (!text?.ok || !diff?.ok || known?.ok === false) return null;
  const edits = parseUnified(diff.value.text);
  if (!edits.ok) return null;
  const hunks = edits.value.flatMap(({ target }) => ("hunks" in target ? target.hunks : []));
  const placed = placeHunks(text.value.text, hunks, { base: known?.value.text });
  if (!placed.ok) return null;
  // The patch can bring in bytes of a kind that the file did not have.
  const encodings = [text.value.encoding, diff.value.encoding];
  const encoding = encodings.find((each) => each !== "utf-8") ?? "utf-8";
  const bytes = encode(applySplices(text.value.text, placed.value.splices), encoding);
  return bytes.ok ? bytes.value : null;
}

function applyWithJsdiff({ patch, onto }: PatchJob, fuzzFactor: number): Uint8Array | null {
  try {
    const applied = applyPatch(textOf(onto), textOf(patch), { fuzzFactor });
    return applied === false ? null : bytesOf(applied, onto);
  } catch {
    return null;
  }
}

/** Bytes that are not UTF-8 become one character each, so that an engine for texts loses none. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString(isUtf8(bytes) ? "utf8" : "latin1");
}

function bytesOf(text: string, like: Uint8Array): Uint8Array {
  return Buffer.from(text, isUtf8(like) ? "utf8" : "latin1");
}

function isUtf8(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes);
  return Buffer.from(buffer.toString("utf8"), "utf8").equals(buffer);
}

/** Runs a program on a file named `file` in a folder of its own. */
function runProgram({ patch, onto }: PatchJob, program: string, args: readonly string[]): Uint8Array | null {
  const folder = mkdtempSync(join(tmpdir(), "suture-bench-edits-"));
  try {
    writeFileSync(join(folder, "file"), onto);
    writeFileSync(join(folder, "patch"), renamed(patch));
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() };
    const { status } = spawnSync(program, args, { cwd: folder, env, stdio: "ignore" });
    return status === 0 ? readFileSync(join(folder, "file")) : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A diff of two blobs names them by their ids; programs need the name of a file. */
function renamed(patch: Uint8Array): Buffer {
  const text = Buffer.from(patch)
    .toString("latin1")
    .replace(/^diff --git .*$/m, "diff --git a/file b/file")
    .replace(/^--- .*$/m, "--- a/file")
    .replace(/^\+\+\+ .*$/m, "+++ b/file");
  return Buffer.from(text, "latin1");
}

/** Replaces a quotation in a text; null where the engine refused. */
export type QuoteEngine = (text: string, old: string, now: string) => Promise<string | null>;

/** The edit tool of the reference MCP server for files. */
export async function openReferenceServer(): Promise<QuoteEngine> {
  const { applyFileEdits }: { applyFileEdits: ApplyFileEdits } = await import(
    import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/lib.js")
  );
  return async (text, old, now) => {
    const folder = mkdtempSync(join(tmpdir(), "suture-bench-edits-"));
    const path = join(folder, "file");
    try {
      writeFileSync(path, text);
      await applyFileEdits(path, [{ oldText: old, newText: now }]);
      return readFileSync(path, "utf8");
    } catch {
      return null;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

type ApplyFileEdits = (path: string, edits: { oldText: string; newText: string }[]) => Promise<string>;

/** Applies the body of a `*** Begin Patch` envelope; null where the engine refused. */
export type EnvelopeEngine = (text: string, body: string) => string | null;

/** `applyDiff` of the OpenAI agents package, from a folder in which it is installed; else the reason why not. */
export async function openEnvelopePeer(folder: string | undefined): Promise<EnvelopeEngine | string> {
  if (folder === undefined)
    return "@openai/agents-core is left out: name a folder where it is installed with --peers.";
  try {
    const from = createRequire(join(resolve(folder), "package.json"));
    const entry = from.resolve("@openai/agents-core/utils");
    const { applyDiff }: { applyDiff: (text: string, body: string) => string } = await import(
      pathToFileURL(entry).href
    );
    return (text, body) => {
      try {
        return applyDiff(text, body);
      } catch {
        return null;
      }
    };
  } catch (error) {
    return `@openai/agents-core is left out: ${error instanceof Error ? error.message : error}`;
  }
}
