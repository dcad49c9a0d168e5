import type { DocumentText, DriftInput } from "./change/change.ts";
import { type DocumentPage, openPages } from "./change/change-model.ts";
import { inStyle, partsOf } from "./change/names.ts";
import { RUNNERS } from "./change/runners.ts";
import { type Finding, joinNotices, type Notice, type RuleName, type Tier } from "./findings.ts";
import { anchorsOf, findLinks, foldAnchor, type Link } from "./pages/links.ts";
import { findIgnoredLines } from "./pages/policies.ts";

/** A repository as it stands, without a change. */
export type WholeInput = Pick<DriftInput, "tree" | "documents" | "occurrences"> & {
  readonly read: (path: string) => Promise<string | null>;
};

/**
 * What documents say that is false on its face, whoever made it so: links, anchors and paths that lead nowhere, tasks
 * nobody can run, flags the code does not know. A link to a missing file is certain; what a site or a generator may
 * supply is possible.
 */
export async function findBroken(input: WholeInput): Promise<Finding[]> {
  const pages = openPages(input.documents);
  const places = createPlaces(input.tree);
  const anchors = createAnchors(input.documents);
  const notices = [
    ...pages.flatMap((page) => [...brokenLinks(page, anchors, places), ...brokenPaths(page, places)]),
    ...(await missingTasks(pages, input)),
    ...(await missingFlags(pages, input)),
  ];
  const byPage = Map.groupBy(notices, ({ page }) => page);
  return joinNotices(
    [...byPage].flatMap(([page, said]) => {
      const isIgnored = findIgnoredLines(page.text);
      return said.filter(({ line }) => !isIgnored(line));
    }),
  );
}

/** Whether there is a file or a folder of that name. */
type Places = { readonly holds: (path: string) => boolean };

function createPlaces(tree: readonly string[]): Places {
  const known = new Set(tree);
  for (const path of tree)
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (known.has(folder)) break;
      known.add(folder);
    }
  known.add("");
  return { holds: (path) => known.has(path) };
}

const PLACEHOLDER = /path\/to|your[-_]|example|sample|foo|bar|xxx|\.\.\.|\$/i;

function brokenLinks(
  page: DocumentPage,
  anchors: (path: string) => ReadonlySet<string> | null,
  places: Places,
): Notice[] {
  return findLinks(page.path, page.text).flatMap((link) => {
    const target = link.targets.find((path) => places.holds(path));
    if (target === undefined)
      return [notice(page, link.line, "path", tierOf(link), { what: "no file", old: link.address })];
    const offered = link.anchor ? anchors(target) : null;
    if (!offered || offered.has(foldAnchor(link.anchor!)) || foldAnchor(link.anchor!) === "top") return [];
    return [
      notice(page, link.line, "path", "likely", { what: "no heading", old: link.anchor!, owner: target }),
    ];
  });
}

/** A site may make a page of an address without an ending; a file that is named whole is there or is not. */
function tierOf({ address }: Link): Tier {
  return /\.(?!html?$)\w{1,5}$/i.test(address) && !PLACEHOLDER.test(address) ? "certain" : "possible";
}

/** The anchors of a page, read once however many links lead to it; null for what is no document. */
function createAnchors(documents: readonly DocumentText[]): (path: string) => ReadonlySet<string> | null {
  const texts = new Map(documents.map(({ path, text }) => [path, text]));
  const known = new Map<string, ReadonlySet<string>>();
  return (path) => {
    const text = texts.get(path);
    if (text === undefined) return null;
    const offered = known.get(path) ?? anchorsOf(path, text);
    known.set(path, offered);
    return offered;
  };
}

const PATH = /^(?:\.\/)?([\w@.-]+(?:\/[\w@.-]+)+\.\w{1,5})$/;

/** Paths in inline code that begin with a folder of the repository and end nowhere. */
function brokenPaths(page: DocumentPage, places: Places): Notice[] {
  if (!page.text.includes("/")) return [];
  const folder = page.path.split("/").slice(0, -1).join("/");
  return page.read().lines.flatMap(({ text, spans }, line) =>
    spans.flatMap(({ start, end }) => {
      const path = PATH.exec(text.slice(start, end).replaceAll("`", ""))?.[1];
      if (!path || PLACEHOLDER.test(path) || !places.holds(path.slice(0, path.indexOf("/")))) return [];
      if (places.holds(path) || places.holds(folder === "" ? path : `${folder}/${path}`)) return [];
      return [notice(page, line, "path", "possible", { what: "no file", old: path })];
    }),
  );
}

