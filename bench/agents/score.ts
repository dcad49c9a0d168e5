import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSectionAnswer } from "../../src/agents/fix/section-answer.ts";
import { findSectionSplices } from "../../src/agents/fix/section-splices.ts";
import { checkPostConditions, type SectionPlace } from "../../src/agents/gates/section/post-conditions.ts";
import { applySplices } from "../../src/text/model/splice.ts";
import type { RequestFacts } from "./requests.ts";

/** The answers of a folder as a table in text. */
export function scoreAnswers(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const counts = { questions: names.length, answered: 0, keep: 0, fix: 0, add: 0, unusable: 0, refused: 0 };
  const lines = { written: 0, human: 0 };
  const truth: Truth = { edited: 0, editedKept: 0, untouched: 0, untouchedKept: 0 };
  const rows: string[] = [];
  for (const name of names) {
    const answer = join(folder, name.replace(/\.json$/, ".txt"));
    if (!existsSync(answer)) continue;
    const facts = JSON.parse(readFileSync(join(folder, name), "utf8")) as RequestFacts;
    counts.answered++;
    rows.push(`${name}: ${scoreAnswer(facts, readFileSync(answer, "utf8"), { counts, lines, truth })}`);
  }
  const shares = `lines written ${lines.written}, of which people wrote the same ${lines.human}`;
  return [...rows, JSON.stringify(counts), shares, printShares(truth)].join("\n");
}

type Truth = Record<"edited" | "editedKept" | "untouched" | "untouchedKept", number>;

function printShares({ edited, editedKept, untouched, untouchedKept }: Truth): string {
  return `notices whose lines people changed: ${edited}, answered with KEEP ${editedKept}; whose lines they left: ${untouched}, answered with KEEP ${untouchedKept}`;
}

/** Whether people changed the lines of a notice, or added the name that is missing there. */
function didPeopleEdit(
  { firstLine, lastLine, terms }: SectionPlace,
  section: string,
  human: string,
): boolean {
  const words = section
    .split("\n")
    .slice(Math.max(0, firstLine), lastLine + 1)
    .filter((line) => line.trim() !== "");
  const theirs = new Set(human.split("\n").map((line) => line.trim()));
  if (words.some((line) => !theirs.has(line.trim()))) return true;
  return terms.some((term) => human.includes(term) && !section.includes(term));
}

type Tally = {
  readonly counts: Record<"keep" | "fix" | "add" | "unusable" | "refused", number>;
  readonly lines: { written: number; human: number };
  readonly truth: Truth;
};

function scoreAnswer(
  { path, section, human, notices, sources }: RequestFacts,
  text: string,
  { counts, lines, truth }: Tally,
): string {
  const { verdicts, section: written } = parseSectionAnswer(text, { notices: notices.length, section });
  for (const { word } of verdicts.values()) counts[word]++;
  counts.unusable += notices.length - verdicts.size;
  const words = [...verdicts.values()].map(({ word }) => word);
  for (const [i, notice] of notices.entries()) {
    const kind = didPeopleEdit(notice, section, human) ? "edited" : "untouched";
    truth[kind]++;
    if (verdicts.get(i)?.word === "keep") truth[`${kind}Kept`]++;
  }
  if (written === null) return `${words.join(" ")} (nothing written)`;
  const after = applySplices(section, findSectionSplices(section, written, String));
  const { objections = [] } = checkPostConditions({
    path,
    before: section,
    after,
    notices: notices.filter((_, i) => (verdicts.get(i)?.word ?? "keep") !== "keep"),
    sources,
    knows: () => true,
  });
  if (objections.length > 0) counts.refused++;
  const old = new Set(section.split("\n").map((line) => line.trim()));
  const fresh = after
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !old.has(line));
  const theirs = new Set(human.split("\n").map((line) => line.trim()));
  const same = fresh.filter((line) => theirs.has(line)).length;
  lines.written += fresh.length;
  lines.human += same;
  const refused = objections.map(({ detail }) => detail).join("; ");
  return `${words.join(" ")}; ${same} of ${fresh.length} new lines as people wrote them${refused === "" ? "" : `; refused: ${refused}`}`;
}
