import { posix } from "node:path";
import { isTestPath } from "../../drift/change/code-path.ts";
import { fenceData } from "../prompts/data.ts";
import { skeletonOf } from "./skeleton.ts";

/** The files of a repository, as far as context needs them. */
export type Sources = {
  readonly paths: readonly string[];
  /** `null`: there is none, or it is not text. */
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
  /** The files it was made from, for the lineage of what is written from it. */
  readonly sources: readonly string[];
};

/**
 * What a writer reads: the files named, a test of each as a usage example, neighbours, and one level of imports. The
 * choice depends on names alone and every file has its own budget, so no file can steer the others out.
 */
export async function gatherSources(
  sources: Sources,
  named: readonly string[],
  options: {
    readonly budget?: ContextBudget;
    readonly skeletons?: boolean;
    /** Files that nobody named and that the page speaks about all the same. */
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
    const cut = await fitText(path, text, Math.min(share, left - overhead), skeletons);
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

/** The text, or its skeleton, or as many of its whole lines as there is room for. */
async function fitText(path: string, text: string, room: number, skeletons: boolean): Promise<string> {
  if (room <= 0) return "";
  if (text.length <= room && !skeletons) return text;
  const skeleton = await skeletonOf(path, text);
  return skeleton.length <= room ? skeleton : cutLines(skeleton, room);
}

function cutLines(text: string, room: number): string {
  const end = text.lastIndexOf("\n", room);
  return end <= 0 ? "" : `${text.slice(0, end)}\n(${text.length - end} more characters not shown)`;
}

const endings = ["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".py", "/index.ts", "/index.js", "/__init__.py"];

/** Files of the repository that a file imports by a relative name. */
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
      for (const ending of endings) if (known.has(stem + ending)) return [stem + ending];
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

/** What a file and its test share: the name without folder, extension and the marks of a test. */
function stemOf(path: string): string {
  return posix
    .basename(path)
    .replace(/\.[^.]+$/, "")
    .replace(/^test_|(?:[._-](?:test|spec))$/, "")
    .toLowerCase();
}
