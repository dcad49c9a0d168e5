import type { Git } from "../../workspace/git/git.ts";
import type { Reader } from "../../workspace/workspace.ts";
import { textOf } from "./memory.ts";
import type { CheckReport } from "./report.ts";

/** The text of a page at the head of a check; null if it cannot be read. */
export type PageTexts = (path: string) => string | null;

/** The repository that has the pages. */
export type PageSides = { readonly git: Git | null; readonly reader: Reader | null };

/** Reads the pages of a report's findings, as they are at its head. */
export async function readPageTexts(sides: PageSides, report: CheckReport): Promise<PageTexts> {
  const wanted = [...new Set(report.findings.map(({ path }) => path))];
  const head = report.docs?.head ?? report.head;
  const texts =
    head === "worktree" ? await readFromDisk(sides, wanted) : await readFromGit(sides, head, wanted);
  return (path) => texts.get(path) ?? null;
}

type PageTextMap = ReadonlyMap<string, string | null>;

async function readFromDisk({ reader }: PageSides, paths: readonly string[]): Promise<PageTextMap> {
  const texts = new Map<string, string | null>();
  for (const path of paths) {
    const read = await reader?.read(path);
    if (read?.ok) texts.set(path, read.value.text);
  }
  return texts;
}

async function readFromGit({ git }: PageSides, head: string, paths: readonly string[]): Promise<PageTextMap> {
  if (git === null || paths.length === 0) return new Map();
  const isIndex = head === "index";
  const tree = await git.tree(isIndex ? "HEAD" : head);
  const ids = new Map<string, string | null>(tree.map(({ path, id }) => [path, id]));
  if (isIndex) for (const { path, after } of await git.changes("HEAD", "index")) ids.set(path, after);
  const wanted = paths.map((path) => ids.get(path)).filter((id) => typeof id === "string");
  const blobs = await git.blobs(wanted);
  return new Map(paths.map((path) => [path, textOf(blobs.get(ids.get(path) ?? ""))]));
}
