import { printPlanDiff } from "../text/diff/diff.ts";
import { carryPlan } from "../text/merge/carry-plan.ts";
import { defined } from "../text/model/defined.ts";
import type { Edit } from "../text/model/edit.ts";
import { accept, type Outcome, type Refusal, refuse } from "../text/model/outcome.ts";
import { type Change, type Landing, type Plan, pathsOf, planEdits } from "../text/model/plan.ts";
import type { Snapshot } from "../text/model/snapshot.ts";
import { createOffsetMap } from "../text/model/splice.ts";
import type { Concern } from "../workspace/paths/guarded-names.ts";
import type { CommitOptions, Committed } from "../workspace/workspace.ts";
import { askApproval } from "./approval.ts";
import { findBases, findNamedBlobs } from "./find-bases.ts";
import { passGates } from "./gates.ts";
import { planWithCells } from "./notebook-cells.ts";
import { unmarked } from "./part-version.ts";
import { readSnapshots } from "./read-snapshots.ts";
import { refuseNewAnchors } from "./resolve-anchors.ts";
import { withRetry } from "./retry.ts";
import { type Context, type EditOptions, originOf, type WriterOptions } from "./tool.ts";
import { changesWordsOnly } from "./words-only.ts";

/** The result of edits. Without an entry nothing was written: the plan is a preview, or changes nothing. */
export type Applied = {
  readonly plan: Plan;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  readonly entry?: Committed;
  readonly preview: boolean;
  readonly diff: string;
  /** Files that parsed before and do not any more. */
  readonly broken: readonly BrokenFile[];
  /** Files whose lines the session reads with anchors. */
  readonly anchored: ReadonlySet<string>;
};

export type BrokenFile = { readonly path: string; readonly line: number; readonly detail: string };

type GatedOptions = EditOptions & { readonly gates?: readonly PlanGate[] };

/** A check that only some tools ask for, between plan and commit. */
export type PlanGate = (plan: Plan) => Outcome<Plan> | Promise<Outcome<Plan>>;

/**
 * The one path from edits to files: read, plan, check, commit. A preview is the same path stopped before the
 * commit. Where the caller has seen an older version, the workspace decides whether its lines are still intact.
 */
export async function applyEdits(
  context: Context,
  edits: readonly Edit[],
  options: GatedOptions = {},
): Promise<Outcome<Applied>> {
  const earlier = await findEarlier(context, options);
  if (earlier) return earlier;
  for (const [i, edit] of edits.entries()) {
    const [shown] = context.memory?.served.anchoredTexts(edit.path) ?? [];
    const misplaced = shown && refuseNewAnchors(edit, shown, i);
    if (misplaced) return misplaced;
  }
  for (let attempt = 1; ; attempt++) {
    const applied = await applyOnce(context, edits, options);
    if (applied.ok) return applied;
    if (isLate(applied.refusal) && attempt < mostAttempts && canPlanAgain(edits, options)) continue;
    const { refusal } = applied;
    return refuse(await withRetry(context, { tool: context.call?.tool ?? "", edits, options, refusal }));
  }
}

const mostAttempts = 50;

/** Whether another program has changed a file between the plan and the commit. Conflicts of tasks name their rivals. */
function isLate(refusal: Refusal): boolean {
  if (refusal.code === "conflict") return refusal.with === undefined && refusal.versions === undefined;
  return refusal.code === "stale";
}

/**
 * The first result of a call that was made before with the same idempotency key. Writers ask for it before they look
 * at anything else, because the first call may have changed the files that the call names.
 */
export async function findEarlier(
  { reader }: Context,
  { idempotency_key: key, dry_run }: WriterOptions,
): Promise<Outcome<Applied> | null> {
  if (key === undefined || dry_run) return null;
  const entry = await reader.entryOfKey(key);
  if (!entry.ok) return entry;
  return entry.value && replay(reader, { ...entry.value, notices: [{ notice: "replayed" }] });
}

/** The plan of an entry again, with the places where its edits landed. */
async function replay(reader: Context["reader"], entry: Committed): Promise<Outcome<Applied>> {
  const plan = await reader.entryPlan(entry.id);
  if (!plan.ok) return plan;
  const { changes } = plan.value;
  const landings = changes.map(landingOf);
  const diff = printPlanDiff(plan.value).toWellFormed();
  const told = { plan: { ...plan.value, landings }, snapshots: new Map(), entry, preview: false, diff };
  return accept({ ...told, broken: await findBroken(plan.value), anchored: new Set() });
}

