import { person } from "../../docs/fix/proposal.ts";
import type { AuditArticle, AuditRecord } from "../../docs/record/audit.ts";
import { findQuote } from "../../text/match/quote.ts";
import { lineAt } from "../../text/model/lines.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Change } from "../../text/model/plan.ts";
import type { Splice } from "../../text/model/splice.ts";
import type { Context } from "../../tools/tool.ts";
import { cautionWords, obstacleWords, saidWords } from "../../wording/review.ts";
import type { HistoryItem } from "../../workspace/workspace.ts";
import { after, excerptOf, type OpenPage, openPage, passageRegion, sectionAt } from "./excerpt.ts";
import type { Desk } from "./review-session.ts";
import type { Decided, ItemLine, ItemView } from "./view.ts";

export type RecordDeskOptions = {
  readonly context: Context & { readonly workspace: NonNullable<Context["workspace"]> };
  readonly run: string;
  readonly folder: string;
};

/** One change of a page by one entry: lines that were edited together. */
type Item = {
  readonly line: Omit<ItemLine, "state">;
  readonly id: string;
  readonly evidence: ItemView["evidence"];
  readonly page: OpenPage;
  readonly splices: readonly Splice[];
  /** What happened to the file besides its text. */
  readonly cautions: readonly string[];
};

/**
 * A run that has written, or is writing, as its record and the journal tell it. Nothing is decided here any more, but
 * every entry can be taken back.
 */
export async function openRecordDesk({ context, run, folder }: RecordDeskOptions): Promise<Outcome<Desk>> {
  const { reader, workspace } = context;
  let record = await readRecord();
  let entries = await reader.history({ run });
  if (record === null && entries.length === 0)
    return refuse({ code: "not-found", what: "entry", detail: `run ${run}` });
  let items: Item[] = [];
  let known = new Set<string>();
  await load();
  let last: Promise<unknown> = Promise.resolve();

  const already = async (): Promise<Outcome<never>> =>
    refuse({ code: "not-allowed", detail: obstacleWords.record });
  return accept({
    run: async () => ({
      id: run,
      folder,
      kind: "record",
      source: record?.source ?? entries.at(-1)?.task ?? "run",
      model: record?.model ?? null,
      time: record?.timestamp ?? entries.at(-1)?.time ?? "",
      base: record?.trigger.base ?? null,
      head: record?.trigger.head ?? null,
      items: items.map(lineOf),
      unknown: (record?.articles ?? []).flatMap(({ path, error }) => (error ? { path, why: error } : [])),
      progress: record === null ? { doing: "The run has written no record yet." } : null,
    }),
    view: async (key, { whole = false } = {}) => {
      const item = items[key];
      return item ? accept(viewOf(item, whole)) : refuse({ code: "not-found", what: "entry" });
    },
    together: already,
    approve: already,
    reject: already,
    reword: already,
    takeBack: async (key) => {
      const entry = items[key]?.line.entry;
      return entry ? inTurn(() => undoEntry(entry)) : refuse({ code: "not-found", what: "entry" });
    },
    undoEntry: (entry) => inTurn(() => undoEntry(entry)),
    refresh: () => inTurn(refresh),
  });

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  }

  function lineOf({ line }: Item): ItemLine {
    const undone = entries.find(({ id }) => id === line.entry)?.undone ?? false;
    return { ...line, state: undone ? "undone" : "accepted" };
  }

  function viewOf(item: Item, whole: boolean): ItemView {
    const { page, splices, evidence, id, cautions } = item;
    const passage = passageRegion(page, splices);
    return {
      ...lineOf(item),
      id,
      evidence,
      section: sectionAt(page, passage.start),
      excerpt: excerptOf(page, passage, splices, { whole }),
      passage: after(page, passage, splices),
      original: null,
      conflicts: [],
      hash: null,
      obstacle: null,
      cautions,
    };
  }

  async function undoEntry(entry: string): Promise<Outcome<Decided>> {
    const who = { author: person, task: context.task, reason: saidWords.undoReason };
    const back = await workspace.undo({ entry }, who);
    if (!back.ok) return back;
    entries = await reader.history({ run });
    const lines = items.filter(({ line }) => line.entry === entry).map(lineOf);
    return accept({ lines, said: saidWords.undone(entry, back.value.id), entry: back.value.id });
  }

  async function refresh(): Promise<boolean> {
    const [fresh, now] = [await reader.history({ run }), record ?? (await readRecord())];
    const key = (list: readonly HistoryItem[]): string =>
      list.map(({ id, undone }) => `${id}${undone}`).join();
    const moved = key(fresh) !== key(entries) || now !== record;
    entries = fresh;
    record = now;
    if (moved) await load();
    return moved;
  }

  /** Adds what entries did that have not been looked at. A page keeps the number of an edit for as long as it is open. */
  async function load(): Promise<void> {
    for (const entry of [...entries].reverse()) {
      if (known.has(entry.id) || entry.kind !== "edit" || entry.state !== "committed") continue;
      known = known.add(entry.id);
      const plan = await reader.entryPlan(entry.id);
      if (!plan.ok) continue;
      for (const change of plan.value.changes)
        items = [...items, ...itemsOf(entry, change, record, items.length)];
    }
  }

  async function readRecord(): Promise<AuditRecord | null> {
    const read = await reader.readState(`audit/${run}.json`);
    if (!read.ok || read.value === null) return null;
    try {
      return JSON.parse(new TextDecoder().decode(read.value)) as AuditRecord;
    } catch {
      return null;
    }
  }
}

