import { HOST_FOLDERS } from "../../syntax/code-hosts.ts";
import { hasDocumentEnding, isDocumentPath } from "../../syntax/formats/registry.ts";
import { isGenerated } from "./owned-regions.ts";

export { isDocumentPath, isGenerated };

/** The purpose of a page. It decides whether rules may report the page. */
export type DocumentClass =
  | "page"
  | "instructions"
  | "history"
  | "versioned"
  | "translation"
  | "generated"
  | "fixture"
  | "meta";

const INSTRUCTIONS =
  /(^|\/)(agents|claude|gemini|copilot-instructions|skill|conventions|[^/]+\.(instructions|prompt|chatmode|agent))\.(md|mdc)$|(^|\/)\.(cursorrules|windsurfrules|clinerules)(\/|$)|(^|\/)\.(cursor|claude|agents?|windsurf|codex|junie|kiro|roo)\/|(^|\/)\.github\/(instructions|prompts|agents|chatmodes)\//i;

const HISTORY_FOLDER =
  /(^|\/)(changelogs?|changes|\.?changesets?|history|news|newsfragments|releases?|release[-_]?notes?|relnotes|whats?[-_]?new|blog|_?posts|rfcs?|adrs?|seps?|peps?|enhancements?|decisions|designs?|design[-_]docs?|plans|proposals?|upgrad(e|es|ing)|migrat(e|ion|ions|ing)|unreleased|changelog\.d|deprecations?|announcements?|meeting-notes|backwards)([-_.][^/]*)?\//i;
const HISTORY_FILE =
  /(^|\/)[^/]*(changelog|changes|release[-_]?notes?|releasenotes|migrat(e|ion|ing)|upgrad(e|ing)|breaking|deprecat(ed|ions?)|roadmap|whats?[-_]?new|history|news|rfc)[^/]*\.[a-z]+$|(^|\/)v?\d+(\.\d|\.x)[^/]*\.[a-z]+$|(^|\/)(adr|rfc)[-_]?\d+[^/]*\.[a-z]+$|(^|\/)\d{4}-\d{2}-\d{2}-[^/]*\.[a-z]+$|(^|\/)backwards?[-_.][^/]*$|(^|\/)releases\.[a-z]+$/i;
/** `next.md` lists what the next release changes; `next.mdx` is a page about Next.js. */
const NEXT_RELEASE = /(^|\/)next\.(?!mdx)[a-z]+$/i;
const VERSIONED =
  /(^|\/)(versioned[-_]docs|versioned[-_]sidebars|version-\d[^/]*|docs?[-_]?v\d[^/]*|docs?\/v?\d+|([a-z]+-)?v?\d+(\.[\dx]+)+|legacy|archived?|old)\/|(^|\/)(docs?|documentation|readme|manual|guide)[-_.]v?\d+(\.[\dx]+)*\.[a-z]+$/i;
const GENERATED_PATH =
  /(^|\/)(generated|_?build|dist|out|target|vendor|node_modules|third[-_]party|gen)\/|[-_.](generated|gen)\.[a-z]+$|(^|\/)[^/]*\.api\.md$/i;
const FIXTURE =
  /(^|\/)(tests?|test[-_]?(data|lib|kit|support|resources)|__tests__|specs?|e2e|fixtures?|__fixtures__|__snapshots__|snapshots|integration[-_]tests?|playgrounds?|benchmarks?|bench|benches|__mocks__|mocks?|fuzz|templates?|template-[^/]*|scaffold[^/]*|boilerplate|stubs|skeleton)\//i;
/** Folders of documents that are about templates and the like. */
const TOPIC = /(?<=(?:^|\/)(?:docs?|documentation)\/(?:[^/]+\/)*)(?:templates?|mocks?|stubs|snapshots)\//gi;
const META =
  /(^|\/)(code[-_]of[-_]conduct|licen[cs]e|copying|contributors|authors|thanks|sponsors|backers|governance|codeowners|pull_request_template|issue_template|funding|security|support|users|team|credits|adopters|maintainers|acknowledge?ments?|notice|todo|emeritus|who[-_]uses|releasing|release[-_]?(process|testing|checklist)?)(\.[a-z.]+)?$|(^|\/)\.(circleci|vscode|devcontainer)\//i;
