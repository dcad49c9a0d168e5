import { type Shown, showApproval } from "../../docs/fix/approve.ts";
import { type Decisions, decidedFinding, isOpen, type Proposal } from "../../docs/fix/proposal.ts";
import { documentClass } from "../../drift/pages/policies.ts";
import { defined } from "../../text/model/defined.ts";
import { lineAt } from "../../text/model/lines.ts";
import { accept, type Outcome, type Refusal, refuse } from "../../text/model/outcome.ts";
import type { Region } from "../../text/model/region.ts";
import type { Splice } from "../../text/model/splice.ts";
import type { Context } from "../../tools/tool.ts";
import { refused, textOf } from "../../wording/report.ts";
import { cautionMessages, obstacleMessages } from "../../wording/review.ts";
import {
  after,
  excerptOf,
  linesRegion,
  type OpenPage,
  openPage,
  passageRegion,
  sectionAt,
} from "./excerpt.ts";
import type { ItemSummary, ItemView } from "./view.ts";

/** The files, the proposal and the decisions so far. */
export type ProposalState = {
  readonly context: Context;
  readonly proposal: Proposal;
  readonly decisions: Decisions;
  /** The indexes of the findings of each page. */
  readonly byPath: ReadonlyMap<string, readonly number[]>;
};

/** An undecided edit on the current page: what approving it would write, or why it cannot be approved. */
export async function showOpen(
  state: ProposalState,
  line: ItemSummary,
  { whole }: { readonly whole: boolean },
): Promise<ItemView> {
  const { proposal, decisions } = state;
  const finding = decidedFinding(proposal, decisions, line.key);
  const placed = await placePassage(state, line.key);
  if (!placed.ok) return showWithout(state, line, placed.refusal);
  const { page, shown, splices, passage } = placed.value;
  const excerpt = excerptOf(page, passage, splices, { whole });
  const obstacle = obstacleOf(shown, finding.edits.length, excerpt.cut);
  return {
    ...line,
    id: finding.id,
    ...defined({ says: finding.says, thing: finding.thing }),
    line: page.lines.starts.length === 0 ? 1 : lineAt(page.lines, passage.start) + 1,
    evidence: finding.evidence,
    section: sectionAt(page, passage.start),
    excerpt,
    passage: after(page, passage, splices),
    original: originalOf(state, line.key),
    conflicts: conflictsOf(state, line.key),
    hash: shown.ok && obstacle === null && line.state !== "rejected" ? shown.value.hash : null,
    obstacle,
    cautions: documentClass(finding.path) === "instructions" ? [cautionMessages.instructs] : [],
  };
}

/** A written edit, from the journal: the page may have changed since. */
export async function showWritten(
  state: ProposalState,
  line: ItemSummary,
  { whole }: { readonly whole: boolean },
): Promise<ItemView> {
  const finding = decidedFinding(state.proposal, state.decisions, line.key);
  const plan = await state.context.reader.entryPlan(line.entry!);
  if (!plan.ok) return showWithout(state, line, plan.refusal);
  const change = plan.value.changes.find(({ path }) => path === line.path);
  if (!change) return showWithout(state, line, { code: "not-found", what: "file", path: line.path });
  const page = openPage(line.path, change.before.text ?? "");
  const near = linesRegion(page, finding.startLine - 2, finding.endLine + 2);
  const own = change.splices.filter(({ region }) => region.start <= near.end && near.start <= region.end);
  const splices = own.length > 0 ? own : change.splices;
  const passage = passageRegion(page, splices);
  return {
    ...showWithout(state, line, null),
    section: sectionAt(page, passage.start),
    excerpt: excerptOf(page, passage, splices, { whole }),
    passage: after(page, passage, splices),
  };
}

/** The location of an edit in its page. */
export type PlacedPassage = {
  readonly page: OpenPage;
  readonly shown: Outcome<Shown>;
  readonly splices: readonly Splice[];
  /** The lines it changes, or those it points at. */
  readonly passage: Region;
};

export async function placePassage(
  { context, proposal, decisions }: ProposalState,
  key: number,
): Promise<Outcome<PlacedPassage>> {
  const finding = decidedFinding(proposal, decisions, key);
  const { path, startLine, endLine } = finding;
  const read = await context.reader.read(path);
  if (!read.ok) return read;
  if (read.value.text === null) return refuse({ code: "not-found", what: "file", path });
  const page = openPage(path, read.value.text);
  const shown = await showApproval(context, proposal, new Map([[key, finding]]));
  const splices = shown.ok ? (shown.value.plan.changes[0]?.splices ?? []) : [];
  const passage = splices.length > 0 ? passageRegion(page, splices) : linesRegion(page, startLine, endLine);
  return accept({ page, shown, splices, passage });
}

function showWithout({ proposal }: ProposalState, line: ItemSummary, refusal: Refusal | null): ItemView {
  const { id, says, thing, evidence } = proposal.findings[line.key]!;
  return {
    ...line,
    id,
    ...defined({ says, thing }),
    evidence,
    section: null,
    excerpt: null,
    passage: null,
    original: null,
    conflicts: [],
    hash: null,
    obstacle: refusal === null ? null : wordsOf(refusal),
    cautions: [],
  };
}

function obstacleOf(shown: Outcome<Shown>, edits: number, cut: number): string | null {
  if (!shown.ok) return wordsOf(shown.refusal);
  if (edits === 0) return obstacleMessages.pointer;
  if (shown.value.made.length === 0 || shown.value.plan.changes.length === 0) return obstacleMessages.gone;
  return cut > 0 ? obstacleMessages.unseen : null;
}

/** The proposed text, if a person has reworded it. */
function originalOf({ proposal, decisions }: ProposalState, key: number): string | null {
  if (decisions[key]?.edits === undefined) return null;
  return proposal.findings[key]!.edits.map(({ new_string }) => new_string).join("\n");
}

const mostConflicts = 20;

/** Other undecided findings on the same lines. Only one of their edits can be made. */
function conflictsOf({ proposal, decisions, byPath }: ProposalState, key: number): ItemView["conflicts"] {
  const { path, startLine, endLine } = proposal.findings[key]!;
  const others = (byPath.get(path) ?? []).filter((other) => {
    const { startLine: from, endLine: to, edits } = proposal.findings[other]!;
    return (
      other !== key && edits.length > 0 && from <= endLine && startLine <= to && isOpen(decisions[other])
    );
  });
  return others.slice(0, mostConflicts).map((other) => {
    const { startLine: line, message } = proposal.findings[other]!;
    return { key: other, line, message };
  });
}

function wordsOf(refusal: Refusal): string {
  return textOf(refused(refusal, { tool: "review", wording: "files" }));
}
