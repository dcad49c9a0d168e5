import { indexLines } from "../text/model/lines.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { Plan } from "../text/model/plan.ts";
import { commitTransaction, type Request } from "./commit/commit.ts";
import { lookAt } from "./commit/commit-context.ts";
import { type Readied, readyPlan } from "./commit/plan-changes.ts";
import { inSession, type Session } from "./commit/session.ts";
import { findSiblings, readySiblings } from "./commit/sibling-backups.ts";
import type { FileChange } from "./commit/targets.ts";
import type { Balance } from "./journal/checkpoint.ts";
import type { Durability, Entry } from "./journal/entries.ts";
import { aboutOf, type Notice, noticesOf } from "./journal/entry-metadata.ts";
import { entryOf } from "./journal/journal.ts";
import { readSide } from "./journal/versions.ts";
import type { Books, OpenRoot } from "./open-root.ts";
import { type GatedPath, gate } from "./paths/paths.ts";
import { draftOf, draftThen, passGate, type ReaderOptions, unlessItFails } from "./reader.ts";
import { coveredLines } from "./tasks/tasks.ts";
import { readyDraft, readyUndo, selectRedo, selectUndo, type UndoTarget } from "./undo/undo.ts";

export type WriterOptions = ReaderOptions & {
  /** `fast` flushes nothing: every promise but the one about power cuts. */
  readonly durability?: Durability["level"];
  /** Files with several names are written in place instead of being refused. */
  readonly inPlace?: boolean;
  /** Files on other file systems that are mounted inside the root may be written. */
  readonly mounts?: boolean;
  /** Move the old file away before the new one takes its name: no window for others, but an instant without the file. */
  readonly strict?: boolean;
  /** How much room the state may take, in bytes. */
  readonly quota?: number;
  /** How long to wait for another process, in milliseconds. */
  readonly patience?: number;
};

