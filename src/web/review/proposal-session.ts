import { approveShown } from "../../docs/fix/approve.ts";
import { dismissFinding } from "../../docs/fix/dismiss.ts";
import {
  type Decision,
  type Decisions,
  decidedFinding,
  type Proposal,
  type ProposedFinding,
  person,
  readDecisions,
  readProposal,
  writeDecisions,
  writeProposal,
} from "../../docs/fix/proposal.ts";
import { createRecordKeeper, type RecordKeeper } from "../../docs/record/review-record.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { type Splice, tidy } from "../../text/model/splice.ts";
import { quoteEdits } from "../../tools/quote-edits.ts";
import type { Context } from "../../tools/tool.ts";
import { obstacleWords, saidWords } from "../../wording/review.ts";
import { showTogether } from "./batch-preview.ts";
import type { Desk } from "./review-session.ts";
import { placePassage, type Standing, showOpen, showWritten } from "./show-item.ts";
import type { Decided, ItemLine, ItemState } from "./view.ts";

export type ProposalDeskOptions = {
  readonly context: Context & { readonly workspace: NonNullable<Context["workspace"]> };
  readonly proposal: Proposal;
  /** The name of the folder, for people. */
  readonly folder: string;
  readonly now?: () => string;
  /** Told which paths a person is approving at the moment: their word counts as consent for those. */
  readonly approving?: Set<string>;
};

