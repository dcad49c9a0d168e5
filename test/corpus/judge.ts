import { isDeepStrictEqual } from "node:util";
import { findQuote } from "../../src/text/match/quote.ts";
import type { Refusal } from "../../src/text/model/outcome.ts";
import { bytesOf, type Case } from "./cases.ts";
import { comparable, inPeersShape } from "./parsed.ts";
import { editsFor, type Result, runCase, tolerance } from "./run.ts";

/** Whether we did what a case records; `why` says what we did instead. */
export type Verdict = { readonly pass: true } | { readonly pass: false; readonly why: string };

export function judge(peer: string, each: Case): Verdict {
  if (each.kind === "parse") return judgeParse(peer, each);
  if (each.kind === "locate") return judgeLocate(each);
  return judgeResult(each.kind === "normalize" ? withResult(each) : each, runCase(each));
}

/** What a peer's normalised strings do to the one file. */
function withResult(each: Case): Case {
  const [path, text] = Object.entries(each.files_before)[0]!;
  const { old_string, new_string } = each.normalized!;
  const at = text.indexOf(old_string);
  const after = text.slice(0, at) + new_string + text.slice(at + old_string.length);
  return { ...each, expect: { ok: true, files_after: { [path]: after } } };
}

function judgeParse(peer: string, each: Case): Verdict {
  const edits = editsFor(each);
  if (edits.ok !== each.expect.ok) return differs(edits.ok ? "parsed" : JSON.stringify(edits.refusal));
  if (!edits.ok || each.parsed === undefined) return passed;
  const shape = comparable(inPeersShape(peer, edits.value));
  return isDeepStrictEqual(shape, comparable(each.parsed)) ? passed : differs(JSON.stringify(shape));
}

function judgeLocate(each: Case): Verdict {
  const { search, all } = each.input as { search: string; all?: boolean };
  const text = Object.values(each.files_before)[0]!;
  const found = findQuote(text, search, tolerance(each));
  const wanted = (each.matches ?? []) as readonly {
    start?: number;
    end?: number;
    startIndex?: number;
    actualText?: string;
  }[];
  if (!each.expect.ok) return found.count !== 1 ? passed : differs("found");
  const ours = all === false ? found.regions.slice(0, 1) : found.regions;
  const theirs = wanted.map(({ start, end, startIndex, actualText }) => ({
    start: start ?? startIndex,
    end: end ?? startIndex! + actualText!.length,
  }));
  return isDeepStrictEqual(ours, theirs) ? passed : differs(JSON.stringify(found.regions));
}

function judgeResult(each: Case, result: Result): Verdict {
  if (!result.ok) {
    if (each.expect.ok) return mayRefuse(each) ? passed : differs(summary(result.refusal));
    const codes = kinds.get(each.expect.error_kind ?? "");
    return !codes || codes.includes(result.refusal.code) ? passed : differs(summary(result.refusal));
  }
  if (!each.expect.ok) return differs("applied");
  const files = differingFiles(each, result);
  return files.length === 0 ? passed : differs(files.join("; "));
}

/** What the peers' kinds of error are to us, where they say the same thing. */
const kinds = new Map<string, readonly Refusal["code"][]>([
  ["not_found", ["not-found", "malformed"]],
  ["not_unique", ["ambiguous"]],
  ["no_change", ["no-change"]],
  ["context_mismatch", ["not-found", "no-change", "malformed", "overlap", "ambiguous"]],
  ["file_not_found", ["not-found", "malformed"]],
  ["already_exists", ["exists", "malformed"]],
  ["empty_patch", ["malformed"]],
  ["empty_search", ["malformed", "exists"]],
  ["path_escape", ["outside", "malformed"]],
]);

function mayRefuse(each: Case): boolean {
  return each.alternatives?.includes("may instead refuse") ?? false;
}

function differingFiles(each: Case, result: Result & { ok: true }): string[] {
  const wanted = bytesOf(each, "files_after");
  const before = bytesOf(each, "files_before");
  const differing: string[] = [];
  for (const path of new Set([...wanted.keys(), ...result.files.keys()])) {
    const [ours, theirs] = [result.files.get(path), wanted.get(path)];
    if (isByProduct(path, theirs, before) && !ours) continue;
    if (/\.(?:orig|rej)$/.test(path)) continue;
    if (!ours || !theirs || Buffer.compare(ours, theirs) !== 0)
      differing.push(`${path} ${ours ? JSON.stringify(Buffer.from(ours).toString()) : "is not there"}`);
  }
  for (const [path, mode] of Object.entries(each.modes_after ?? {}))
    if (mode !== each.modes_before?.[path] && /7[0-7]{2}$/.test(mode) && !modeGiven(each, result, path))
      differing.push(`${path} keeps its mode`);
  return differing;
}

/** Backups that a peer leaves beside the file: a new file with the content of an old one. */
function isByProduct(
  path: string,
  bytes: Uint8Array | undefined,
  before: ReadonlyMap<string, Uint8Array>,
): boolean {
  if (!bytes || before.has(path)) return false;
  return [...before.values()].some((old) => Buffer.compare(old, bytes) === 0);
}

function modeGiven(each: Case, result: Result & { ok: true }, path: string): boolean {
  const kept = Object.values(each.modes_before ?? {}).some((mode) => /7[0-7]{2}$/.test(mode));
  return result.modes.get(path) === "executable" || kept;
}

function summary({ code, ...rest }: Refusal): string {
  return `${code} ${JSON.stringify(rest)}`;
}

const passed: Verdict = { pass: true };

function differs(why: string): Verdict {
  return { pass: false, why: why.slice(0, 600) };
}
