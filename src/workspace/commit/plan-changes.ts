import { compareTexts } from "../../text/diff/compare.ts";
import { rebase, rebaseOver } from "../../text/merge/rebase.ts";
import { defined } from "../../text/model/defined.ts";
import { encode, spliceBytes } from "../../text/model/encoding.ts";
import { indexLines } from "../../text/model/lines.ts";
import { accept, type Outcome, type Refusal, type Rival, refuse } from "../../text/model/outcome.ts";
import type { Change, Landing, Plan } from "../../text/model/plan.ts";
import type { Region } from "../../text/model/region.ts";
import { applySplices, mapOffset, type Splice } from "../../text/model/splice.ts";
import { absent, type Content } from "../files/content.ts";
import type { Entry, LineRegion } from "../journal/entries.ts";
import {
  findVersionPath,
  type TextVersion,
  type VersionPath,
  type VersionPathSources,
} from "../journal/version-path.ts";
import { type DecodedFile, decodeAny } from "../journal/versions.ts";
import type { GatedPath } from "../paths/paths.ts";
import { coveredLines, lineHunks, linesClash } from "../tasks/tasks.ts";
import { type CommitContext, lookAt } from "./commit-context.ts";
import { describeEdit, describeWhole, type EditedRegions } from "./describe.ts";
import { type FileChange, withFileMode } from "./targets.ts";

/** A change that can be committed, and the text and regions that it is about. */
export type PreparedChange = {
  readonly change: FileChange;
  /** The old text, and the regions of it that the edits target. */
  readonly text: string;
  readonly regions: readonly Region[];
  /** The entries over which the change was rebased. */
  readonly over: readonly string[];
};

export type PrepareOptions = {
  /** Refuse a change whose file has another version than the plan expected. */
  readonly exact: boolean;
  /** The versions that the author last saw, by path. */
  readonly base: Readonly<Record<string, string>>;
  readonly force: boolean;
  /** The number of the next entry. */
  readonly next: number;
};

export type PrepareContext = {
  readonly context: CommitContext;
  readonly sources: VersionPathSources;
  readonly gated: ReadonlyMap<string, GatedPath>;
  readonly options: PrepareOptions;
};

/** One change of the plan, and the current content of its file. */
type PlannedChange = {
  readonly change: Change;
  readonly path: GatedPath;
  readonly edited: EditedRegions;
  readonly content: Content | null;
};

/**
 * Turns the changes of a plan into bytes for the current files. Where other entries were committed since the plan was
 * made, its splices are rebased, if they do not touch the same text. Outside changes are never rebased over: the caller
 * has to read the files and plan again.
 */
export async function prepareChanges(
  context: PrepareContext,
  plan: Plan,
): Promise<Outcome<PreparedChange[]>> {
  const landings = Map.groupBy(plan.landings, ({ path }) => path);
  const prepared: PreparedChange[] = [];
  for (const change of plan.changes) {
    const path = gatedPath(context, change.path);
    const edited = editedRegions(change, landings.get(change.path) ?? []);
    const one = await prepareChange(context, { change, path, edited });
    if (!one.ok) return refuse({ path: path.path, ...one.refusal });
    prepared.push(one.value);
  }
  return accept(prepared);
}

/** Every path of the plan has passed the gate before. */
function gatedPath({ gated }: PrepareContext, path: string): GatedPath {
  const found = gated.get(path);
  if (!found) throw new Error(`${path} has not passed the gate`);
  return found;
}

/** The regions that the edits of a change target; if there are none, the regions that it replaces. */
function editedRegions({ splices }: Change, landings: readonly Landing[]): EditedRegions {
  const regions = landings.flatMap(({ before }) => before);
  if (regions.length > 0) return { regions, recorded: true };
  return { regions: splices.map(({ region }) => region), recorded: false };
}

async function prepareChange(
  context: PrepareContext,
  planned: Omit<PlannedChange, "content">,
): Promise<Outcome<PreparedChange>> {
  const looked = await lookAt(context.context, planned.path.names);
  if (!looked.ok) return looked;
  const prepared = await prepareFound(context, { ...planned, content: looked.value.content });
  if (!prepared.ok) return prepared;
  return accept({ ...prepared.value, change: { ...prepared.value.change, found: looked.value } });
}

