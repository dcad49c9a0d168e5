import type { Edit, Evidence } from "../text/model/edit.ts";
import type { Region } from "../text/model/region.ts";
import type { Since } from "./change/change.ts";
import type { ChangeModel, DocumentPage } from "./change/change-model.ts";
import { isProductPath } from "./change/code-path.ts";
import { fileKind } from "./change/file-kind.ts";
import { rolesOf } from "./change/roles.ts";
import type { Site } from "./change/substitutions.ts";
import { tokenise } from "./change/tokens.ts";
import type { Tier } from "./confidence/confidence.ts";
import type { RuleName } from "./rules.ts";

export type { Tier };

/** What happened, as data; the words are chosen elsewhere. */
export type Message = {
  readonly what:
    | "renamed"
    | "removed"
    | "deprecated"
    | "value"
    | "moved"
    | "member"
    | "supported"
    | "version"
    | "no file"
    | "no file at"
    | "no heading"
    | "no task"
    | "no flag"
    | "open fence"
    | "broken sample"
    | "dropped"
    | "described"
    | "lags"
    | "missing"
    | "rewritten";
  readonly old?: string;
  readonly new?: string;
  readonly owner?: string;
  /** How the old name fared: gone from the tree, kept as a retired alias, replaced where the change went… */
  readonly because?: string;
};

/** Where a document and the code part, with the proof and, where a rule can make it, the edit. */
export type Finding = {
  readonly id: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly tier: Tier;
  readonly kind: RuleName;
  /** The probability that a person calls it right; absent where it was not worked out. */
  readonly confidence?: number;
  /** The fact behind it: findings of one cause are decided together. */
  readonly cause: string;
  readonly message: Message;
  readonly evidence: readonly Evidence[];
  readonly edits: readonly Edit[];
  /** The commit since which it is false, where history says. */
  readonly since?: Since;
};

/** What one rule says about one stretch of a page, before the rules are heard together. Lines count from 0. */
export type Notice = {
  readonly page: DocumentPage;
  readonly line: number;
  readonly endLine: number;
  /** What the rule itself thinks of it; the confidence decides. */
  readonly tier: Tier;
  readonly kind: RuleName;
  readonly message: Message;
  readonly evidence: readonly Evidence[];
  /** The commit since which it is false, where history says. */
  readonly since?: Since;
  /** The fact behind it, where the rule can tell better than its kind and its words. */
  readonly cause?: string;
  /** The probability that a person calls it right. */
  readonly confidence?: number;
  /** What the rule knows that speaks for or against the finding; weighed by `confidence`. */
  readonly features?: Readonly<Record<string, number>>;
  /** Region of the page and its new text; absent when the rule can only point. */
  readonly splice?: { readonly region: Region; readonly text: string };
};

const RANK: Record<Tier, number> = { certain: 0, likely: 1, possible: 2 };

/**
 * One finding per stretch of lines: notices on the same lines are joined, and of rival edits the surer wins. One that
 * only points at a whole table or list stays by itself, so that what is said about single rows keeps its own words.
 */
export function joinNotices(notices: readonly Notice[]): Finding[] {
  const byPage = Map.groupBy(notices, (notice) => notice.page.path);
  const findings: Finding[] = [];
  for (const path of [...byPage.keys()].sort(compareText)) {
    const { wide = [], narrow = [] } = Object.groupBy(byPage.get(path)!, (notice) =>
      !notice.splice && notice.endLine - notice.line > 1 ? "wide" : "narrow",
    );
    const groups = [...groupByLines(wide), ...groupByLines(narrow)];
    groups.sort((a, b) => a[0]!.line - b[0]!.line || b[0]!.endLine - a[0]!.endLine);
    for (const group of groups) findings.push(toFinding(path, group));
  }
  return findings;
}

function groupByLines(notices: readonly Notice[]): Notice[][] {
  const sorted = [...notices].sort(
    (a, b) =>
      a.line - b.line || b.endLine - a.endLine || RANK[a.tier] - RANK[b.tier] || compareText(a.kind, b.kind),
  );
  const groups: Notice[][] = [];
  let end = -1;
  for (const notice of sorted) {
    if (notice.line <= end && groups.length) groups.at(-1)!.push(notice);
    else groups.push([notice]);
    end = Math.max(end, notice.endLine);
  }
  return groups;
}