function itemsOf(entry: HistoryItem, change: Change, record: AuditRecord | null, first: number): Item[] {
  const page = openPage(change.path, change.before.text ?? "");
  const article = record?.articles.find(({ path }) => path === change.path);
  const reasons = entry.edits.filter(({ path }) => path === change.path);
  const groups = groupByLines(page, change.splices);
  // A file that was only moved, or whose mode alone changed, is a change too.
  return (groups.length > 0 ? groups : [[]]).map((splices, i) => {
    const edit = editAt(page.text, article, splices);
    const reason = reasons.length === 1 ? reasons[0] : reasons[i];
    const start = splices[0]?.region.start ?? 0;
    return {
      id: edit?.finding ?? entry.id,
      page,
      splices,
      cautions: fileWords(entry, change),
      evidence: reason?.evidence ?? [],
      line: {
        key: first + i,
        path: change.path,
        line: page.lines.starts.length === 0 ? 1 : lineAt(page.lines, start) + 1,
        tier: null,
        kind: /^([a-z]+)-[0-9a-f]{8,}$/.exec(edit?.finding ?? "")?.[1] ?? record?.source ?? entry.kind,
        by: edit?.by ?? record?.model ?? entry.author,
        message: edit?.reason ?? reason?.reason ?? entry.reason,
        entry: entry.id,
        edits: true,
      },
    };
  });
}

function fileWords({ files }: HistoryItem, { path, from, before, after }: Change): string[] {
  const file = files.find((each) => each.path === path);
  const [then, now] = [file?.before?.mode, file?.after?.mode];
  return [
    ...(from === undefined ? [] : [cautionWords.moved(from)]),
    ...(before.text === null && from === undefined ? [cautionWords.created] : []),
    ...(after === null ? [cautionWords.deleted] : []),
    ...(then !== undefined && now !== undefined && then !== now ? [cautionWords.mode(then, now)] : []),
  ];
}

/** Splices on neighbouring lines belong together. */
function groupByLines({ lines }: OpenPage, splices: readonly Splice[]): Splice[][] {
  const groups: Splice[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const splice of splices) {
    const first = lineAt(lines, splice.region.start);
    if (first <= end + 1) groups.at(-1)!.push(splice);
    else groups.push([splice]);
    end = lineAt(lines, splice.region.end);
  }
  return groups;
}

function editAt(text: string, article: AuditArticle | undefined, splices: readonly Splice[]) {
  const [start, end] = [splices[0]?.region.start ?? 0, splices.at(-1)?.region.end ?? 0];
  return article?.edits?.find(({ old_string }) => {
    const [region] = findQuote(text, old_string, { limit: 1 }).regions;
    return region !== undefined && region.start <= end && start <= region.end;
  });
}