/** Forms that people fill in, in the folder of a code host. Its other pages are pages. */
const HOST_FORM = new RegExp(`(^|\\/)(?:${HOST_FOLDERS})\\/(?:.*\\/)?[^/]*_template(?:s?\\/|[^/]*$)`, "i");
const LOCALE =
  /^(zh|ja|jp|ko|kr|cn|fr|es|pt|ru|de|it|tr|vi|id|uk|pl|fa|ar|cs|nl|bn|hi|az|hu|he|th|sk|sv|ckb|ro|el|da|fi|nb|no|bg|ca|sr|hr|si|ta|te|ur|ms)([-_](cn|tw|hk|hans|hant|[a-z]{2}))?$/i;
const LOCALE_FILE =
  /[._-](zh|zh[-_](cn|tw|hans|hant)|cn|ja|jp|ko|kr|fr|es|pt|pt[-_]br|ru|de|it|tr|vi|fa|ar|uk|pl|id)\.[a-z]+$/i;
const LANGUAGE_FILE =
  /readme[-_.]?(chinese|japanese|korean|french|spanish|german|russian|portuguese|turkish|vietnamese)/i;

/** The class of a document path. Order matters: the purpose of a page outranks its folder. */
export function documentClass(path: string): DocumentClass {
  if (INSTRUCTIONS.test(path)) return "instructions";
  if (HISTORY_FOLDER.test(path) || HISTORY_FILE.test(path) || isNextRelease(path)) return "history";
  if (META.test(path) || HOST_FORM.test(path)) return "meta";
  if (isTranslation(path)) return "translation";
  if (VERSIONED.test(path)) return "versioned";
  if (FIXTURE.test(path.replace(TOPIC, ""))) return "fixture";
  if (GENERATED_PATH.test(path)) return "generated";
  return "page";
}

/** Whether a page may tell how things are: also a page about migrations, which rules leave alone as a guide of the past. */
export function maySpeakOfNow(path: string): boolean {
  const documented = documentClass(path);
  const isAboutMigrations = /(^|\/)[^/]*migrations?\.[a-z]+$/i.test(path) && !HISTORY_FOLDER.test(path);
  return documented === "page" || (documented === "history" && isAboutMigrations);
}

function isNextRelease(path: string): boolean {
  return NEXT_RELEASE.test(path) && hasDocumentEnding(path);
}

function isTranslation(path: string): boolean {
  const folders = path.split("/").slice(0, -1);
  return (
    folders.some((folder) => LOCALE.test(folder) || /^(i18n|translat|locale)/i.test(folder)) ||
    LOCALE_FILE.test(path) ||
    LANGUAGE_FILE.test(path)
  );
}

const ignoreMark = /(?:<!--|\.\.|\/\/|\{\/\*|#)\s*suture-ignore(-start|-end|-file)?\b/;

/** The marks of a page that ask to ignore lines, in their order. */
export function ignoreMarksOf(text: string): string[] {
  if (!text.includes("suture-ignore")) return [];
  return text.split("\n").flatMap((line) => ignoreMark.exec(line)?.[0] ?? []);
}

/**
 * Lines, counted from 0, that the page asks to ignore: the line and the block after `suture-ignore`, all lines between
 * `suture-ignore-start` and `suture-ignore-end`, or the whole page after `suture-ignore-file`.
 */
export function findIgnoredLines(text: string): (line: number) => boolean {
  if (!text.includes("suture-ignore")) return () => false;
  const ignored = new Set<number>();
  let between = false;
  let block = false;
  const lines = text.split("\n");
  for (const [line, words] of lines.entries()) {
    const mark = ignoreMark.exec(words);
    if (mark?.[1] === "-file") return () => true;
    if (mark?.[1] === "-start") between = true;
    if (mark && mark[1] === undefined) block = true;
    if (between || block) ignored.add(line);
    if (mark?.[1] === "-end") between = false;
    // A block ends at the first blank line after it began.
    if (block && !mark && !words.trim() && !/suture-ignore/.test(lines[line - 1] ?? "")) block = false;
  }
  return (line) => ignored.has(line);
}

/** Whether a page is for people who work on this repository: other pages may speak of the reader's own project. */
export function isForContributors(path: string): boolean {
  return FOR_CONTRIBUTORS.test(path);
}

const FOR_CONTRIBUTORS =
  /(^|\/)(?:contribut|agents|claude|develop|hacking|building|maintain|architecture|internals?)[^/]*$|contributing\//i;
