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

const smallContext = 20_000;
const largeContext = 60_000;

/**
 * The characters of source in one question: as many as the user allows, else by the model. Models of the large providers
 * read more at once than those on a machine of one's own.
 */
export function contextBudget(
  { callsTools }: { readonly callsTools: boolean },
  length: number | null | undefined,
): ContextBudget & { readonly diff: number } {
  const total = length ?? (callsTools ? largeContext : smallContext);
  const share = (part: number): number => Math.round(total * part);
  return { total, named: share(0.4), imported: share(0.1), test: share(0.15), diff: share(0.75) };
}

const defaultContextBudget: ContextBudget = contextBudget({ callsTools: false }, null);

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
  const wanted = [...new Set(named)].filter((path) => known.has(path));
  for (const path of wanted) {
    const text = await put(path, budget.named, path);
    if (text !== null) imports.push(...findImports(path, text, known));
  }
  for (const path of [...used]) {
    const test = tests.get(stemOf(path));
    if (test !== undefined) await put(test, budget.test, `${test} (a test, as an example of usage)`);
  }
  const around = [...neighbours.filter((path) => known.has(path)), ...imports.sort()];
  for (const path of new Set(around)) await put(path, budget.imported, path);
  const missing = wanted.filter((path) => !used.includes(path));
  if (missing.length > 0) parts.push(fenceData("sources that are not shown", listPaths(missing)));
  return { text: parts.join("\n\n"), sources: used };
}

const overhead = 200;
const mostMissing = 20;

function listPaths(paths: readonly string[]): string {
  const more = paths.length - mostMissing;
  return [...paths.slice(0, mostMissing), ...(more > 0 ? [`(${more} more)`] : [])].join("\n");
}

/** A file of some 200 lines: its bodies often say what a page is about. */
const smallFile = 8000;

/** The text, or its skeleton, or the lines of the skeleton that fit. */
async function fitText(
  { path, text }: { readonly path: string; readonly text: string },
  { room, skeletons }: { readonly room: number; readonly skeletons: boolean },
): Promise<string> {
  if (room <= 0) return "";
  if (text.length <= room && (!skeletons || text.length <= smallFile)) return text;
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

/** The files of the repository that a file imports: by a relative name, or in Python by the package's own. */
function findImports(path: string, text: string, known: ReadonlySet<string>): string[] {
  const folder = posix.dirname(path);
  const named = [
    ...Array.from(
      text.matchAll(/(?:from|import|require\()\s*["'](\.{1,2}\/[^"'\n]{1,200})["']/g),
      ([, name]) => posix.join(folder, name!),
    ),
    ...Array.from(text.matchAll(/^from (\.[\w.]{0,200}) import/gm), ([, name]) => pythonPath(folder, name!)),
    ...(path.endsWith(".py") ? absoluteImports(text) : []),
  ];
  return named.flatMap((name) => {
    const bare = name.replace(/\.[cm]?js$/, "");
    for (const stem of [name, bare])
      for (const ending of importEndings) if (known.has(stem + ending)) return [stem + ending];
    return [];
  });
}

/** Modules as Python names them from the root of a project, whose packages may lie in `src`. */
function absoluteImports(text: string): string[] {
  const modules = Array.from(text.matchAll(/^(?:from|import) ([A-Za-z_][\w.]{0,200})/gm), ([, name = ""]) =>
    name.replaceAll(".", "/"),
  );
  return modules.flatMap((module) => [module, `src/${module}`]);
}

function pythonPath(folder: string, name: string): string {
  const dots = /^\.+/.exec(name)![0].length;
  return posix.join(folder, "../".repeat(dots - 1), name.slice(dots).replaceAll(".", "/"));
}

function indexTests(paths: readonly string[]): Map<string, string> {
  const tests = new Map<string, string>();
  for (const path of paths)
    if (isTestPath(path) && !helperFolder.test(path) && !tests.has(stemOf(path)))
      tests.set(stemOf(path), path);
  return tests;
}

/** Folders of files that tests use. They are no tests. */
const helperFolder =
  /(^|\/)(?:_?helpers?|_?utils?|support|fixtures?|__fixtures__|mocks?|__mocks__|stubs?)\//i;

/** The name that a file and its test share: without folder, extension and test marker. */
function stemOf(path: string): string {
  return posix
    .basename(path)
    .replace(/\.[^.]+$/, "")
    .replace(/^test_|(?:[._-](?:test|spec))$/, "")
    .toLowerCase();
}
