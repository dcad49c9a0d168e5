import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSectionAnswer } from "../../src/agents/fix/section-answer.ts";
import { findSectionSplices } from "../../src/agents/fix/section-splices.ts";
import { checkPostConditions } from "../../src/agents/gates/section/post-conditions.ts";
import { applySplices } from "../../src/text/model/splice.ts";
import type { RequestFacts } from "./requests.ts";

/** The answers of a folder as a table in text. */
export function scoreAnswers(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const counts = { questions: names.length, answered: 0, keep: 0, fix: 0, add: 0, unusable: 0, refused: 0 };
  const lines = { written: 0, human: 0 };
  const rows: string[] = [];
  for (const name of names) {
    const answer = join(folder, name.replace(/\.json$/, ".txt"));
    if (!existsSync(answer)) continue;
    const facts = JSON.parse(readFileSync(join(folder, name), "utf8")) as RequestFacts;
    counts.answered++;
    rows.push(`${name}: ${scoreAnswer(facts, readFileSync(answer, "utf8"), counts, lines)}`);
  }
  const shares = `lines written ${lines.written}, of which people wrote the same ${lines.human}`;
  return [...rows, JSON.stringify(counts), shares].join("\n");
}

function scoreAnswer(
  { path, section, human, notices, sources }: RequestFacts,
  text: string,
  counts: Record<"keep" | "fix" | "add" | "unusable" | "refused", number>,
  lines: { written: number; human: number },
): string {
  const { verdicts, section: written } = parseSectionAnswer(text, { notices: notices.length, section });
  for (const { word } of verdicts.values()) counts[word]++;
  counts.unusable += notices.length - verdicts.size;
  const words = [...verdicts.values()].map(({ word }) => word);
  if (written === null) return `${words.join(" ")} (nothing written)`;
  const after = applySplices(section, findSectionSplices(section, written, String));
  const { objections = [] } = checkPostConditions({
    path,
    before: section,
    after,
    notices: notices.filter((_, i) => (verdicts.get(i)?.word ?? "keep") !== "keep"),
    adds: words.includes("add"),
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
