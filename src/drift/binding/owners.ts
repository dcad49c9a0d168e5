import { namesPackages } from "../../syntax/manifests/manifest.ts";
import type { DocumentPage } from "../change/change-model.ts";
import { fold } from "../change/names.ts";
import { parentKeyAt } from "../pages/command-lines.ts";
import { headingWords, type Statement } from "../pages/statements.ts";
import type { State } from "../state/state.ts";
import type { Thing } from "../surface/thing.ts";
import type { BoundBy } from "./bound-by.ts";
import { isOwn, OF_MODULE } from "./own-modules.ts";

/** How a page names the owner of a thing; `none` where it does not. */
export type OwnedBy = Extract<BoundBy, "qualified" | "sentence" | "section" | "package"> | "none";

export type Owned = { readonly things: readonly Thing[]; readonly by: OwnedBy };

/** How a page names things whose owner was looked for: without an owner, by the name alone. */
export function namedBy({ by }: Pick<Owned, "by">, isShaped: boolean): BoundBy {
  return by === "none" ? (isShaped ? "shape" : "word") : by;
}

/**
 * Of several things of one name, those of whose owners the page names most: before the name, in the sentence, in a heading, by the
 * package that the page belongs to. All of them where the page names none.
 */
export async function chooseOwner(
  things: readonly Thing[],
  {
    owner,
    statement,
    state,
  }: { readonly owner: readonly string[]; readonly statement: Statement; readonly state: State },
): Promise<Owned> {
  const isModule = owner.length === 1 && things.some(isTop) && (await isOwn(owner[0]!, state));
  const levels: readonly (readonly [OwnedBy, () => (thing: Thing) => number])[] = [
    ["qualified", () => ownedBy(new Set(owner.map(fold)))],
    ["qualified", () => (thing) => Number(isTop(thing) && (isModule || isInFolder(thing, owner[0])))],
    ["section", () => heldBelow(statement)],
    ["sentence", () => ownedBy(namesOf(statement))],
    ...statement.headings.flatMap((heading) => {
      const words = headingWords(statement.page, heading);
      return [["section", () => ownedBy(words)] as const, ["section", () => heldFor(words)] as const];
    }),
    ["package", () => inPackage(statement.page, state)],
  ];
  for (const [by, create] of levels) {
    if (by === "qualified" && owner.length === 0) continue;
    const ranks = things.map(create());
    const most = Math.max(0, ...ranks);
    if (most > 0) return { things: things.filter((_, at) => ranks[at] === most), by };
  }
  return { things, by: "none" };
}

/** Whether a module has a thing, and no type in it. */
function isTop({ kind, owner }: Thing): boolean {
  return owner.length === 0 && OF_MODULE.has(kind);
}

/** Packages of Go are called by their folders. */
function isInFolder({ path }: Thing, name = ""): boolean {
  return path.endsWith(".go") && path.split("/").at(-2) === name;
}

function namesOf(statement: Statement): ReadonlySet<string> {
  const known =
    folded.get(statement) ?? new Set([...statement.names, ...statement.leads].map(({ name }) => fold(name)));
  folded.set(statement, known);
  return known;
}

const folded = new WeakMap<Statement, ReadonlySet<string>>();

/** How many of the owners of a thing the words name. */
function ownedBy(words: ReadonlySet<string>): (thing: Thing) => number {
  return ({ owner }) => owner.filter((name) => words.has(fold(name))).length;
}

/** The key or the table of a data sample that holds the name: `[ai.opening]` is of `opening` or of `AiOpening`. */
function heldBelow(statement: Statement): (thing: Thing) => number {
  const parent = parentKeyAt(statement, statement.region.start);
  const key = parent ? fold(parent) : "";
  return ({ owner }) => Number(key !== "" && owner.length > 0 && fold(owner.at(-1)!).endsWith(key));
}

/** `CMakeConfig` and `ServerOptions` are what a section calls CMake and Server. */
function heldFor(words: ReadonlySet<string>): (thing: Thing) => number {
  const isHeld = (name: string): boolean => HOLDER.test(name) && words.has(fold(name.replace(HOLDER, "")));
  return ({ owner }) => Number(owner.some(isHeld));
}

const HOLDER = /(?<=.)(?:Config|Configuration|Options|Settings|Props)$/;

/** The things of the page's package: the nearest folder above the page that has a manifest. */
function inPackage({ path }: DocumentPage, state: State): (thing: Thing) => number {
  const folders = packages.get(state) ?? foldersOfPackages(state.files());
  packages.set(state, folders);
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    const folder = path.slice(0, at + 1);
    if (folders.has(folder)) return (thing) => Number(thing.path.startsWith(folder));
  }
  return () => 0;
}

const packages = new WeakMap<State, ReadonlySet<string>>();

function foldersOfPackages(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) if (namesPackages(path)) folders.add(path.slice(0, path.lastIndexOf("/") + 1));
  return folders;
}
