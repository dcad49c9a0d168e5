import { compareText } from "../text/characters/compare-text.ts";
import { defined } from "../text/model/defined.ts";
import type { Edit, Evidence } from "../text/model/edit.ts";
import { firstReaching, type Region } from "../text/model/region.ts";
import type { DeclaredThing } from "./binding/bound-by.ts";
import type { Since } from "./change/change.ts";
import type { ChangeModel, DocumentPage } from "./change/change-model.ts";
import { isProductPath } from "./change/code-path.ts";
import { fileKind } from "./change/file-kind.ts";
import { rolesOf } from "./change/roles.ts";
import { tokenise } from "./change/tokens.ts";
import { linePolicyOf } from "./pages/line-policy.ts";
import type { RuleName } from "./rules.ts";
import { plainName } from "./surface/plain-name.ts";

/** What was proved: `certain` is fixed by rule, `likely` is proposed, `possible` is shown on request. */
export type Tier = "certain" | "likely" | "possible";

/** The fact behind a finding, as data; the room `wording` turns it into a sentence. */
export type Message = {
  readonly what:
    | "renamed"
    | "removed"
    | "deprecated"
    | "not deprecated"
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
    | "rewritten"
    | "parameter"
    | "result"
    | "call"
    | "async"
    | "need";
  readonly old?: string;
  readonly new?: string;
  readonly owner?: string;
  /** What happened to the old name: gone from the tree, kept as a deprecated alias, replaced in the changed files… */
  readonly because?: string;
};

/** A passage that contradicts the code, with the evidence and, if a rule can make it, the edit. */
export type Finding = {
  readonly id: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly tier: Tier;
  readonly kind: RuleName;
  /** The rule of an earlier version that reported such passages. It is a narrower key of the configuration. */
  readonly rule?: string;
  /** Ids that earlier versions gave it. A decision about one of them holds. */
  readonly formerIds?: readonly string[];
  /** The fact behind it: findings of one cause are decided together. */
  readonly cause: string;
  /** The words of the page that are not true. */
  readonly says?: string;
  /** What they are about, where it is known. */
  readonly thing?: DeclaredThing;
  readonly message: Message;
  readonly evidence: readonly Evidence[];
  readonly edits: readonly Edit[];
  /** What else is false on these lines and gets no edit. */
  readonly left?: readonly Message[];
  /** A program writes these lines: its name, empty where the page does not say it. They are not edited. */
  readonly generator?: string;
  /** The commit since which it is false, where history says. */
  readonly since?: Since;
};

/** The report of one rule about one stretch of a page, before the reports are joined to findings. Lines count from 0. */
export type Notice = {
  readonly page: DocumentPage;
  readonly line: number;
  readonly endLine: number;

  readonly tier: Tier;
  readonly kind: RuleName;
  readonly says?: string;
  readonly thing?: DeclaredThing;
  readonly message: Message;
  readonly evidence: readonly Evidence[];
  /** The commit since which it is false, where history says. */
  readonly since?: Since;
  /** The rule of an earlier version that reported such passages. */
  readonly rule?: string;
  /** The fact behind it, if the rule knows it better than the kind and the message do. */
  readonly cause?: string;
  /** Region of the page and its new text; absent if the rule only reports. */
  readonly splice?: { readonly region: Region; readonly text: string };
  /** Edits of other places that belong to the splice: links to a heading that it renames. */
  readonly also?: readonly { readonly page: DocumentPage; readonly region: Region; readonly text: string }[];
  /** The program that writes these lines. */
  readonly generator?: string;
};

const RANK: Record<Tier, number> = { certain: 0, likely: 1, possible: 2 };

