import { locateQuote } from "../../src/text/match/locate.ts";
import type { Hunk } from "../../src/text/model/hunk.ts";
import { indexLines, lineEnd } from "../../src/text/model/lines.ts";
import { applySplices } from "../../src/text/model/splice.ts";
import { hunksOf } from "./hunks.ts";
import type { Setting } from "./setting.ts";
import { type Fate, Tally } from "./tally.ts";

/** Real hunks as quotations in another layout: the lines that the caller repeats must keep every byte. */
export function measureLayout(setting: Setting): Tally {
  const tally = new Tally();
  for (const clone of setting.clones()) {
    let left = setting.cases;
    for (const { before, patch } of clone.patches(commits, 3)) {
      const text = left > 0 ? clone.text(before) : null;
      const hunk = text === null ? undefined : hunksOf(patch).find(isUsable);
      if (text === null || !hunk) continue;
      left--;
      for (const [kind, slip] of Object.entries(slips)) {
        const fate = judge(text, hunk, slip);
        const example = (): string => `${clone.name} ${before} line ${hunk.line}`;
        if (fate) tally.add(kind, fate, fate === "wrong" ? example : undefined);
      }
    }
  }
  return tally;
}

const commits = 200;

function isUsable({ lines, line }: Hunk): boolean {
  const kinds = new Set(lines.map(({ kind }) => kind));
  return (
    line !== undefined && kinds.has("context") && kinds.has("added") && !lines.some((each) => each.noNewline)
  );
}

/** A slip of a model: what it does to every line, and how far the match may then differ. */
type Slip = {
  readonly fit: "white-space" | "layout";
  readonly change: (lines: readonly string[]) => (line: string) => string;
};

const slips: Readonly<Record<string, Slip>> = {
  "trailing blanks": { fit: "white-space", change: () => (line) => `${line}  ` },
  "tabs for spaces": { fit: "white-space", change: () => swapUnits },
  dedented: { fit: "white-space", change: dedent },
  "typographic quotes": { fit: "layout", change: () => typographic },
};

/** Null where the slip changes nothing, so that there is nothing to try. */
function judge(text: string, hunk: Hunk, { fit, change }: Slip): Fate | null {
  const lines = hunk.lines.map((line) => line.text.replace(/\r$/, ""));
  const changed = lines.map(change(lines));
  const side = (all: readonly string[], without: string): string =>
    all.filter((_, i) => hunk.lines[i]!.kind !== without).join("\n");
  const quote = side(changed, "added");
  if (quote === side(lines, "added")) return null;
  const located = locateQuote(text, { quote, fit }, side(changed, "removed"));
  if (!located.ok) return "refused";
  return keepsRepeated(text, applySplices(text, located.value.splices), hunk) ? "right" : "wrong";
}

/** Whether every line outside the hunk, and every line of its context, is as it was, ending included. */
function keepsRepeated(before: string, after: string, hunk: Hunk): boolean {
  const [old, now] = [before, after].map(linesOf) as [string[], string[]];
  const first = hunk.line! - 1;
  let [at, to] = [first, first];
  if (!same(old.slice(0, first), now.slice(0, first))) return false;
  for (const { kind } of hunk.lines) {
    if (kind === "context" && old[at] !== now[to]) return false;
    if (kind !== "added") at++;
    if (kind !== "removed") to++;
  }
  return same(old.slice(at), now.slice(to));
}

function linesOf(text: string): string[] {
  const lines = indexLines(text);
  return lines.starts.map((start, i) => text.slice(start, lineEnd(lines, i)));
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i]);
}

function swapUnits(line: string): string {
  const indent = /^[ \t]*/.exec(line)![0];
  const swapped = indent.includes("\t") ? indent.replaceAll("\t", "    ") : indent.replaceAll("    ", "\t");
  return swapped + line.slice(indent.length);
}

function dedent(lines: readonly string[]): (line: string) => string {
  const filled = lines.filter((line) => line.trim() !== "");
  const depth = Math.min(...filled.map((line) => /^[ \t]*/.exec(line)![0].length));
  return (line) => (line.trim() === "" ? line : line.slice(depth));
}

function typographic(line: string): string {
  return line.replace(/"([^"]*)"/g, "“$1”").replace(/(\w)'(\w)/g, "$1’$2");
}
