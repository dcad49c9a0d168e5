import type { ChangedFile, DocumentText, DriftInput, WholeInput } from "../../drift/change/change.ts";
import { isProductPath } from "../../drift/change/code-path.ts";
import { createPace } from "../../drift/pace.ts";
import { toDocument } from "../../drift/pages/document-text.ts";
import { documentClass, isDocumentPath } from "../../drift/pages/policies.ts";
import { isCodePath } from "../../syntax/file-kinds.ts";
import { keepDocComments } from "../../syntax/source/doc-comments.ts";
import type { WordIndex } from "../../syntax/words/word-index.ts";
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

export type ReadDriftInput = {
  readonly input: DriftInput;
  readonly unknown: readonly Unknown[];
  /** Every path the change touched, documents and pictures included. */
  readonly touched: readonly string[];
  /** The clone that has the documents; null where they are in the code's repository. */
  readonly others: OtherPages | null;
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
  const documents = await readDocuments(others?.files ?? headFiles, unknown, {
    isCurrent,
    isConcerned: (path) => concerned.has(path) && (isJudged(path) || isCurrent(path)),
  });
  if (comments) documents.push(...(await readComments(headFiles)));
  const words = openWordIndex(git.top, headFiles, memory);
  const keepWords = (page: DocumentText): DocumentText => withWords(page, headFiles, words.index);
  const input: DriftInput = {
    base,
    head,
    ...(signal ? { pause: pauseBetweenRules(signal, onProgress) } : {}),
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
    occurrences: (names) => findOccurrences(names, { files: headFiles, words, skipComments: comments }),
  };
  const save = (): void => {
    words.save();
    memory.dropUnused(input.documents, [...input.files, ...(input.pages ?? [])]);
  };
  return { input, unknown, touched, others, save };
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
};

/** Reads one state of a repository: the work tree, or the last commit where there is none. */
export async function readWholeInput(question: Question): Promise<ReadWholeInput> {
  const { git, reader, ends, config, memory = new CheckMemory() } = question;
  const { base, head } = ends;
  const proves = isProof(config);
  const unknown: Unknown[] = [];
  const changes = head === base ? [] : await git.changes(base, head);
  const headFiles = await openHeadFiles(
    { git, reader, base, head, changes },
    { proves, texts: memory.texts },
  );
  const isCurrent = isCurrentDocument(config);
  const isConcerned = (path: string): boolean => isJudged(path) || isCurrent(path);
  const others = question.others ? await openOtherPages(question.others, headFiles) : null;
  const documents = await readDocuments(others?.files ?? headFiles, unknown, { isCurrent, isConcerned });
  const words = openWordIndex(git.top, headFiles, memory);
  const input: WholeInput = {
    ...jointTree(headFiles, others),
    documents: jointDocuments(documents, others),
    repository: await findOwnNames(git, {
      has: (path) => headFiles.ids.has(path),
      text: (path) => headFiles.text(path),
    }),
    history: openHistory(question.past ?? git, { head: base, proves }),
    removals: (paths) => followRemovals(git, base, { paths, holds: (path) => headFiles.ids.has(path) }),
    occurrences: (names) => findOccurrences(names, { files: headFiles, words, skipComments: false }),
  };
  return { input, head, unknown, others };
}

/** Whether the rules say anything about a page of its class. */
function isJudged(path: string): boolean {
  const kind = documentClass(path);
  return kind === "page" || kind === "instructions";
}

// Enough to know which pages move with a file, and quickly listed.
const pastCommits = 300;

/**
 * Both sides of the files that a change touched. A file that is no text, or too large, says nothing about names; one
 * whose content is not in this clone might.
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
    else if (!isWhole && [before, after].some((id) => id !== null && headFiles.isAbsent(id)))
      unknown.push({ path, why: unknownWords.absent });
  }
  return files;
}

type DocumentFilters = {
  readonly isCurrent: (path: string) => boolean;
  /** Whether a document that cannot be read is named as unknown. */
  readonly isConcerned: (path: string) => boolean;
};

async function readDocuments(
  headFiles: HeadFiles,
  unknown: Unknown[],
  { isCurrent, isConcerned }: DocumentFilters,
): Promise<DocumentText[]> {
  const paths = headFiles.documents;
  await headFiles.fill(paths.map((path) => headFiles.ids.get(path)).filter((id) => typeof id === "string"));
  const documents: DocumentText[] = [];
  const pace = createPace();
  for (const path of paths) {
    await pace();
    const text = await headFiles.text(path);
    if (text !== null)
      documents.push({ ...toDocument(path, text), ...(isCurrent(path) ? { isCurrent: true } : {}) });
    else if (isConcerned(path) && !unknown.some((one) => one.path === path))
      unknown.push({
        path,
        why: headFiles.isAbsent(headFiles.ids.get(path) ?? "")
          ? unknownWords.absent
          : unknownWords.unreadable,
      });
  }
  return documents;
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
