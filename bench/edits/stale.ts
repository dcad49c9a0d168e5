import type { Hunk } from "../../src/text/model/hunk.ts";
import { offer } from "../../src/tools/call.ts";
import { editingTools } from "../../src/tools/catalog.ts";
import { openContext } from "../../src/tools/context.ts";
import { SessionMemory } from "../../src/tools/session-memory.ts";
import { createMemoryDisk } from "../../src/workspace/files/memory-files.ts";
import { gitMerge } from "./histories.ts";
import { hunksOf } from "./hunks.ts";
import type { Setting } from "./setting.ts";
import { type Fate, Tally } from "./tally.ts";

/**
 * Real hunks after another writer has changed the file that a session has read. The caller sends no version. A refusal is
 * right where a line that the edit quotes or numbers has changed, and needless elsewhere.
 */
export async function measureStale(setting: Setting): Promise<Tally> {
  const tally = new Tally();
  for (const clone of setting.clones()) {
    let left = setting.cases;
    for (const { before, patch } of clone.patches(commits, 3)) {
      const text = left > 0 ? clone.text(before) : null;
      const hunk = text === null ? undefined : hunksOf(patch).find(isUsable);
      if (text === null || !hunk || text.includes("\r") || !text.endsWith("\n")) continue;
      left--;
      for (const [place, write] of Object.entries(writers))
        for (const [tool, callOf] of Object.entries(calls)) {
          const fate = await tryStale(text.split("\n"), { hunk, write, callOf, tool });
          const example = (): string => `${clone.name} ${before} line ${hunk.line}`;
          if (fate)
            tally.add(`${tool}, another writer ${place}`, fate, fate === "wrong" ? example : undefined);
        }
    }
  }
  return tally;
}

const commits = 60;

function isUsable({ lines, line }: Hunk): boolean {
  const isWhole = !lines.some(({ noNewline }) => noNewline);
  return line !== undefined && line > 0 && isWhole && lines.some(({ kind }) => kind === "context");
}

type Lines = readonly string[];
/** The lines of a hunk's old side: from 0, half-open. */
type Span = { readonly first: number; readonly end: number };

/** What another program makes of the lines, given those that the edit is about; null where it cannot be done. */
type Writer = (lines: Lines, span: Span) => { readonly now: Lines; readonly above?: number } | null;

const writers: Readonly<Record<string, Writer>> = {
  "before it": (lines) => ({ now: ["a new first line", lines[0]!, ...lines], above: 2 }),
  "inside it": (lines, { first, end }) => {
    const at = first + ((end - first) >> 1);
    return { now: lines.with(at, `${lines[at]} changed`) };
  },
  "after it": (lines, { end }) =>
    end + near < lines.length ? { now: [...lines.slice(0, -1), "a new last line", ""] } : null,
  "far away": (lines, { first, end }) => {
    const at = first > 20 ? first - 15 : end + 15;
    return at < lines.length - 1 ? { now: lines.with(at, `${lines[at]} changed`) } : null;
  },
  "with a copy above": (lines, { first, end }) =>
    first > near ? { now: [...lines.slice(first, end), "between", ...lines], above: end - first + 1 } : null,
  "formats the file": (lines) => ({
    now: lines.map((line) => line.replace(/^(?:\t| {2})+/, (blank) => blank + blank)),
  }),
};

/** Beside a change, git takes another one as a conflict. */
const near = 3;

type Call = {
  readonly input: Readonly<Record<string, unknown>>;
  readonly wanted: Lines;
  readonly named: Span;
};

/** The call for a hunk, the lines it gives, and the lines that it quotes or numbers. */
type CallOf = (hunk: Hunk, lines: Lines) => Call;

const sideOf = (hunk: Hunk, without: string): string[] =>
  hunk.lines.filter(({ kind }) => kind !== without).map(({ text }) => text);

const spanOf = (hunk: Hunk): Span => {
  const first = hunk.line! - 1;
  return { first, end: first + sideOf(hunk, "added").length };
};

const calls: Readonly<Record<string, CallOf>> = {
  edit_file: (hunk, lines) => {
    const [old, now, named] = [sideOf(hunk, "added"), sideOf(hunk, "removed"), spanOf(hunk)];
    const input = {
      old_content: `${old.join("\n")}\n`,
      new_content: now.map((line) => `${line}\n`).join(""),
    };
    return { input, wanted: lines.toSpliced(named.first, old.length, ...now), named };
  },
  patch_file: (hunk, lines) => {
    const [old, now, named] = [sideOf(hunk, "added"), sideOf(hunk, "removed"), spanOf(hunk)];
    const marks = { context: " ", removed: "-", added: "+" };
    const body = hunk.lines.map(({ kind, text }) => `${marks[kind]}${text}\n`).join("");
    const patch = `@@ -${hunk.line},${old.length} +${hunk.line},${now.length} @@\n${body}`;
    return { input: { patch }, wanted: lines.toSpliced(named.first, old.length, ...now), named };
  },
  insert_at: (hunk, lines) => {
    const line = hunk.line!;
    const input = { line, content: "an inserted line" };
    const named = { first: line - 1, end: line };
    return { input, wanted: lines.toSpliced(line, 0, "an inserted line"), named };
  },
};

type StaleCase = {
  readonly hunk: Hunk;
  readonly write: Writer;
  readonly callOf: CallOf;
  readonly tool: string;
};

async function tryStale(lines: Lines, { hunk, write, callOf, tool }: StaleCase): Promise<Fate | null> {
  const { input, wanted, named } = callOf(hunk, lines);
  const written = write(lines, named);
  const part = lines.slice(named.first, named.end);
  const isSeveral = lines.filter((_, i) => startsWith(lines, part, i)).length > 1;
  if (written === null || (tool === "edit_file" && isSeveral)) return null;
  const { now, above = 0 } = written;
  const text = now.join("\n");
  const disk = createMemoryDisk();
  disk.put("file.txt", lines.join("\n"));
  const memory = new SessionMemory();
  const opened = await openContext({ root: "/", files: disk.process(), strict: true, memory });
  if (!opened.ok) throw new Error(opened.refusal.code);
  await using context = opened.value;
  const { callTool } = offer(editingTools);
  const shown = {
    start_line: Math.max(1, named.first - 20),
    end_line: Math.min(named.end + 20, lines.length - 1),
  };
  await callTool(context, "read_file", { path: "file.txt", ...shown });
  disk.put("file.txt", text);
  const answer = await callTool(context, tool, { path: "file.txt", ...input });
  const after = Buffer.from(disk.read("file.txt")!.bytes).toString("utf8");
  const [base, theirs, ours] = [lines, wanted, now].map((each) => Buffer.from(each.join("\n")));
  // A hunk shows lines around its change, and goes where git's merge would put it. Other calls name their lines.
  const merged = tool === "patch_file" ? gitMerge({ base: base!, theirs: theirs!, ours: ours! }) : null;
  const at = named.first + above;
  const made = wanted.slice(named.first, named.end + wanted.length - lines.length);
  const carried = startsWith(now, part, at) ? now.toSpliced(at, part.length, ...made).join("\n") : null;
  const expected = tool === "patch_file" ? (merged?.toString("utf8") ?? null) : carried;
  if (!answer.success) return expected === null && after === text ? "right" : "refused";
  return after === expected ? "right" : "wrong";
}

function startsWith(lines: Lines, part: Lines, at: number): boolean {
  return part.every((line, i) => lines[at + i] === line);
}
