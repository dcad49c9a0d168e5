import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseSectionAnswer, type SectionAnswer } from "../../src/agents/fix/section-answer.ts";
import { findSectionSplices } from "../../src/agents/fix/section-splices.ts";
import { sha256 } from "../../src/text/model/sha256.ts";
import { applySplices, type Splice } from "../../src/text/model/splice.ts";

/**
 * An answer that was really given, without the text of the question. `about` identifies the section and its notices,
 * `question` the whole text; the edits are splices of the section.
 */
export type AnswerRecord = {
  readonly name: string;
  readonly about: string;
  readonly question: string;
  readonly verdicts: readonly string[];
  readonly edits?: readonly Splice[];
};

/** Turns the answers of a folder into records, one line of JSON each. */
export function recordAnswers(folder: string): string {
  const records = answeredIn(folder).map(({ name, facts, question }): AnswerRecord => {
    const text = readFileSync(join(folder, `${name}.txt`), "utf8");
    const notices = facts.notices.length;
    const answer = parseSectionAnswer(text, { notices, section: facts.section });
    const verdicts = Array.from({ length: notices }, (_, i) => printVerdict(answer, i));
    const record = { name, about: aboutOf(facts), question: shorten(question), verdicts };
    if (answer.section === null) return record;
    return { ...record, edits: findSectionSplices(facts.section, answer.section, String) };
  });
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** Writes recorded answers as answers to the questions of a folder; says how many fit. */
export function replayAnswers(folder: string, file: string): string {
  const records = new Map(
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as AnswerRecord)
      .map((record) => [record.name, record]),
  );
  const counts = { answered: 0, reworded: 0, stale: 0 };
  for (const { name, facts, question } of questionsIn(folder)) {
    const record = records.get(name);
    if (!record) continue;
    if (record.about !== aboutOf(facts)) {
      counts.stale++;
      continue;
    }
    counts.answered++;
    if (record.question !== shorten(question)) counts.reworded++;
    writeFileSync(join(folder, `${name}.txt`), printAnswer(record, facts.section));
  }
  return `${records.size} recorded answers; ${counts.answered} written, ${counts.reworded} of them to a question that shows other code than when it was answered; ${counts.stale} left out, because the section or its notices are others now`;
}

type Asked = {
  readonly name: string;
  readonly question: string;
  readonly facts: { readonly section: string; readonly notices: readonly unknown[] };
};

function questionsIn(folder: string): Asked[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => {
      const name = file.replace(/\.json$/, "");
      const facts = JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, unknown>;
      const notices = (facts.notices ?? facts.findings) as readonly Record<string, unknown>[];
      return {
        name,
        question: readFileSync(join(folder, `${name}.md`), "utf8"),
        facts: {
          section: (facts.section as string | undefined) ?? "",
          notices: notices.map(({ message, path, startLine, firstLine, terms }) =>
            message === undefined ? [firstLine, terms] : [path, startLine, message],
          ),
        },
      };
    });
}

function answeredIn(folder: string): Asked[] {
  return questionsIn(folder).filter(({ name }) => existsSync(join(folder, `${name}.txt`)));
}

function aboutOf(facts: Asked["facts"]): string {
  return shorten(JSON.stringify(facts));
}

function shorten(text: string): string {
  return sha256(text).slice(0, 16);
}

function printVerdict({ verdicts }: SectionAnswer, index: number): string {
  const verdict = verdicts.get(index);
  return verdict ? `${verdict.word.toUpperCase()}: ${verdict.reason}` : "";
}

function printAnswer({ verdicts, edits }: AnswerRecord, section: string): string {
  const said = verdicts.flatMap((verdict, i) => (verdict === "" ? [] : [`${i + 1} ${verdict}`]));
  if (!edits) return `${said.join("\n")}\n`;
  const written = applySplices(section, edits).replace(/^\n+|\n+$/g, "");
  return [...said, "BEGIN SECTION", written, "END SECTION", ""].join("\n");
}
