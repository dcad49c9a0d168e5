import type { Hunk } from "../../src/text/model/hunk.ts";
import { offer } from "../../src/tools/call.ts";
import { editingTools } from "../../src/tools/catalog.ts";
import { openContext } from "../../src/tools/context.ts";
import { SessionMemory } from "../../src/tools/session-memory.ts";
import { createMemoryDisk } from "../../src/workspace/files/memory-files.ts";
import { hunksOf } from "./hunks.ts";
import type { Setting } from "./setting.ts";
import { type Fate, Tally } from "./tally.ts";

/** Real hunks through `edit_file`, with the slips in white space that models make: as the tool is, and with `fit`. */
export async function measureSlips(setting: Setting): Promise<Tally> {
  const tally = new Tally();
  let hunks = 0;
  for (const clone of setting.clones()) {
    let left = setting.cases;
    for (const { before, patch } of clone.patches(commits, 3)) {
      const text = left > 0 ? clone.text(before) : null;
      const hunk = text === null ? undefined : hunksOf(patch).find(isUsable);
      if (text === null || !hunk || text.includes("\r") || !isUnique(text, hunk)) continue;
      left--;
      hunks++;
      for (const [kind, slip] of Object.entries(slips)) {
        const call = slipped(text, hunk, slip);
        if (!call) continue;
        for (const fit of [undefined, "white-space"] as const) {
          const fate = await tryEdit(call, fit);
          const example = (): string => `${clone.name} ${before} line ${hunk.line}`;
          tally.add(`${fit ?? "exact"}: ${kind}`, fate, fate === "wrong" ? example : undefined);
        }
      }
    }
  }
  console.log(`Hunks: ${hunks}; with fit: ${share(tally, (row) => row.startsWith("white-space"))}`);
  console.log(`Retries that were offered: ${retries(tally)}\n`);
  return tally;
}

const commits = 200;

function share(tally: Tally, isMeant: (row: string) => boolean): string {
  const [right, refused, wrong] = (["right", "refused", "wrong"] as const).map((fate) =>
    tally.count(fate, isMeant),
  ) as [number, number, number];
  const total = right + refused + wrong;
  return `${total} slips, wrong ${wrong}, refused ${refused} (${((100 * refused) / total).toFixed(1)} %).`;
}

function retries(tally: Tally): string {
  const [right, wrong] = [tally.count("refused, then right"), tally.count("refused, then wrong")];
  return `${right + wrong}, right ${right}.`;
}

/** Whether the quotation without a slip has one place. */
function isUnique(text: string, { lines }: Hunk): boolean {
  const old = lines.filter(({ kind }) => kind !== "added").map((line) => line.text);
  return `\n${text}`.split(`\n${old.join("\n")}\n`).length === 2;
}

function isUsable({ lines, line }: Hunk): boolean {
  const kinds = new Set(lines.map(({ kind }) => kind));
  const isWhole = !lines.some(({ noNewline }) => noNewline);
  return line !== undefined && isWhole && kinds.has("context") && kinds.has("added");
}

/** What a slip does to a line, given all lines of the hunk; whether only the quotation has it; where it can be undone. */
type Slip = {
  readonly change: (lines: readonly string[]) => (line: string) => string;
  readonly onlyOld?: true;
  readonly fits?: (line: string) => boolean;
};

const slips: Readonly<Record<string, Slip>> = {
  "old and new dedented": { change: dedent },
  "both off by one space": { change: () => offByOne },
  "both 4 spaces for a tab": { change: () => untabbed },
  "both half the indentation": { change: () => halved, fits: (line) => spacesOf(line) % 2 === 0 },
  "only old dedented": { change: dedent, onlyOld: true },
  "only old off by one space": { change: () => offByOne, onlyOld: true },
  "only old 4 spaces for a tab": { change: () => untabbed, onlyOld: true },
};

type SlippedEdit = {
  readonly text: string;
  readonly wanted: string;
  readonly old: string;
  readonly now: string;
};

/** The call of a model that slipped; null where the slip changes nothing. */
function slipped(text: string, hunk: Hunk, { change, onlyOld, fits = () => true }: Slip): SlippedEdit | null {
  const side = (without: string): string[] =>
    hunk.lines.filter(({ kind }) => kind !== without).map((line) => line.text);
  const [old, now] = [side("added"), side("removed")];
  // A model that slips in one text measures that text alone.
  const slippedOld = old.map(change(onlyOld ? old : [...old, ...now]));
  if (slippedOld.join("\n") === old.join("\n") || ![...old, ...now].every(fits)) return null;
  const lines = text.split("\n");
  lines.splice(hunk.line! - 1, old.length, ...now);
  return {
    text,
    wanted: lines.join("\n"),
    old: slippedOld.join("\n"),
    now: (onlyOld ? now : now.map(change([...old, ...now]))).join("\n"),
  };
}

async function tryEdit({ text, wanted, old, now }: SlippedEdit, fit: string | undefined): Promise<Fate> {
  const disk = createMemoryDisk();
  disk.put("file.txt", text);
  const opened = await openContext({
    root: "/",
    files: disk.process(),
    strict: true,
    memory: new SessionMemory(),
  });
  if (!opened.ok) throw new Error(opened.refusal.code);
  await using context = opened.value;
  const { callTool } = offer(editingTools);
  const isWanted = (): boolean => Buffer.from(disk.read("file.txt")!.bytes).toString("utf8") === wanted;
  const input = { path: "file.txt", old_content: old, new_content: now, ...(fit ? { fit } : {}) };
  const answer = await callTool(context, "edit_file", input);
  if (answer.success) return isWanted() ? "right" : "wrong";
  if (!answer.retry) return "refused";
  const second = await callTool(context, answer.retry.tool, answer.retry.arguments);
  if (second.success) return isWanted() ? "refused, then right" : "refused, then wrong";
  return "refused";
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}

function dedent(lines: readonly string[]): (line: string) => string {
  const filled = lines.filter((line) => line.trim() !== "");
  const depth = Math.min(...filled.map((line) => indentOf(line).length));
  return (line) => (line.trim() === "" ? line : line.slice(depth));
}

function offByOne(line: string): string {
  return line.trim() !== "" && line.startsWith(" ") ? line.slice(1) : line;
}

function untabbed(line: string): string {
  const indent = indentOf(line);
  return indent.replaceAll("\t", "    ") + line.slice(indent.length);
}

function halved(line: string): string {
  return line.slice(spacesOf(line) / 2);
}

function spacesOf(line: string): number {
  return /^ */.exec(line)![0].length;
}
