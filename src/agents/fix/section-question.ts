import { inStyle, isCommon, isDistinct, partsOf } from "../../drift/change/names.ts";
import type { Redact } from "../../text/match/secrets.ts";
import { indexLines, lineAt } from "../../text/model/lines.ts";
import type { Region } from "../../text/model/region.ts";
import { type ChangeSource, describeCode, describeCommits } from "../context/change-context.ts";
import { findStanding, type StandingName } from "../context/standing-names.ts";
import { isInsideFence, piecesOf } from "../gates/section/pieces.ts";
import type { SectionNotice, SectionQuestion } from "../prompts/fix-section.ts";
import type { OpenFinding, SourceExcerpt } from "./excerpts.ts";
import { namesIn, subjectOf, termsOf } from "./notice-terms.ts";
import { type ShownParts, showParts } from "./shown-parts.ts";

const codeBudget = 5000;
const longestWords = 600;

/** What the questions of a run are built from. */
export type QuestionMaterial = {
  /** `null`: the history cannot be read, so the evidence alone has to do. */
  readonly change: ChangeSource | null;
  readonly redact: Redact;
  /** Characters of code in one question. */
  readonly codeLength?: number | undefined;
};

/** A text, what a question shows of it, and the lines of that. */
type ShownPlace = Pick<ShownParts, "lines"> & { readonly text: string; readonly parts: readonly Region[] };

/** The question about sections of a page: their text as it is now, the change behind them, and the notices. */
export async function buildQuestion(
  excerpts: readonly SourceExcerpt[],
  { path, text }: { readonly path: string; readonly text: string },
  { change, redact, codeLength = codeBudget }: QuestionMaterial,
): Promise<SectionQuestion> {
  const parts = excerpts.map(({ region }) => region);
  const shown = showParts(text, parts);
  const findings = excerpts.flatMap((excerpt) => excerpt.findings);
  const [{ headings, tableHeader }] = excerpts as [SourceExcerpt];
  const terms = [...new Set(findings.flatMap(termsOf))].slice(0, 40);
  const names = [...new Set([...terms, ...terms.flatMap(otherSpellings)])];
  const places = findings.flatMap(({ evidence }) =>
    evidence.map((proof) => ({ ...proof, isGone: proof.before !== undefined && proof.after === undefined })),
  );
  const near = codeNames(shown.text, path);
  const standing = change === null ? null : rememberStanding(change);
  const code = change === null ? [] : await describeCode(change, { names, near, places }, codeLength);
  return {
    path,
    headings: headings.map(redact),
    tableHeader: redact(tableHeader),
    section: redact(shown.text),
    commits: change === null ? "" : redact(describeCommits(change.messages)),
    code: code.map(({ label, text: shown }) => ({ label, text: redact(shown) })),
    notices: await Promise.all(
      findings.map(async (finding) => {
        const evidence = change === null ? finding.evidence : await keepStanding(finding.evidence, change);
        const notice = noticeOf({ ...finding, evidence }, { text, parts, lines: shown.lines }, redact);
        return { ...notice, ...(await standingOf({ ...finding, evidence }, standing, redact)) };
      }),
    ),
  };
}

const mostStanding = 3;
const longestStanding = 160;

type FindStanding = (name: string) => Promise<StandingName[]>;

/** Several notices may be about one name. */
function rememberStanding(change: ChangeSource): FindStanding {
  const found = new Map<string, Promise<StandingName[]>>();
  return (name) => {
    const known = found.get(name) ?? findStanding(change, name);
    found.set(name, known);
    return known;
  };
}

/** For a notice that something is gone: the lines of the changed files that still have its name. */
async function standingOf(
  finding: OpenFinding,
  find: FindStanding | null,
  redact: Redact,
): Promise<Pick<SectionNotice, "standing">> {
  const name = subjectOf(finding);
  const isGone = finding.evidence.some(
    ({ before, after }) => after === undefined && name !== undefined && before?.includes(name),
  );
  if (find === null || name === undefined || !isGone) return {};
  const found = await find(name);
  const lines = found
    .slice(0, mostStanding)
    .map(({ path, line, text }) => redact(`${path}:${line}: ${text.slice(0, longestStanding)}`));
  return { standing: { name: redact(name), lines, more: found.length - lines.length } };
}

/** Proofs of lines that are gone. A line that the change leaves in its file is not gone: something it uses is. */
function keepStanding(
  evidence: OpenFinding["evidence"],
  { files, read }: ChangeSource,
): Promise<OpenFinding["evidence"]> {
  return Promise.all(
    evidence.map(async (proof) => {
      const { path, before, after } = proof;
      const line = before?.trim() ?? "";
      if (after !== undefined || line === "") return proof;
      const has = (text: string): boolean => text.split("\n").some((one) => one.trim() === line);
      const patch = files.find((file) => file.path === path)?.patch ?? "";
      const isRemoved = has((patch.match(/^-.*$/gm) ?? []).map((one) => one.slice(1)).join("\n"));
      return !isRemoved && has((await read(path)) ?? "") ? { ...proof, after: before } : proof;
    }),
  ) as Promise<OpenFinding["evidence"]>;
}

