import { indexLines } from "../text/model/lines.ts";
import { accept, type Outcome, type Refusal, refuse } from "../text/model/outcome.ts";
import type { Plan } from "../text/model/plan.ts";
import { commitTransaction, type TransactionRequest } from "./commit/commit.ts";
import { lookAt, type ReadContext } from "./commit/commit-context.ts";
import { type PreparedChange, prepareChanges } from "./commit/plan-changes.ts";
import { type OutsideChange, recordOutside } from "./commit/record-outside.ts";
import { inSession, type Session, type SessionResult } from "./commit/session.ts";
import { findSiblings, prepareSiblings } from "./commit/sibling-backups.ts";
import type { FileChange } from "./commit/targets.ts";
import { absent } from "./files/content.ts";
import { afterCommit, tidyState } from "./journal/after-commit.ts";
import type { JournalCheckpoint } from "./journal/checkpoint.ts";
import type { Durability, Entry, Origin } from "./journal/entries.ts";
import { type CommitNotice, type EntryMetadata, metadataOf, noticesOf } from "./journal/entry-metadata.ts";
import type { JournalStores, OpenRoot } from "./open-root.ts";
import { AskedPolicy } from "./paths/asked-policy.ts";
import { type GatedPath, gate, type PathPolicy } from "./paths/paths.ts";
import { findByKey, passGate, type ReaderOptions, recordedVersion, refuseIoErrors } from "./reader.ts";
import { withReserve } from "./state/reserve.ts";
import { coveredLines } from "./tasks/tasks.ts";
import {
  prepareReplacement,
  prepareUndo,
  type SelectEntries,
  selectRedo,
  selectUndo,
  type UndoTarget,
} from "./undo/undo.ts";
import { currentVersion } from "./undo/undo-plan.ts";

export type OpenOptions = ReaderOptions & {
  /** `fast` flushes nothing: a power cut may lose or damage recent work. */
  readonly durability?: Durability["level"];
  /** Files with several hard links are written in place instead of refused. */
  readonly inPlace?: boolean;
  /** Files on file systems that are mounted inside the root may be written. */
  readonly mounts?: boolean;
  /**
   * `move-aside`: the old file is moved away before the new one gets its name. Outside changes are never overwritten, but
   * for an instant there is no file.
   */
  readonly replace?: "move-aside";
  /** @deprecated since 0.2: `replace: "move-aside"`. A session or context has another option of this name. */
  readonly strict?: boolean;
  /** The maximal size of the state, in bytes. */
  readonly quota?: number;
  /** How long to wait for another process, in milliseconds. */
  readonly patience?: number;
};

/** The author of a commit, the reason for it, and the versions it is based on. */
export type CommitOptions = {
  readonly author: string;
  /** Edits of one task never conflict with each other. Commits without a task are not tracked. */
  readonly task?: string;
  /** The run that the task belongs to. Tasks of different runs do not conflict. */
  readonly run?: string;
  /** The program, conversation, model and tool behind the call, where they are known. */
  readonly origin?: Origin;
  readonly reason?: string;
  /** The versions that the author last saw, by path, where they are older than the plan's. */
  readonly base?: Readonly<Record<string, string>>;
  /** A second commit with the same key returns the entry of the first. */
  readonly idempotencyKey?: string;
  /** Overwrite lines of other tasks, and accept an older base. Bytes that were not read are never overwritten. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
  /** Consent of the person behind this call, besides the consent of the workspace. */
  readonly consent?: PathPolicy["consent"];
  /** Refuse as stale where a file has changed since the plan, also on other lines. */
  readonly exact?: boolean;
  /** Called after each file that is written. Its errors are ignored: the transaction goes on. */
  readonly onProgress?: (progress: CommitProgress) => void;
};

/** How far a commit is. A commit that fails later restores every file. */
export type CommitProgress = { readonly path: string; readonly done: number; readonly total: number };

