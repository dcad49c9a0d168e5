/**
 * Drift that readers chose before any engine was asked: is it said?
 *
 *   MIRROR=clones npm run bench:chosen -- [--cases FILE] [--repo a/b,c/d] [--commit ID,ID] [--list missed|said] [--jobs 2] [--engine DIR]
 *
 * Every case is a line that a commit made false. The product is asked about the commit without what people did to its
 * pages. A finding on the line, or on one beside it, says it.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { AskedFinding } from "./drift/ask.ts";
import { gitDirOf, Scratch } from "./drift/mirror.ts";
import { type Answer, askAll, type Question } from "./drift/pool.ts";
import { printTable } from "./report.ts";

type Chosen = {
  readonly repo: string;
  readonly commit: string;
  readonly page: string;
  readonly line: number;
  readonly kind: string;
};

/** Kinds that a sentence or a shape tells; the others are counted together. */
const APART = new Set(["prose", "shape"]);

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: join(import.meta.dirname, "drift/labels/chosen/read-first.jsonl") },
    repo: { type: "string" },
    commit: { type: "string" },
    list: { type: "string" },
    jobs: { type: "string", default: "1" },
    engine: { type: "string" },
  },
});

const mirror = process.env.MIRROR;
if (!mirror || !existsSync(values.cases)) {
  console.log(
    "chosen bench skipped: set MIRROR to a folder of bare clones, and --cases to the file of cases",
  );
  process.exit(0);
}

const cases = loadCases(values.cases, mirror);
const answers = await askAll(await questionsOf(cases, mirror), {
  mirror,
  jobs: Number(values.jobs),
  origin: true,
  engine: values.engine,
});
print();

function loadCases(path: string, folder: string): Chosen[] {
  const repos = values.repo?.split(",");
  const commits = values.commit?.split(",");
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Chosen)
    .filter(
      ({ repo, commit }) =>
        existsSync(gitDirOf(folder, repo)) &&
        (!repos || repos.includes(repo)) &&
        (!commits || commits.some((start) => commit.startsWith(start))),
    );
}

async function questionsOf(all: readonly Chosen[], folder: string): Promise<Map<string, Question[]>> {
  const questions = new Map<string, Question[]>();
  for (const [repo, own] of Map.groupBy(all, (one) => one.repo)) {
    const gitDir = gitDirOf(folder, repo);
    const scratch = new Scratch({ gitDir, folder: gitDir });
    const asked = [...new Set(own.map(({ commit }) => commit))].map(async (commit) => {
      const parent = (await scratch.parentOf(commit))!;
      const changes = await scratch.compare(parent, commit);
      const withheld = changes
        .map(({ path }) => path)
        .filter((path) => /\.(md|mdx|markdown|rst)$/i.test(path));
      return { id: commit, commit, parent, withheld };
    });
    questions.set(repo, await Promise.all(asked));
    scratch.close();
  }
  return questions;
}

function print(): void {
  const byCommit = new Map(answers.map((answer) => [`${answer.repo} ${answer.commit}`, answer]));
  const judged = cases.map((one) => ({ one, tier: tierOf(one, byCommit.get(`${one.repo} ${one.commit}`)!) }));
  const isSaid = (tier: string): boolean => tier === "certain" || tier === "likely";
  for (const { one, tier } of judged) {
    if (values.list === (isSaid(tier) ? "said" : "missed"))
      console.log(
        [
          `${one.kind} ${one.repo} ${one.commit.slice(0, 10)} ${one.page}:${one.line} ${tier}`,
          ...nearOf(one, byCommit.get(`${one.repo} ${one.commit}`)!).map(
            ({ tier: of, message }) => `    ${of}: ${message.slice(0, 200)}`,
          ),
        ].join("\n"),
      );
  }
  const rowOf = (name: string, own: typeof judged): string[] => {
    const said = own.filter(({ tier }) => isSaid(tier)).length;
    const noticed = own.filter(({ tier }) => tier !== "").length;
    return [name, `${own.length}`, `${said}`, (said / own.length).toFixed(2), `${noticed}`];
  };
  const kinds = [...Map.groupBy(judged, ({ one }) => one.kind)].sort();
  const decidable = judged.filter(({ one }) => !APART.has(one.kind));
  const rows = [...kinds.map(([kind, own]) => rowOf(kind, own)), rowOf("neither prose nor shape", decidable)];
  console.log(printTable(["", "lines", "said", "share", "with possible"], rows));
  const failed = answers.filter((answer) => answer.failed);
  for (const { repo, commit, failed: why } of failed) console.log(`${repo} ${commit} failed: ${why}`);
}

/** The surest tier of the findings on the line; empty where nothing is found. */
function tierOf(one: Chosen, answer: Answer): string {
  const near = nearOf(one, answer);
  return (
    ["certain", "likely", "possible"].find((tier) => near.some((finding) => finding.tier === tier)) ?? ""
  );
}

function nearOf({ page, line }: Chosen, { findings }: Answer): readonly AskedFinding[] {
  return findings.filter(
    ({ path, startLine, endLine }) => path === page && startLine - 1 <= line && line <= endLine + 1,
  );
}
