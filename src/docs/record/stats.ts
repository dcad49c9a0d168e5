import { z } from "zod";
import { parseJsonBytes } from "../../text/model/json.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { EntrySummary, Reader } from "../../workspace/workspace.ts";
import { configPath, parseConfig } from "../config.ts";
import { readDecisions, readProposal } from "../fix/proposal.ts";
import { isRunId } from "./audit.ts";

/** How Suture is used in one folder, counted from its journal, the records of runs, and what people decided. */
export type Stats = {
  readonly since: string | null;
  readonly entries: number;
  readonly runs: number;
  /** How files were changed: by edits of passages, or by writing whole files. */
  readonly adoption: Adoption;
  readonly toolCalls: Readonly<Record<string, number>>;
  readonly rules: Readonly<Record<string, Acceptance>>;
  readonly models: Readonly<Record<string, Acceptance & Cost>>;
  readonly commands: Readonly<Record<string, CommandStats>>;
  readonly cost: Cost;
  readonly overTime: readonly Period[];
  /** Records that could not be read. No figure counts them. */
  readonly unreadable: number;
};

export type Adoption = {
  readonly edits: number;
  readonly rewrites: number;
  readonly created: number;
  readonly others: number;
  /** Edits among all changes of files that were there; null where there were none. */
  readonly share: number | null;
};

/** How many edits were kept, undone or rejected. */
export type Acceptance = {
  readonly kept: number;
  readonly undone: number;
  readonly rejected: number;
  readonly share: number | null;
};

export type Cost = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  /** Runs whose model has no known price. */
  readonly unpriced: number;
};

export type CommandStats = Cost & {
  readonly runs: number;
  readonly edits: number;
  readonly pages: Readonly<Record<"updated" | "unchanged" | "skipped" | "error", number>>;
};

export type Period = {
  readonly start: string;
  readonly edits: number;
  readonly rewrites: number;
  readonly undone: number;
};

export async function countStats(
  reader: Reader,
  options: { readonly since?: string } = {},
): Promise<Outcome<Stats>> {
  const since = options.since ?? null;
  const entries = await readEntries(reader, since);
  const audits = await readAudits(reader, since);
  if (!audits.ok) return audits;
  const rejected = await readRejections(reader, since);
  if (!rejected.ok) return rejected;
  const { records, unreadable } = audits.value;
  const verdicts = [...judgeEdits(records, entries), ...rejected.value];
  return accept({
    since,
    entries: entries.length,
    runs: records.length,
    adoption: adoptionOf(entries),
    toolCalls: sumCalls(records),
    rules: acceptanceBy(verdicts, ({ rule }) => rule),
    models: modelStats(verdicts, records),
    commands: commandStats(records),
    cost: costOf(records),
    overTime: periodsOf(entries),
    unreadable,
  });
}

async function readEntries(reader: Reader, since: string | null): Promise<EntrySummary[]> {
  return (await reader.summaries()).filter(
    ({ state, kind, time }) => state === "committed" && kind !== "tidy" && (since === null || time >= since),
  );
}

const usage = z.object({ inputTokens: z.number(), outputTokens: z.number(), costUsd: z.number().nullable() });
const recordShape = z.object({
  version: z.literal(1),
  id: z.string(),
  timestamp: z.string(),
  source: z.string(),
  model: z.string().nullable(),
  usage,
  toolCalls: z.record(z.string(), z.number()),
  articles: z.array(
    z.object({
      path: z.string(),
      status: z.enum(["updated", "unchanged", "skipped", "error"]),
      editReasons: z.array(z.string()).optional(),
      edits: z.array(z.object({ finding: z.string(), by: z.string().optional() })).optional(),
      entries: z.array(z.string()).optional(),
    }),
  ),
});

type RunRecord = z.infer<typeof recordShape>;

async function readAudits(reader: Reader, since: string | null) {
  const names = await reader.listState("audit");
  if (!names.ok) return names;
  const records: RunRecord[] = [];
  let unreadable = 0;
  for (const name of names.value.filter(isRunId)) {
    const read = await reader.readState(`audit/${name}.json`);
    const record = read.ok && read.value !== null ? parseRecord(read.value) : null;
    if (record === null) unreadable++;
    else if (since === null || record.timestamp >= since) records.push(record);
  }
  return accept({ records, unreadable });
}