export type Committed = Entry & { readonly notices: readonly CommitNotice[] };

/** The author of an undo, and the reason for it. */
export type UndoOptions = Pick<CommitOptions, "author" | "origin" | "reason" | "task" | "run" | "signal"> & {
  /** The versions that a preview was made from, by path. Any other version is refused as stale. */
  readonly expected?: Readonly<Record<string, string>> | undefined;
};

export type Writer = {
  /** Commits the whole plan in one crash-safe transaction, or refuses and changes nothing. */
  commit(plan: Plan, options: CommitOptions): Promise<Outcome<Committed>>;
  /** Goes as far as `commit` goes before it writes: a refusal is the one that `commit` would give. */
  rehearse(plan: Plan, options: CommitOptions): Promise<Outcome<true>>;
  undo(target: UndoTarget, options: UndoOptions): Promise<Outcome<Committed>>;
  redo(target: UndoTarget, options: UndoOptions): Promise<Outcome<Committed>>;
  /** Restores a file to its version before or after an entry. */
  restore(
    path: string,
    id: string,
    options: UndoOptions & { readonly side?: "before" | "after" },
  ): Promise<Outcome<Committed>>;
  /**
   * Puts changes that another program has made into the journal, so that they can be shown and undone. Writes no file of
   * the user.
   */
  recordOutside(changes: readonly OutsideChange[], options: UndoOptions): Promise<Outcome<Entry>>;
  /** Ends a run. After success, removes its `.bak` files and returns their paths; after a failure, keeps them. */
  finishRun(run: string, outcome: { readonly succeeded: boolean }): Promise<Outcome<readonly string[]>>;
};

/** The maximal size of the state, in bytes, where the caller names none. */
export const defaultQuota = 1 << 30;

/** The content of a transaction, before it gets its number. */
type BuiltTransaction = Pick<TransactionRequest, "metadata" | "changes"> & {
  readonly removes?: readonly string[];
  readonly notices?: readonly CommitNotice[];
};

/** How a caller follows its transaction. */
type CommitWatch = Pick<CommitOptions, "signal" | "onProgress">;

/** Returns a transaction to write, or a result if there is nothing to write. */
type Build = (session: Session, stores: JournalStores) => Promise<Outcome<BuiltTransaction | Committed>>;

export function createWriter(root: OpenRoot, options: OpenOptions): Writer {
  const writer = new RootWriter(root, options);
  return {
    commit: (plan, how) => writer.commit(plan, how),
    rehearse: (plan, how) => writer.rehearse(plan, how),
    undo: (target, who) => writer.reverse(selectUndo, target, who),
    redo: (target, who) => writer.reverse(selectRedo, target, who),
    restore: (path, id, how) => writer.restore(path, id, how),
    recordOutside: (changes, who) => writer.recordOutside(changes, who),
    finishRun: (run, outcome) => writer.finishRun(run, outcome),
  };
}

class RootWriter {
  readonly #root: OpenRoot;
  readonly #options: OpenOptions;

  constructor(root: OpenRoot, options: OpenOptions) {
    this.#root = root;
    this.#options = options;
  }

