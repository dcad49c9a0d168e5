/**
 * The questions that `fix` and `check --model` put to a model, on stale commits of public repositories: the code of a
 * commit, the documents of its parent. Requests are written to files and answers are read from files, so that any model,
 * or a person, can stand behind the bench.
 *
 *   MIRROR=clones npm run bench:agents -- requests FOLDER [--cases FILE] [--most 40] [--only a,b]
 *   MIRROR=clones npm run bench:agents -- score FOLDER
 *   MIRROR=clones npm run bench:agents -- judge FOLDER --cases COMMITS [--most 60]
 *   npm run bench:agents -- score-judge FOLDER [--seed FILE] [--labels DIR]
 *   MIRROR=clones npm run bench:agents -- silent FOLDER --cases COMMITS
 *   npm run bench:agents -- score-silent FOLDER
 *   npm run bench:agents -- replay-silent FOLDER [--answers FILE]
 *   npm run bench:agents -- record-silent FOLDER > FILE
 *   npm run bench:agents -- replay FOLDER [--answers FILE]
 *   npm run bench:agents -- record FOLDER > FILE
 *
 * `requests` writes `CASE-N.md` (instructions and prompt, nothing else) and `CASE-N.json` (what the scorer needs).
 * An answer is the file `CASE-N.txt`. `score` says how many were answered, KEEP, FIX and ADD by notice, how often KEEP
 * answers a notice whose lines people changed, how often the post-conditions refuse, and how often the new lines are
 * those that people wrote. `judge` writes the questions of `check --model` about commits of an unbroken history (one
 * `{"repo", "commit"}` a line), findings of all tiers; `score-judge` compares the answers with the verdicts of readers. `agents/answers` holds answers that were really given,
 * without the texts of the questions; `silent` writes the questions where rules are silent, about commits with the page
 * that people changed (one `{"repo", "commit", "parent", "doc"}` a line): `replay` writes them into a folder of questions, `record` makes such a file.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type StreamCommit, scoreJudge, writeJudgeRequests } from "./agents/judge.ts";
import { recordAnswers, replayAnswers } from "./agents/records.ts";
import { buildCaseRequests } from "./agents/requests.ts";
import { scoreAnswers } from "./agents/score.ts";
import {
  recordSilent,
  replaySilent,
  type SilentCase,
  scoreSilent,
  writeSilentRequests,
} from "./agents/silent.ts";
import { type CaseLine, closeStaleCases, spreadCases } from "./agents/stale-case.ts";
import { loadLabels } from "./drift/labels.ts";
import { median } from "./report.ts";

const [verb = "requests", folder = join(tmpdir(), "suture-bench-agents"), ...rest] = process.argv.slice(2);
const mirror = process.env.MIRROR ?? "";
const cases = option("cases") ?? join(import.meta.dirname, "../../shared/bench/drift/pos_dev.jsonl");

const shared = join(import.meta.dirname, "../../shared/bench/stream");

const answers = option("answers") ?? join(import.meta.dirname, "agents/answers/fix.jsonl");

if (verb === "score") console.log(scoreAnswers(folder));
else if (verb === "replay") console.log(replayAnswers(folder, answers));
else if (verb === "record") process.stdout.write(recordAnswers(folder));
else if (verb === "score-silent") console.log(scoreSilent(folder));
else if (verb === "record-silent") process.stdout.write(recordSilent(folder));
else if (verb === "replay-silent")
  console.log(
    replaySilent(folder, option("answers") ?? join(import.meta.dirname, "agents/answers/silent.jsonl")),
  );
else if (verb === "score-judge")
  console.log(
    scoreJudge(
      folder,
      loadLabels(
        option("seed") ?? join(shared, "read_dev.jsonl"),
        option("labels") ?? join(import.meta.dirname, "drift/labels"),
      ),
    ),
  );
else if (!existsSync(mirror) || !existsSync(cases))
  console.log(
    "agents bench skipped: set MIRROR to a folder of bare clones, and --cases to the file of cases",
  );
else if (verb === "judge") await writeJudgements();
else if (verb === "silent") await writeSilent();
else await writeRequests();

function option(name: string): string | undefined {
  const at = rest.indexOf(`--${name}`);
  return at < 0 ? undefined : rest[at + 1];
}

async function writeJudgements(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const most = Number(option("most") ?? "60");
  const lines = readFileSync(cases, "utf8").trim().split("\n");
  let commits = 0;
  for (const one of lines.map((line) => JSON.parse(line) as StreamCommit)) {
    if (commits >= most) break;
    const questions = await writeJudgeRequests(one, { mirror, folder }).catch((error: Error) => {
      console.log(`${one.repo} ${one.commit.slice(0, 10)}: left out: ${error.message.split("\n", 1)[0]}`);
      return 0;
    });
    if (questions === 0) continue;
    commits++;
    console.log(`${one.repo} ${one.commit.slice(0, 10)}: ${questions} questions`);
  }
}

async function writeSilent(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const line of readFileSync(cases, "utf8").trim().split("\n"))
    console.log(await writeSilentRequests(JSON.parse(line) as SilentCase, { mirror, folder }));
}

async function writeRequests(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const most = Number(option("most") ?? "40");
  const only = option("only")?.split(",");
  const lines = readFileSync(cases, "utf8").trim().split("\n");
  const all = lines.map((line) => JSON.parse(line) as CaseLine);
  const wanted = only
    ? all.filter(({ case_id }) => only.some((part) => case_id.includes(part)))
    : spreadCases(all);
  let commits = 0;
  const calls: number[] = [];
  const tokens: number[] = [];
  for (const one of wanted) {
    if (commits >= most) break;
    const requests = await buildCaseRequests(one, mirror);
    if (requests.length === 0) continue;
    commits++;
    calls.push(requests.length);
    tokens.push(requests.reduce((sum, { text }) => sum + text.length / 4, 0));
    for (const [i, { text, facts }] of requests.entries()) {
      writeFileSync(join(folder, `${one.case_id}-${i + 1}.md`), text);
      writeFileSync(join(folder, `${one.case_id}-${i + 1}.json`), `${JSON.stringify(facts, null, 1)}\n`);
    }
    console.log(`${one.case_id}: ${requests.length} calls, ${Math.round(tokens.at(-1)!)} tokens`);
  }
  closeStaleCases();
  console.log(
    `${commits} commits with a question; calls a commit: median ${median(calls)}; prompt tokens a commit (characters / 4): median ${Math.round(median(tokens))}, all ${Math.round(tokens.reduce((a, b) => a + b, 0))}; ${readdirSync(folder).length} files in ${folder}`,
  );
}