/**
 * One finding per stretch of lines. Notices on the same lines are joined, and of conflicting edits the surer one wins. A
 * notice about a whole table or list stays separate, so that notices about single rows keep their own messages.
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
  return withOwnIds(findings);
}

/** The notices without those on lines that claim nothing. On lines that a program writes, they lose their edits. */
export function dropIgnored(notices: readonly Notice[]): Notice[] {
  const byPage = Map.groupBy(notices, ({ page }) => page);
  return [...byPage].flatMap(([page, reported]) => {
    const { isSilent, ownerOf } = linePolicyOf(page);
    return reported.flatMap((notice) => {
      if (isSilent(notice.line) || isSilent(notice.endLine)) return [];
      const owner = ownerOf(notice.line) ?? ownerOf(notice.endLine);
      if (owner === null) return [notice];
      const { splice: _, also: __, ...reportedOnly } = notice;
      return [{ ...reportedOnly, generator: owner.generator }];
    });
  });
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

/** `notices`: in the order of their lines. */
function toFinding(path: string, notices: readonly Notice[]): Finding {
  const ranked = [...notices].sort(
    (a, b) =>
      RANK[a.tier] - RANK[b.tier] ||
      Number(isCopy(b)) - Number(isCopy(a)) ||
      // The message must describe the edit that is made.
      Number(b.splice !== undefined) - Number(a.splice !== undefined) ||
      a.line - b.line ||
      (a.kind === b.kind ? reachOf(b) - reachOf(a) : 0),
  );
  const strongest = ranked[0]!;
  const kept: Notice[] = [];
  const taken: Region[] = [];
  for (const notice of ranked) {
    const region = notice.splice?.region;
    if (!region || notice.tier === "possible") continue;
    const at = firstReaching(region, taken);
    if (taken[at] && taken[at].start < region.end) continue;
    taken.splice(at, 0, region);
    kept.splice(at, 0, notice);
  }
  const startLine = notices[0]!.line + 1;
  const endLine = notices.reduce((end, notice) => Math.max(end, notice.endLine), 0) + 1;
  return {
    id: idOf(strongest, path),
    path,
    startLine,
    endLine,
    tier: strongest.tier,
    kind: strongest.kind,
    ...defined({ rule: strongest.rule }),
    formerIds: formerIdsOf(path, startLine, ranked),
    cause: causeOf(strongest),
    ...defined({ says: strongest.says, thing: strongest.thing }),
    message: strongest.message,
    ...defined({ since: strongest.since }),
    evidence: dedupe(ranked.flatMap((notice) => notice.evidence)).slice(0, 5),
    edits: kept.flatMap(editsOf),
    ...leftOf(ranked, kept),
    ...defined({ generator: strongest.generator }),
  };
}

/** The edit of a notice, and those of the places that belong to it. */
function editsOf({ page, splice, also = [], message, evidence }: Notice): Edit[] {
  const reason = `${message.what}: ${message.old ?? ""}${message.new === undefined ? "" : ` → ${message.new}`}`;
  return [{ page, ...splice! }, ...also].map((one) => ({
    path: one.page.path,
    target: { region: one.region },
    text: one.text,
    reason,
    evidence,
  }));
}

/** What is false beside the edits and is not edited. */
function leftOf([strongest, ...others]: readonly Notice[], kept: readonly Notice[]): Pick<Finding, "left"> {
  if (kept.length === 0) return {};
  const subjectOf = ({ message: { old = "", owner } }: Notice) => JSON.stringify([plainName(old), owner]);
  const told = new Set([strongest!, ...kept].map(subjectOf));
  const copies = [strongest!, ...kept].filter(isCopy);
  const left = others.filter(
    (notice) =>
      notice.tier !== "possible" &&
      !told.has(subjectOf(notice)) &&
      !copies.some((copy) => isRewritten(notice, copy)),
  );
  return left.length === 0 ? {} : { left: left.map(({ message }) => message) };
}

/** Whether a copy takes the false words out with the lines around them. */
function isRewritten({ message: { old }, line, endLine }: Notice, other: Notice): boolean {
  const isAround = other.line <= line && endLine <= other.endLine;
  return isAround && old !== undefined && other.splice?.text.includes(old) === false;
}

/** The fact behind a notice. All passages of one cause are decided together, whichever rule found them. */
function causeOf({ cause, kind, message: { old = "", new: fresh = "", owner } }: Notice): string {
  if (cause !== undefined) return cause;
  if (kind === "exists") return fresh === "" ? `removed:${old}` : `renamed:${old}→${fresh}`;
  return `${kind}:${owner ? `${owner}.` : ""}${old}→${fresh}`;
}

/** Of two edits by one rule, the longer one contains the other. */
function reachOf({ splice }: Notice): number {
  return splice ? splice.region.end - splice.region.start : 0;
}

/** A fresh copy of the code already contains the edits of the other rules. */
function isCopy({ kind }: Notice): boolean {
  return kind === "copy";
}

/** Evidence of a removal: the lines at the base that had the name, declarations first. */
export function evidenceOfRemoval({ input, comparisons }: ChangeModel, name: string): Evidence[] {
  const found: { readonly evidence: Evidence; readonly declares: boolean; readonly product: boolean }[] = [];
  for (const file of comparisons) {
    if (found.length >= 200) break;
    const { path, from, before } = file;
    // There may be many names and files, and looking through a text is quicker than cutting its lines out.
    if (!before?.includes(name)) continue;
    for (const { removed } of file.rewrites)
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
  }
  return found
    .sort((a, b) => Number(b.declares) - Number(a.declares) || Number(b.product) - Number(a.product))
    .slice(0, 3)
    .map(({ evidence }) => evidence);
}

function dedupe(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((one) => [`${one.path}\0${one.startLine}\0${one.before}`, one])).values()];
}