  async commit(plan: Plan, how: CommitOptions): Promise<Outcome<Committed>> {
    const asked = await this.#askAboutPlan(plan, how);
    if (!asked.ok) return asked;
    const policy = asked.value;
    return this.#transact(
      (session, stores) => this.#buildCommit(plan, how, { session, stores, policy }),
      how,
    );
  }

  async rehearse(plan: Plan, how: CommitOptions): Promise<Outcome<true>> {
    const asked = await this.#askAboutPlan(plan, how);
    if (!asked.ok) return asked;
    const policy = asked.value;
    const { patience = 10_000 } = this.#options;
    return refuseIoErrors(async () => {
      const stores = await this.#root.stores();
      if (!stores.ok) return stores;
      const known = stores.value;
      // Without a state there is no other task, and none is created for a rehearsal.
      const answer = known
        ? await inSession(known.openState, { patience }, async (session) => ({
            value: await this.#buildCommit(plan, how, { session, stores: known, policy }),
            checkpoint: session.checkpoint,
          }))
        : accept(
            await this.#root.withReadContext((context) =>
              gatePlan(
                context,
                plan,
                this.#gates((path, access) => gate(path, access, policy)),
              ),
            ),
          );
      const built = answer.ok ? answer.value : answer;
      return built.ok ? accept(true) : built;
    });
  }

  #askAboutPlan(plan: Plan, { consent }: CommitOptions): Promise<Outcome<PathPolicy>> {
    return this.#askAbout(eitherConsents(this.#options.policy, consent), (context, check) =>
      gatePlan(context, plan, this.#gates(check)),
    );
  }

  async reverse(select: SelectEntries, target: UndoTarget, who: UndoOptions): Promise<Outcome<Committed>> {
    const asked = await this.#askAbout(this.#withConsent(), async (_, check) => {
      const stores = await this.#root.stores();
      const entries = stores.ok && stores.value ? await select(stores.value, target) : null;
      const paths = entries?.ok ? entries.value.flatMap(({ entry }) => entry.files) : [];
      for (const { path } of paths) await check(path, "write");
    });
    if (!asked.ok) return asked;
    const policy = asked.value;
    return this.#transactBack(async ({ context, checkpoint }, sources) => {
      const entries = await select(sources, target, checkpoint.next);
      if (!entries.ok) return entries;
      const prepared = await prepareUndo(context, entries.value, { sources, policy });
      if (!prepared.ok) return prepared;
      const moved = who.expected && findMoved(prepared.value.changes, who.expected);
      if (moved) return refuse(moved);
      const undoes = entries.value.map(({ entry }) => entry.id);
      // An undo of undos is a redo.
      const isRedo = entries.value.every(({ entry }) => entry.kind === "undo");
      const metadata = { ...this.#metadata(isRedo ? "redo" : "undo", who), undoes };
      return accept({ ...prepared.value, metadata });
    }, who);
  }

  async restore(...[path, id, options]: Parameters<Writer["restore"]>): Promise<Outcome<Committed>> {
    const { side = "before", ...who } = options;
    const asked = await this.#askAbout(this.#withConsent(), async (_, check) => check(path, "write"));
    if (!asked.ok) return asked;
    const policy = asked.value;
    return this.#transactBack(async ({ context, checkpoint }, { history, versions }) => {
      const past = await history.find(id, checkpoint.next);
      const gated = gate(path, "write", policy);
      if (!gated.ok) return gated;
      const { path: name, names } = gated.value;
      if (!past?.entry.files.some((file) => file.path === name))
        return refuse({ code: "not-found", what: past ? "file" : "entry", detail: id });
      const now = await lookAt(context, names);
      const after = await recordedVersion(versions, past, { path: name, side });
      if (!now.ok) return now;
      if (!after.ok) return after;
      const before = currentVersion(now.value.content);
      const change = prepareReplacement({ path: name, before, after: after.value }, policy);
      if (!change.ok) return change;
      return accept({ metadata: this.#metadata("restore", who), changes: [change.value] });
    });
  }

  recordOutside(changes: readonly OutsideChange[], who: UndoOptions): Promise<Outcome<Entry>> {
    const { patience = 10_000, policy = {} } = this.#options;
    return refuseIoErrors(async () => {
      const stores = await this.#root.createStores();
      if (!stores.ok) return stores;
      const answer = await inSession(
        stores.value.openState,
        { patience },
        async ({ context, lock, checkpoint }) => {
          const { next: number, head: previous } = checkpoint;
          const edits = changes.map(({ path, before }) =>
            outsideEdit(path, before === null, who.reason ?? ""),
          );
          const metadata = this.#metadata("edit", who, edits);
          const done = await recordOutside(context, lock, { number, previous, metadata, changes, policy });
          if (!done.ok) return { value: done, checkpoint };
          const { entry, head, grown } = done.value;
          await stores.value.journalIndex.append(number, entry);
          const used = checkpoint.used + grown;
          return { value: accept(entry), checkpoint: { ...checkpoint, next: number + 1, head, used } };
        },
      );
      return answer.ok ? answer.value : answer;
    });
  }

  async finishRun(run: string, { succeeded }: { succeeded: boolean }): Promise<Outcome<readonly string[]>> {
    const hasBackups = succeeded && this.#options.backup === "sibling";
    const stores = hasBackups ? await this.#root.stores() : accept(null);
    if (!stores.ok) return stores;
    if (!stores.value) return accept([]);
    const done = await this.#transact(async ({ context }, current) => {
      const changes = await findSiblings(context, current, run);
      if (!changes.ok) return changes;
      if (changes.value.length === 0) return refuse({ code: "no-change", why: "nothing-asked" });
      const metadata = this.#metadata("tidy", { author: "suture", run });
      return accept({ metadata, changes: changes.value });
    });
    if (done.ok) return accept(done.value.files.map(({ path }) => path));
    return done.refusal.code === "no-change" ? accept([]) : done;
  }

  async #buildCommit(
    plan: Plan,
    how: CommitOptions,
    {
      session,
      stores,
      policy,
    }: { readonly session: Session; readonly stores: JournalStores; readonly policy: PathPolicy },
  ): Promise<Outcome<BuiltTransaction | Committed>> {
    const { context, checkpoint } = session;
    const { history } = stores;
    const key = how.idempotencyKey;
    const replay = key === undefined ? null : await findByKey(stores, key, checkpoint.next);
    if (replay) return accept({ ...replay, notices: [{ notice: "replayed" }] });
    const check: PathCheck = (path, access) => gate(path, access, policy);
    const gated = await gatePlan(context, plan, this.#gates(check));
    if (!gated.ok) return gated;
    const { base = {}, force = false, exact = false, run } = how;
    const options = { base, force, exact, next: checkpoint.next };
    const prepared = await prepareChanges({ context, sources: stores, gated: gated.value, options }, plan);
    if (!prepared.ok) return prepared;
    const free = force
      ? accept(true)
      : await checkTaskLines(session, stores, { changes: prepared.value, how });
    if (!free.ok) return free;
    const changes = prepared.value.map(({ change }) => change);
    const hasBackups = this.#options.backup === "sibling" && run !== undefined;
    const siblings = hasBackups ? await prepareSiblings(context, changes, { history, run }) : accept([]);
    if (!siblings.ok) return siblings;
    const metadata = this.#metadata("edit", how, plan.edits);
    const notices = rebasedNotices(prepared.value);
    return accept({ metadata, changes: [...changes, ...siblings.value], notices });
  }

  /**
   * Asks the policy before the lock is taken, because the answer of a person takes time. The returned policy has only
   * these answers. A refusal is found again under the lock, after the checks that come before it.
   */
  async #askAbout(
    policy: PathPolicy = {},
    ask: (context: ReadContext, check: PathCheck) => Promise<unknown>,
  ): Promise<Outcome<PathPolicy>> {
    if (!policy.writable && typeof policy.consent !== "function") return accept(policy);
    const asked = new AskedPolicy(policy);
    return refuseIoErrors(async () => {
      await this.#root.withReadContext((context) => ask(context, (path, access) => asked.gate(path, access)));
      return accept(asked.settled);
    });
  }

  /** Consent to an undo was given when the edit was made. */
  #withConsent(): PathPolicy {
    return { ...this.#options.policy, consent: true };
  }

  #gates(check: PathCheck): PlanGates {
    return { links: this.#options.links, check };
  }

  #metadata(
    kind: EntryMetadata["kind"],
    author: UndoOptions | CommitOptions,
    edits: Plan["edits"] = [],
  ): EntryMetadata {
    return metadataOf(author, { time: this.#root.files.now(), kind, edits });
  }

  /** Builds a transaction under the lock, and writes it. */
  #transact(build: Build, watch: CommitWatch = {}): Promise<Outcome<Committed>> {
    return refuseIoErrors(async () => {
      const stores = await this.#root.createStores();
      return stores.ok ? this.#runSession(stores.value, build, watch) : stores;
    });
  }

  /** A transaction that takes something back. On a full disk it uses the reserve. */
  #transactBack(build: Build, watch: CommitWatch = {}): Promise<Outcome<Committed>> {
    return refuseIoErrors(async () => {
      const stores = await this.#root.createStores();
      if (!stores.ok) return stores;
      return withReserve(stores.value.openState, () => this.#runSession(stores.value, build, watch));
    });
  }

  async #runSession(stores: JournalStores, build: Build, watch: CommitWatch): Promise<Outcome<Committed>> {
    const { patience = 10_000 } = this.#options;
    const answer = await inSession(stores.openState, { patience }, async (session) => {
      const built = await build(session, stores);
      if (!built.ok) return { value: built, checkpoint: session.checkpoint };
      return "changes" in built.value
        ? this.#write(session, built.value, { stores, watch })
        : { value: accept(built.value), checkpoint: session.checkpoint };
    });
    return answer.ok ? answer.value : answer;
  }

  async #write(
    { context, lock, checkpoint: known }: Session,
    { metadata, changes, removes = [], notices = [] }: BuiltTransaction,
    { stores, watch }: { readonly stores: JournalStores; readonly watch: CommitWatch },
  ): Promise<SessionResult<Outcome<Committed>>> {
    const { quota = defaultQuota, replace, inPlace = false, mounts = false } = this.#options;
    const strict = replace === "move-aside" || this.#options.strict === true;
    const unresolved = checkUnresolved(known, changes);
    if (unresolved) return { value: unresolved, checkpoint: known };
    // The way back must stay open when the state is full.
    const isEdit = metadata.kind === "edit";
    const isFull = isEdit && checkQuota(known, changes, quota) !== null;
    const checkpoint = isFull ? await tidyState(context, stores, { checkpoint: known, quota }) : known;
    const full = isFull ? checkQuota(checkpoint, changes, quota) : null;
    if (full) return { value: full, checkpoint };
    const { next: number, head: previous } = checkpoint;
    const { signal, onProgress } = watch;
    const file = { strict, inPlace, mounts };
    const request = { number, previous, metadata, changes, removes, ...file, signal, onProgress };
    const { outcome, needsRecovery } = await commitTransaction(context, lock, request);
    if (!outcome.ok) return { value: outcome, checkpoint: needsRecovery ? null : checkpoint };
    const { entry, head, grown, outside } = outcome.value;
    await stores.journalIndex.append(number, entry);
    const used = checkpoint.used + grown;
    const written: JournalCheckpoint = { ...checkpoint, next: number + 1, head, used };
    const after = needsRecovery
      ? written
      : await afterCommit(context, stores, { checkpoint: written, quota, number, entry });
    const all = [...notices, ...noticesOf(entry, { checkpoint: after, quota, outside })];
    return { value: accept({ ...entry, notices: all }), checkpoint: needsRecovery ? null : after };
  }
}

