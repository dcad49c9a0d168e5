import { compareTexts } from "../../text/diff/compare.ts";
import { rebase } from "../../text/merge/rebase.ts";
import { encode, spliceBytes } from "../../text/model/encoding.ts";
import { indexLines } from "../../text/model/lines.ts";
import { accept, type Outcome, type Refusal, type Rival, refuse } from "../../text/model/outcome.ts";
import type { Change, Landing, Plan } from "../../text/model/plan.ts";
import type { Region } from "../../text/model/region.ts";
import { applySplices, mapOffset, type Splice } from "../../text/model/splice.ts";
import { absent, type Content } from "../files/content.ts";
import type { Entry, LineRegion } from "../journal/entries.ts";
import type { History } from "../journal/history.ts";
import { findWay, type Way } from "../journal/version-path.ts";
import { type Decoded, decodeAny, readSide } from "../journal/versions.ts";
import type { GatedPath } from "../paths/paths.ts";
import { coveredLines, lineHunks, linesClash } from "../tasks/tasks.ts";
import { lookAt, type Site } from "./commit-context.ts";
import { describeEdit, describeWhole, type Marked } from "./describe.ts";
import { type FileChange, withFileMode } from "./targets.ts";

/** A change ready to be committed, and what it is about. */
export type Readied = {
  readonly change: FileChange;
  /** The text before, and the regions of it that the edits speak of. */
  readonly text: string;
  readonly regions: readonly Region[];
  /** Entries over which the change was carried. */
  readonly over: readonly string[];
};

export type ReadyOptions = {
  /** Versions that the author last saw, by path. */
  readonly base: Readonly<Record<string, string>>;
  readonly force: boolean;
  /** The number of the next entry. */
  readonly next: number;
};

/** Everything one change is made ready with. */
type Setting = {
  readonly site: Site;
  readonly history: History;
  readonly gated: ReadonlyMap<string, GatedPath>;
  readonly options: ReadyOptions;
};

/**
 * Turns a plan's changes into bytes for the files as they are now. Where others have committed since the plan was made,
 * its splices are carried over theirs if they met none of the same text. Outside changes are not carried over: the
 * plan has to be made again by somebody who has seen them.
 */
export async function readyPlan(setting: Setting, plan: Plan): Promise<Outcome<Readied[]>> {
  const landed = Map.groupBy(plan.landings, ({ path }) => path);
  const readied: Readied[] = [];
  for (const change of plan.changes) {
    const marked = markedBy(change, landed.get(change.path) ?? []);
    const one = await readyChange(setting, change, marked);
    if (!one.ok) return refuse({ path: setting.gated.get(change.path)!.path, ...one.refusal });
    readied.push(one.value);
  }
  return accept(readied);
}

/** The regions that the edits of a change landed on; where none did, those that it changes. */
function markedBy({ splices }: Change, landings: readonly Landing[]): Marked {
  const regions = landings.flatMap(({ before }) => before);
  if (regions.length > 0) return { regions, recorded: true };
  return { regions: splices.map(({ region }) => region), recorded: false };
}

async function readyChange(setting: Setting, change: Change, marked: Marked): Promise<Outcome<Readied>> {
  const path = setting.gated.get(change.path)!;
  const looked = await lookAt(setting.site, path.names);
  if (!looked.ok) return looked;
  const { content } = looked.value;
  const ready = await readyFound(setting, path, change, marked, content);
  return ready.ok
    ? accept({ ...ready.value, change: { ...ready.value.change, found: looked.value } })
    : ready;
}

async function readyFound(
  setting: Setting,
  path: GatedPath,
  change: Change,
  marked: Marked,
  content: Content | null,
): Promise<Outcome<Readied>> {
  if ((content?.version ?? absent) !== change.before.version)
    return readyMoved(setting, path, change, marked, content);
  const fresh = await checkBase(setting, path, change, marked);
  if (!fresh.ok) return fresh;
  if (change.from !== undefined) return readyCopy(setting, path, change);
  const decoded = content && decodeContent(content);
  if (change.after === null || !content) return readyWhole(path, change, decoded?.text ?? "");
  if (!decoded || decoded.text !== change.before.text) return refuse(stale(change, content));
  return readyEdit(path, change, decoded, change.splices, marked, []);
}

/** The file is not what the plan was made for. */
async function readyMoved(
  { history, options }: Setting,
  path: GatedPath,
  change: Change,
  marked: Marked,
  content: Content | null,
): Promise<Outcome<Readied>> {
  if (change.before.text === null) return refuse({ code: "exists" });
  if (!content || change.after === null || change.from !== undefined) return refuse(stale(change, content));
  const decoded = decodeContent(content);
  const way = await findWay(history, path.path, change.before.version, content.version, options.next);
  if (!decoded || !way) return refuse(stale(change, content));
  const carried = rebase(change.splices, way.splices);
  const met = linesClash(
    linesOf(change.before.text, marked, change.splices),
    lineHunks(change.before.text, way.splices),
  );
  if (!carried.ok || (met && !options.force)) return refuse(conflict(change, way.by, decoded.text));
  const regions = marked.regions.map((region) => carryRegion(region, way.splices));
  const over = way.by.map(({ id }) => id);
  return readyEdit(path, change, decoded, carried.splices, { ...marked, regions }, over);
}

