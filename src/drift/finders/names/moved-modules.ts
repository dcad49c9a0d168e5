import { LANGUAGES } from "../../../syntax/languages/registry.ts";
import type { ChangeModel, DocumentPage } from "../../change/change-model.ts";
import { isLivingPath, isProductPath } from "../../change/code-path.ts";
import type { Comparison } from "../../change/comparison.ts";
import type { Site } from "../../change/substitutions.ts";
import type { Notice, Tier } from "../../findings.ts";
import { evidenceOf } from "../../findings.ts";
import { lineAt } from "../../pages/page.ts";

/** A qualified name that moved, in the spelling of documents. */
type ModuleMove = {
  readonly old: string;
  readonly new: string;
  readonly tier: Tier;
  readonly sites: readonly Site[];
  readonly file?: Comparison;
};

/** A module or qualified name moved, and a document still has the old name, which the code no longer has. */
export async function findModules(change: ChangeModel): Promise<Notice[]> {
  const isOwn = await createOwnNames(change);
  const chains = chainMoves(change.sites).filter(({ old }) => isOwn(old));
  const moves = await keepGone(change, [...moduleMoves(change.comparisons), ...chains]);
  const notices: Notice[] = [];
  for (const move of moves)
    for (const page of change.pages)
      for (const start of findAddress(page, move.old)) {
        notices.push(toNotice(change, move, page, start));
      }
  return notices;
}

/** Any program may have `logger.info`: the last of two words must be a declaration or a file of the project. */
async function createOwnNames({
  comparisons,
  input,
  surface,
}: ChangeModel): Promise<(chain: string) => boolean> {
  const { wasThing } = await surface();
  const stem = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  const files = new Set([...input.tree, ...comparisons.map(({ from }) => from)].map(stem));
  return (chain) => {
    const words = chain.split(".");
    const last = words.at(-1)!;
    return words.length > 2 || wasThing(last) || files.has(last);
  };
}

function moduleMoves(comparisons: readonly Comparison[]): ModuleMove[] {
  const moves: ModuleMove[] = [];
  for (const file of comparisons) {
    if (file.from === file.path) continue;
    for (const [was, is] of moduleNames(file.from, file.path))
      moves.push({ old: was, new: is, tier: "likely", sites: [], file });
  }
  return moves;
}

const MODULE = new RegExp(`\\.(?:${LANGUAGES.flatMap(({ files }) => files?.modules ?? []).join("|")})$`);

function moduleNames(from: string, path: string): [string, string][] {
  if (!MODULE.test(from)) return [];
  const dotted = (name: string): string[] =>
    name
      .replace(/\.\w+$/, "")
      .replace(/\/__init__$/, "")
      .split("/");
  const [old, fresh] = [importedAs(dotted(from)), importedAs(dotted(path))];
  return old.length > 1 && old.join(".") !== fresh.join(".") ? [[old.join("."), fresh.join(".")]] : [];
}

const SOURCE_FOLDERS: ReadonlySet<string> = new Set([
  ...["src", "lib", "main", "packages"],
  ...LANGUAGES.flatMap(({ files }) => files?.moduleFolders ?? []),
]);

/** The segments of a module's import path, without source folders such as `src`. */
function importedAs(segments: readonly string[]): readonly string[] {
  const first = segments.findIndex((one) => !SOURCE_FOLDERS.has(one));
  return segments.slice(Math.max(0, first));
}

const CHAIN = /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+/g;

/** Qualified names that replaced each other on rewritten lines, without their common suffix. */
function chainMoves(sites: readonly Site[]): ModuleMove[] {
  const found = new Map<string, Map<string, Site[]>>();
  for (const site of sites) {
    const old = site.old.text.match(CHAIN) ?? [];
    const fresh = site.new.text.match(CHAIN) ?? [];
    if (old.length !== fresh.length) continue;
    old.forEach((chain, index) => {
      if (chain === fresh[index]) return;
      const [was, is] = trimTail(chain.split("."), fresh[index]!.split("."));
      if (
        was.length < 2 ||
        was.length + is.length < 4 ||
        was[0] !== is[0] ||
        /^(self|this|cls|options|config|ctx|req|res)$/.test(was[0]!)
      )
        return;
      const successors = found.get(was.join(".")) ?? new Map<string, Site[]>();
      successors.set(is.join("."), [...(successors.get(is.join(".")) ?? []), site]);
      found.set(was.join("."), successors);
    });
  }
  return [...found].flatMap(([old, successors]) => {
    const [only, ...rivals] = [...successors].sort((a, b) => b[1].length - a[1].length);
    if (!only || !isWellFounded(old, only[1])) return [];
    return rivals.every(([, rival]) => rival.length * 2 <= only[1].length)
      ? [{ old, new: only[0], tier: "likely" as const, sites: only[1] }]
      : [];
  });
}

/** Two words with a dot may be any variable and its member: both must be words of the product. */
function isWellFounded(old: string, sites: readonly Site[]): boolean {
  const own = countLines(sites.filter((site) => isProductPath(site.path)));
  return old.split(".").length > 2 ? own > 0 || countLines(sites) > 1 : own > 1;
}

/** A line that changed in two places counts once. */
function countLines(sites: readonly Site[]): number {
  return new Set(sites.map(({ path, old }) => `${path}\0${old.number}`)).size;
}

function trimTail(old: string[], fresh: string[]): [string[], string[]] {
  while (old.length > 1 && fresh.length > 1 && old.at(-1) === fresh.at(-1)) {
    old.pop();
    fresh.pop();
  }
  return [old, fresh];
}

async function keepGone(change: ChangeModel, moves: readonly ModuleMove[]): Promise<ModuleMove[]> {
  const mentioned = moves.filter(
    (move) => move.old !== move.new && change.pages.some(({ text }) => text.includes(move.old)),
  );
  const occurrences = await change.input.occurrences([...new Set(mentioned.map(({ old }) => old))]);
  const tree = new Set(change.input.tree);
  return mentioned.filter((move) => !tree.has(move.old) && !occurrences.get(move.old)?.some(isLivingPath));
}

function findAddress(page: DocumentPage, address: string): number[] {
  const starts: number[] = [];
  for (let at = page.text.indexOf(address); at >= 0; at = page.text.indexOf(address, at + address.length)) {
    const before = page.text[at - 1] ?? " ";
    const after = page.text[at + address.length] ?? " ";
    if (!/[\w.-]/.test(before) && !/[\w-]/.test(after)) starts.push(at);
  }
  return starts;
}

function toNotice(change: ChangeModel, move: ModuleMove, page: DocumentPage, start: number): Notice {
  const line = lineAt(page.read(), start);
  return {
    page,
    line,
    endLine: line,
    tier: move.tier,
    kind: "module",
    message: { what: "moved", old: move.old, new: move.new },
    evidence: move.file
      ? [
          {
            path: move.file.path,
            revision: change.input.head,
            startLine: 1,
            endLine: 1,
            before: move.file.from,
            after: move.file.path,
          },
        ]
      : evidenceOf(change, move.sites),
    splice: { region: { start, end: start + move.old.length }, text: move.new },
  };
}