/** The first file that is not as it was shown. */
function findMoved(
  changes: readonly FileChange[],
  expected: Readonly<Record<string, string>>,
): Refusal | undefined {
  const moved = changes.find(({ gated, expected: now }) => expected[gated.path] !== now);
  return (
    moved && {
      code: "stale",
      path: moved.gated.path,
      expected: expected[moved.gated.path] ?? absent,
      actual: moved.expected,
    }
  );
}

/** An edit of another program, as the journal names it. */
function outsideEdit(path: string, isNew: boolean, reason: string): Plan["edits"][number] {
  const shared = { path, text: "", reason, evidence: [] };
  return isNew ? { ...shared, target: { file: "create" } } : { ...shared, target: { file: "rewrite" } };
}

function rebasedNotices(changes: readonly PreparedChange[]): CommitNotice[] {
  return changes
    .filter(({ over }) => over.length > 0)
    .map(({ change, over }) => ({ notice: "rebased", path: change.gated.path, over }));
}

/** A policy with the consent of a caller, who is asked where the policy does not consent itself. */
function eitherConsents(policy: PathPolicy = {}, consent: PathPolicy["consent"]): PathPolicy {
  const known = policy.consent;
  if (consent === undefined || known === true) return policy;
  if (consent === true || known === undefined || known === false) return { ...policy, consent };
  const ask = typeof consent === "function" ? consent : () => false;
  return {
    ...policy,
    consent: async (path, concern) => (await known(path, concern)) === true || ask(path, concern),
  };
}

