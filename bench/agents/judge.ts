import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChangeSource } from "../../src/agents/context/change-context.ts";
import { findExcerpts, type OpenFinding } from "../../src/agents/fix/excerpts.ts";
import { parseSectionAnswer } from "../../src/agents/fix/section-answer.ts";
import { buildQuestion } from "../../src/agents/fix/section-question.ts";
import { judgeSection } from "../../src/agents/prompts/fix-section.ts";
import { checkDrift } from "../../src/docs/check/check.ts";
import { isAboutPage } from "../../src/docs/fix/choose.ts";
import { openGit } from "../../src/workspace/git/git.ts";
import type { Judgement, Labels } from "../drift/labels.ts";
import { gitDirOf, Scratch } from "../drift/mirror.ts";
import { printTable } from "../report.ts";
import { messageOf, patchesBetween, readerOf } from "./stale-case.ts";

/** A commit of an unbroken history. */
export type StreamCommit = { readonly repo: string; readonly commit: string };

/** What the scorer needs of a question to the judge. */
type JudgeFacts = StreamCommit & { readonly tokens: number; readonly findings: readonly OpenFinding[] };

/** Writes the real questions of the judge about one commit; the number of questions. */
export async function writeJudgeRequests(
  { repo, commit }: StreamCommit,
  { mirror, folder }: { readonly mirror: string; readonly folder: string },
): Promise<number> {
  const gitDir = gitDirOf(mirror, repo);
  const scratch = new Scratch({ gitDir, folder: mkdtempSync(join(tmpdir(), "suture-judge-")) });
  try {
    const parent = await scratch.parentOf(commit);
    const git = await openGit(scratch.folder);
    if (parent === null || git === null) return 0;
    const checked = await checkDrift(git, null, { base: parent, head: commit });
    if (!checked.ok) return 0;
    const findings = checked.value.findings.filter(({ kind }) => !isAboutPage(kind));
    const read = readerOf(scratch);
    const paths = (await scratch.compare(parent, commit)).map(({ path }) => path);
    const change: ChangeSource = {
      messages: [await messageOf(scratch, commit)],
      files: patchesBetween(gitDir, { parent, commit, paths }),
      read: (path) => read(commit, path),
    };
    let count = 0;
    for (const [path, here] of Map.groupBy(findings, (finding) => finding.path)) {
      const text = (await read(commit, path)) ?? "";
      for (const excerpt of findExcerpts(path, text, here)) {
        const question = await buildQuestion([excerpt], { path, text }, { change, redact: String });
        const { instructions, prompt } = judgeSection(question);
        const name = `${repo.replace("/", "+")}-${commit.slice(0, 10)}-${++count}`;
        const whole = `${instructions}\n\n----------\n\n${prompt}\n`;
        const tokens = Math.round(whole.length / 4);
        const facts: JudgeFacts = { repo, commit, tokens, findings: excerpt.findings };
        writeFileSync(join(folder, `${name}.md`), whole);
        writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(facts)}\n`);
      }
    }
    return count;
  } finally {
    scratch.close();
  }
}

type Tally = Record<"kept" | "dropped", number>;

/** How the answers of a folder agree with the verdicts of readers who had page and code open. */
export function scoreJudge(folder: string, labels: Labels): string {
  const tallies = new Map<string, Tally>();
  const commits = new Set<string>();
  const tokens: number[] = [];
  let unread = 0;
  const misses: string[] = [];
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
    const answer = join(folder, name.replace(/\.json$/, ".txt"));
    if (!existsSync(answer)) continue;
    const facts = JSON.parse(readFileSync(join(folder, name), "utf8")) as JudgeFacts;
    const { verdicts } = parseSectionAnswer(readFileSync(answer, "utf8"), { notices: facts.findings.length });
    commits.add(`${facts.repo} ${facts.commit}`);
    tokens.push(facts.tokens);
    for (const [i, finding] of facts.findings.entries()) {
      const word = verdicts.get(i)?.word;
      const label = labels.find(
        { ...facts, id: "", base: "", head: "", unknown: 0, milliseconds: 0 },
        finding,
      );
      if (!word || !label) {
        unread++;
        continue;
      }
      const { verdict } = label.label;
      const tally = tallies.get(verdict) ?? { kept: 0, dropped: 0 };
      tally[word === "keep" ? "dropped" : "kept"]++;
      tallies.set(verdict, tally);
      if ((verdict === "right") === (word === "keep") && verdict !== "trivial")
        misses.push(
          `${name} ${finding.path}:${finding.startLine} ${finding.message} | reader: ${verdict}, judge: ${word} | ${label.by}`,
        );
    }
  }
  const all = tokens.reduce((sum, one) => sum + one, 0);
  const rows = (["right", "trivial", "wrong"] satisfies Judgement[]).map((verdict) => {
    const { kept, dropped } = tallies.get(verdict) ?? { kept: 0, dropped: 0 };
    const share = kept + dropped === 0 ? "–" : ((100 * kept) / (kept + dropped)).toFixed(0);
    return [verdict, String(kept + dropped), String(kept), String(dropped), share];
  });
  return [
    ...misses,
    `${commits.size} commits, ${tokens.length} questions, ${Math.round(all / Math.max(1, tokens.length))} tokens each (characters / 4); ${unread} findings without a label or an answer`,
    printTable(["a reader says", "findings", "kept", "dropped", "kept %"], rows),
  ].join("\n");
}