async function prepareFound(
  context: PrepareContext,
  planned: PlannedChange,
): Promise<Outcome<PreparedChange>> {
  const { change, path, edited, content } = planned;
  if ((content?.version ?? absent) !== change.before.version)
    return context.options.exact ? refuse(stale(change, content)) : prepareRebased(context, planned);
  const fresh = await checkBase(context, planned);
  if (!fresh.ok) return fresh;
  if (change.from !== undefined) return prepareCopy(context, planned, change.from);
  const decoded = content && decodeContent(content);
  if (change.after === null || !content) return prepareWhole(path, change, decoded?.text ?? "");
  if (!decoded || decoded.text !== change.before.text) return refuse(stale(change, content));
  return prepareEdit(planned, { decoded, splices: change.splices, edited, over: [] });
}

/** Prepares a change whose file has another version than the plan expected. */
async function prepareRebased(
  { sources, options }: PrepareContext,
  planned: PlannedChange,
): Promise<Outcome<PreparedChange>> {
  const { change, path, edited, content } = planned;
  if (change.before.text === null) return refuse({ code: "exists" });
  if (!content || change.after === null || change.from !== undefined) return refuse(stale(change, content));
  const decoded = decodeContent(content);
  const since = await findVersionPath(sources, {
    path: path.path,
    from: change.before.version,
    to: content.version,
    next: options.next,
  });
  if (!decoded || !since) return refuse(stale(change, content));
  const rebased = rebase(change.splices, since.splices);
  const clash = linesClash(
    linesOf(change.before.text, edited, change.splices),
    lineHunks(change.before.text, since.splices),
  );
  if ((!rebased.ok || clash) && !options.force) return refuse(conflict(change, since.by, decoded.text));
  const splices = rebased.ok
    ? rebased.splices
    : rebaseOver(change.before.text, change.splices, since.splices);
  const regions = edited.regions.map((region) => moveRegion(region, since.splices));
  const over = since.by.map(({ id }) => id);
  return prepareEdit(planned, { decoded, splices, edited: { ...edited, regions }, over });
}

/** The author may have read an older version than the plan. Then the changes since must be on other lines. */
async function checkBase(context: PrepareContext, planned: PlannedChange): Promise<Outcome<true>> {
  const { options } = context;
  const { change, path, edited } = planned;
  const { text, version } = change.before;
  const base = options.base[path.path] ?? options.base[change.path];
  if (base === undefined || base === version || options.force) return accept(true);
  const since =
    text === null ? null : await versionPathFrom(context, { path: path.path, base, version, text });
  if (text === null || !since) return refuse({ code: "stale", expected: base, actual: version });
  const whole = change.after === null || change.from !== undefined;
  const lines = indexLines(text);
  const changed = regionsAfter(since.splices).map((region) => coveredLines(lines, region));
  if (!whole && !linesClash(linesOf(text, edited, change.splices), changed)) return accept(true);
  if (since.by.length > 0) return refuse(conflict(change, since.by, text));
  const detail = "another program has changed the lines";
  return refuse({ code: "stale", expected: base, actual: version, detail });
}

/** The version path from the author's base to the version of the plan, recorded or by comparison. */
async function versionPathFrom(
  { sources, options }: PrepareContext,
  { path, base, version, text }: TextVersion & { readonly path: string; readonly base: string },
): Promise<VersionPath | null> {
  const recorded = await findVersionPath(sources, { path, from: base, to: version, next: options.next });
  if (recorded) return recorded;
  const baseText = await sources.versions.textOfVersion({ path, version: base });
  return baseText === null ? null : { splices: compareTexts(baseText, text), by: [] };
}

type TextEdit = {
  readonly decoded: DecodedFile & { readonly version: string };
  readonly splices: readonly Splice[];
  readonly edited: EditedRegions;
  readonly over: readonly string[];
};

function prepareEdit(
  { path, change }: PlannedChange,
  { decoded, splices, edited, over }: TextEdit,
): Outcome<PreparedChange> {
  const bytes = spliceBytes(decoded.bytes, decoded.text, decoded.encoding, splices);
  if (!bytes.ok) return bytes;
  const after = { bytes: bytes.value, ...defined({ mode: change.mode }) };
  const described = describeEdit(decoded.text, splices, edited);
  return accept({
    change: { gated: path, expected: decoded.version, after, ...described },
    text: decoded.text,
    regions: edited.regions,
    over,
  });
}

