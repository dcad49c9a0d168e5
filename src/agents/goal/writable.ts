import { isTestPath } from "../../drift/change/code-path.ts";
import { isDocumentPath } from "../../drift/pages/policies.ts";
import { isSourcePath } from "../../syntax/file-kinds.ts";
import { matcher } from "../../text/match/glob.ts";
import { nameShape, readGoal } from "./read-goal.ts";
import type { Task } from "./task.ts";

/** Whether something holds for a file. */
export type Covers = (path: string) => boolean;

/** The files that a person's own words let a run write, and those that the words forbid. */
type GoalScope = { readonly covers: Covers; readonly forbids: Covers };

/**
 * The files that a goal covers: the files, folders and globs that it names, and the kinds of files that it speaks of,
 * without those that it wants left alone. A goal that begins without a place covers sources and documents.
 * `more`: globs that the person adds.
 */
export function scopeOf(goal: string, more: readonly string[] = []): GoalScope {
  const { wanted, unwanted } = readGoal(goal);
  const [first = ""] = wanted.split("\n", 1);
  const isPlaced = [...namesIn(first), ...kindsIn(first)].length > 0;
  const named = anyOf([...namesIn(wanted).map(coversName), ...more.map((glob) => matcher(glob))]);
  const spoken = anyOf([...kindsIn(wanted), ...(isPlaced ? [] : [isSourcePath, isDocumentPath])]);
  const wantedNames = new Set(namesIn(wanted));
  const notNamed = anyOf(
    namesIn(unwanted).flatMap((name) => (wantedNames.has(name) ? [] : [coversName(name)])),
  );
  const notSpoken = anyOf(unwantedKinds(unwanted, wanted));
  const forbids: Covers = (path) => notNamed(path) || (notSpoken(path) && !named(path));
  return { covers: (path) => !forbids(path) && (named(path) || spoken(path)), forbids };
}

function anyOf(all: readonly Covers[]): Covers {
  return (path) => all.some((covers) => covers(path));
}

/** The kinds of files that a goal mentions ("the tests"). A path is no kind: `docs/a.md` is one page. */
function kindsIn(text: string): Covers[] {
  const words = text.replace(nameShape, " ");
  return kinds.flatMap(({ word, covers }) => (word.test(words) ? [covers] : []));
}

/** The kinds of files to leave alone. "Any other page" is a limit on no kind, and a comment is no change of code. */
function unwantedKinds(unwanted: string, wanted: string): Covers[] {
  const clauses = unwanted.split("\n").filter((clause) => !/\b(?:other|else)\b/i.test(clause));
  const isAboutComments = /\b(?:comments?|docstrings?|jsdoc)\b/i.test(wanted);
  return kindsIn(clauses.join("\n")).flatMap((covers) => {
    if (covers !== coversCode) return [covers];
    return isAboutComments ? [] : [(path: string) => isSourcePath(path)];
  });
}

/** The files that a plan would write and the goal does not cover, in order. */
export function findUncovered(tasks: readonly Task[], covers: Covers): string[] {
  const writers = tasks.filter(({ mode }) => mode === "modify" || mode === "generate");
  const targets = writers.flatMap((task) => task.targets);
  return [...new Set(targets.filter((path) => !covers(path)))].sort();
}

/** Paths, folders, globs and file names in a goal. */
function namesIn(goal: string): string[] {
  return Array.from(goal.matchAll(nameShape), ([name]) =>
    name.replace(/^(?:\.\/)+/, "").replace(/(?<![.,:;])[.,:;]+$/, ""),
  ).filter((name) => name !== "" && !/^(?:e\.g|i\.e|https?:)/.test(name));
}

function coversName(name: string): Covers {
  if (name.includes("*")) return matcher(name);
  const folder = name.endsWith("/") ? name : `${name}/`;
  const isBare = !name.includes("/");
  return (path) => path === name || path.startsWith(folder) || (isBare && path.endsWith(`/${name}`));
}

/** Words for kinds of files. */
const kinds: readonly { readonly word: RegExp; readonly covers: Covers }[] = [
  {
    word: /\b(?:docs?|documents?|documentation|readmes?|guides?|pages?|manuals?|tutorials?|articles?|changelogs?|markdown)\b/i,
    covers: isDocumentPath,
  },
  { word: /\b(?:tests?|specs?|test suite)\b/i, covers: (path) => isTestPath(path) && isSourcePath(path) },
  {
    word: /\b(?:everywhere|code ?base|sources?|code|whole project|whole repository|all files)\b/i,
    covers: coversCode,
  },
];

function coversCode(path: string): boolean {
  return isSourcePath(path) || isDocumentPath(path);
}