/** Who writes, why, and on what understanding of the files. */
export type CommitOptions = {
  readonly author: string;
  /** Edits of one task never conflict with each other. A commit without a task is not tracked. */
  readonly task?: string;
  /** The execution that the task belongs to; tasks of different runs do not conflict. */
  readonly run?: string;
  readonly reason?: string;
  /** Versions that the author last saw, by path, where they are older than the plan's. */
  readonly base?: Readonly<Record<string, string>>;
  /** A second commit with the same key answers with the first one's entry. */
  readonly idempotencyKey?: string;
  /** Write over other tasks' lines, and on an older base. Never over bytes that were not read. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
};

export type Committed = Entry & { readonly notices: readonly Notice[] };

/** Who takes something back, and why. */
export type UndoOptions = Pick<CommitOptions, "author" | "reason" | "task" | "run">;

export type Writer = {
  /** One crash-safe transaction for the whole plan, or a refusal and nothing changed. */
  commit(plan: Plan, options: CommitOptions): Promise<Outcome<Committed>>;
  undo(target: UndoTarget, options: UndoOptions): Promise<Outcome<Committed>>;
  redo(target: UndoTarget, options: UndoOptions): Promise<Outcome<Committed>>;
  /** Brings a file back to what it was before an entry, or after it. */
  restore(
    path: string,
    id: string,
    options: UndoOptions & { readonly side?: "before" | "after" },
  ): Promise<Outcome<Committed>>;
  /** Ends a run: after success its `.bak` files beside the originals go, after a failure they stay. Says which. */
  finishRun(run: string, outcome: { readonly succeeded: boolean }): Promise<Outcome<readonly string[]>>;
};

const gigabyte = 1 << 30;

/** What a transaction consists of, once the files have been looked at. */
type Built = Pick<Request, "about" | "changes"> & {
  readonly removes?: readonly string[];
  readonly notices?: readonly Notice[];
};

export function createWriter(root: OpenRoot, options: WriterOptions): Writer {
  const {
    quota = gigabyte,
    patience = 10_000,
    strict = false,
    inPlace = false,
    mounts = false,
    policy = {},
  } = options;
  const { files } = root;

  const transact = (
    build: (session: Session, books: Books) => Promise<Outcome<Built | Committed>>,
    signal?: AbortSignal,
  ): Promise<Outcome<Committed>> =>
    unlessItFails(async () => {
      const books = await root.makeBooks();
      if (!books.ok) return books;
      const answer = await inSession(books.value.ground, { patience }, async (session) => {
        const built = await build(session, books.value);
        if (!built.ok || !("changes" in built.value))
          return { value: built as Outcome<Committed>, balance: session.balance };
        return write(session, books.value, built.value, signal);
      });
      return answer.ok ? answer.value : answer;
    });

  const write = async (
    { site, tenure, balance }: Session,
    { register }: Books,
    built: Built,
    signal?: AbortSignal,
  ) => {
    const refused = checkOpen(balance, built.changes) ?? checkRoom(balance, built.changes, quota);
    if (refused) return { value: refused, balance };
    const { about, changes, removes = [], notices = [] } = built;
    const request = {
      number: balance.next,
      previous: balance.head,
      about,
      changes,
      removes,
      strict,
      inPlace,
      mounts,
      signal,
    };
    const { outcome, unsettled } = await commitTransaction(site, tenure, request);
    if (!outcome.ok) return { value: outcome, balance: unsettled ? null : balance };
    const { entry, head, grown, outside } = outcome.value;
    await register.append(balance.next, entry);
    const after: Balance = { ...balance, next: balance.next + 1, head, used: balance.used + grown };
    const all = [...notices, ...noticesOf(entry, after, quota, outside)];
    return { value: accept({ ...entry, notices: all }), balance: unsettled ? null : after };
  };

  const takeBack = (
    kind: "undo" | "redo",
    target: UndoTarget,
    who: UndoOptions,
  ): Promise<Outcome<Committed>> =>
    transact(async ({ site, balance }, { history }) => {
      const select = kind === "undo" ? selectUndo : selectRedo;
      const entries = await select(history, target, balance.next);
      if (!entries.ok) return entries;
      const ready = await readyUndo(site, history, entries.value, policy);
      if (!ready.ok) return ready;
      const undoes = entries.value.map(({ entry }) => entry.id);
      // An undo of an undo is a redo, whoever asks for it.
      const redoes = entries.value.every(({ entry }) => entry.kind === "undo");
      return accept({
        ...ready.value,
        about: { ...aboutOf(files.now(), redoes ? "redo" : "undo", who, []), undoes },
      });
    });

  return {
    commit: (plan, how) =>
      transact(async (session, books) => {
        const replay = await findReplay(session, books, how.idempotencyKey);
        if (replay) return accept({ ...replay, notices: [{ notice: "replayed" }] });
        const gated = await gatePlan(session, plan, options);
        if (!gated.ok) return gated;
        const setting = {
          site: session.site,
          history: books.history,
          gated: gated.value,
          options: readyOptions(how, session),
        };
        const ready = await readyPlan(setting, plan);
        if (!ready.ok) return ready;
        const free = how.force ? accept(true) : await checkMarks(session, books, ready.value, how);
        if (!free.ok) return free;
        const changes = ready.value.map(({ change }) => change);
        const siblings =
          options.backup === "sibling" && how.run !== undefined
            ? await readySiblings(session.site, books, changes, how.run)
            : accept([]);
        if (!siblings.ok) return siblings;
        const about = aboutOf(files.now(), "edit", how, plan.edits);
        const rebased = ready.value.filter(({ over }) => over.length > 0);
        const notices = rebased.map(
          ({ change, over }): Notice => ({ notice: "rebased", path: change.gated.path, over }),
        );
        return accept({ about, changes: [...changes, ...siblings.value], notices });
      }, how.signal),
    undo: (target, who) => takeBack("undo", target, who),
    redo: (target, who) => takeBack("redo", target, who),
    restore: (path, id, { side = "before", ...who }) =>
      transact(async ({ site }, { history }) => {
        const past = await history.find(id);
        const gated = gate(path, "write", { ...policy, consent: true });
        if (!gated.ok) return gated;
        const index = past?.entry.files.findIndex((file) => file.path === gated.value.path) ?? -1;
        if (!past || index < 0)
          return refuse({ code: "not-found", what: past ? "file" : "entry", detail: id });
        const [now, then] = [
          await lookAt(site, gated.value.names),
          await readSide(site.files, site.state, past.volume, index, side),
        ];
        if (!now.ok) return now;
        if (!then.ok) return then;
        const change = readyDraft(
          gated.value.path,
          draftOf(now.value.content),
          draftThen(past, index, side, then.value),
          policy,
        );
        return change.ok
          ? accept({ about: aboutOf(files.now(), "restore", who, []), changes: [change.value] })
          : change;
      }),
    finishRun: async (run, { succeeded }) => {
      const books = succeeded && options.backup === "sibling" ? await root.books() : accept(null);
      if (!books.ok || !books.value) return books.ok ? accept([]) : books;
      const done = await transact(async ({ site }, current) => {
        const changes = await findSiblings(site, current, run);
        if (!changes.ok) return changes;
        if (changes.value.length === 0) return refuse({ code: "no-change", why: "nothing-asked" });
        return accept({
          about: aboutOf(files.now(), "tidy", { author: "suture", run }, []),
          changes: changes.value,
        });
      });
      if (done.ok) return accept(done.value.files.map(({ path }) => path));
      return done.refusal.code === "no-change" ? accept([]) : done;
    },
  };
}

function readyOptions({ base = {}, force = false }: CommitOptions, { balance }: Session) {
  return { base, force, next: balance.next };
}

/** Passes every path of a plan through the gate; those that content is only taken from, as for reading. */
async function gatePlan(
  { site }: Session,
  plan: Plan,
  options: WriterOptions,
): Promise<Outcome<Map<string, GatedPath>>> {
  const gated = new Map<string, GatedPath>();
  const written = new Set<string>();
  for (const { path, from } of plan.changes) {
    for (const [name, access] of [
      [from, "read"],
      [path, "write"],
    ] as const) {
      if (name === undefined || (access === "read" && gated.has(name))) continue;
      const passed = await passGate(site, name, access, options);
      if (!passed.ok) return passed;
      gated.set(name, passed.value);
      if (access === "write" && written.has(passed.value.path))
        return refuse({
          code: "malformed",
          path: passed.value.path,
          what: "the plan has two names for one file",
        });
      if (access === "write") written.add(passed.value.path);
    }
  }
  return accept(gated);
}

async function findReplay(
  { balance }: Session,
  { register, history }: Books,
  key: string | undefined,
): Promise<Entry | null> {
  if (key === undefined) return null;
  for (const line of (await register.lines(balance.next)).values()) {
    const volume = line.key === key ? await history.volume(line.number) : null;
    const entry = volume && entryOf(volume);
    if (entry?.state === "committed") return entry;
  }
  return null;
}

/** Other tasks of the run must not have edited the same lines. */
async function checkMarks(
  { balance }: Session,
  { marks }: Books,
  ready: readonly Readied[],
  who: CommitOptions,
): Promise<Outcome<true>> {
  if (who.task === undefined) return accept(true);
  for (const { change, text, regions } of ready) {
    if (change.expected === "absent" || regions.length === 0) continue;
    const lines = indexLines(text);
    const asked = regions.map((region) => coveredLines(lines, region));
    const current = { version: change.expected, text };
    const rivals = await marks.findRivals(
      change.gated.path,
      current,
      asked,
      { task: who.task, run: who.run },
      balance.next,
    );
    if (rivals.length > 0)
      return refuse({
        code: "conflict",
        path: change.gated.path,
        detail: "another task has edited these lines",
        with: rivals,
      });
  }
  return accept(true);
}

/** Paths of a transaction that nobody has decided about stay closed. */
function checkOpen({ unresolved }: Balance, changes: readonly FileChange[]): Outcome<never> | null {
  const paths = new Set(changes.map(({ gated }) => gated.path));
  const closed = unresolved.find(
    (one) => one.paths.length === 0 || one.paths.some((path) => paths.has(path)),
  );
  if (!closed) return null;
  return refuse({
    code: "unavailable",
    detail: `entry ${closed.number} is in doubt (${closed.why}); doctor can decide it`,
  });
}

/** Refused before anything is touched, because to make room something would have to be forgotten. */
function checkRoom({ used }: Balance, changes: readonly FileChange[], quota: number): Outcome<never> | null {
  const needed = changes.reduce(
    (sum, { after, texts }) => sum + (after?.bytes.length ?? 0) + lengthOf(texts.inserted),
    0,
  );
  return used + needed > quota
    ? refuse({ code: "too-large", size: used + needed, limit: quota, what: "the state" })
    : null;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
