import { isTestPath } from "../../drift/change/code-path.ts";
import { isDocumentPath } from "../../drift/pages/policies.ts";
import { isSourcePath } from "../../syntax/file-kinds.ts";
import { matcher } from "../../text/match/glob.ts";
import type { Task } from "./task.ts";

/** Whether the person's own words cover a file. */
export type Covers = (path: string) => boolean;

/**
 * The files that a goal lets a run write: the files, folders and globs that it names, and the kinds of files that it
 * speaks of. A goal that begins without a place covers sources and documents. `more`: globs that the person adds.
 */
export function coveredBy(goal: string, more: readonly string[] = []): Covers {
  const [first = ""] = goal.split(/[,;:!\n]|\.\s|\b(?:and|then)\b/, 1);
  const anywhere = placesIn(first).length > 0 ? [] : [isSourcePath, isDocumentPath];
  const all = [...placesIn(goal), ...anywhere, ...more.map((glob) => matcher(glob))];
  return (path) => all.some((covers) => covers(path));
}

function placesIn(text: string): Covers[] {
  const spoken = kinds.flatMap(({ word, covers }) => (word.test(text) ? [covers] : []));
  return [...namesIn(text).map(coversName), ...spoken];
}

/** The files that a plan would write and the goal does not cover, in order. */
export function findUncovered(tasks: readonly Task[], covers: Covers): string[] {
  const writers = tasks.filter(({ mode }) => mode === "modify" || mode === "generate");
  const targets = writers.flatMap((task) => task.targets);
  return [...new Set(targets.filter((path) => !covers(path)))].sort();
}

/** Paths, folders, globs and file names in a goal. */
function namesIn(goal: string): string[] {
  const shapes =
    /(?<![\w/.@-])(?:\.{0,2}\/)?(?:[\w@.*-]+\/)+[\w@.*-]*|(?<![\w/@-])[\w@*-]*\.?[\w@*-]+\.[A-Za-z][A-Za-z0-9]{0,8}\b(?!\()|(?<![\w/.])\.[a-z][\w.-]+/g;
  return Array.from(goal.matchAll(shapes), ([name]) =>
    name.replace(/^(?:\.\/)+/, "").replace(/[.,:;]+$/, ""),
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
    covers: (path) => isSourcePath(path) || isDocumentPath(path),
  },
];
