import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recordAnswers, replayAnswers } from "../../bench/agents/records.ts";
import { scoreAnswers } from "../../bench/agents/score.ts";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "suture-records-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const section = "## Retries\n\nDefault: `5`\n\nMore words.\n\n";
const facts = {
  case: "a",
  path: "readme.md",
  section,
  human: "# A\n\n## Retries\n\nDefault: `2`\n\nMore words.\n",
  notices: [{ firstLine: 2, lastLine: 2, terms: ["retries"], adds: false }],
  sources: ["retries: 2"],
};
const answer =
  "1 FIX: the code sets 2.\nBEGIN SECTION\n## Retries\n\nDefault: `2`\n\nMore words.\nEND SECTION\n";

function ask(question: string, given: object = facts): void {
  writeFileSync(join(folder, "a-1.md"), question);
  writeFileSync(join(folder, "a-1.json"), JSON.stringify(given));
}

test("a record holds the answer without the text of the section, and replays as the same answer", () => {
  ask("the question");
  writeFileSync(join(folder, "a-1.txt"), answer);
  const file = join(folder, "answers.jsonl");
  writeFileSync(file, recordAnswers(folder));
  expect(readFileSync(file, "utf8")).not.toContain("More words");
  rmSync(join(folder, "a-1.txt"));
  expect(replayAnswers(folder, file)).toMatch(/^1 recorded answers; 1 written, 0 of them/);
  expect(readFileSync(join(folder, "a-1.txt"), "utf8")).toBe(answer);
  expect(scoreAnswers(folder)).toContain("notices whose lines people changed: 1, answered with KEEP 0");
});

test("an answer to a question that shows other code is told apart; one about another section is left out", () => {
  ask("the question");
  writeFileSync(join(folder, "a-1.txt"), answer);
  const file = join(folder, "answers.jsonl");
  writeFileSync(file, recordAnswers(folder));
  ask("the question, reworded");
  expect(replayAnswers(folder, file)).toContain("1 written, 1 of them");
  ask("the question", { ...facts, section: `${section}Other.\n` });
  expect(replayAnswers(folder, file)).toContain("0 written");
});