function decodeContent({ bytes, version }: Content): (DecodedFile & { readonly version: string }) | null {
  const decoded = decodeAny(bytes);
  return decoded && { ...decoded, version };
}

/** A file that is created or deleted. */
function prepareWhole(path: GatedPath, change: Change, text: string): Outcome<PreparedChange> {
  const expected = change.before.version;
  if (change.after === null) {
    const regions = [{ start: 0, end: text.length }];
    return accept({
      change: { gated: path, expected, after: null, ...describeWhole("") },
      text,
      regions,
      over: [],
    });
  }
  const bytes = encode(change.after, "utf-8");
  if (!bytes.ok) return bytes;
  const after = { bytes: bytes.value, ...defined({ mode: change.mode }) };
  return accept({
    change: { gated: path, expected, after, ...describeWhole(change.after) },
    text,
    regions: [],
    over: [],
  });
}

/** A file that gets its bytes and mode from another file. */
async function prepareCopy(
  context: PrepareContext,
  { path, change }: PlannedChange,
  source: string,
): Promise<Outcome<PreparedChange>> {
  const from = gatedPath(context, source);
  const looked = await lookAt(context.context, from.names);
  if (!looked.ok) return looked;
  const { content } = looked.value;
  const decoded = content && decodeAny(content.bytes);
  if (
    !content ||
    !decoded ||
    change.after === null ||
    applySplices(decoded.text, change.splices) !== change.after
  )
    return refuse({ path: from.path, ...stale(change, content) });
  const bytes = spliceBytes(decoded.bytes, decoded.text, decoded.encoding, change.splices);
  if (!bytes.ok) return bytes;
  const after = { bytes: bytes.value, mode: withFileMode(content.stat.mode, change.mode) };
  const { texts, details } = describeEdit(decoded.text, change.splices, { regions: [], recorded: false });
  const whole = describeWhole(change.after).details;
  return accept({
    change: {
      gated: path,
      expected: change.before.version,
      after,
      texts,
      details: { ...details, ...whole, splices: details.splices, from: from.path },
    },
    text: "",
    regions: [],
    over: [],
  });
}

/** The lines that the edits of a change target, and the lines that it changes. */
function linesOf(text: string, { regions }: EditedRegions, splices: readonly Splice[]): LineRegion[] {
  const lines = indexLines(text);
  return [...regions.map((region) => coveredLines(lines, region)), ...lineHunks(text, splices, lines)];
}

function regionsAfter(splices: readonly Splice[]): Region[] {
  let shift = 0;
  return splices.map(({ region, text }) => {
    const start = region.start + shift;
    shift += text.length - (region.end - region.start);
    return { start, end: start + text.length };
  });
}

function moveRegion({ start, end }: Region, splices: readonly Splice[]): Region {
  const moved = mapOffset(start, splices, "after");
  return { start: moved, end: Math.max(moved, mapOffset(end, splices, "before")) };
}

function stale(change: Change, content: Content | null): Refusal {
  return { code: "stale", expected: change.before.version, actual: content?.version ?? absent };
}

const maxRivals = 10;

function conflict(change: Change, by: readonly Entry[], theirs: string | null): Refusal {
  const path = change.path;
  const rivals = by.slice(-maxRivals).map((entry) => rivalOf(entry, path));
  return {
    code: "conflict",
    detail: "the same lines have changed since",
    with: rivals,
    versions: { ours: change.after, theirs },
  };
}

function rivalOf({ id, task, author, reason, files }: Entry, path: string): Rival {
  const { lines = [], hunks = [] } = files.find((file) => file.path === path) ?? {};
  const regions = lines.length > 0 ? lines.map(({ after }) => after) : hunks;
  const startLine = regions.reduce(
    (first, region) => Math.min(first, region.startLine),
    regions[0]?.startLine ?? 1,
  );
  const endLine = regions.reduce((last, region) => Math.max(last, region.endLine), startLine);
  return { task: task ?? author, entry: id, reason, startLine, endLine };
}