function parseRecord(bytes: Uint8Array): RunRecord | null {
  return recordShape.safeParse(parseJsonBytes(bytes)).data ?? null;
}

/** One edit, and whether it was kept, undone or rejected. */
type EditResult = {
  readonly rule: string | null;
  readonly model: string | null;
  readonly what: "kept" | "undone" | "rejected";
};

function judgeEdits(records: readonly RunRecord[], entries: readonly EntrySummary[]): EditResult[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const byRun = Map.groupBy(
    entries.filter(({ run, kind }) => run !== null && kind === "edit"),
    ({ run }) => run!,
  );
  return records.flatMap((record) =>
    record.articles.flatMap(({ path, edits, editReasons = [], entries: named }) => {
      const made = named?.flatMap((id) => byId.get(id) ?? []) ?? byRun.get(record.id) ?? [];
      const here = made.filter(({ paths }) => paths.includes(path));
      const what = here.some(({ undone }) => undone) ? "undone" : "kept";
      const listed = edits ?? editReasons.map(() => ({ finding: "", by: record.model ?? undefined }));
      return listed.map(
        ({ finding, by }): EditResult => ({
          rule: by === undefined ? ruleOf(finding) : null,
          model: by ?? null,
          what,
        }),
      );
    }),
  );
}

/** Findings that people rejected in a review or dismissed. Each finding counts once. */
async function readRejections(reader: Reader, since: string | null): Promise<Outcome<EditResult[]>> {
  const names = await reader.listState("proposals");
  if (!names.ok) return names;
  const verdicts = new Map<string, EditResult>();
  for (const id of names.value.filter((name) => !name.endsWith(".decided"))) {
    const [proposal, decisions] = [await readProposal(reader, id), await readDecisions(reader, id)];
    if (!proposal.ok || !decisions.ok || proposal.value === null) continue;
    for (const [key, { verdict, time }] of Object.entries(decisions.value)) {
      const finding = proposal.value.findings[Number(key)];
      if (!finding || verdict !== "rejected" || (since !== null && time < since)) continue;
      const { by = null } = finding;
      verdicts.set(finding.id, {
        rule: by === null ? ruleOf(finding.id) : null,
        model: by,
        what: "rejected",
      });
    }
  }
  const config = await reader.read(configPath);
  const parsed = config.ok && config.value.text !== null ? parseConfig(config.value.text) : null;
  // The configuration does not say when a finding was dismissed, so it counts only without `since`.
  if (parsed?.ok && since === null)
    for (const { id } of parsed.value.config.dismissed ?? [])
      if (!verdicts.has(id)) verdicts.set(id, { rule: ruleOf(id), model: null, what: "rejected" });
  return accept([...verdicts.values()]);
}

function ruleOf(finding: string): string | null {
  return /^([a-z]+)-[0-9a-f]+$/.exec(finding)?.[1] ?? null;
}

function acceptanceBy(
  verdicts: readonly EditResult[],
  keyOf: (verdict: EditResult) => string | null,
): Record<string, Acceptance> {
  const groups = Map.groupBy(verdicts, keyOf);
  const named = [...groups].filter((group): group is [string, EditResult[]] => group[0] !== null);
  return Object.fromEntries(
    named.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, group]) => [key, acceptanceOf(group)]),
  );
}

function acceptanceOf(verdicts: readonly EditResult[]): Acceptance {
  const count = (what: EditResult["what"]): number =>
    verdicts.filter((verdict) => verdict.what === what).length;
  return {
    kept: count("kept"),
    undone: count("undone"),
    rejected: count("rejected"),
    share: verdicts.length === 0 ? null : count("kept") / verdicts.length,
  };
}

