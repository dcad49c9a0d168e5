import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { gitDirOf } from "./mirror.ts";
import { ObjectReader } from "./objects.ts";
import type { Question } from "./pool.ts";
import { Trees } from "./trees.ts";

export type DriftCase = {
  readonly case_id: string;
  readonly label: "positive" | "negative";
  readonly repo: string;
  readonly lang: string;
  readonly parent: string;
  readonly commit: string;
  readonly kind: string;
  readonly hunks: readonly DriftHunk[];
  readonly unresolved?: readonly { readonly path: string; readonly line: number }[];
  readonly has_mechanical?: boolean;
  readonly mechanical?: boolean;
  readonly suspect?: boolean;
  readonly feat?: boolean;
};

export type DriftHunk = {
  readonly path: string;
  readonly role: string;
  readonly stale: boolean;
  readonly mechanical: boolean;
  readonly kind: string | null;
  readonly old_start: number;
  readonly old_count: number;
  readonly new_count: number;
  readonly new_text: string;
};

export function loadCases(paths: readonly string[]): DriftCase[] {
  return paths.flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as DriftCase),
  );
}

export type CaseOptions = {
  readonly mirror: string;
  /** The folder of the benchmark set; its own script says which files count as documents. */
  readonly set: string;
};

/** Each case as a question: the commit on its parent, without what people did to the documents. */
export async function questionsOf(
  cases: readonly DriftCase[],
  { mirror, set }: CaseOptions,
): Promise<Map<string, Question[]>> {
  const byRepo = Map.groupBy(cases, ({ repo }) => repo);
  const changed = new Map<DriftCase, string[]>();
  await Promise.all(
    [...byRepo].map(async ([repo, own]) => {
      for (const [one, paths] of await changedPages(gitDirOf(mirror, repo), own)) changed.set(one, paths);
    }),
  );
  const isWithheld = classify(changed, set);
  return new Map(
    [...byRepo].map(([repo, own]) => [
      repo,
      own.map((one) => ({
        id: one.case_id,
        commit: one.commit,
        parent: one.parent,
        withheld: changed.get(one)!.filter((path) => isWithheld.has(`${repo} ${path}`)),
      })),
    ]),
  );
}

async function changedPages(gitDir: string, cases: readonly DriftCase[]): Promise<[DriftCase, string[]][]> {
  const objects = new ObjectReader(gitDir);
  const trees = new Trees(objects);
  const treeOf = async (commit: string): Promise<string> =>
    /^tree (\w+)/.exec((await objects.read(commit))?.bytes.toString("utf8") ?? "")?.[1] ?? "";
  const found: [DriftCase, string[]][] = [];
  for (const one of cases) {
    const changes = await trees.compare(await treeOf(one.parent), await treeOf(one.commit));
    found.push([
      one,
      changes.map(({ path }) => path).filter((path) => /\.(md|mdx|markdown|rst)$/i.test(path)),
    ]);
  }
  objects.close();
  return found;
}

const CLASSIFY = `
import json, sys
sys.path.insert(0, sys.argv[1])
from checkout_case import is_doc_part
print(json.dumps([is_doc_part(repo, path) for repo, path in json.load(sys.stdin)]))
`;

/** The paths that the set's own script counts as documents, each after its repository. */
function classify(changed: ReadonlyMap<DriftCase, readonly string[]>, set: string): Set<string> {
  const pairs = [...changed].flatMap(([{ repo }, paths]) => paths.map((path) => [repo, path] as const));
  const ran = spawnSync("python3", ["-c", CLASSIFY, set], {
    input: JSON.stringify(pairs),
    encoding: "utf8",
    maxBuffer: 1 << 26,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
  if (ran.status !== 0) throw new Error(ran.stderr);
  const answers = JSON.parse(ran.stdout) as boolean[];
  return new Set(pairs.filter((_, i) => answers[i]).map(([repo, path]) => `${repo} ${path}`));
}
