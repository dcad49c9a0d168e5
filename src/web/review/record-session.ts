import { person } from "../../docs/fix/proposal.ts";
import type { AuditArticle, AuditRecord } from "../../docs/record/audit.ts";
import { findQuote } from "../../text/match/quote.ts";
import { defined } from "../../text/model/defined.ts";
import { parseJsonBytes } from "../../text/model/json.ts";
import { lineAt } from "../../text/model/lines.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Change } from "../../text/model/plan.ts";
import type { Splice } from "../../text/model/splice.ts";
import type { Context } from "../../tools/tool.ts";
import { judgementText } from "../../wording/findings.ts";
import {
  cautionMessages,
  decisionMessages,
  obstacleMessages,
  progressMessages,
} from "../../wording/review.ts";
import type { HistoryItem } from "../../workspace/workspace.ts";
import { after, excerptOf, type OpenPage, openPage, passageRegion, sectionAt } from "./excerpt.ts";
import type { ReviewSession } from "./review-session.ts";
import { SerialQueue } from "./serial-queue.ts";
import type { DecisionResult, ItemSummary, ItemView, PageRemark, RunView } from "./view.ts";

export type RecordSessionOptions = {
  readonly context: Context & { readonly workspace: NonNullable<Context["workspace"]> };
  readonly run: string;
  readonly folder: string;
};

/** Lines of a page that one entry changed together. */
type EntryItem = {
  readonly line: Omit<ItemSummary, "state">;
  readonly id: string;
  readonly evidence: ItemView["evidence"];
  readonly page: OpenPage;
  readonly splices: readonly Splice[];
  /** Changes of the file itself: moved, created, deleted, mode. */
  readonly cautions: readonly string[];
};

/**
 * Opens a run that has written, or is writing, from its record and the journal. Its edits can no longer be decided, but
 * every entry can be undone.
 */
export async function openRecordSession(options: RecordSessionOptions): Promise<Outcome<ReviewSession>> {
  const { context, run } = options;
  const record = await readRecord(context, run);
  const entries = await context.reader.history({ run });
  if (record === null && entries.length === 0)
    return refuse({ code: "not-found", what: "entry", detail: `run ${run}` });
  const session = new RecordSession(options, record, entries);
  await session.load();
  return accept(session);
}

class RecordSession implements ReviewSession {
  readonly #context: RecordSessionOptions["context"];
  readonly #run: string;
  readonly #folder: string;
  readonly #serial = new SerialQueue();
  readonly #items: EntryItem[] = [];
  /** Entries whose changes are among the items. */
  readonly #loaded = new Set<string>();
  #record: AuditRecord | null;
  #entries: readonly HistoryItem[];

  constructor(
    { context, run, folder }: RecordSessionOptions,
    record: AuditRecord | null,
    entries: readonly HistoryItem[],
  ) {
    this.#context = context;
    this.#run = run;
    this.#folder = folder;
    this.#record = record;
    this.#entries = entries;
  }

  async run(): Promise<RunView> {
    const record = this.#record;
    const first = this.#entries.at(-1);
    return {
      id: this.#run,
      folder: this.#folder,
      kind: "record",
      source: record?.source ?? first?.task ?? "run",
      model: record?.model ?? null,
      time: record?.timestamp ?? first?.time ?? "",
      base: record?.trigger.base ?? null,
      head: record?.trigger.head ?? null,
      items: this.#items.map((item) => this.#summaryOf(item)),
      unknown: (record?.articles ?? []).flatMap(({ path, error, draft }) =>
        error ? { path, why: error, ...defined({ draft }) } : [],
      ),
      remarks: (record?.articles ?? []).flatMap((article) => [
        ...(article.risks ?? []).map(({ path, what, detail }) => ({ path, what, detail })),
        ...verdictRemarks(article),
      ]),
      progress: record === null ? { doing: progressMessages.noRecord } : null,
    };
  }