/** The author may have read an older version than the plan was made on; then what has changed since must lie elsewhere. */
async function checkBase(
  setting: Setting,
  path: GatedPath,
  change: Change,
  marked: Marked,
): Promise<Outcome<true>> {
  const { options } = setting;
  const base = options.base[path.path] ?? options.base[change.path];
  if (base === undefined || base === change.before.version || options.force) return accept(true);
  const way = change.before.text === null ? null : await wayFrom(setting, path.path, base, change);
  if (!way) return refuse({ code: "stale", expected: base, actual: change.before.version });
  const whole = change.after === null || change.from !== undefined;
  const text = change.before.text!;
  const lines = indexLines(text);
  const changed = regionsAfter(way.splices).map((region) => coveredLines(lines, region));
  if (!whole && !linesClash(linesOf(text, marked, change.splices), changed)) return accept(true);
  return refuse(
    way.by.length > 0
      ? conflict(change, way.by, change.before.text)
      : {
          code: "stale",
          expected: base,
          actual: change.before.version,
          detail: "the lines were changed outside",
        },
  );
}

async function wayFrom(
  { site, history, options }: Setting,
  path: string,
  base: string,
  change: Change,
): Promise<Way | null> {
  const recorded = await findWay(history, path, base, change.before.version, options.next);
  if (recorded) return recorded;
  const text = await textOfVersion(site, history, path, base);
  return text === null ? null : { splices: compareTexts(text, change.before.text!), by: [] };
}

/** The text of a version that some entry found or left. */
async function textOfVersion(
  { files, state }: Site,
  history: History,
  path: string,
  version: string,
): Promise<string | null> {
  for await (const { entry, volume } of history.walk()) {
    const index = entry.files.findIndex((file) => file.path === path);
    for (const side of ["before", "after"] as const) {
      if (index < 0 || entry.files[index]![side]?.version !== version) continue;
      const image = await readSide(files, state, volume, index, side);
      if (image.ok && image.value) return decodeAny(image.value)?.text ?? null;
    }
  }
  return null;
}

function readyEdit(
  path: GatedPath,
  change: Change,
  decoded: Decoded & { readonly version: string },
  splices: readonly Splice[],
  marked: Marked,
  over: readonly string[],
): Outcome<Readied> {
  const bytes = spliceBytes(decoded.bytes, decoded.text, decoded.encoding, splices);
  if (!bytes.ok) return bytes;
  const after = { bytes: bytes.value, ...(change.mode === undefined ? {} : { mode: change.mode }) };
  const described = describeEdit(decoded.text, splices, marked);
  return accept({
    change: { gated: path, expected: decoded.version, after, ...described },
    text: decoded.text,
    regions: marked.regions,
    over,
  });
}

function decodeContent({ bytes, version }: Content): (Decoded & { readonly version: string }) | null {
  const decoded = decodeAny(bytes);
  return decoded && { ...decoded, version };
}

/** A file that comes from nothing, or goes. */
function readyWhole(path: GatedPath, change: Change, text: string): Outcome<Readied> {
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
  const after = { bytes: bytes.value, ...(change.mode === undefined ? {} : { mode: change.mode }) };
  return accept({
    change: { gated: path, expected, after, ...describeWhole(change.after) },
    text,
    regions: [],
    over: [],
  });
}

/** A file whose content comes from another one, with its bytes and its mode. */
async function readyCopy(
  { site, gated }: Setting,
  path: GatedPath,
  change: Change,
): Promise<Outcome<Readied>> {
  const from = gated.get(change.from!)!;
  const looked = await lookAt(site, from.names);
  if (!looked.ok) return looked;
  const source = looked.value.content;
  const decoded = source && decodeAny(source.bytes);
  if (!source || !decoded || applySplices(decoded.text, change.splices) !== change.after)
    return refuse({ path: from.path, ...stale(change, source) });
  const bytes = spliceBytes(decoded.bytes, decoded.text, decoded.encoding, change.splices);
  if (!bytes.ok) return bytes;
  const after = { bytes: bytes.value, mode: withFileMode(source.stat.mode, change.mode) };
  const { texts, about } = describeEdit(decoded.text, change.splices, { regions: [], recorded: false });
  const described = {
    texts,
    about: { ...about, ...describeWhole(change.after!).about, splices: about.splices, from: from.path },
  };
  return accept({
    change: { gated: path, expected: change.before.version, after, ...described },
    text: "",
    regions: [],
    over: [],
  });
}

/** The lines that a change is about: those its edits speak of, and those it changes. */
function linesOf(text: string, { regions }: Marked, splices: readonly Splice[]): LineRegion[] {
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

function carryRegion({ start, end }: Region, splices: readonly Splice[]): Region {
  const moved = mapOffset(start, splices, "after");
  return { start: moved, end: Math.max(moved, mapOffset(end, splices, "before")) };
}

function stale(change: Change, content: Content | null): Refusal {
  return { code: "stale", expected: change.before.version, actual: content?.version ?? absent };
}

const mostRivals = 10;

function conflict(change: Change, by: readonly Entry[], theirs: string | null): Refusal {
  const path = change.path;
  const rivals = by.slice(-mostRivals).map((entry) => rivalOf(entry, path));
  return {
    code: "conflict",
    detail: "the same lines were changed since",
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