function landingOf({ path, splices }: Change, edit: number): Landing {
  const map = createOffsetMap(splices);
  const before = splices.map(({ region }) => region);
  const after = before.map(({ start, end }) => ({ start: map(start, "before"), end: map(end, "after") }));
  return { edit, path, fit: "exact", before, after, remaining: 0, notes: [] };
}

/** Whether edits can be planned again after another change: a quotation and the ends of a file have no line number. */
function canPlanAgain(edits: readonly Edit[], options: WriterOptions): boolean {
  const isPlaced = ({ target }: Edit): boolean =>
    "quote" in target ? !target.within : "line" in target && (target.line === 0 || target.line === -1);
  return options.base_version === undefined && edits.every(isPlaced);
}

async function applyOnce(
  context: Context,
  edits: readonly Edit[],
  options: GatedOptions,
): Promise<Outcome<Applied>> {
  const read = await readSnapshots(context, pathsOf(edits));
  if (!read.ok) return read;
  const planned = await planFrom(context, { edits, snapshots: read.value, options });
  if (!planned.ok)
    return asStale(planned, options.base_version && unmarked(options.base_version), read.value);
  const checked = await check(planned.value, context, options.gates ?? []);
  if (!checked.ok) return checked;
  const preview = options.dry_run === true;
  const diff = printPlanDiff(checked.value).toWellFormed();
  const broken = await findBroken(checked.value);
  const { workspace, memory } = context;
  const anchored = new Set([...read.value.keys()].filter((path) => memory?.served.isAnchored(path)));
  const applied = { plan: checked.value, snapshots: read.value, preview, diff, broken, anchored };
  if (checked.value.changes.length === 0 || (preview && !workspace)) return accept(applied);
  if (!workspace)
    return refuse({ code: "not-allowed", detail: "this task only reads; nothing can be written" });
  const base = baseToCheck(context, options, read.value.get(edits[0]!.path));
  const how = { ...commitOptions(context, options), ...base };
  if (preview) {
    // A preview asks nobody, and expects a yes where the person has not said no.
    const consent = (path: string, concern: Concern) => memory?.consents.find(path, concern) ?? true;
    const rehearsed = await workspace.rehearse(checked.value, {
      ...how,
      ...defined({ consent: context.consent ? consent : undefined }),
    });
    return rehearsed.ok ? accept(applied) : rehearsed;
  }
  const approved = await askApproval(context, checked.value, applied.diff);
  if (!approved.ok) return approved;
  const entry = await workspace.commit(checked.value, how);
  if (!entry.ok) return entry;
  context.memory?.served.noteWritten(checked.value, versionsAfter(entry.value));
  const isReplay = entry.value.notices.some(({ notice }) => notice === "replayed");
  return isReplay ? replay(context.reader, entry.value) : accept({ ...applied, entry: entry.value });
}

/**
 * Plans the edits on the texts that they were made for, and carries the plan over to the present ones. A quotation that
 * a session was not shown was made for the present text.
 */
async function planFrom(context: Context, { edits, snapshots, options }: Planning): Promise<Outcome<Plan>> {
  const bases = await findBases(context, edits, { ...options, snapshots });
  if (bases.size > 0) {
    const made = await planWithCells(edits, [...new Map([...snapshots, ...bases]).values()]);
    if (made.ok) {
      const carried = carryPlan(made.value, snapshots);
      return carried.ok || !(await isContested(context, made.value)) ? carried : made;
    }
    const isQuoted = options.base_version === undefined && !edits.some(({ target }) => "line" in target);
    if (made.refusal.code !== "not-found" || !isQuoted) return made;
  }
  const planned = await planWithCells(edits, [...snapshots.values()]);
  if (planned.ok || !["not-found", "ambiguous", "stale", "overlap"].includes(planned.refusal.code))
    return planned;
  const baseOf = await findNamedBlobs(context, edits);
  const merged = baseOf && planEdits(edits, [...snapshots.values()], { baseOf });
  if (merged?.ok) return merged;
  const made = await planBeforeRun(context, edits, snapshots);
  return made && (await isContested(context, made)) ? accept(made) : planned;
}