/** Pages for those who work on the project; any other may speak of the reader's own. */
const OURS = /(^|\/)(?:contributing|agents|claude|develop|hacking|building|copilot-instructions)[^/]*$/i;

/** Tasks that a page tells people to run and that no file of their runner has. */
async function missingTasks(pages: readonly DocumentPage[], { tree, read }: WholeInput): Promise<Notice[]> {
  const notices: Notice[] = [];
  for (const runner of RUNNERS) {
    const files = tree.filter((path) => runner.file.test(path)).slice(0, 500);
    const texts = await Promise.all(files.map((path) => read(path)));
    const tasks = texts.map((text) => runner.tasks(text ?? ""));
    // A file whose tasks are not understood (an include, a generator) may have any.
    if (!files.length || tasks.every(({ size }) => size === 0) || texts.some(includesOthers)) continue;
    const call = new RegExp(`(?<![\\w-])(?:${runner.said})\\s+([A-Za-z][\\w:.-]*)`, "g");
    for (const page of pages)
      page.read().lines.forEach(({ text, place, spans }, line) => {
        for (const match of text.matchAll(call)) {
          const end = match.index + match[0].length;
          const marked = place === "code" || spans.some((one) => one.start <= match.index && end <= one.end);
          if (!marked || tasks.some((names) => names.has(match[1]!))) continue;
          const tier = OURS.test(page.path) ? "likely" : "possible";
          notices.push(
            notice(page, line, "setting", tier, { what: "no task", old: match[1]!, owner: files[0]! }),
          );
        }
      });
  }
  return notices;
}

function includesOthers(text: string | null): boolean {
  return text === null || /^\s*-?include\s|^%|\$\(eval|^import\s/m.test(text);
}

/** Flags that a page gives to a program of this repository and that its code spells in no style. */
async function missingFlags(pages: readonly DocumentPage[], input: WholeInput): Promise<Notice[]> {
  const programs = await findPrograms(input);
  if (!programs.length) return [];
  const call = new RegExp(
    `(?:^\\s*(?:[$>]\\s+)?(?:npx\\s+)?|\`)(?:${programs.join("|")})(?=\\s)([^|;&\`#]*)`,
    "g",
  );
  const found: { page: DocumentPage; line: number; flag: string }[] = [];
  for (const page of pages) {
    if (!programs.some((name) => page.text.includes(name))) continue;
    page.read().lines.forEach(({ text, place }, line) => {
      if (text.length > 1000) return;
      for (const match of text.matchAll(call)) {
        if (place !== "code" && !match[0].startsWith("`")) continue;
        // What follows a bare `--` is for another program.
        const own = match[1]!.split(/\s--\s/)[0]!;
        for (const flag of own.matchAll(/(?<=\s)--([a-z][\w-]+)/g))
          found.push({ page, line, flag: flag[1]! });
      }
    });
  }
  const spellings = new Map([...new Set(found.map(({ flag }) => flag))].map((flag) => [flag, spell(flag)]));
  const occurrences = await input.occurrences([...new Set([...spellings.values()].flat())]);
  return found
    .filter(({ flag }) => !spellings.get(flag)!.some((name) => occurrences.get(name)?.length))
    .map(({ page, line, flag }) =>
      notice(page, line, "flag", "possible", { what: "no flag", old: `--${flag}` }),
    );
}

const GIVEN = new Set(["help", "version"]);

function spell(flag: string): string[] {
  const plain = flag.replace(/^no-/, "");
  if (GIVEN.has(plain)) return [plain, "e"];
  const styles = ["kebab", "camel", "snake", "pascal"] as const;
  return [...new Set([flag, plain, ...styles.map((style) => inStyle(partsOf(plain), style))])];
}

/** Names under which the repository's packages install programs. */
async function findPrograms({ tree, read }: WholeInput): Promise<string[]> {
  const names = new Set<string>();
  for (const path of tree.filter((one) => /(^|\/)package\.json$/.test(one)).slice(0, 200)) {
    const manifest = parseManifest(await read(path));
    const { bin, name } = manifest;
    if (typeof bin === "string" && typeof name === "string") names.add(name.replace(/^@[^/]+\//, ""));
    else if (typeof bin === "object" && bin !== null) for (const one of Object.keys(bin)) names.add(one);
  }
  return [...names].filter((name) => /^[\w.-]+$/.test(name)).map((name) => name.replace(/[.]/g, "\\."));
}

function parseManifest(text: string | null): { bin?: unknown; name?: unknown } {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function notice(
  page: DocumentPage,
  line: number,
  kind: RuleName,
  tier: Tier,
  message: Notice["message"],
): Notice {
  return { page, line, endLine: line, tier, kind, message, evidence: [] };
}
