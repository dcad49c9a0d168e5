import type { Outline } from "../../syntax/formats/document.ts";
import { outlineDocument } from "../../syntax/formats/outline.ts";
import { hashRuns } from "../../syntax/words/words.ts";
import { defined } from "../../text/model/defined.ts";
import { type Page, readPage } from "../pages/page.ts";
import { type DocumentClass, documentClass, isDocumentPath, isGenerated } from "../pages/policies.ts";
import type { DocumentText, DriftInput } from "./change.ts";
import { isLivingPath, isProductPath, isTestPath } from "./code-path.ts";
import { type Comparison, compareFiles } from "./comparison.ts";
import { type FileMoves, findFileMoves, joinMovedFiles } from "./files/file-moves.ts";
import { type Role, rolesOf } from "./roles.ts";
import { eachName, splitLines, type Token, tokenise } from "./tokens.ts";

/** How often a name of the rewritten lines occurs in the changed files, before and after, and in which roles. */
export type NameUsage = {
  before: number;
  after: number;
  /** Occurrences after the change that are code of the product, not words of a comment. */
  living: number;
  /** Occurrences on removed lines, by role, in the product's own sources. */
  removed: Record<Role, number>;
  /** The same in tests, examples and the rest. */
  removedAside: number;
};

/** The analysed change, computed once and shared by all rules. */
export type ChangeModel = {
  readonly input: DriftInput;
  readonly comparisons: readonly Comparison[];
  /** Where the removed paths went. */
  readonly moves: FileMoves;
  readonly usage: (name: string) => NameUsage;
  readonly removedNames: readonly string[];
  readonly pages: readonly DocumentPage[];
  /** The pages whose links are checked. They include lists of people, policies and procedures, whose words are not. */
  readonly linkingPages: readonly DocumentPage[];
  /** The text of any file at the head. */
  readonly read: (path: string) => Promise<string | null>;
};

/** A page that rules may report. It is parsed only when a rule has a candidate on it. */
export type DocumentPage = {
  readonly path: string;
  readonly text: string;
  /** The file, of which the text may be a part: the same offsets, with other words in the place of what is no page. */
  readonly whole: string;
  readonly outline: () => Outline;
  readonly read: () => Page;
  /** The hashes of its words: most names are ruled out without searching the text. */
  readonly words: () => Uint32Array;
  readonly tokens: (line: number) => readonly Token[];
  /** The page describes the present, whatever its titles say. */
  readonly isCurrent?: true;
};

const noUsage = (): NameUsage => ({
  before: 0,
  after: 0,
  living: 0,
  removed: { declared: 0, used: 0, text: 0 },
  removedAside: 0,
});
const NOTHING = noUsage();

export function analyzeChange(input: DriftInput): ChangeModel {
  const moves = findFileMoves(input);
  const comparisons = compareFiles(joinMovedFiles(input.files, moves.movedTo));
  const usages = countNames(comparisons);
  const pages = openPages(input.documents);
  const linkingPages = openWhere(
    input.documents,
    (document) => isOpen(document) || documentClass(document.path) === "meta",
  );
  return {
    input,
    comparisons,
    moves,
    usage: (name) => usages.get(name) ?? NOTHING,
    removedNames: [...usages].filter(([, one]) => isRemoved(one)).map(([name]) => name),
    pages,
    linkingPages,
    read: createHeadReader(input),
  };
}

/** Texts at the head. Those of changed files come with the input; the others are read on first use. */
function createHeadReader(input: DriftInput): ChangeModel["read"] {
  const known = new Map<string, string | null>(input.files.map(({ path, after }) => [path, after]));
  return async (path) => {
    let text = known.get(path);
    if (text === undefined) {
      text = (await input.read?.(path)) ?? null;
      known.set(path, text);
    }
    return text;
  };
}

/** The pages that rules may report. History, generated pages and pages of other projects are left out. */
export function openPages(documents: readonly DocumentText[]): DocumentPage[] {
  return openWhere(documents, isOpen);
}

function openWhere(
  documents: readonly DocumentText[],
  isWanted: (document: DocumentText) => boolean,
): DocumentPage[] {
  return documents.flatMap((document) => {
    if (!isWanted(document)) return [];
    let page = opened.get(document);
    if (page === undefined) {
      page = document.isWritten || isGenerated(document.text) ? null : openDocument(document);
      opened.set(document, page);
    }
    return page ?? [];
  });
}

