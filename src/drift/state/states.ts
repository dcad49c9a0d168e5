import type { ChangeModel } from "../change/change-model.ts";
import { askOnce, openState, type State } from "./state.ts";

/** The project before and after a change. Both states share what they have read of the files that did not change. */
export type States = { readonly base: State; readonly head: State };

export function openStates({ input, read }: ChangeModel): States {
  const changed = new Map([...input.files, ...(input.pages ?? [])].map((file) => [file.path, file] as const));
  const removed = input.paths?.removed ?? [];
  const added = new Set((input.paths?.added ?? []).map(({ path }) => path));
  const holders = askOnce(input.occurrences);
  const { repository = [] } = input;
  const head = openState({ revision: input.head, paths: input.tree, read, holders, repository });
  const base = openState({
    revision: input.base,
    paths: [...input.tree.filter((path) => !added.has(path)), ...removed.map(({ path }) => path)],
    read: async (path) =>
      changed.has(path) ? changed.get(path)!.before : added.has(path) ? null : read(path),
    repository,
    holders: async (words) => withChanged(await holders(words), words, changed.values()),
    shared: (path) => (changed.has(path) || added.has(path) ? undefined : head.surface(path)),
  });
  return { base, head };
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
