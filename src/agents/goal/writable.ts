import { isTestPath } from "../../drift/change/code-path.ts";
import { isDocumentPath } from "../../drift/pages/policies.ts";
import { isSourcePath } from "../../syntax/file-kinds.ts";
import { matcher } from "../../text/match/glob.ts";
import type { Task } from "./task.ts";

/** Whether the person's own words cover a file. */
export type Covers = (path: string) => boolean;

/**
 * The files that a goal lets a run write: the files, folders and globs that it names, and the kinds of files that it
 * speaks of, without those that it wants left alone. A goal that begins without a place covers sources and documents.
 * `more`: globs that the person adds.
 */
export function coveredBy(goal: string, more: readonly string[] = []): Covers {
  const wanted = goal.replace(leftAlone, " ");
  const unwanted = (goal.match(leftAlone) ?? []).join("\n");
  const [first = ""] = wanted.split(/[,;:!\n]|\.\s|\b(?:and|then)\b/, 1);
  const isPlaced = [...namesIn(first), ...kindsIn(first)].length > 0;
  const named = anyOf([...namesIn(wanted).map(coversName), ...more.map((glob) => matcher(glob))]);
  const spoken = anyOf([...kindsIn(wanted), ...(isPlaced ? [] : [isSourcePath, isDocumentPath])]);
  const notNamed = anyOf(namesIn(unwanted).map(coversName));
  const notSpoken = anyOf(kindsIn(unwanted));
  return (path) => !notNamed(path) && (named(path) || (spoken(path) && !notSpoken(path)));
}

/** A part of a goal that says what not to change, up to the end of its sentence. */
const leftAlone =
  /\b(?:(?:do not|don't|never|without) (?:\w+ ){0,2}?(?:chang|touch|edit|modif|writ|rewrit|alter|updat|remov|delet)\w*|leave|except|but not|other than)\b[^.;!\n]*(?:\.(?=\w)[^.;!\n]*)*/gi;

function anyOf(all: readonly Covers[]): Covers {
  return (path) => all.some((covers) => covers(path));
}

/** The kinds of files that a text speaks of. The name of a file or folder speaks of none: `docs/a.md` is one page. */
function kindsIn(text: string): Covers[] {
  const words = text.replace(nameShape, " ");
  return kinds.flatMap(({ word, covers }) => (word.test(words) ? [covers] : []));
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
    name.replace(/^(?:\.\/)+/, "").replace(/[.,:;]+$/, ""),
  ).filter((name) => name !== "" && !/^(?:e\.g|i\.e|https?:)/.test(name));
}

const nameShape =
  /(?<![\w/.@-])(?:\.{0,2}\/)?(?:[\w@.*-]+\/)+[\w@.*-]*|(?<![\w/@-])[\w@*-]*\.?[\w@*-]+\.[A-Za-z][A-Za-z0-9]{0,8}\b(?!\()|(?<![\w/.])\.[a-z][\w.-]+/g;

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
