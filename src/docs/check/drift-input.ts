import type { ChangedFile, DocumentText, DriftInput, WholeInput } from "../../drift/change/change.ts";
import { isProductPath } from "../../drift/change/code-path.ts";
import { createPace } from "../../drift/pace.ts";
import { toDocument } from "../../drift/pages/document-text.ts";
import { documentClass, isDocumentPath } from "../../drift/pages/policies.ts";
import { isCodePath, isSourcePath } from "../../syntax/file-kinds.ts";
import { keepDocComments } from "../../syntax/source/doc-comments.ts";
import type { WordIndex } from "../../syntax/words/word-index.ts";
import { defined } from "../../text/model/defined.ts";
import { unknownWords } from "../../wording/findings.ts";
import type { RawChange } from "../../workspace/git/git.ts";
import { isCurrentDocument, isProof } from "../apply-config.ts";
import { changedPaths } from "../history/changed-paths.ts";
import { followRemovals } from "../history/follow-removals.ts";
import { openHistory } from "../history/history.ts";
import type { Question } from "./check.ts";
import { type HeadFiles, openHeadFiles } from "./head-files.ts";
import { CheckMemory } from "./memory.ts";
import { findOccurrences, openWordIndex } from "./occurrences.ts";
import { type OtherPages, openOtherPages } from "./other-pages.ts";
import { findOwnNames } from "./own-names.ts";
import type { Unknown } from "./report.ts";
import type { ReadPages } from "./scope.ts";
import { findUnreadPages } from "./unread-pages.ts";

export type ReadDriftInput = {
  readonly input: DriftInput;
  readonly unknown: readonly Unknown[];
  /** Every path the change touched, documents and pictures included. */
  readonly touched: readonly string[];
  /** The clone that has the documents; null where they are in the code's repository. */
  readonly others: OtherPages | null;
  /** The pages that were read, and those that could not be. */
  readonly read: ReadPages;
  /** Saves what the check learnt about unchanged files for the next check. */
  readonly save: () => void;
};

/**
 * Reads two states of a repository for the drift rules. The head is the work tree, the index, or a commit. It reads the
 * changed files and the documents; it reads other files only when a rule looks up a name.
 */
export async function readDriftInput(question: Question): Promise<ReadDriftInput> {
  const { git, reader, ends, config, memory = new CheckMemory(), signal, onProgress } = question;
  const { base, head } = ends;
  const unknown: Unknown[] = [];
  const changes = await git.changes(base, head);
  const proves = isProof(config);
  const headFiles = await openHeadFiles(
    { git, reader, base, head, changes },
    { proves, texts: memory.texts },
  );
  const isCode = (path: string): boolean => isCodePath(path) && proves(path);
  await fillTexts(changes, headFiles, question.others === undefined);
  const files = await readChanges(changes, headFiles, unknown, isCode);
  const pages = await readChanges(changes, headFiles, unknown, isDocumentPath);
  signal?.throwIfAborted();
  const others = question.others ? await openOtherPages(question.others, headFiles) : null;
  const comments = others === null && config.docs?.comments === true;
  const touched = changes.map(({ path }) => path);
  const concerned = new Set(others ? [] : touched);
  const isCurrent = isCurrentDocument(config);
  const { documents, read } = await readDocuments(others?.files ?? headFiles, unknown, {
    isCurrent,
    isConcerned: (path) => concerned.has(path),
  });
  unknown.push(
    ...(await findUnreadPages(others?.files ?? headFiles, files, {
      isJudged: (path) => isJudged(path) || isCurrent(path),
      known: new Set(unknown.map(({ path }) => path)),
    })),
  );
  if (comments) documents.push(...(await readComments(headFiles)));
  const words = openWordIndex(git.top, headFiles, memory);
  const keepWords = (page: DocumentText): DocumentText => withWords(page, headFiles, words.index);
  const input: DriftInput = {
    base,
    head,
    ...defined({ pause: signal ? pauseBetweenRules(signal, onProgress) : undefined }),
    files: files.map((file) => memory.change(file)),
    pages: pages.map((page) => memory.change(page)),
    paths: changedPaths(changes),
    repository: await findOwnNames(git, {
      has: (path) => headFiles.ids.has(path),
      text: (path) => headFiles.text(path),
    }),
    comments: others === null && (config.docs?.comments ?? "changed"),
    ...jointTree(headFiles, others),
    documents: jointDocuments(documents, others).map((page) =>
      memory.document(others ? page : keepWords(page)),
    ),
    past: () => git.log(base, pastCommits).catch(() => []),
    detours: findDetours(git, /^[0-9a-f]{7,}$/.test(head) ? head : base),
    occurrences: (names) => findOccurrences(names, { files: headFiles, words, skipComments: comments }),
  };
  const save = (): void => {
    words.save();
    memory.dropUnused(input.documents, [...input.files, ...(input.pages ?? [])]);
  };
  return { input, unknown, touched, others, read, save };
}

