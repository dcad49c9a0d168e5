import { approveShown } from "../../docs/fix/approve.ts";
import { dismissFindings } from "../../docs/fix/dismiss.ts";
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
import { defined } from "../../text/model/defined.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { type Splice, tidy } from "../../text/model/splice.ts";
import { quoteEdits } from "../../tools/quote-edits.ts";
import type { Context } from "../../tools/tool.ts";
import { causeKey, judgementText } from "../../wording/findings.ts";
import { decisionMessages, obstacleMessages } from "../../wording/review.ts";
import { previewBatch } from "./batch-preview.ts";
import type { RejectOptions, ReviewSession } from "./review-session.ts";
import { SerialQueue } from "./serial-queue.ts";
import { type ProposalState, placePassage, showOpen, showWritten } from "./show-item.ts";
import type { BatchPreview, DecisionResult, ItemState, ItemSummary, ItemView, RunView } from "./view.ts";

export type ProposalSessionOptions = {
  readonly context: Context & { readonly workspace: NonNullable<Context["workspace"]> };
  readonly proposal: Proposal;
  /** The name of the folder, for display. */
  readonly folder: string;
  /** The top of the code, where the pages are in another repository. */
  readonly codeRoot?: string | undefined;
  readonly now?: () => string;
  /** The paths that a person is approving at the moment. The approval counts as consent for these paths. */
  readonly approving?: Set<string>;
};

/** Opens a proposal for review. Each decision is stored at once, so closing the page loses nothing. */
export async function openProposalSession(options: ProposalSessionOptions): Promise<Outcome<ReviewSession>> {
  const { proposal, context } = options;
  const decisions = await readDecisions(context.reader, proposal.id);
  if (!decisions.ok) return decisions;
  const stored = await readProposal(context.reader, proposal.id);
  const session = new ProposalSession(options, {
    decisions: decisions.value,
    isStored: stored.ok && stored.value !== null,
    undone: await findUndone(context, proposal),
    newest: await newestEntry(context),
    keeper: await createRecordKeeper(context.workspace, proposal, decisions.value),
  });
  return accept(session);
}

type Loaded = {
  readonly decisions: Decisions;
  readonly isStored: boolean;
  readonly undone: ReadonlySet<string>;
  readonly newest: string | undefined;
  readonly keeper: RecordKeeper;
};

class ProposalSession implements ReviewSession {
  readonly #context: ProposalSessionOptions["context"];
  readonly #folder: string;
  readonly #codeRoot: string | undefined;
  readonly #now: () => string;
  readonly #approving: Set<string>;
  readonly #keeper: RecordKeeper;
  readonly #serial = new SerialQueue();
  #proposal: Proposal;
  #decisions: Decisions;
  /** A proposal without decisions need not be stored: the check can make it again. */
  #isStored: boolean;
  /** Entries of this run that were undone. */
  #undone: ReadonlySet<string>;
  /** The newest entry of the journal. */
  #newest: string | undefined;
  #byPath: ReadonlyMap<string, readonly number[]>;

  constructor(options: ProposalSessionOptions, loaded: Loaded) {
    const {
      context,
      folder,
      proposal,
      approving = new Set(),
      now = () => new Date().toISOString(),
    } = options;
    this.#context = context;
    this.#folder = folder;
    this.#codeRoot = options.codeRoot;
    this.#now = now;
    this.#approving = approving;
    this.#keeper = loaded.keeper;
    this.#proposal = proposal;
    this.#decisions = loaded.decisions;
    this.#isStored = loaded.isStored;
    this.#undone = loaded.undone;
    this.#newest = loaded.newest;
    this.#byPath = findingsByPath(proposal);
  }

