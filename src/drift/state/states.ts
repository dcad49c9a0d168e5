import { defined } from "../../text/model/defined.ts";
import type { DocumentText, WholeInput } from "../change/change.ts";
import type { ChangeModel } from "../change/change-model.ts";
import { askOnce, type Moved, openState, type State } from "./state.ts";

/** The project before and after a change. Both states share what they have read of the files that did not change. */
export type States = { readonly base: State; readonly head: State };

export function openStates({ input, read, moves }: ChangeModel): States {
  const changed = new Map([...input.files, ...(input.pages ?? [])].map((file) => [file.path, file] as const));
  const removed = [...moves.gone];
  const added = moves.fresh;
  const holders = askOnce(input.occurrences);
  const { repository = [], detours = async () => [] } = input;
  const readHead = withDocuments(input.documents, read);
  const head = openState({
    revision: input.head,
    paths: input.tree,
    read: readHead,
    holders,
    changed: new Set(changed.keys()),
    repository,
    detours,
    movedTo: async (path) =>
      moves.gone.has(path) || moves.goneFolders.has(path) ? { to: moves.movedTo(path) } : null,
  });
  const base = openState({
    revision: input.base,
    paths: [...input.tree.filter((path) => !added.has(path)), ...removed],
    read: async (path) =>
      changed.has(path) ? changed.get(path)!.before : added.has(path) ? null : readHead(path),
    holders: async (words) => withChanged(await holders(words), words, changed.values()),
    changed: new Set(changed.keys()),
    shared: (path) => (changed.has(path) || added.has(path) ? undefined : head.surface(path)),
    repository,
    detours,
    pathOf: (page) => moves.movedFrom(page) ?? page,
  });
  return { base, head };
}

/** The present project, with what its history knows of lost paths. */
export function openPresent({
  tree,
  documents,
  read,
  occurrences,
  repository = [],
  detours = async () => [],
  removals,
  history,
}: WholeInput): State {
  return openState({
    revision: "HEAD",
    paths: tree,
    read: withDocuments(documents, read),
    holders: askOnce(occurrences),
    repository,
    detours,
    ...defined({ movedTo: removals ? followOnce(removals) : undefined, pathsAt: history?.pathsAt }),
  });
}

/** Asks the history for each path once. */
function followOnce(removals: NonNullable<WholeInput["removals"]>): NonNullable<State["movedTo"]> {
  const known = new Map<string, Promise<Moved | null>>();
  const follow = async (path: string): Promise<Moved | null> => {
    const past = (await removals([path])).get(path);
    if (past === undefined) return null;
    const { movedTo: to, commit, date, subject } = past;
    return { to, since: { commit, date, subject } };
  };
  return (path) => {
    const moved = known.get(path) ?? follow(path);
    known.set(path, moved);
    return moved;
  };
}

/** Documents come with the input, as they are in an editor or a clone of their own. */
function withDocuments(
  documents: readonly DocumentText[],
  read: (path: string) => Promise<string | null>,
): (path: string) => Promise<string | null> {
  const texts = new Map(documents.map(({ path, text, whole }) => [path, whole ?? text]));
  return async (path) => texts.get(path) ?? read(path);
}

/** The files that hold each word at the base: unchanged ones as at the head, changed ones by their text before. */
function withChanged(
  held: ReadonlyMap<string, readonly string[]>,
  words: readonly string[],
  changed: Iterable<{ readonly path: string; readonly before: string | null }>,
): ReadonlyMap<string, readonly string[]> {
  const files = [...changed];
  const paths = new Set(files.map(({ path }) => path));
  return new Map(
    words.map((word) => [
      word,
      [
        ...(held.get(word) ?? []).filter((path) => !paths.has(path)),
        ...files.filter(({ before }) => before?.includes(word)).map(({ path }) => path),
      ],
    ]),
  );
}
