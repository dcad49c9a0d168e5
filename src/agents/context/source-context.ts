import { posix } from "node:path";
import { isTestPath } from "../../drift/change/code-path.ts";
import { fenceData } from "../prompts/data.ts";
import { skeletonOf } from "./skeleton.ts";

/** The files of a repository that context comes from. */
export type Sources = {
  readonly paths: readonly string[];
  /** `null`: the file does not exist, or is not text. */
  read(path: string): Promise<string | null>;
};

export type ContextBudget = {
  readonly total: number;
  readonly named: number;
  readonly imported: number;
  readonly test: number;
};

const defaultContextBudget: ContextBudget = { total: 20_000, named: 8000, imported: 2000, test: 3000 };

export type SourceContext = {
  /** Fenced and labelled, ready for a prompt. */
  readonly text: string;
  /** The files in it, for the lineage of the page. */
  readonly sources: readonly string[];
};

/**
 * The source for a writer: the named files, a test of each as a usage example, neighbours, and one level of imports.
 * Only names decide the choice, and every file has its own budget, so no file can displace the others.
 */
export async function gatherSources(
  sources: Sources,
  named: readonly string[],
  options: {
    readonly budget?: ContextBudget;
    readonly skeletons?: boolean;
    /** Files that the page writes about although they are not named. */
    readonly neighbours?: readonly string[];
  } = {},
): Promise<SourceContext> {
  const { budget = defaultContextBudget, skeletons = false, neighbours = [] } = options;
  const known = new Set(sources.paths);
  const tests = indexTests(sources.paths);
  const parts: string[] = [];
  const used: string[] = [];
  let left = budget.total;
  const put = async (path: string, share: number, label: string): Promise<string | null> => {
    const text = used.includes(path) ? null : await sources.read(path);
    if (text === null) return null;
    const room = Math.min(share, left - overhead);
    // The calls in a test are the example, so a test is cut and never reduced to its signatures.
    const cut = isTestPath(path) ? cutToFit(text, room) : await fitText({ path, text }, { room, skeletons });
    if (cut === "") return text;
    const part = fenceData(label, cut);
    parts.push(part);
    used.push(path);
    left -= part.length;
    return text;
  };

  const imports: string[] = [];
  for (const path of [...new Set(named)].filter((path) => known.has(path))) {
    const text = await put(path, budget.named, path);
    if (text !== null) imports.push(...findImports(path, text, known));
  }
  for (const path of [...used]) {
    const test = tests.get(stemOf(path));
    if (test !== undefined) await put(test, budget.test, `${test} (a test, as an example of usage)`);
  }
  const around = [...neighbours.filter((path) => known.has(path)), ...imports.sort()];
  for (const path of new Set(around)) await put(path, budget.imported, path);
  return { text: parts.join("\n\n"), sources: used };
}

const overhead = 200;

/** The text, or its skeleton, or the lines of the skeleton that fit. */
async function fitText(
  { path, text }: { readonly path: string; readonly text: string },
  { room, skeletons }: { readonly room: number; readonly skeletons: boolean },
): Promise<string> {
  if (room <= 0) return "";
  if (text.length <= room && !skeletons) return text;
  const skeleton = await skeletonOf(path, text);
  return skeleton.length <= room ? skeleton : cutLines(skeleton, room);
}

function cutToFit(text: string, room: number): string {
  return text.length <= room ? text : cutLines(text, Math.max(0, room));
}

function cutLines(text: string, room: number): string {
  const end = text.lastIndexOf("\n", room);
  return end <= 0 ? "" : `${text.slice(0, end)}\n(${text.length - end} more characters not shown)`;
}

const importEndings = [
  "",
  ".ts",
  ".tsx",
  ".js",
  ".jsx",
  ".mjs",
  ".py",
  "/index.ts",
  "/index.js",
  "/__init__.py",
];

/** The files of the repository that a file imports by a relative name. */
function findImports(path: string, text: string, known: ReadonlySet<string>): string[] {
  const folder = posix.dirname(path);
  const named = [
    ...Array.from(
      text.matchAll(/(?:from|import|require\()\s*["'](\.{1,2}\/[^"'\n]{1,200})["']/g),
      ([, name]) => posix.join(folder, name!),
    ),
    ...Array.from(text.matchAll(/^from (\.[\w.]{0,200}) import/gm), ([, name]) => pythonPath(folder, name!)),
  ];
  return named.flatMap((name) => {
    const bare = name.replace(/\.[cm]?js$/, "");
    for (const stem of [name, bare])
      for (const ending of importEndings) if (known.has(stem + ending)) return [stem + ending];
    return [];
  });
}

function pythonPath(folder: string, name: string): string {
  const dots = /^\.+/.exec(name)![0].length;
  return posix.join(folder, "../".repeat(dots - 1), name.slice(dots).replaceAll(".", "/"));
}

function indexTests(paths: readonly string[]): Map<string, string> {
  const tests = new Map<string, string>();
  for (const path of paths) if (isTestPath(path) && !tests.has(stemOf(path))) tests.set(stemOf(path), path);
  return tests;
}

/** The name that a file and its test share: without folder, extension and test marker. */
function stemOf(path: string): string {
  return posix
    .basename(path)
    .replace(/\.[^.]+$/, "")
    .replace(/^test_|(?:[._-](?:test|spec))$/, "")
    .toLowerCase();
}