  async run(): Promise<RunView> {
    const { id, source, model, time, base, head, findings, unknown, progress = null } = this.#proposal;
    const items = findings.map((_, key) => this.#summaryOf(key));
    const pages = this.#context.reader.root;
    return {
      roots: { pages, code: this.#codeRoot ?? pages },
      id,
      folder: this.#folder,
      kind: "proposal",
      source,
      model,
      time,
      base,
      head,
      items,
      unknown,
      progress,
    };
  }

  async view(key: number, { whole = false } = {}): Promise<Outcome<ItemView>> {
    if (this.#proposal.findings[key] === undefined) return noSuchEdit(key);
    const item = this.#summaryOf(key);
    const show = item.state === "accepted" ? showWritten : showOpen;
    return accept(await show(this.#state(), item, { whole }));
  }

  previewBatch(keys: readonly number[]): Promise<Outcome<BatchPreview>> {
    return previewBatch(this.#state(), keys, (key) => this.#stateOf(key));
  }

  approve(keys: readonly number[], hash: string): Promise<Outcome<DecisionResult>> {
    return this.#serial.run(() => this.#approve(keys, hash));
  }

  reject(key: number, options: RejectOptions): Promise<Outcome<DecisionResult>> {
    return this.#serial.run(() => this.#reject(key, options));
  }

  rejectAll(keys: readonly number[], options: RejectOptions): Promise<Outcome<DecisionResult>> {
    return this.#serial.run(() => this.#rejectAll(keys, options));
  }

  reword(key: number, text: string | null): Promise<Outcome<DecisionResult>> {
    return this.#serial.run(() => this.#reword(key, text));
  }

  revert(key: number): Promise<Outcome<DecisionResult>> {
    return this.#serial.run(() => this.#revert(key));
  }

  undoEntry(entry: string): Promise<Outcome<DecisionResult>> {
    return this.#serial.run(() => this.#undoEntry(entry));
  }

  refresh(): Promise<boolean> {
    return this.#serial.run(() => this.#refresh());
  }

  #state(): ProposalState {
    return {
      context: this.#context,
      proposal: this.#proposal,
      decisions: this.#decisions,
      byPath: this.#byPath,
    };
  }

  #stateOf(key: number): ItemState {
    const decision = this.#decisions[key];
    if (decision === undefined) return "open";
    if (decision.verdict === "accepted" && this.#undone.has(decision.entry))
      return decision.edits ? "reworded" : "open";
    return decision.verdict;
  }

  #isUndecided(key: number): boolean {
    const state = this.#stateOf(key);
    return state === "open" || state === "reworded";
  }

  #summaryOf(key: number): ItemSummary {
    const finding = decidedFinding(this.#proposal, this.#decisions, key);
    const { path, startLine, tier, kind, message, edits, by = null } = finding;
    const decision = this.#decisions[key];
    const verdict = judgementText(finding);
    return {
      key,
      path,
      line: startLine,
      tier,
      kind,
      cause: causeKey(finding),
      by,
      message,
      ...defined({ verdict: verdict ?? undefined }),
      state: this.#stateOf(key),
      entry: decision && "entry" in decision ? (decision.entry ?? null) : null,
      edits: edits.length > 0,
    };
  }

  async #approve(keys: readonly number[], hash: string): Promise<Outcome<DecisionResult>> {
    const missing = keys.find((key) => this.#proposal.findings[key] === undefined);
    if (missing !== undefined || keys.length === 0) return noSuchEdit(missing ?? -1);
    if (!keys.every((key) => this.#isUndecided(key))) return decidedAlready();
    const chosen = new Map(keys.map((key) => [key, decidedFinding(this.#proposal, this.#decisions, key)]));
    const entry = await this.#write(chosen, hash);
    if (!entry.ok) return entry;
    const { id } = entry.value;
    const accepted = [...chosen].map(([key, { by, edits }]): [string, Decision] => {
      const isOwnWording = by === person && this.#decisions[key]?.edits !== undefined;
      const decision = { verdict: "accepted", time: this.#now(), entry: id } as const;
      return [String(key), isOwnWording ? { ...decision, edits } : decision];
    });
    const stored = await this.#store({ ...this.#decisions, ...Object.fromEntries(accepted) });
    if (!stored.ok) return stored;
    await this.#keeper.wrote(id);
    return this.#result(keys, { said: decisionMessages.accepted(keys.length, id), entry: id });
  }

  /** Writes what the page showed. While it writes, the approval counts as consent for the paths. */
  async #write(chosen: ReadonlyMap<number, ProposedFinding>, hash: string) {
    const findings = [...chosen.values()];
    const author = authorOf(findings, this.#context.author);
    const paths = new Set(findings.map(({ path }) => path));
    for (const path of paths) this.#approving.add(path);
    try {
      return await approveShown({ ...this.#context, author }, this.#proposal, chosen, hash);
    } finally {
      for (const path of paths) this.#approving.delete(path);
    }
  }

  async #reject(key: number, options: RejectOptions): Promise<Outcome<DecisionResult>> {
    if (this.#proposal.findings[key] === undefined) return noSuchEdit(key);
    return this.#isUndecided(key) ? this.#rejectAll([key], options) : decidedAlready();
  }

  /** Rejects the undecided ones of some findings. One transaction dismisses them for good, where that is wanted. */
  async #rejectAll(
    asked: readonly number[],
    { reason, dismiss = false }: RejectOptions,
  ): Promise<Outcome<DecisionResult>> {
    const missing = asked.find((key) => this.#proposal.findings[key] === undefined);
    if (missing !== undefined) return noSuchEdit(missing);
    const keys = asked.filter((key) => this.#isUndecided(key));
    if (keys.length === 0) return decidedAlready();
    const author = { ...this.#context, author: person, run: this.#proposal.id };
    const ids = [...new Set(keys.map((key) => this.#proposal.findings[key]!.id))];
    const dismissed = dismiss
      ? await dismissFindings(author, ids, reason || decisionMessages.dismissal)
      : null;
    if (dismissed && !dismissed.ok) return dismissed;
    const entry = dismissed?.value.entry?.id;
    const rejected = keys.map((key): [string, Decision] => {
      const edits = this.#decisions[key]?.edits;
      const shared = {
        verdict: "rejected",
        time: this.#now(),
        ...defined({ reason: reason || undefined }),
      } as const;
      return [String(key), { ...shared, ...defined({ entry, edits }) }];
    });
    const stored = await this.#store({ ...this.#decisions, ...Object.fromEntries(rejected) });
    if (!stored.ok) return stored;
    return this.#result(keys, {
      said: decisionMessages.rejected(dismiss, keys.length),
      entry: entry ?? null,
    });
  }

  async #reword(key: number, text: string | null): Promise<Outcome<DecisionResult>> {
    if (this.#proposal.findings[key] === undefined) return noSuchEdit(key);
    if (!this.#isUndecided(key)) return decidedAlready();
    if (text === null) {
      const stored = await this.#store(without(this.#decisions, [key]));
      return stored.ok ? this.#result([key], { said: decisionMessages.proposed, entry: null }) : stored;
    }
    const edits = await this.#editsFor(key, text);
    if (!edits.ok) return edits;
    const decision: Decision = { verdict: "reworded", time: this.#now(), edits: edits.value };
    const stored = await this.#store({ ...this.#decisions, [key]: decision });
    return stored.ok ? this.#result([key], { said: decisionMessages.reworded, entry: null }) : stored;
  }

  /** The edits that replace the passage of a finding by a person's text. */
  async #editsFor(key: number, text: string): Promise<Outcome<NonNullable<Decision["edits"]>>> {
    const placed = await placePassage(this.#state(), key);
    if (!placed.ok) return placed;
    const { page, passage: region } = placed.value;
    const { path, message } = decidedFinding(this.#proposal, this.#decisions, key);
    const wanted: Splice[] = tidy(page.text, [{ region, text }]);
    if (wanted.length === 0) return refuse({ code: "no-change", why: "same-text" });
    const edits = quoteEdits(page.text, wanted).map(({ splices: _, ...edit }) => ({
      path,
      ...edit,
      reason: message,
    }));
    return accept(edits);
  }

  async #revert(key: number): Promise<Outcome<DecisionResult>> {
    const decision = this.#decisions[key];
    if (decision === undefined) return refuse({ code: "no-change", why: "nothing-asked" });
    if (decision.verdict === "reworded") return this.#reword(key, null);
    if (decision.entry !== undefined && !this.#undone.has(decision.entry))
      return this.#undoEntry(decision.entry);
    return this.#reopen([key], { said: decisionMessages.reopened, entry: null });
  }

  /** Undoing an entry reopens every finding that the entry decided. */
  async #undoEntry(entry: string): Promise<Outcome<DecisionResult>> {
    const { workspace, task } = this.#context;
    const undo = await workspace.undo(
      { entry },
      { author: person, task, run: this.#proposal.id, reason: decisionMessages.undoReason },
    );
    if (!undo.ok) return undo;
    const keys = Object.entries(this.#decisions).flatMap(([key, decision]) =>
      "entry" in decision && decision.entry === entry ? Number(key) : [],
    );
    this.#undone = await findUndone(this.#context, this.#proposal);
    return this.#reopen(keys, { said: decisionMessages.undone(entry, undo.value.id), entry: undo.value.id });
  }

  async #reopen(keys: readonly number[], message: ResultMessage): Promise<Outcome<DecisionResult>> {
    const next: Record<string, Decision> = { ...without(this.#decisions, keys) };
    for (const key of keys) {
      const edits = this.#decisions[key]?.edits;
      if (edits) next[key] = { verdict: "reworded", time: this.#now(), edits };
    }
    const stored = await this.#store(next);
    if (!stored.ok) return stored;
    await this.#keeper.wrote(null);
    return this.#result(keys, message);
  }

  async #store(next: Decisions): Promise<Outcome<true>> {
    const { workspace } = this.#context;
    const stored = this.#isStored ? accept(true as const) : await writeProposal(workspace, this.#proposal);
    if (!stored.ok) return stored;
    this.#isStored = true;
    const written = await writeDecisions(workspace, this.#proposal.id, next);
    if (!written.ok) return written;
    this.#decisions = next;
    this.#keeper.decided(next);
    return written;
  }

  #result(keys: readonly number[], { said, entry }: ResultMessage): Outcome<DecisionResult> {
    return accept({ lines: keys.map((key) => this.#summaryOf(key)), said, entry });
  }

  async #refresh(): Promise<boolean> {
    const { reader } = this.#context;
    const newest = await newestEntry(this.#context);
    const decisions = await readDecisions(reader, this.#proposal.id);
    const proposal = this.#proposal.progress ? await readProposal(reader, this.#proposal.id) : null;
    const hasMoved = newest !== this.#newest;
    this.#newest = newest;
    if (hasMoved) this.#undone = await findUndone(this.#context, this.#proposal);
    const isDecided = decisions.ok && JSON.stringify(decisions.value) !== JSON.stringify(this.#decisions);
    if (decisions.ok && isDecided) {
      this.#decisions = decisions.value;
      this.#keeper.decided(decisions.value);
    }
    if (proposal?.ok && proposal.value) {
      this.#proposal = proposal.value;
      this.#byPath = findingsByPath(proposal.value);
      return true;
    }
    return hasMoved || isDecided;
  }
}

type ResultMessage = Pick<DecisionResult, "said" | "entry">;

async function newestEntry({ reader }: Context): Promise<string | undefined> {
  return (await reader.history({ limit: 1 }))[0]?.id;
}

/** The entries of a proposal's run that were undone. */
async function findUndone({ reader }: Context, { id: run }: Proposal): Promise<Set<string>> {
  const entries = await reader.history({ run });
  return new Set(entries.flatMap(({ id, undone }) => (undone ? id : [])));
}

/** The author of the edits. With several authors: a person if one of them is a person, else the reviewer. */
function authorOf(findings: readonly ProposedFinding[], otherwise: string): string {
  const [first, ...others] = new Set(findings.map(({ by }) => by ?? otherwise));
  if (others.length === 0) return first ?? otherwise;
  return findings.some(({ by }) => by === person) ? person : otherwise;
}

function findingsByPath({ findings }: Proposal): Map<string, number[]> {
  return Map.groupBy(findings.keys(), (key) => findings[key]?.path ?? "");
}

function without(decisions: Decisions, keys: readonly number[]): Decisions {
  const gone = new Set(keys.map(String));
  return Object.fromEntries(Object.entries(decisions).filter(([key]) => !gone.has(key)));
}

function decidedAlready(): Outcome<never> {
  return refuse({ code: "stale", expected: "open", actual: "decided", detail: obstacleMessages.decided });
}

function noSuchEdit(key: number): Outcome<never> {
  return refuse({ code: "not-found", what: "entry", detail: `edit ${key}` });
}
