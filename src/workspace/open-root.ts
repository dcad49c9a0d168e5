import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { Ground, Site } from "./commit/commit-context.ts";
import { readLock } from "./commit/lock.ts";
import { inSession } from "./commit/session.ts";
import { codeOf, type Dir, type Files } from "./files/files.ts";
import { parseBalance } from "./journal/checkpoint.ts";
import { createHistory, type History } from "./journal/history.ts";
import { listVolumes } from "./journal/journal.ts";
import { createRegister, type Register } from "./journal/journal-index.ts";
import { createWalker } from "./paths/walk.ts";
import { type BareGround, type GroundOptions, openGround } from "./state/open-state.ts";
import { closeState } from "./state/state.ts";
import { createMarks, type Marks } from "./tasks/task-lines.ts";

/** The state of a root, open, with everything that reads its journal. */
export type Books = {
  readonly ground: Ground;
  readonly history: History;
  readonly register: Register;
  readonly marks: Marks;
};

/** An open root, and its state once there is one. Nothing is made before something has to be kept. */
export type OpenRoot = {
  readonly path: string;
  readonly files: Files;
  books(): Promise<Outcome<Books | null>>;
  makeBooks(): Promise<Outcome<Books>>;
  /** Runs something with a site to look around in; `state` is only there if the root has one. */
  look<T>(work: (site: LookingSite) => Promise<T>): Promise<T>;
  /** Releases every handle. The caller calls it once, when nothing runs any more. */
  close(): Promise<void>;
};

/** A site that may have no state yet: enough for looking at files. */
export type LookingSite = Omit<Site, "state" | "views">;

/** The root is opened by its name once. Whatever that name leads to later, this is the place. */
export async function openRoot(
  files: Files,
  path: string,
  options: GroundOptions,
): Promise<Outcome<OpenRoot>> {
  const root = await openRootDir(files, path);
  if (!root.ok) return root;
  const first = await openGround(files, root.value, { ...options, create: false });
  if (!first.ok) {
    await files.close(root.value);
    return first;
  }
  let ground = first.value;
  let books = booksOf(ground);

  /** Opens the state if it has come into being since; those who ask at once get the same one. */
  let last: Promise<unknown> = Promise.resolve();
  const reopen = (create: boolean): Promise<Outcome<Books | null>> => {
    const mine = last.then(() => openBooks(create));
    last = mine.catch(() => undefined);
    return mine;
  };
  const openBooks = async (create: boolean): Promise<Outcome<Books | null>> => {
    if (books) return accept(books);
    const again = await openGround(files, root.value, { ...options, create });
    if (!again.ok) return again;
    ground = again.value;
    books = booksOf(ground);
    return accept(books);
  };

  if (books) await settleQuietly(books.ground);
  return accept({
    path,
    files,
    books: () => reopen(false),
    makeBooks: async () => {
      const made = await reopen(true);
      if (!made.ok) return made;
      return made.value
        ? accept(made.value)
        : refuse({ code: "unavailable", detail: "the state could not be made" });
    },
    look: async (work) => {
      const walker = createWalker(files, root.value);
      try {
        return await work({ ...ground, walker, seen: new Map() });
      } finally {
        await walker.close();
      }
    },
    close: async () => {
      if (ground.state) await closeState(files, ground.state);
      await files.close(root.value);
    },
  });
}

async function openRootDir(files: Files, path: string): Promise<Outcome<Dir>> {
  try {
    return accept(await files.openRoot(path));
  } catch (error) {
    const errno = codeOf(error);
    return refuse({ code: "unavailable", errno, detail: `the root cannot be opened: ${errno}` });
  }
}

function booksOf({ state, ...rest }: BareGround): Books | null {
  if (!state) return null;
  const { files } = rest;
  const ground: Ground = { ...rest, state };
  const history = createHistory(files, state);
  const register = createRegister(files, state);
  return { ground, history, register, marks: createMarks(files, state, history, register) };
}

/**
 * Puts right what a crash has left, as the first thing that anybody does here. Whoever may only read, or comes while
 * another is at work, sees every file whole all the same.
 */
async function settleQuietly(ground: Ground): Promise<void> {
  const { files, state } = ground;
  try {
    const lock = await readLock(files, state.lock);
    if (lock.is === "held") return;
    // The lock's names are not flushed: a power cut may have taken them and left the journal.
    if (lock.is === "unused" && !(await listVolumes(files, state.journal)).some(({ pending }) => pending))
      return;
    if (lock.is === "free" && parseBalance(files, lock.note)) return;
    await inSession(ground, { patience: 1000 }, async ({ balance }) => ({ value: true, balance }));
  } catch (error) {
    codeOf(error);
  }
}
