/**
 * The questions that `fix` and `check --model` put to a model, on stale commits of public repositories: the code of a
 * commit, the documents of its parent. Requests are written to files and answers are read from files, so that any model,
 * or a person, can stand behind the bench.
 *
 *   MIRROR=clones npm run bench:agents -- requests FOLDER [--cases FILE] [--most 40] [--only a,b]
 *   MIRROR=clones npm run bench:agents -- score FOLDER
 *
 * `requests` writes `CASE-N.md` (instructions and prompt, nothing else) and `CASE-N.json` (what the scorer needs).
 * An answer is the file `CASE-N.txt`. `score` says how many were answered, KEEP, FIX and ADD by notice, how often the
 * post-conditions refuse, and how often the new lines are those that people wrote.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCaseRequests, type CaseLine } from "./agents/requests.ts";
import { scoreAnswers } from "./agents/score.ts";
import { median } from "./report.ts";

const [verb = "requests", folder = join(tmpdir(), "suture-bench-agents"), ...rest] = process.argv.slice(2);
const mirror = process.env.MIRROR ?? "";
const cases = option("cases") ?? join(import.meta.dirname, "../../shared/bench/drift/pos_dev.jsonl");

if (verb === "score") console.log(scoreAnswers(folder));
else if (!existsSync(mirror) || !existsSync(cases))
  console.log(
    "agents bench skipped: set MIRROR to a folder of bare clones, and --cases to the file of cases",
  );
else await writeRequests();

function option(name: string): string | undefined {
  const at = rest.indexOf(`--${name}`);
  return at < 0 ? undefined : rest[at + 1];
}

async function writeRequests(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const most = Number(option("most") ?? "40");
  const only = option("only")?.split(",");
  const lines = readFileSync(cases, "utf8").trim().split("\n");
  const all = lines.map((line) => JSON.parse(line) as CaseLine);
  const wanted = only
    ? all.filter(({ case_id }) => only.some((part) => case_id.includes(part)))
    : spread(all);
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
  console.log(
    `${commits} commits with a question; calls a commit: median ${median(calls)}; prompt tokens a commit (characters / 4): median ${Math.round(median(tokens))}, all ${Math.round(tokens.reduce((a, b) => a + b, 0))}; ${readdirSync(folder).length} files in ${folder}`,
  );
}

/** Cases of many repositories: one of each in turn. */
function spread(all: readonly CaseLine[]): CaseLine[] {
  const byRepo = [...Map.groupBy(all, ({ repo }) => repo).values()];
  const longest = Math.max(...byRepo.map((own) => own.length));
  return Array.from({ length: longest }, (_, i) => byRepo.flatMap((own) => own[i] ?? [])).flat();
}
