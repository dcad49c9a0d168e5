import { basename } from "node:path";
import type { AskedFinding } from "./ask.ts";
import type { Answer } from "./pool.ts";

/** A passage that `code_commit` made false and that people repaired later, as the set describes it. */
export type LateCase = {
  readonly id: string;
  readonly repo: string;
  readonly language: string;
  readonly class: string;
  readonly code_commit: string;
  readonly days: number;
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly old_text: string;
  readonly new_text: string;
  readonly tokens: readonly string[];
  readonly mechanical: boolean;
  readonly code_docs_only?: boolean;
};

export type Verdict = {
  readonly one: LateCase;
  /** `caught` by a finding of the gating tiers, or only by a possible one. */
  readonly result: "caught" | "possible" | "missed";
  readonly told: readonly AskedFinding[];
  /** A finding on the passage speaks of the token, too. */
  readonly isApt: boolean;
  /** A finding elsewhere speaks of the token, and none is on the passage. */
  readonly isNamed: boolean;
  /** A gating finding on the passage has an edit. */
  readonly isEdited: boolean;
  /** The edits turn the passage into the text that people wrote later. */
  readonly isMended: boolean;
};

/** What the findings on the day say about a case; `page` is its page at the commit. */
export function judgeCase(one: LateCase, { findings }: Answer, page: string | null): Verdict {
  const told = findings.filter((finding) => touches(one, finding));
  const gating = told.filter(({ tier }) => tier !== "possible");
  const isEdited = gating.some(({ edits }) => edits.length > 0);
  return {
    one,
    result: gating.length > 0 ? "caught" : told.length > 0 ? "possible" : "missed",
    told,
    isApt: gating.some((finding) => speaks(one, finding)),
    isNamed: told.length === 0 && findings.some((finding) => speaks(one, finding)),
    isEdited,
    isMended: isEdited && page !== null && isMended(one, gating, page),
  };
}

/** One line of slack on both sides. */
function touches(one: LateCase, { path, startLine, endLine }: AskedFinding): boolean {
  return path === one.path && startLine <= one.end_line + 1 && endLine >= one.start_line - 1;
}

function speaks({ tokens }: LateCase, { message, edits }: AskedFinding): boolean {
  const said = JSON.stringify([message, edits]);
  const names = [...tokens, ...tokens.filter((token) => token.includes("/")).map((token) => basename(token))];
  return names.some((name) => said.includes(name.replace(/^-+|-+$/g, "")));
}

/** Whether the edits turn the passage, and nothing but the passage, into what people wrote. */
function isMended(one: LateCase, findings: readonly AskedFinding[], page: string): boolean {
  const lines = page.replaceAll("\r\n", "\n").split("\n");
  const head = [...lines.slice(0, one.start_line - 1), ""].join("\n");
  const tail = ["", ...lines.slice(one.end_line)].join("\n");
  let text = lines.join("\n");
  for (const { startLine, endLine, edits } of findings) {
    if (startLine > one.end_line || endLine < one.start_line) continue;
    for (const { path = one.path, old_string, new_string } of edits) {
      const at = text.indexOf(old_string);
      if (path === one.path && at >= 0)
        text = text.slice(0, at) + new_string + text.slice(at + old_string.length);
    }
  }
  if (!text.startsWith(head) || !text.endsWith(tail)) return false;
  return squeeze(text.slice(head.length, text.length - tail.length)) === squeeze(one.new_text);
}

function squeeze(text: string): string {
  const lines = text.split("\n").map((line) => line.trim().replace(/\s+/g, " "));
  return lines.filter(Boolean).join("\n");
}