function noticeOf(
  finding: OpenFinding,
  { text, parts, lines: shown }: ShownPlace,
  redact: Redact,
): SectionNotice {
  const { startLine, endLine, kind, message, evidence, edits } = finding;
  const lines = text.split("\n");
  const known = indexLines(text);
  const at = known.starts[startLine - 1] ?? text.length;
  const part = parts.find(({ start, end }) => start <= at && at < end) ?? parts.at(-1)!;
  const first = lineAt(known, part.start);
  // A place between two sections reaches into the next one, which the question does not show.
  const last = Math.max(startLine, Math.min(endLine, lineAt(known, Math.max(part.start, part.end - 1)) + 1));
  const own = lines.slice(startLine - 1, last).join("\n");
  // A bracket alone says nothing: the lines around it do.
  const words = /[\p{L}\p{N}]/u.test(own)
    ? own
    : lines.slice(Math.max(first, startLine - 3), last + 2).join("\n");
  const [from, to] = [startLine, last].map((line) => shown.indexOf(line - 1) + 1);
  return {
    lines: from === to ? `line ${from}` : `lines ${from} to ${to}`,
    kind,
    message: redact(message),
    words: redact(shorten(words.trim())),
    evidence: eachOnce(evidence)
      .filter(({ before, after }) => before !== undefined || after !== undefined)
      .map(({ path, startLine: line, before, after }) => ({
        place: `${path}:${line}`,
        before: before === undefined ? undefined : redact(before),
        after: after === undefined ? undefined : redact(after),
      })),
    proposal: redact(edits.map((edit) => shorten(printProposal(edit))).join("\n")),
  };
}

/** Proofs without those that show the same change of the same file again: a comment and its first line. */
function eachOnce(evidence: OpenFinding["evidence"]): OpenFinding["evidence"] {
  const keyOf = ({ path, before = "", after = "" }: OpenFinding["evidence"][number]): string =>
    JSON.stringify([path, before.trim(), after.trim()]);
  return evidence.filter((proof, i) => evidence.findIndex((one) => keyOf(one) === keyOf(proof)) === i);
}

/** The lines that a rule would change, without those that an edit only quotes to be found. */
function printProposal({ old_string, new_string }: OpenFinding["edits"][number]): string {
  const [old, fresh] = [old_string.split("\n"), new_string.split("\n")];
  while (old.length > 0 && old[0] === fresh[0]) {
    old.shift();
    fresh.shift();
  }
  while (old.length > 0 && old.at(-1) === fresh.at(-1)) {
    old.pop();
    fresh.pop();
  }
  return [...old.map((line) => `- ${line}`), ...fresh.map((line) => `+ ${line}`)].join("\n");
}

/** A flag `--show-errors` is the field `show_errors` or `showErrors` in code. */
function otherSpellings(name: string): string[] {
  const parts = partsOf(name);
  return parts.length < 2 ? [] : (["camel", "snake", "kebab"] as const).map((style) => inStyle(parts, style));
}

/** The names that a section holds as code, in spans and in samples. */
function codeNames(section: string, path: string): string[] {
  const spans = Array.from(section.matchAll(/`([^`\n]{2,80})`/g), ([, code]) => code!);
  const samples = piecesOf(section, { path })
    .filter(isInsideFence)
    .map(({ text }) => text);
  const names = namesIn([...spans, ...samples].join("\n"));
  return names.filter((name) => isDistinct(name) && !isCommon(name)).slice(0, 60);
}

function shorten(text: string): string {
  return text.length <= longestWords ? text : `${text.slice(0, longestWords)}…`;
}

/** The texts of a question that new words may come from. */
export function sourcesOf({ commits, code, notices, headings, tableHeader }: SectionQuestion): string[] {
  const proofs = notices.flatMap(({ message, evidence, proposal, standing }) => [
    message,
    proposal,
    ...(standing?.lines ?? []),
    ...evidence.flatMap(({ place, before = "", after = "" }) => [place, before, after]),
  ]);
  return [commits, tableHeader, ...headings, ...code.flatMap(({ label, text }) => [label, text]), ...proofs];
}

/** The lines that the whole change adds to the code; names of it count although a question had no room for them. */
export function addedLines({ change }: QuestionMaterial): string[] {
  return (change?.files ?? []).map(
    ({ path, patch }) => `${path}\n${(patch.match(/^\+.*$/gm) ?? []).join("\n")}`,
  );
}
