import { createPace } from "../pace.ts";
import type { ChangeModel } from "./change-model.ts";
import { type FileKind, fileKind } from "./file-kind.ts";
import { rolesOf } from "./roles.ts";
import { splitLines, tokenise } from "./tokens.ts";

/** Where a name still occurs at the head, outside documents. */
export type Survivors = {
  /** Files that contain the name, by their purpose. */
  readonly files: Readonly<Record<FileKind, number>>;
  /** Lines of product code that declare the name, use it, or have it only in a comment or a sentence. */
  readonly declared: number;
  readonly used: number;
  readonly text: number;
  /** Lines that declare or use it, in files that the change did not touch. */
  readonly elsewhere: number;
};

const MOST_FILES = 24;
const LARGEST = 400_000;

const NO_FILES: Readonly<Record<FileKind, number>> = {
  product: 0,
  test: 0,
  example: 0,
  automation: 0,
  tooling: 0,
  generated: 0,
  manifest: 0,
  data: 0,
};

/** Looks up names in all tracked files that are no documents. All names of a change are looked up at once. */
export async function findSurvivors(
  change: ChangeModel,
  names: readonly string[],
): Promise<ReadonlyMap<string, Survivors>> {
  const found = await change.input.occurrences([...new Set(names)]);
  const touched = new Set(change.comparisons.map(({ path }) => path));
  const survivors = new Map<string, Survivors>();
  const pace = createPace();
  for (const [name, paths] of found) {
    await pace();
    survivors.set(name, await readSurvivors(change, name, paths, touched));
  }
  return survivors;
}

async function readSurvivors(
  change: ChangeModel,
  name: string,
  paths: readonly string[],
  touched: ReadonlySet<string>,
): Promise<Survivors> {
  const files = { ...NO_FILES };
  for (const path of paths) files[fileKind(path)]++;
  const counted = { declared: 0, used: 0, text: 0, elsewhere: 0 };
  const product = paths.filter((path) => fileKind(path) === "product" || fileKind(path) === "manifest");
  for (const path of product.slice(0, MOST_FILES)) {
    const text = await change.read(path);
    // A file that cannot be read may use the name: it counts as a use.
    if (text === null || text.length > LARGEST) {
      counted.used++;
      counted.elsewhere++;
      continue;
    }
    countRoles(text, name, touched.has(path), counted);
  }
  return { files, ...counted };
}

function countRoles(
  text: string,
  name: string,
  isTouched: boolean,
  counted: { declared: number; used: number; text: number; elsewhere: number },
): void {
  for (const line of linesWith(text, name)) {
    const tokens = tokenise(line);
    const roles = rolesOf(line, tokens);
    const at = tokens.findIndex((token) => token.text === name);
    const role = at < 0 ? "used" : roles[at]!;
    counted[role]++;
    if (role !== "text" && !isTouched) counted.elsewhere++;
  }
}

const MOST_LINES = 200;

function linesWith(text: string, name: string): string[] {
  if (!text.includes(name)) return [];
  const bounded = new RegExp(`(?<![\\w-])${name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}(?![\\w-])`);
  return splitLines(text)
    .filter((line) => line.includes(name) && line.length < 2000 && bounded.test(line))
    .slice(0, MOST_LINES);
}