function modelStats(verdicts: readonly EditResult[], records: readonly RunRecord[]): Stats["models"] {
  const acceptance = acceptanceBy(verdicts, ({ model }) => model);
  const used = Map.groupBy(records, ({ model }) => model);
  const names = [
    ...new Set([...Object.keys(acceptance), ...[...used.keys()].filter((name) => name !== null)]),
  ].sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      { ...(acceptance[name] ?? acceptanceOf([])), ...costOf(used.get(name) ?? []) },
    ]),
  );
}

function costOf(records: readonly RunRecord[]): Cost {
  const sum = (value: (record: RunRecord) => number): number =>
    records.reduce((total, record) => total + value(record), 0);
  return {
    inputTokens: sum(({ usage: { inputTokens } }) => inputTokens),
    outputTokens: sum(({ usage: { outputTokens } }) => outputTokens),
    costUsd: sum(({ usage: { costUsd } }) => costUsd ?? 0),
    unpriced: records.filter(({ usage: { costUsd } }) => costUsd === null).length,
  };
}

function commandStats(records: readonly RunRecord[]): Stats["commands"] {
  const groups = [...Map.groupBy(records, ({ source }) => source)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    groups.map(([source, group]) => {
      const pages = { updated: 0, unchanged: 0, skipped: 0, error: 0 };
      let edits = 0;
      for (const article of group.flatMap(({ articles }) => articles)) {
        pages[article.status]++;
        edits += article.edits?.length ?? article.editReasons?.length ?? 0;
      }
      return [source, { runs: group.length, edits, pages, ...costOf(group) }];
    }),
  );
}

function sumCalls(records: readonly RunRecord[]): Record<string, number> {
  const sums: Record<string, number> = Object.create(null);
  for (const { toolCalls } of records)
    for (const [tool, count] of Object.entries(toolCalls)) sums[tool] = (sums[tool] ?? 0) + count;
  return Object.fromEntries(Object.entries(sums).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const surgical = new Set(["quote", "line", "hunks", "region"]);

function adoptionOf(entries: readonly EntrySummary[]): Adoption {
  const made = entries.filter(({ kind }) => kind === "edit");
  const count = (wanted: (target: string) => boolean): number =>
    made.reduce((sum, { targets }) => sum + countTargets(targets, wanted), 0);
  const [edits, rewrites] = [
    count((target) => surgical.has(target)),
    count((target) => target === "rewrite"),
  ];
  const created = count((target) => target === "create");
  const all = count(() => true);
  const share = edits + rewrites === 0 ? null : edits / (edits + rewrites);
  return { edits, rewrites, created, others: all - edits - rewrites - created, share };
}

function countTargets(targets: EntrySummary["targets"], wanted: (target: string) => boolean): number {
  return Object.entries(targets).reduce((sum, [target, count]) => sum + (wanted(target) ? count : 0), 0);
}

const day = 86_400_000;
const mostPeriods = 14;

/** Counts by day; in a long history, several days make one period. */
function periodsOf(entries: readonly EntrySummary[]): Period[] {
  const times = entries.map(({ time }) => Date.parse(time)).filter(Number.isFinite);
  if (times.length === 0) return [];
  const bounds = times.reduce(
    ([low, high], time) => [Math.min(low!, time), Math.max(high!, time)],
    [times[0]!, times[0]!],
  );
  const first = Math.floor(bounds[0]! / day);
  const last = Math.floor(bounds[1]! / day);
  const step = Math.ceil((last - first + 1) / mostPeriods);
  const periods = Array.from({ length: Math.ceil((last - first + 1) / step) }, (_, i) => ({
    start: new Date((first + i * step) * day).toISOString().slice(0, 10),
    edits: 0,
    rewrites: 0,
    undone: 0,
  }));
  for (const { time, kind, targets, undoes } of entries) {
    const period = periods[Math.floor((Math.floor(Date.parse(time) / day) - first) / step)];
    if (!period) continue;
    if (kind === "undo") period.undone += undoes.length;
    if (kind !== "edit") continue;
    period.edits += countTargets(targets, (target) => surgical.has(target));
    period.rewrites += countTargets(targets, (target) => target === "rewrite");
  }
  return periods;
}