function toFinding(path: string, notices: readonly Notice[]): Finding {
  const ranked = [...notices].sort(
    (a, b) =>
      RANK[a.tier] - RANK[b.tier] ||
      Number(isCopy(b)) - Number(isCopy(a)) ||
      // The words must fit the edit that is made.
      Number(b.splice !== undefined) - Number(a.splice !== undefined) ||
      (b.confidence ?? 0) - (a.confidence ?? 0) ||
      a.line - b.line ||
      (a.kind === b.kind ? reachOf(b) - reachOf(a) : 0),
  );
  const lead = ranked[0]!;
  const kept: Notice[] = [];
  for (const notice of ranked) {
    const region = notice.splice?.region;
    if (!region || notice.tier === "possible") continue;
    if (
      kept.every(
        (other) => region.end <= other.splice!.region.start || other.splice!.region.end <= region.start,
      )
    )
      kept.push(notice);
  }
  kept.sort(
    (a, b) => a.splice!.region.start - b.splice!.region.start || a.splice!.region.end - b.splice!.region.end,
  );
  const startLine = Math.min(...notices.map((notice) => notice.line)) + 1;
  const endLine = Math.max(...notices.map((notice) => notice.endLine)) + 1;
  return {
    id: idOf(path, startLine, lead),
    path,
    startLine,
    endLine,
    tier: lead.tier,
    kind: lead.kind,
    ...(lead.confidence !== undefined && { confidence: Math.round(lead.confidence * 1000) / 1000 }),
    cause: causeOf(lead),
    message: lead.message,
    ...(lead.since !== undefined && { since: lead.since }),
    evidence: dedupe(ranked.flatMap((notice) => notice.evidence)).slice(0, 5),
    edits: kept.map((notice) => ({
      path,
      target: { region: notice.splice!.region },
      text: notice.splice!.text,
      reason: `${notice.message.what}: ${notice.message.old ?? ""}${notice.message.new === undefined ? "" : ` → ${notice.message.new}`}`,
      evidence: notice.evidence,
    })),
  };
}

/** The fact behind a notice: all passages of one cause are decided together, whichever rule found them. */
export function causeOf({ cause, kind, message: { old = "", new: fresh = "", owner } }: Notice): string {
  if (cause !== undefined) return cause;
  if (NAMING.has(kind) && old !== "" && fresh !== "") return `renamed:${old}→${fresh}`;
  if (kind === "removal") return `removed:${old}`;
  return `${kind}:${owner ? `${owner}.` : ""}${old}→${fresh}`;
}

const NAMING: ReadonlySet<RuleName> = new Set(["rename", "sample", "phrase"]);

/** Of two edits by one rule the longer one holds the other. */
function reachOf({ splice }: Notice): number {
  return splice ? splice.region.end - splice.region.start : 0;
}

/** A copy of the code taken anew holds whatever other rules would change in it. */
function isCopy({ kind }: Notice): boolean {
  return kind === "snippet";
}

/** Evidence as a site shows it: the line of code before and after. Sites in the product come first. */
export function evidenceOf(change: ChangeModel, sites: readonly Site[]): Evidence[] {
  const product = sites.filter(({ path }) => fileKind(path) === "product");
  const others = sites.filter(({ path }) => fileKind(path) !== "product");
  return [...product, ...others].slice(0, 3).map((site) => ({
    path: site.path,
    revision: change.input.head,
    startLine: site.new.number,
    endLine: site.new.number,
    before: site.old.text,
    after: site.new.text,
  }));
}

/** Evidence that a name went: the lines at the base that had it, those that declare it first. */
export function evidenceOfRemoval({ input, comparisons }: ChangeModel, name: string): Evidence[] {
  const found: { readonly evidence: Evidence; readonly declares: boolean; readonly product: boolean }[] = [];
  for (const { path, from, rewrites } of comparisons)
    for (const { removed } of rewrites)
      for (const { number, text } of removed) {
        if (!text.includes(name) || found.length >= 200) continue;
        const tokens = tokenise(text);
        const at = tokens.findIndex((token) => token.text === name);
        if (at < 0) continue;
        found.push({
          evidence: { path: from, revision: input.base, startLine: number, endLine: number, before: text },
          declares: isProductPath(path) && rolesOf(text, tokens)[at] === "declared",
          product: fileKind(path) === "product",
        });
      }
  return found
    .sort((a, b) => Number(b.declares) - Number(a.declares) || Number(b.product) - Number(a.product))
    .slice(0, 3)
    .map(({ evidence }) => evidence);
}

function dedupe(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((one) => [`${one.path}\0${one.startLine}\0${one.before}`, one])).values()];
}

/** Stable over runs and over unrelated edits of the page: the rule, the page, and what it says. */
function idOf(path: string, line: number, lead: Notice): string {
  const text = `${lead.kind}\0${path}\0${lead.message.what}\0${lead.message.old ?? ""}\0${lead.message.new ?? ""}\0${lead.page.read().lines[line - 1]?.text ?? ""}`;
  let low = 0x811c9dc5;
  let high = 0x1000193;
  for (let i = 0; i < text.length; i++) {
    low = Math.imul(low ^ text.charCodeAt(i), 16777619);
    high = Math.imul(high ^ text.charCodeAt(i), 2246822519);
  }
  return `${lead.kind}-${(low >>> 0).toString(16).padStart(8, "0")}${(high >>> 0).toString(16).padStart(8, "0")}`;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