/** A proposal on the desk. What is decided is kept beside it at once, so that a closed page loses nothing. */
export async function openProposalDesk(options: ProposalDeskOptions): Promise<Outcome<Desk>> {
  const { context, folder, approving = new Set(), now = () => new Date().toISOString() } = options;
  const { reader, workspace } = context;
  let proposal = options.proposal;
  const first = await readDecisions(reader, proposal.id);
  if (!first.ok) return first;
  let decisions = first.value;
  const before = await readProposal(reader, proposal.id);
  /** A proposal that nobody has decided about yet need not be kept: it can be made again. */
  let isKept = before.ok && before.value !== null;
  let undone = await findUndone();
  let newest = await newestEntry();
  const keeper: RecordKeeper = await createRecordKeeper(workspace, proposal, decisions);
  let byPath = pagesOf(proposal);
  let last: Promise<unknown> = Promise.resolve();

  return accept({
    run: async () => ({
      id: proposal.id,
      folder,
      kind: "proposal",
      source: proposal.source,
      model: proposal.model,
      time: proposal.time,
      base: proposal.base,
      head: proposal.head,
      items: proposal.findings.map((_, key) => lineOf(key)),
      unknown: proposal.unknown,
      progress: proposal.progress ?? null,
    }),
    view: async (key, { whole = false } = {}) => {
      if (proposal.findings[key] === undefined) return noSuch(key);
      const line = lineOf(key);
      return accept(await (line.state === "accepted" ? showWritten : showOpen)(standing(), line, { whole }));
    },
    together: (keys) => showTogether(standing(), keys, stateOf),
    approve: (keys, hash) => inTurn(() => approve(keys, hash)),
    reject: (key, how) => inTurn(() => reject(key, how)),
    reword: (key, text) => inTurn(() => reword(key, text)),
    takeBack: (key) => inTurn(() => takeBack(key)),
    undoEntry: (entry) => inTurn(() => undoEntry(entry)),
    refresh: () => inTurn(refresh),
  });

  /** One decision after the other: each is written down before the next is looked at. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  }

  function standing(): Standing {
    return { context, proposal, decisions, byPath };
  }

  function stateOf(key: number): ItemState {
    const decision = decisions[key];
    if (decision === undefined) return "open";
    if (decision.verdict === "accepted" && undone.has(decision.entry))
      return decision.edits ? "reworded" : "open";
    return decision.verdict;
  }

  function isWaiting(key: number): boolean {
    return stateOf(key) === "open" || stateOf(key) === "reworded";
  }

  function lineOf(key: number): ItemLine {
    const { path, startLine, tier, kind, message, edits, by } = decidedFinding(proposal, decisions, key);
    const decision = decisions[key];
    return {
      key,
      path,
      line: startLine,
      tier,
      kind,
      by: by ?? null,
      message,
      state: stateOf(key),
      entry: decision && "entry" in decision ? (decision.entry ?? null) : null,
      edits: edits.length > 0,
    };
  }

  async function approve(keys: readonly number[], hash: string): Promise<Outcome<Decided>> {
    const missing = keys.find((key) => proposal.findings[key] === undefined);
    if (missing !== undefined || keys.length === 0) return noSuch(missing ?? -1);
    if (!keys.every(isWaiting)) return decidedAlready();
    const chosen = new Map(keys.map((key) => [key, decidedFinding(proposal, decisions, key)]));
    const author = authorOf([...chosen.values()], context.author);
    const paths = [...new Set([...chosen.values()].map(({ path }) => path))];
    for (const path of paths) approving.add(path);
    const entry = await approveShown({ ...context, author }, proposal, chosen, hash);
    for (const path of paths) approving.delete(path);
    if (!entry.ok) return entry;
    const fresh = [...chosen].map(([key, { by, edits }]): [string, Decision] => [
      String(key),
      {
        verdict: "accepted",
        time: now(),
        entry: entry.value.id,
        ...(by === person && decisions[key]?.edits ? { edits } : {}),
      },
    ]);
    const kept = await keep({ ...decisions, ...Object.fromEntries(fresh) });
    if (!kept.ok) return kept;
    await keeper.wrote(entry.value.id);
    return settled(keys, saidWords.accepted(keys.length, entry.value.id), entry.value.id);
  }

  async function reject(
    key: number,
    { reason, dismiss = false }: { readonly reason?: string; readonly dismiss?: boolean },
  ): Promise<Outcome<Decided>> {
    if (proposal.findings[key] === undefined) return noSuch(key);
    if (!isWaiting(key)) return decidedAlready();
    const dismissed = dismiss
      ? await dismissFinding(
          { ...context, author: person, run: proposal.id },
          proposal.findings[key]!.id,
          reason || saidWords.dismissal,
        )
      : null;
    if (dismissed && !dismissed.ok) return dismissed;
    const entry = dismissed?.value.entry?.id;
    const decision: Decision = {
      verdict: "rejected",
      time: now(),
      ...(reason ? { reason } : {}),
      ...(entry === undefined ? {} : { entry }),
      ...(decisions[key]?.edits ? { edits: decisions[key].edits } : {}),
    };
    const kept = await keep({ ...decisions, [key]: decision });
    return kept.ok ? settled([key], saidWords.rejected(dismiss), entry ?? null) : kept;
  }

  async function reword(key: number, text: string | null): Promise<Outcome<Decided>> {
    if (proposal.findings[key] === undefined) return noSuch(key);
    if (!isWaiting(key)) return decidedAlready();
    if (text === null) {
      const kept = await keep(without(decisions, [key]));
      return kept.ok ? settled([key], saidWords.proposed, null) : kept;
    }
    const placed = await placePassage(standing(), key);
    if (!placed.ok) return placed;
    const { page, passage: region } = placed.value;
    const finding = decidedFinding(proposal, decisions, key);
    const wanted: Splice[] = tidy(page.text, [{ region, text }]);
    if (wanted.length === 0) return refuse({ code: "no-change", why: "same-text" });
    const edits = quoteEdits(page.text, wanted).map(({ old_string, new_string }) => ({
      path: finding.path,
      old_string,
      new_string,
      reason: finding.message,
    }));
    const kept = await keep({ ...decisions, [key]: { verdict: "reworded", time: now(), edits } });
    return kept.ok ? settled([key], saidWords.reworded, null) : kept;
  }

  async function takeBack(key: number): Promise<Outcome<Decided>> {
    const decision = decisions[key];
    if (decision === undefined) return refuse({ code: "no-change", why: "nothing-asked" });
    if (decision.verdict === "reworded") return reword(key, null);
    if (decision.entry !== undefined && !undone.has(decision.entry)) return undoEntry(decision.entry);
    return reopen([key], saidWords.reopened, null);
  }

  /** Undoing an entry opens every finding that it decided. */
  async function undoEntry(entry: string): Promise<Outcome<Decided>> {
    const back = await workspace.undo(
      { entry },
      { author: person, task: context.task, run: proposal.id, reason: saidWords.undoReason },
    );
    if (!back.ok) return back;
    const keys = Object.entries(decisions).flatMap(([key, decision]) =>
      "entry" in decision && decision.entry === entry ? Number(key) : [],
    );
    undone = await findUndone();
    return reopen(keys, saidWords.undone(entry, back.value.id), back.value.id);
  }

  async function reopen(keys: number[], said: string, entry: string | null): Promise<Outcome<Decided>> {
    const next: Record<string, Decision> = { ...without(decisions, keys) };
    for (const key of keys) {
      const edits = decisions[key]?.edits;
      if (edits) next[key] = { verdict: "reworded", time: now(), edits };
    }
    const kept = await keep(next);
    if (!kept.ok) return kept;
    await keeper.wrote(null);
    return settled(keys, said, entry);
  }

  async function keep(next: Decisions): Promise<Outcome<true>> {
    const kept = isKept ? accept(true as const) : await writeProposal(workspace, proposal);
    if (!kept.ok) return kept;
    isKept = true;
    const written = await writeDecisions(workspace, proposal.id, next);
    if (!written.ok) return written;
    decisions = next;
    keeper.decided(next);
    return written;
  }

  function settled(keys: readonly number[], said: string, entry: string | null): Outcome<Decided> {
    return accept({ lines: keys.map(lineOf), said, entry });
  }

  async function refresh(): Promise<boolean> {
    const [head, read, again] = [
      await newestEntry(),
      await readDecisions(reader, proposal.id),
      proposal.progress ? await readProposal(reader, proposal.id) : null,
    ];
    const moved = head !== newest;
    newest = head;
    if (moved) undone = await findUndone();
    const decided = read.ok && JSON.stringify(read.value) !== JSON.stringify(decisions);
    if (read.ok && decided) keeper.decided((decisions = read.value));
    if (again?.ok && again.value) {
      proposal = again.value;
      byPath = pagesOf(proposal);
      return true;
    }
    return moved || decided;
  }

  async function newestEntry(): Promise<string | undefined> {
    return (await reader.history({ limit: 1 }))[0]?.id;
  }

  async function findUndone(): Promise<Set<string>> {
    const entries = await reader.history({ run: proposal.id });
    return new Set(entries.flatMap(({ id, undone: gone }) => (gone ? id : [])));
  }
}

/** Whoever worded the edits; where several did, a person if one of them is, else who runs the review. */
function authorOf(findings: readonly ProposedFinding[], otherwise: string): string {
  const [first, ...others] = new Set(findings.map(({ by }) => by ?? otherwise));
  if (others.length === 0) return first ?? otherwise;
  return findings.some(({ by }) => by === person) ? person : otherwise;
}

function pagesOf({ findings }: Proposal): Map<string, number[]> {
  return Map.groupBy(findings.keys(), (key) => findings[key]!.path);
}

function without(decisions: Decisions, keys: readonly number[]): Decisions {
  const gone = new Set(keys.map(String));
  return Object.fromEntries(Object.entries(decisions).filter(([key]) => !gone.has(key)));
}

function decidedAlready(): Outcome<never> {
  return refuse({ code: "stale", expected: "open", actual: "decided", detail: obstacleWords.decided });
}

function noSuch(key: number): Outcome<never> {
  return refuse({ code: "not-found", what: "entry", detail: `edit ${key}` });
}
