import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Clone, openClone } from "./clone.ts";
import { type Answer, type Call, McpServer } from "./mcp-server.ts";
import type { Setting } from "./setting.ts";
import { type Fate, Tally } from "./tally.ts";

/**
 * The scenarios of a public benchmark of edits, read from its clone: a page is read over MCP, another program may write
 * it, and an edit is made from what the answer showed. The caller names no version.
 */
export async function measureScenarios(setting: Setting): Promise<Tally> {
  const tally = new Tally();
  const clone = openClone(setting.mirror, project);
  if (!clone) {
    console.log(`Skipped: ${project} is not in the folder of clones.`);
    return tally;
  }
  for (const [caller, callOf] of Object.entries(callers))
    for (const scenario of await readScenarios(clone)) {
      const { fate, why } = await tryScenario(scenario, callOf);
      tally.add(`${scenario.focus}, by ${caller}`, fate, fate === "right" ? undefined : () => why);
    }
  return tally;
}

const project = "YuGiMob/pi-edit-benchmark";
const folder = "src/scenarios";

type Target =
  | { readonly kind: "line"; readonly match: string }
  | { readonly kind: "line-nth"; readonly match: string; readonly nth: number }
  | { readonly kind: "range"; readonly from: string; readonly to: string }
  | { readonly kind: "empty-file" | "eof" };

type Scenario = {
  readonly id: string;
  readonly fileName: string;
  readonly focus: string;
  readonly fixture: string;
  readonly target: Target;
  readonly replacement: readonly string[];
  readonly mutateAfterRead?: (text: string) => string;
  readonly mutateAfterEditFn?: (text: string) => string;
  readonly chainedSecondTarget?: Target;
  readonly chainedSecondReplacement?: readonly string[];
  readonly readOptions?: { readonly offset: number; readonly limit: number };
  readonly blindEdit?: boolean;
  readonly expected: { readonly outcome: "applied" | "rejected" | "either"; readonly content?: string };
};

