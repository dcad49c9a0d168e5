import { auditDocuments } from "../../drift/audit.ts";
import type { DriftInput, WholeInput } from "../../drift/change/change.ts";
import type { Asked } from "../../drift/claims/tally.ts";
import { findDrift } from "../../drift/find-drift.ts";
import type { Finding } from "../../drift/findings.ts";
import { unknownWords } from "../../wording/findings.ts";
import type { Unknown } from "./report.ts";

export type DriftFound = {
  readonly findings: readonly Finding[];
  readonly unknown: readonly Unknown[];
  /** How many claims were asked. */
  readonly asked: Asked;
};

/**
 * The drift of a change. A file that makes the search fail comes back as unknown; the search goes on without it. A search
 * that the signal ended has not failed.
 */
export async function findDriftApart(
  input: DriftInput,
  find: (input: DriftInput) => Promise<DriftFound> = findDrift,
  signal?: AbortSignal,
): Promise<DriftFound> {
  return searchApart(input, { find, keys: ["files", "pages", "documents"], signal });
}

/** The false passages of the present documents, with the same handling of a page that makes the search fail. */
export async function auditApart(
  input: WholeInput,
  audit: (input: WholeInput) => Promise<Omit<DriftFound, "unknown">> = auditDocuments,
  signal?: AbortSignal,
): Promise<DriftFound> {
  return askApart(input, audit, signal);
}

/** A search over the documents of one state, which goes on without a page that makes it fail. */
export async function askApart<Found>(
  input: WholeInput,
  ask: (input: WholeInput) => Promise<Found>,
  signal?: AbortSignal,
): Promise<Found & Unread> {
  const find = async (some: WholeInput): Promise<Found & Unread> => ({ ...(await ask(some)), unknown: [] });
  return searchApart(input, { find, keys: ["documents"], signal });
}

type Unread = { readonly unknown: readonly Unknown[] };

type NamedFile = { readonly path: string };
/** The lists of files in an input. */
type Lists<Key extends string> = { readonly [key in Key]?: readonly NamedFile[] };

type FileSearch<Key, Input, Found> = {
  readonly find: (input: Input) => Promise<Found>;
  readonly keys: readonly Key[];
  readonly signal: AbortSignal | undefined;
};

async function searchApart<Key extends string, Input extends Lists<Key>, Found extends Unread>(
  input: Input,
  { find, keys, signal }: FileSearch<Key, Input, Found>,
): Promise<Found> {
  try {
    return await find(input);
  } catch (error) {
    // A search that is no longer wanted failed because of its caller, not because of a file.
    if (signal?.aborted) throw error;
    const failing = await findFailing(input, find, keys);
    if (failing === null) throw error;
    const paths = new Set(failing.map(({ path }) => path));
    const found = await find(withLists(input, keys, (list) => list.filter(({ path }) => !paths.has(path))));
    return {
      ...found,
      unknown: [...found.unknown, ...[...paths].map((path) => ({ path, why: unknownWords.failed }))],
    };
  }
}

/** More failing files than this have a cause outside the files. */
const mostFailing = 30;

/** The files without which the search succeeds; `null` where no few files are the cause. */
async function findFailing<Key extends string, Input extends Lists<Key>>(
  input: Input,
  find: (input: Input) => Promise<unknown>,
  keys: readonly Key[],
): Promise<readonly NamedFile[] | null> {
  const fails = (some: Input): Promise<boolean> =>
    find(some).then(
      () => false,
      () => true,
    );
  let bare = withLists(input, keys, () => []);
  if (await fails(bare)) return null;
  const failing: NamedFile[] = [];
  for (const key of keys) {
    const own = await narrow(input[key] ?? [], (some) => fails({ ...bare, [key]: some }));
    if (own === null || failing.push(...own) > mostFailing) return null;
    // The lists that follow are tried with the sound files of this one.
    bare = { ...bare, [key]: (input[key] ?? []).filter((one) => !own.includes(one)) };
  }
  return failing;
}

/** The items that fail on their own, found by halving; `null` where there are too many. */
async function narrow(
  items: readonly NamedFile[],
  fails: (some: readonly NamedFile[]) => Promise<boolean>,
): Promise<readonly NamedFile[] | null> {
  if (items.length === 0 || !(await fails(items))) return [];
  if (items.length === 1) return items;
  const middle = items.length >> 1;
  const first = await narrow(items.slice(0, middle), fails);
  if (first === null || first.length > mostFailing) return null;
  const second = await narrow(items.slice(middle), fails);
  return second === null || first.length + second.length > mostFailing ? null : [...first, ...second];
}

function withLists<Key extends string, Input extends Lists<Key>>(
  input: Input,
  keys: readonly Key[],
  keep: (list: readonly NamedFile[]) => readonly NamedFile[],
): Input {
  return { ...input, ...Object.fromEntries(keys.map((key) => [key, keep(input[key] ?? [])])) };
}