/** Made of the page, the subject, what it is now and the words that speak of it: stable over runs and over other edits of the page. */
function idOf(
  { kind, page, line, message: { what, owner = "", old, new: fresh = "" } }: Notice,
  path: string,
): string {
  const said = page.read().lines[line]?.text.trim() ?? "";
  return hashId(kind, [path, owner, old ?? what, fresh, said]);
}

/** The findings with ids of their own: a second one with equal words on its page counts. */
function withOwnIds(findings: readonly Finding[]): Finding[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const before = seen.get(finding.id) ?? 0;
    seen.set(finding.id, before + 1);
    return before === 0 ? finding : { ...finding, id: `${finding.id}-${before + 1}` };
  });
}

/** The ids that earlier versions made: of the rule, the page, one of the first facts and the first line of the finding. */
function formerIdsOf(path: string, startLine: number, notices: readonly Notice[]): string[] {
  const line = notices[0]!.page.read().lines[startLine - 1]?.text ?? "";
  const facts = notices.flatMap(({ kind, rule, message: { what, old = "", new: fresh = "" } }) =>
    (rule === undefined ? [kind] : [kind, rule]).flatMap((name) => [
      [name, what, old, fresh],
      // They named flags without dashes.
      [name, what, plainName(old), plainName(fresh)],
    ]),
  );
  const different = new Map(facts.map((fact) => [fact.join("\0"), fact] as const));
  return [...different.values()]
    .slice(0, MOST_FORMER_IDS)
    .map(([name, ...fact]) => hashId(name!, [name!, path, ...fact, line]));
}

const MOST_FORMER_IDS = 40;

function hashId(kind: string, parts: readonly string[]): string {
  const text = parts.join("\0");
  let low = 0x811c9dc5;
  let high = 0x1000193;
  for (let i = 0; i < text.length; i++) {
    low = Math.imul(low ^ text.charCodeAt(i), 16777619);
    high = Math.imul(high ^ text.charCodeAt(i), 2246822519);
  }
  return `${kind}-${(low >>> 0).toString(16).padStart(8, "0")}${(high >>> 0).toString(16).padStart(8, "0")}`;
}
