/**
 * Drift that people repaired late: would the check have said it on the day?
 *
 *   MIRROR=clones npm run bench:late -- [--cases FILE] [--repo a/b,c/d] [--limit N] [--by class|language|repo]
 *                                       [--list caught|possible|missed|mended] [--code] [--jobs 2] [--out FILE]
 *
 * Every case is a passage that a commit made false and that people mended days or years after. The product is asked
 * about that commit against its first parent, with `origin` at the address on GitHub.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { judgeCase, type LateCase, type Verdict } from "./drift/late-case.ts";
import { gitDirOf } from "./drift/mirror.ts";
import { ObjectReader } from "./drift/objects.ts";
import { type Answer, askAll, type Question } from "./drift/pool.ts";
import { describeCpu } from "./drift/words.ts";
import { median, printTable } from "./report.ts";

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: join(import.meta.dirname, "../../shared/bench/late/dev.jsonl") },
    repo: { type: "string" },
    limit: { type: "string" },
    by: { type: "string", default: "class" },
    list: { type: "string" },
    code: { type: "boolean", default: false },
    jobs: { type: "string", default: "2" },
    out: { type: "string" },
  },
});

const mirror = process.env.MIRROR;
if (!mirror || !existsSync(values.cases)) {
  console.log("late bench skipped: set MIRROR to a folder of bare clones, and --cases to the file of cases");
  process.exit(0);
}

const began = Date.now();
const cases = loadCases(values.cases);
const answers = await askAll(questionsOf(cases), { mirror, jobs: Number(values.jobs), origin: true });
const judged = await judgeAll(cases, answers, mirror);
if (values.out) writeFileSync(values.out, answers.map(printAnswer).join(""));
print();

function loadCases(path: string): LateCase[] {
  const repos = values.repo?.split(",");
  const all = readFileSync(path, "utf8").split("\n").filter(Boolean);
  const chosen = all
    .map((line) => JSON.parse(line) as LateCase)
    .filter(
      ({ repo, code_docs_only }) => (!repos || repos.includes(repo)) && !(values.code && code_docs_only),
    );
  return values.limit ? chosen.slice(0, Number(values.limit)) : chosen;
}

function questionsOf(all: readonly LateCase[]): Map<string, Question[]> {
  const byRepo = Map.groupBy(all, ({ repo }) => repo);
  return new Map(
    [...byRepo].map(([repo, own]) => [
      repo,
      [...new Set(own.map((one) => one.code_commit))].map((commit) => ({ id: commit, commit })),
    ]),
  );
}

async function judgeAll(
  all: readonly LateCase[],
  asked: readonly Answer[],
  folder: string,
): Promise<Verdict[]> {
  const byCommit = new Map(asked.map((answer) => [`${answer.repo} ${answer.commit}`, answer]));
  const verdicts: Verdict[] = [];
  for (const [repo, own] of Map.groupBy(all, (one) => one.repo)) {
    const objects = new ObjectReader(gitDirOf(folder, repo));
    for (const one of own) {
      const page = await objects.read(`${one.code_commit}:${one.path}`);
      const answer = byCommit.get(`${repo} ${one.code_commit}`)!;
      verdicts.push(judgeCase(one, answer, page?.bytes.toString("utf8") ?? null));
    }
    objects.close();
  }
  return verdicts;
}

function printAnswer({ id, unknown, milliseconds, ...row }: Answer): string {
  return `${JSON.stringify(row)}\n`;
}

function print(): void {
  if (values.list) for (const verdict of judged) if (isListed(verdict)) console.log(describe(verdict));
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  const failed = answers.filter((answer) => answer.failed).length;
  console.log(
    `${cases.length} cases, ${answers.length} commits in ${seconds} s; ${describeCpu(answers)}; ${failed} without an answer`,
  );
  const groups = [
    ...Map.groupBy(judged, ({ one }) => `${one[values.by as "class" | "language" | "repo"]}`),
  ].sort();
  const headings = ["", "cases", "caught", "share", "apt", "+possible", "named", "edited", "mended"];
  const rows = [...groups, ["ALL", judged] as const].map(([name, own]) => [name, ...rowOf(own)]);
  console.log(`\n${printTable([...headings, "mechanical", "mended"], rows)}\n`);
  printCommits();
}

function rowOf(own: readonly Verdict[]): string[] {
  const count = (isCounted: (verdict: Verdict) => boolean): number => own.filter(isCounted).length;
  const caught = count(({ result }) => result === "caught");
  return [
    own.length,
    caught,
    (caught / own.length).toFixed(3),
    count(({ isApt }) => isApt),
    count(({ result }) => result !== "missed"),
    count(({ isNamed }) => isNamed),
    count(({ isEdited }) => isEdited),
    count(({ isMended }) => isMended),
    count(({ one }) => one.mechanical),
    count(({ one, isMended }) => one.mechanical && isMended),
  ].map(String);
}

function printCommits(): void {
  const commits = Map.groupBy(judged, ({ one }) => `${one.repo} ${one.code_commit}`);
  const caught = [...commits.values()].filter((own) => own.some(({ result }) => result === "caught"));
  console.log(`${caught.length} of ${commits.size} commits have a case that is caught`);
  const days = median(judged.map(({ one }) => one.days));
  console.log(`the passages stood false for ${days.toFixed(0)} days (median)`);
}

function isListed({ result, isMended }: Verdict): boolean {
  return values.list === result || (values.list === "mended" && isMended);
}

function describe({ one, told, isNamed }: Verdict): string {
  const place = `${one.repo} ${one.code_commit.slice(0, 10)} ${one.path}:${one.start_line}`;
  const shown = (sign: string, text: string): string[] =>
    text
      .split("\n")
      .slice(0, 4)
      .map((line) => `    ${sign} ${line.slice(0, 160)}`);
  return [
    `${one.id} ${one.class} ${place} ${one.tokens.join(", ")} ${one.days.toFixed(0)} days${isNamed ? " named" : ""}`,
    ...shown("-", one.old_text),
    ...shown("+", one.new_text),
    ...told.slice(0, 2).map(({ tier, kind, message }) => `    ${tier} ${kind}: ${message.slice(0, 160)}`),
  ].join("\n");
}