/** The documents that claim nothing because of what they are, each with its class. */
export function findLeftOut(documents: readonly DocumentText[]): { path: string; class: DocumentClass }[] {
  return documents.flatMap((document) => {
    const kind = documentClass(document.path);
    if (isOpen(document))
      return openWhere([document], isOpen).length === 0 ? [{ path: document.path, class: "generated" }] : [];
    return [{ path: document.path, class: kind }];
  });
}

/** Pages by document. A caller that passes the same document again gets the same page. */
const opened = new WeakMap<DocumentText, DocumentPage | null>();

function isRemoved({ removed, removedAside }: NameUsage): boolean {
  return removed.declared + removed.used + removed.text + removedAside > 0;
}

function isOpen({ path, isCurrent }: DocumentText): boolean {
  const kind = documentClass(path);
  return kind === "page" || kind === "instructions" || (kind === "history" && isCurrent === true);
}

/** One page, whatever its class; `whole` is the file, where the text is only a part of it. */
export function openPage(path: string, text: string, whole = text): DocumentPage {
  return openDocument({ path, text, whole });
}

function openDocument({ path, text, whole = text, words: keptWords, isCurrent }: DocumentText): DocumentPage {
  let page: Page | undefined;
  let words: Uint32Array | undefined;
  const tokens = new Map<number, Token[]>();
  // Outlines are large: those of the last pages are kept, by a text that takes long to compare.
  let held: WeakRef<Outline> | undefined;
  const outline = (): Outline => {
    const made = held?.deref() ?? outlineDocument(path, whole);
    if (held?.deref() !== made) held = new WeakRef(made);
    return made;
  };
  const read = (): Page => {
    page ??= readPage(path, text, isDocumentPath(path) ? outline() : undefined);
    return page;
  };
  return {
    path,
    text,
    whole,
    ...defined({ isCurrent: isCurrent || undefined }),
    outline,
    read,
    words: () => {
      words ??= keptWords?.() ?? hashRuns(text);
      return words;
    },
    tokens: (line) => {
      let known = tokens.get(line);
      if (!known) {
        known = tokenise(read().lines[line]!.text);
        tokens.set(line, known);
      }
      return known;
    },
  };
}

function countNames(comparisons: readonly Comparison[]): Map<string, NameUsage> {
  const usages = new Map<string, NameUsage>();
  for (const { rewrites } of comparisons)
    for (const { removed } of rewrites)
      for (const { text } of removed)
        eachName(text, (name) => {
          if (!usages.has(name)) usages.set(name, noUsage());
        });
  for (const { path, before, after, rewrites } of comparisons) {
    if (before !== null)
      eachName(before, (name) => {
        const one = usages.get(name);
        if (one) one.before++;
      });
    if (after !== null) countAfter(after, isLivingPath(path), usages);
    const product = isProductPath(path) || (!isTestPath(path) && isSetting(path));
    for (const { removed } of rewrites)
      for (const { text } of removed) {
        const tokens = tokenise(text);
        const roles = rolesOf(text, tokens);
        tokens.forEach((token, index) => {
          if (token.kind !== "name") return;
          const one = usages.get(token.text)!;
          if (product) one.removed[roles[index]!]++;
          else one.removedAside++;
        });
      }
  }
  return usages;
}

function countAfter(after: string, living: boolean, usages: ReadonlyMap<string, NameUsage>): void {
  for (const line of splitLines(after)) {
    let isAsked = false;
    eachName(line, (name) => {
      isAsked ||= usages.has(name);
    });
    if (!isAsked) continue;
    const tokens = tokenise(line);
    const roles = living ? rolesOf(line, tokens) : [];
    tokens.forEach((token, index) => {
      const one = usages.get(token.text);
      if (token.kind !== "name" || !one) return;
      one.after++;
      if (living && roles[index] !== "text") one.living++;
    });
  }
}

/** Manifests and settings belong to the product: their keys and values are its surface. */
function isSetting(path: string): boolean {
  return /\.(json|toml|ya?ml|ini|cfg|conf|properties|gradle|xml|env|in|txt|dist|example)$|(^|\/)(dockerfile|makefile|justfile|procfile|gemfile|setup\.py|\.env[^/]*)$/i.test(
    path,
  );
}