/** The plan on the texts that the files had before other tasks of the run changed them; null where they did not. */
async function planBeforeRun(
  { reader, run, task }: Context,
  edits: readonly Edit[],
  snapshots: ReadonlyMap<string, Snapshot>,
): Promise<Plan | null> {
  if (run === undefined) return null;
  const texts = new Map(snapshots);
  for (const path of snapshots.keys()) {
    const first = (await reader.history({ path, run })).findLast((entry) => entry.task !== task);
    const before = first?.files.find((file) => file.path === path)?.before;
    const text = before ? await reader.textOfVersion(path, before.version) : null;
    if (before && text?.ok && text.value !== null)
      texts.set(path, { path, text: text.value, version: before.version });
  }
  const planned = await planWithCells(edits, [...texts.values()]);
  return planned.ok ? planned.value : null;
}

/** Whether another task of the run has changed the lines of a plan since: then the commit asks what becomes of them. */
async function isContested({ workspace, ...context }: Context, plan: Plan): Promise<boolean> {
  const { force: _, ...how } = commitOptions(context, {});
  if (context.run === undefined || !workspace) return false;
  const rehearsed = await workspace.rehearse(plan, { ...how, consent: true });
  if (rehearsed.ok || rehearsed.refusal.code !== "conflict") return false;
  return rehearsed.refusal.with?.some(({ task }) => task !== context.task) ?? false;
}

type Planning = {
  readonly edits: readonly Edit[];
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  readonly options: EditOptions;
};

/** The version that the workspace has to look up: not the present one, and none that the plan was carried from. */
function baseToCheck(
  { memory }: Context,
  { base_version }: WriterOptions,
  now: Snapshot | undefined,
): Pick<CommitOptions, "base"> {
  const base = base_version && unmarked(base_version);
  if (!base || !now || now.version.startsWith(base) || memory?.served.ofVersion(now.path, base)) return {};
  return { base: { [now.path]: base } };
}

/** The version of each file after an entry; none of a file that was rebased, whose text the plan does not have. */
function versionsAfter({ files, notices }: Committed): (path: string) => string | undefined {
  const isRebased = notices.some(({ notice }) => notice === "rebased");
  return (path) => (isRebased ? undefined : files.find((file) => file.path === path)?.after?.version);
}

function commitOptions(context: Context, options: WriterOptions): CommitOptions {
  const { run, signal } = context;
  return {
    author: context.author,
    task: options.task ?? context.task,
    ...originOf(context),
    ...defined({
      run,
      reason: options.reason,
      idempotencyKey: options.idempotency_key,
      force: context.force ? true : undefined,
      consent: context.consent,
    }),
    // An approval is for these bytes, so they are not moved over the edits of others.
    ...defined({ exact: context.approve ? true : undefined, signal }),
  };
}

/** If the file has changed since the caller read it, a quotation that is not found is stale, not wrong. */
function asStale(
  planned: ReturnType<typeof refuse>,
  base: string | undefined,
  snapshots: ReadonlyMap<string, Snapshot>,
): ReturnType<typeof refuse> {
  const { code, edit, path } = planned.refusal;
  const actual = path === undefined ? undefined : snapshots.get(path)?.version;
  if (base === undefined || actual === undefined || actual === base) return planned;
  if (code !== "not-found" && code !== "ambiguous") return planned;
  const detail =
    code === "not-found"
      ? "The text to replace is no longer there."
      : "The text to replace is no longer unique.";
  return refuse({
    code: "stale",
    expected: base,
    actual,
    detail,
    ...defined({ edit, path }),
  });
}

/** The parsers are loaded only for a change that may matter to one. */
async function findBroken({ changes }: Plan): Promise<BrokenFile[]> {
  const broken: BrokenFile[] = [];
  for (const change of changes) {
    const { path, before, after } = change;
    if (before.text === null || after === null || before.text === after || changesWordsOnly(change)) continue;
    const { stillParses } = await import("../syntax/check.ts");
    const parsed = await stillParses(path, before.text, after);
    if (!parsed.ok && parsed.refusal.code === "unparsable") broken.push({ path, ...parsed.refusal });
  }
  return broken;
}

async function check(plan: Plan, context: Context, gates: readonly PlanGate[]): Promise<Outcome<Plan>> {
  let checked = passGates(plan, { force: context.force });
  for (const gate of gates) {
    if (!checked.ok) return checked;
    checked = await gate(checked.value);
  }
  return checked;
}