type PathCheck = (path: string, access: "read" | "write") => Outcome<GatedPath> | Promise<Outcome<GatedPath>>;

type PlanGates = { readonly links: ReaderOptions["links"]; readonly check: PathCheck };

/** Checks every path of a plan against the gate. Paths that are only copied from are checked for reading. */
async function gatePlan(
  context: ReadContext,
  plan: Plan,
  { links, check }: PlanGates,
): Promise<Outcome<Map<string, GatedPath>>> {
  const gated = new Map<string, GatedPath>();
  const written = new Set<string>();
  for (const { path, from } of plan.changes) {
    for (const [name, access] of [
      [from, "read"],
      [path, "write"],
    ] as const) {
      if (name === undefined || (access === "read" && gated.has(name))) continue;
      const passed = await passGate(context, name, { links, check: (each) => check(each, access) });
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

/** Other tasks of the run must not have edited the same lines. */
async function checkTaskLines(
  { checkpoint }: Session,
  { taskLines }: JournalStores,
  { changes, how }: { changes: readonly PreparedChange[]; how: CommitOptions },
): Promise<Outcome<true>> {
  const { task, run } = how;
  if (task === undefined) return accept(true);
  for (const { change, text, regions } of changes) {
    if (change.expected === absent || regions.length === 0) continue;
    const { path } = change.gated;
    const index = indexLines(text);
    const lines = regions.map((region) => coveredLines(index, region));
    const current = { version: change.expected, text };
    const rivals = await taskLines.findRivals({ path, current, lines, task, run, next: checkpoint.next });
    const detail = "another task has edited these lines";
    if (rivals.length > 0) return refuse({ code: "conflict", path, detail, with: rivals });
  }
  return accept(true);
}

/** The paths of an unresolved transaction are blocked until a person decides. */
function checkUnresolved(
  { unresolved }: JournalCheckpoint,
  changes: readonly FileChange[],
): Outcome<never> | null {
  const paths = new Set(changes.map(({ gated }) => gated.path));
  const blocking = unresolved.find(
    (one) => one.paths.length === 0 || one.paths.some((path) => paths.has(path)),
  );
  if (!blocking) return null;
  return refuse({
    code: "unavailable",
    detail: `transaction ${blocking.number} cannot be recovered (${blocking.why}); \`suture doctor --repair\` sets it aside`,
  });
}

/** Refuses if the state would exceed its quota although old entries were removed. */
function checkQuota(
  { used }: JournalCheckpoint,
  changes: readonly FileChange[],
  quota: number,
): Outcome<never> | null {
  const needed = changes.reduce(
    (sum, { after, texts }) => sum + (after?.bytes.length ?? 0) + lengthOf(texts.inserted),
    0,
  );
  return used + needed > quota
    ? refuse({ code: "too-large", size: used + needed, limit: quota, what: "`.suture/`, in bytes," })
    : null;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