async function readScenarios(clone: Clone): Promise<readonly Scenario[]> {
  const out = mkdtempSync(join(tmpdir(), "suture-scenarios-"));
  try {
    writeFileSync(join(out, "package.json"), '{"type":"module"}');
    for (const path of clone
      .git(["ls-tree", "--name-only", `HEAD:${folder}`])
      .toString("utf8")
      .split("\n")) {
      if (!path.endsWith(".ts")) continue;
      const text = clone.git(["show", `HEAD:${folder}/${path}`]).toString("utf8");
      writeFileSync(join(out, path), text.replace(/from "(\.\/[\w-]+)"/g, 'from "$1.ts"'));
    }
    const read = (await import(pathToFileURL(join(out, "index.ts")).href)) as { scenarios: Scenario[] };
    return read.scenarios;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** A line of a page with its number and the text before it, as an answer of `read_file` shows them. */
type ShownLine = { readonly line: number; readonly anchor: string; readonly text: string };
type Wish = Pick<Scenario, "target" | "replacement"> & { readonly isInsertion: boolean };
type CallOf = {
  readonly reading: Readonly<Record<string, unknown>>;
  readonly edit: (path: string, shown: readonly ShownLine[], wish: Wish) => Call;
};

const callers: Readonly<Record<string, CallOf>> = {
  quotation: {
    reading: {},
    edit: (path, shown, { target, replacement, isInsertion }) => {
      if (target.kind === "empty-file")
        return { tool: "write_file", input: { path, content: replacement.join("\n"), rewrite: true } };
      const { first, last } = placeOf(shown, target);
      if (isInsertion)
        return {
          tool: "insert_at",
          input: { path, line: shown[last]!.line, content: replacement.join("\n") },
        };
      const old = textOf(shown, first, last);
      const now = replacement.join("\n");
      const isUnique = target.kind !== "line-nth";
      // A model quotes the line above, too, where it means one of several equal lines.
      const above = isUnique ? "" : `${shown[first - 1]!.text}\n`;
      const [from, to] = replacement.length === 0 ? [`${old}\n`, ""] : [above + old, above + now];
      return { tool: "edit_file", input: { path, old_content: from, new_content: to } };
    },
  },
  anchors: {
    reading: { anchors: true },
    edit: (path, shown, wish) => {
      const { target, replacement, isInsertion } = wish;
      if (target.kind === "empty-file") return callers.quotation!.edit(path, shown, wish);
      const { first, last } = placeOf(shown, target);
      const [from, to] = [shown[first]!, shown[last]!].map(({ line, anchor }) => `${line}:${anchor}`);
      const old = from === to ? `${from}|` : `${from}..${to}|`;
      const rows = [`${isInsertion ? " " : "-"}${old}`, ...replacement.map((line) => `+${line}`)];
      const patch = ["*** Begin Patch", `*** Update File: ${path}`, ...rows, "*** End Patch\n"].join("\n");
      return { tool: "apply_patch", input: { patch } };
    },
  },
};

function textOf(shown: readonly ShownLine[], first: number, last: number): string {
  return shown
    .slice(first, last + 1)
    .map(({ text }) => text)
    .join("\n");
}

/** Where a scenario's target stands among the lines that were shown; of a line that was not shown, the text it names. */
function placeOf(
  shown: readonly ShownLine[],
  target: Target,
): { readonly first: number; readonly last: number } {
  const find = (match: string): number => shown.findIndex(({ text }) => text.includes(match));
  if (target.kind === "range") return { first: find(target.from), last: find(target.to) };
  if (target.kind === "line-nth") {
    const at = shown.flatMap(({ text }, i) => (text.includes(target.match) ? [i] : []))[target.nth - 1]!;
    return { first: at, last: at };
  }
  const at = target.kind === "line" ? find(target.match) : shown.length - 1;
  return { first: at, last: at };
}

async function tryScenario(
  scenario: Scenario,
  { reading, edit }: CallOf,
): Promise<{ readonly fate: Fate; readonly why: string }> {
  await using server = new McpServer();
  const path = join(server.root, scenario.fileName);
  writeFileSync(path, scenario.fixture);
  await server.start();
  const call = (asked: Call): Promise<Answer> => server.call(asked);
  const change = (how: ((text: string) => string) | undefined): void => {
    if (how) writeFileSync(path, how(readFileSync(path, "utf8")));
  };
  const { readOptions: only, fileName, blindEdit } = scenario;
  const range = only ? { start_line: only.offset, end_line: only.offset + only.limit - 1 } : {};
  const read = blindEdit
    ? showLines(scenario.fixture)
    : readLines((await call({ tool: "read_file", input: { path: fileName, ...range, ...reading } })).text);
  const shown = only ? [...read, ...unseen(scenario, read)] : read;
  change(scenario.mutateAfterRead);
  const isInsertion = /^insert-/.test(scenario.id);
  const answer = await call(edit(fileName, shown, { ...scenario, isInsertion }));
  const second = scenario.chainedSecondTarget && {
    target: scenario.chainedSecondTarget,
    replacement: scenario.chainedSecondReplacement!,
    isInsertion: false,
  };
  if (second) await call(edit(fileName, readLines(answer.text, shown), second));
  if (scenario.mutateAfterEditFn) {
    change(scenario.mutateAfterEditFn);
    const undone = await call({ tool: "undo", input: {} });
    if (!undone.isRefused) return { fate: "wrong", why: `${scenario.id}: ${undone.text}` };
  }
  const after = readFileSync(path, "utf8");
  const fate = judge(scenario, answer, after);
  if (scenario.id !== "undo" || fate !== "right") return { fate, why: `${scenario.id}: ${answer.text}` };
  await call({ tool: "undo", input: {} });
  const isBack = readFileSync(path, "utf8") === scenario.fixture;
  return { fate: isBack ? "right" : "wrong", why: "the undo left another text" };
}

/** What a scenario asks for: a text, a refusal, or either. A refused edit has to say how it goes on. */
function judge({ id, fixture, mutateAfterRead, expected }: Scenario, answer: Answer, after: string): Fate {
  if (!answer.isRefused) return after === expected.content ? "right" : "wrong";
  const isKept = after === (mutateAfterRead?.(fixture) ?? fixture);
  const isHelped = id !== "error-guidance" || /read|anchor|fresh/i.test(answer.text);
  return isKept && isHelped && expected.outcome !== "applied" ? "right" : "refused";
}

function showLines(text: string): ShownLine[] {
  return text.split("\n").map((line, i) => ({ line: i + 1, anchor: "", text: line }));
}

/** The numbered lines of an answer; those of an edit stand among the ones that were shown before. */
function readLines(answer: string, before: readonly ShownLine[] = []): ShownLine[] {
  const lines = new Map(before.map((shown) => [shown.line, shown]));
  for (const row of answer.split("\n")) {
    const [, line, anchor = "", text] = /^[ >+]*(\d+)(?::(\w+))?[\t|](.*)$/.exec(row) ?? [];
    if (text !== undefined) lines.set(Number(line), { line: Number(line), anchor, text });
  }
  return [...lines.values()].sort((a, b) => a.line - b.line);
}

/** The lines that a caller means without having seen them. */
function unseen({ fixture }: Scenario, read: readonly ShownLine[]): ShownLine[] {
  return showLines(fixture).slice(read.length);
}