/** Reads the changed files and the documents with one call of git. */
function fillTexts(changes: readonly RawChange[], headFiles: HeadFiles, withPages: boolean): Promise<void> {
  const changed = changes.flatMap(({ before, after, kind, path }) =>
    kind === "file" && (isCodePath(path) || isDocumentPath(path)) ? [before, after] : [],
  );
  const pages = withPages ? headFiles.documents.map((path) => headFiles.ids.get(path)) : [];
  return headFiles.fill([...changed, ...pages].filter((id) => typeof id === "string"));
}

/** The tree that pages see: the code, and the other clone in a folder of its own. */
function jointTree(code: HeadFiles, others: OtherPages | null): Pick<WholeInput, "tree" | "read"> {
  return {
    tree: [...code.ids.keys(), ...(others?.tree ?? [])],
    read: (path) => {
      const own = others?.ownPath(path) ?? null;
      return own === null || others === null ? code.text(path) : others.files.text(own);
    },
  };
}

/** The page with its words from the index, where the text is that of a blob. */
function withWords(page: DocumentText, { ids }: HeadFiles, index: () => WordIndex): DocumentText {
  const id = ids.get(page.path);
  return typeof id !== "string" || page.whole !== undefined
    ? page
    : { ...page, words: () => index().wordsOf(id, page.text) };
}

function jointDocuments(
  documents: readonly DocumentText[],
  others: OtherPages | null,
): readonly DocumentText[] {
  return others === null ? documents : documents.map((page) => others.jointDocument(page));
}

/** Lets the process handle other events between two rules, and ends the check if it was aborted. */
function pauseBetweenRules(signal: AbortSignal, onProgress: Question["onProgress"]) {
  return async (done: number, total: number): Promise<void> => {
    onProgress?.(done, total);
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  };
}

export type ReadWholeInput = {
  readonly input: WholeInput;
  readonly head: string;
  readonly unknown: readonly Unknown[];
  /** The clone that has the documents; null where they are in the code's repository. */
  readonly others: OtherPages | null;
  readonly read: ReadPages;
};

/** Reads one state of a repository: the work tree, or the last commit where there is none. */
export async function readWholeInput(question: Question): Promise<ReadWholeInput> {
  const { git, reader, ends, config, memory = new CheckMemory(), signal, onProgress } = question;
  const { base, head } = ends;
  const proves = isProof(config);
  const unknown: Unknown[] = [];
  const changes = head === base ? [] : await git.changes(base, head);
  const headFiles = await openHeadFiles(
    { git, reader, base, head, changes },
    { proves, texts: memory.texts },
  );
  const isCurrent = isCurrentDocument(config);
  const others = question.others ? await openOtherPages(question.others, headFiles) : null;
  const { documents, read } = await readDocuments(others?.files ?? headFiles, unknown, {
    isCurrent,
    isConcerned: () => true,
  });
  if (others === null && config.docs?.comments === true) documents.push(...(await readComments(headFiles)));
  const words = openWordIndex(git.top, headFiles, memory);
  const input: WholeInput = {
    ...defined({ pause: signal ? pauseBetweenRules(signal, onProgress) : undefined }),
    ...jointTree(headFiles, others),
    documents: jointDocuments(documents, others),
    repository: await findOwnNames(git, {
      has: (path) => headFiles.ids.has(path),
      text: (path) => headFiles.text(path),
    }),
    detours: findDetours(git, base),
    history: openHistory(question.past ?? git, { head: base, proves, memory }),
    removals: (paths) => followRemovals(git, base, { paths, holds: (path) => headFiles.ids.has(path) }),
    occurrences: (names) => findOccurrences(names, { files: headFiles, words, skipComments: false }),
  };
  return { input, head, unknown, others, read };
}

