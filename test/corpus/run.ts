import type { Edit } from "../../src/text/model/edit.ts";
import { type Decoded, decode, encode } from "../../src/text/model/encoding.ts";
import { accept, type Outcome, type Refusal, refuse } from "../../src/text/model/outcome.ts";
import { pathsOf, planEdits } from "../../src/text/model/plan.ts";
import { parseCodexPatch } from "../../src/text/patch/codex-patch.ts";
import { parseJsonEdits } from "../../src/text/patch/json-edits.ts";
import { parseSearchReplace } from "../../src/text/patch/search-replace.ts";
import { parseUnified } from "../../src/text/patch/unified.ts";
import { bytesOf, type Case, textOf } from "./cases.ts";

/** What our engine made of a case: the files afterwards, or why it refused. */
export type Result =
  | {
      readonly ok: true;
      readonly files: ReadonlyMap<string, Uint8Array>;
      readonly modes: ReadonlyMap<string, string>;
    }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * Parses and plans a case in memory, with the peer's arguments in our terms. Where the peer allows other white
 * space, a quotation that is not there as it stands is asked for again with `fit: "layout"`.
 */
export function runCase(each: Case): Result {
  const strict = runEdits(each, editsFor(each));
  const missed = !strict.ok && strict.refusal.code === "not-found";
  const { fit } = tolerance(each);
  return missed && fit ? runEdits(each, editsFor(each, { fit })) : strict;
}

function runEdits(each: Case, edits: Outcome<readonly Edit[]>): Result {
  if (!edits.ok) return edits;
  const paths = edits.value.flatMap((edit) => ("to" in edit ? [edit.path, edit.to] : [edit.path]));
  const gated = paths.find(strays);
  if (gated !== undefined) return refuse({ code: "outside", detail: gated });
  return planIn(
    bytesOf(each, "files_before"),
    edits.value.map((edit) => countedLike(each, edit)),
    inputOf(each),
  );
}

/** Some peers count a quotation with CRLF and LF taken as equal; so can we. */
function countedLike(each: Case, edit: Edit): Edit {
  if (!each.id.startsWith("pi-mono/") || !("quote" in edit.target) || !("text" in edit)) return edit;
  return { ...edit, target: { ...edit.target, countFolded: true } };
}

/** The path gate of the workspace, as far as a tree in memory needs it. */
function strays(path: string): boolean {
  return path.startsWith("/") || path.split("/").includes("..") || path.split("/").includes(".git");
}

type Input = Record<string, unknown>;

function inputOf(each: Case): Input {
  return typeof each.input === "object" && each.input !== null ? (each.input as Input) : {};
}

/** The edits of a case, by the parser of its format. */
export function editsFor(each: Case, fit: { fit?: "layout" } = {}): Outcome<readonly Edit[]> {
  const input = inputOf(each);
  switch (each.format) {
    case "v4a":
      return parseCodexPatch(textOf(each));
    case "search_replace_blocks":
      return parseSearchReplace(textOf(each, "diff" in input ? "diff" : "text"), {
        ...blockPath(each, input),
        ...fit,
      });
    case "unified":
    case "unified_loose":
    case "context":
    case "normal_or_ed":
    case "git-metadata":
      return unifiedEdits(each, input);
    default:
      return parseJsonEdits(inOurTerms(each, input), fit);
  }
}

/** roo's blocks never name their file: it is an argument, and its marker checks need none. */
function blockPath(each: Case, input: Input): { path?: string } {
  if (input.path !== undefined) return { path: String(input.path) };
  return each.id.startsWith("roo-code/") ? { path: "file" } : {};
}

/** Peers whose own matching allows other white space are run with ours that does. */
const tolerant =
  /^(?:aider|roo-code|cline\/blocks|gemini-cli|oh-my-pi|opencode|continue|pi-mono|qwen-code|mcp-filesystem)/;

export function tolerance(each: Case): { fit?: "layout" } {
  return tolerant.test(each.id) ? { fit: "layout" } : {};
}

/** cline inserts before a line counted from 1, we after it. */
function inOurTerms(each: Case, input: Input): Input {
  if (each.id.startsWith("cline/") && typeof input.insert_line === "number")
    return { ...input, insert_line: input.insert_line - 1 };
  return input;
}

function unifiedEdits(each: Case, input: Input): Outcome<readonly Edit[]> {
  const patch = textOf(each);
  const strip = stripOf(input);
  const edits = parseUnified(patch, strip);
  const target = input.target === undefined ? undefined : String(input.target);
  if (target === undefined)
    return edits.ok ? accept(edits.value.map((edit) => inFolder(edit, input.cwd))) : edits;
  // A file named on the command line is the file, whatever the headers say.
  const named = edits.ok ? edits : parseUnified(patch, { ...strip, path: target });
  return named.ok ? accept(named.value.map((edit) => ({ ...edit, path: target }))) : named;
}

function stripOf(input: Input): { strip?: number } {
  const options = (input.git_options ?? input.patch_args ?? []) as readonly string[];
  const given = options
    .map((option) => /^-p ?(\d+)$/.exec(option)?.[1])
    .find((digits) => digits !== undefined);
  return given === undefined ? {} : { strip: Number(given) };
}

function inFolder(edit: Edit, folder: unknown): Edit {
  if (typeof folder !== "string") return edit;
  const within = (path: string): string => `${folder}/${path}`;
  return "to" in edit
    ? { ...edit, path: within(edit.path), to: within(edit.to) }
    : { ...edit, path: within(edit.path) };
}

function planIn(before: ReadonlyMap<string, Uint8Array>, edits: readonly Edit[], input: Input): Result {
  const decoded = new Map<string, Decoded>();
  for (const path of pathsOf(edits)) {
    const bytes = before.get(path);
    if (!bytes) continue;
    const text = decode(bytes, { strayBytes: "keep" });
    if (!text.ok) return text;
    decoded.set(path, text.value);
  }
  const snapshots = pathsOf(edits).map((path) => ({
    path,
    text: decoded.get(path)?.text ?? null,
    version: path,
  }));
  const plan = planEdits(edits, snapshots);
  if (!plan.ok) return plan;
  const files = new Map(before);
  const modes = new Map<string, string>();
  if (isDryRun(input)) return { ok: true, files, modes };
  for (const { path, after, from, mode } of plan.value.changes) {
    files.delete(path);
    if (mode) modes.set(path, mode);
    if (after === null) continue;
    const encoding = decoded.get(from ?? path)?.encoding ?? "utf-8";
    const bytes = encode(after, encoding);
    if (!bytes.ok) return bytes;
    files.set(path, bytes.value);
  }
  return { ok: true, files, modes };
}

function isDryRun(input: Input): boolean {
  const args = (input.patch_args ?? []) as readonly string[];
  return input.dry_run === true || input.dryRun === true || args.includes("--dry-run");
}