  async view(key: number, { whole = false } = {}): Promise<Outcome<ItemView>> {
    const item = this.#items[key];
    return item ? accept(this.#viewOf(item, whole)) : refuse({ code: "not-found", what: "entry" });
  }

  previewBatch(): Promise<Outcome<never>> {
    return writtenAlready();
  }

  approve(): Promise<Outcome<never>> {
    return writtenAlready();
  }

  reject(): Promise<Outcome<never>> {
    return writtenAlready();
  }

  rejectAll(): Promise<Outcome<never>> {
    return writtenAlready();
  }

  reword(): Promise<Outcome<never>> {
    return writtenAlready();
  }

  async revert(key: number): Promise<Outcome<DecisionResult>> {
    const entry = this.#items[key]?.line.entry;
    return entry ? this.undoEntry(entry) : refuse({ code: "not-found", what: "entry" });
  }

  undoEntry(entry: string): Promise<Outcome<DecisionResult>> {
    return this.#serial.run(() => this.#undo(entry));
  }

  refresh(): Promise<boolean> {
    return this.#serial.run(() => this.#refresh());
  }

  /** Adds the changes of new entries. An item keeps its number while the session is open. */
  async load(): Promise<void> {
    for (const entry of [...this.#entries].reverse()) {
      if (this.#loaded.has(entry.id) || entry.kind !== "edit" || entry.state !== "committed") continue;
      this.#loaded.add(entry.id);
      const plan = await this.#context.reader.entryPlan(entry.id);
      if (!plan.ok) continue;
      for (const change of plan.value.changes)
        this.#items.push(...itemsOf({ entry, change, record: this.#record, first: this.#items.length }));
    }
  }

  #summaryOf({ line }: EntryItem): ItemSummary {
    const undone = this.#entries.find(({ id }) => id === line.entry)?.undone ?? false;
    return { ...line, state: undone ? "undone" : "accepted" };
  }

  #viewOf(item: EntryItem, whole: boolean): ItemView {
    const { page, splices, evidence, id, cautions } = item;
    const passage = passageRegion(page, splices);
    return {
      ...this.#summaryOf(item),
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

  async #undo(entry: string): Promise<Outcome<DecisionResult>> {
    const { reader, workspace, task } = this.#context;
    const undo = await workspace.undo(
      { entry },
      { author: person, task, reason: decisionMessages.undoReason },
    );
    if (!undo.ok) return undo;
    this.#entries = await reader.history({ run: this.#run });
    const undone = this.#items.filter(({ line }) => line.entry === entry);
    const { id } = undo.value;
    const lines = undone.map((item) => this.#summaryOf(item));
    return accept({ lines, said: decisionMessages.undone(entry, id), entry: id });
  }

  async #refresh(): Promise<boolean> {
    const entries = await this.#context.reader.history({ run: this.#run });
    const record = this.#record ?? (await readRecord(this.#context, this.#run));
    const keyOf = (list: readonly HistoryItem[]): string =>
      list.map(({ id, undone }) => `${id}${undone}`).join();
    const hasChanged = keyOf(entries) !== keyOf(this.#entries) || record !== this.#record;
    this.#entries = entries;
    this.#record = record;
    if (hasChanged) await this.load();
    return hasChanged;
  }
}

/** What a model decided about the findings that led to no edit. */
function verdictRemarks({ path, verdicts = [], edits = [] }: AuditArticle): PageRemark[] {
  const made = new Set(edits.map(({ finding }) => finding));
  return verdicts
    .filter(({ finding }) => !made.has(finding))
    .map(({ finding, ...judgement }) => ({
      path,
      what: finding,
      detail: judgementText({ judgement }) ?? "",
    }));
}

async function writtenAlready(): Promise<Outcome<never>> {
  return refuse({ code: "not-allowed", detail: obstacleMessages.record });
}

async function readRecord({ reader }: Context, run: string): Promise<AuditRecord | null> {
  const read = await reader.readState(`audit/${run}.json`);
  if (!read.ok || read.value === null) return null;
  return (parseJsonBytes(read.value) ?? null) as AuditRecord | null;
}

type WrittenChange = {
  readonly entry: HistoryItem;
  readonly change: Change;
  readonly record: AuditRecord | null;
  /** The number of the first item. */
  readonly first: number;
};

function itemsOf({ entry, change, record, first }: WrittenChange): EntryItem[] {
  const page = openPage(change.path, change.before.text ?? "");
  const article = record?.articles.find(({ path }) => path === change.path);
  const reasons = entry.edits.filter(({ path }) => path === change.path);
  const groups = groupByLines(page, change.splices);
  // A file that was only moved, or changed only its mode, is an item too.
  return (groups.length > 0 ? groups : [[]]).map((splices, i) => {
    const edit = editAt(page.text, article, splices);
    const reason = reasons.length === 1 ? reasons[0] : reasons[i];
    const start = splices[0]?.region.start ?? 0;
    return {
      id: edit?.finding ?? entry.id,
      page,
      splices,
      cautions: cautionsOf(entry, change),
      evidence: reason?.evidence ?? [],
      line: {
        key: first + i,
        path: change.path,
        line: page.lines.starts.length === 0 ? 1 : lineAt(page.lines, start) + 1,
        tier: null,
        kind: /^([a-z]+)-[0-9a-f]{8,}$/.exec(edit?.finding ?? "")?.[1] ?? record?.source ?? entry.kind,
        by: edit?.by ?? record?.model ?? entry.author,
        cause: edit?.reason ?? reason?.reason ?? entry.reason,
        message: edit?.reason ?? reason?.reason ?? entry.reason,
        entry: entry.id,
        edits: true,
      },
    };
  });
}

function cautionsOf({ files }: HistoryItem, { path, from, before, after }: Change): string[] {
  const file = files.find((each) => each.path === path);
  const [then, now] = [file?.before?.mode, file?.after?.mode];
  return [
    ...(from === undefined ? [] : [cautionMessages.moved(from)]),
    ...(before.text === null && from === undefined ? [cautionMessages.created] : []),
    ...(after === null ? [cautionMessages.deleted] : []),
    ...(then !== undefined && now !== undefined && then !== now ? [cautionMessages.mode(then, now)] : []),
  ];
}

/** Groups splices on neighbouring lines. */
function groupByLines({ lines }: OpenPage, splices: readonly Splice[]): Splice[][] {
  const groups: Splice[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const splice of splices) {
    const first = lineAt(lines, splice.region.start);
    if (first <= end + 1) groups.at(-1)?.push(splice);
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