/** The links and submodules of a revision, asked for once. */
function findDetours(git: Question["git"], revision: string): () => Promise<readonly string[]> {
  let found: Promise<readonly string[]> | undefined;
  return () => {
    found ??= git.detours(revision).catch(() => []);
    return found;
  };
}

/** Whether the rules say anything about a page of its class. */
function isJudged(path: string): boolean {
  const kind = documentClass(path);
  return kind === "page" || kind === "instructions";
}

// Enough to know which pages move with a file, and quickly listed.
const pastCommits = 300;

/**
 * Both sides of the files that a change touched. A file that cannot be compared is unknown if it could prove something.
 */
async function readChanges(
  changes: readonly RawChange[],
  headFiles: HeadFiles,
  unknown: Unknown[],
  isWanted: (path: string) => boolean,
): Promise<ChangedFile[]> {
  const wanted = changes.filter(({ path, kind }) => kind === "file" && isWanted(path));
  await headFiles.fill(wanted.flatMap(({ before, after }) => [before, after].filter((id) => id !== null)));
  const files: ChangedFile[] = [];
  for (const { path, before, after, status } of wanted) {
    const old = before === null ? null : await headFiles.blobText(before);
    const fresh =
      status === "deleted"
        ? null
        : after === null
          ? await headFiles.text(path)
          : await headFiles.blobText(after);
    const isWhole = (before === null || old !== null) && (status === "deleted" || fresh !== null);
    if (isWhole && old !== fresh) files.push({ path, before: old, after: fresh });
    else if (!isWhole) unknown.push(...leftOutChange(path, [before, after], headFiles));
  }
  return files;
}

/** A changed file that was not compared, and why. A data file or a test that is large or no text proves nothing anyway. */
function leftOutChange(path: string, ids: readonly (string | null)[], headFiles: HeadFiles): Unknown[] {
  const why = ids.map((id) => (id === null ? undefined : headFiles.leftOut(id))).find((one) => one);
  if (why === undefined) return [];
  const isTold = why === "absent" || isDocumentPath(path) || (isSourcePath(path) && isProductPath(path));
  return isTold ? [{ path, why: unknownWords[why] }] : [];
}

type DocumentFilters = {
  readonly isCurrent: (path: string) => boolean;
  /** Whether a page that cannot be read makes the check fail. */
  readonly isConcerned: (path: string) => boolean;
};

type ReadDocuments = { readonly documents: DocumentText[]; readonly read: ReadPages };

async function readDocuments(
  headFiles: HeadFiles,
  unknown: Unknown[],
  { isCurrent, isConcerned }: DocumentFilters,
): Promise<ReadDocuments> {
  const paths = headFiles.documents;
  await headFiles.fill(paths.map((path) => headFiles.ids.get(path)).filter((id) => typeof id === "string"));
  const documents: DocumentText[] = [];
  const read = { pages: [] as string[], unread: [] as Unknown[] };
  const pace = createPace();
  for (const path of paths) {
    await pace();
    const text = await headFiles.text(path);
    const isPage = isJudged(path) || isCurrent(path);
    if (text !== null)
      documents.push({
        ...toDocument(path, text, (one) => headFiles.ids.has(one)),
        ...defined({ isCurrent: isCurrent(path) || undefined }),
      });
    if (!isPage) continue;
    if (text !== null) read.pages.push(path);
    else read.unread.push({ path, why: whyUnread(headFiles, path) });
  }
  for (const one of read.unread)
    if (isConcerned(one.path) && !unknown.some(({ path }) => path === one.path)) unknown.push(one);
  return { documents, read };
}

function whyUnread(headFiles: HeadFiles, path: string): string {
  return unknownWords[headFiles.leftOut(headFiles.ids.get(path) ?? "") ?? "unreadable"];
}

/** The doc comments of the product's sources, each file as a page. */
async function readComments(headFiles: HeadFiles): Promise<DocumentText[]> {
  const paths = headFiles.code.filter(isProductPath);
  await headFiles.fill(paths.map((path) => headFiles.ids.get(path)).filter((id) => typeof id === "string"));
  const pages: DocumentText[] = [];
  for (const path of paths) {
    const whole = await headFiles.text(path);
    const text = whole === null ? null : keepDocComments(path, whole);
    if (whole !== null && text !== null) pages.push({ path, text, whole });
  }
  return pages;
}
