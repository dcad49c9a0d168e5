/**
 * Calls in samples against the declarations of their project, at HEAD: how many bind, what is said of samples as they
 * are, and how much of what a reader breaks in them is found.
 *
 *   MIRROR=clones npm run bench:calls -- [--repo a/b,c/d] [--list flagged,missed,unbound] [--most N]
 *
 * `own` are the calls that name their function through an import of the project, also on what such a call made. A call
 * is decided where `sample` calls it true or false. Each true call is then broken in every way that it allows, and the
 * page is read and evaluated again.
 */
import { existsSync, readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { type CallCount, countCalls } from "./calls/count-calls.ts";
import { openClone } from "./calls/open-clone.ts";
import { gitDirOf } from "./drift/mirror.ts";
import { printTable } from "./report.ts";

const { values } = parseArgs({
  options: {
    repo: { type: "string" },
    list: { type: "string" },
    most: { type: "string", default: "400" },
  },
});

const mirror = process.env.MIRROR;
if (!mirror || !existsSync(mirror)) {
  console.log("calls bench skipped: set MIRROR to a folder of bare clones");
  process.exit(0);
}

process.env.SUTURE_CACHE = "off";
const counts: CallCount[] = [];
for (const repo of values.repo?.split(",") ?? reposIn(mirror)) {
  const clone = await openClone(gitDirOf(mirror, repo));
  if (clone === null) continue;
  counts.push(...(await countCalls(clone, { repo, most: Number(values.most) })));
}
print();

function reposIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => (name.includes("+") ? [name.replace("+", "/")] : []));
}

function print(): void {
  for (const list of ["flagged", "missed", "unbound"] as const)
    if (values.list?.includes(list))
      for (const count of counts)
        for (const place of count[list]) console.log(`${list} ${count.repo} ${count.family} ${place}`);
  const ways = [...new Set(counts.flatMap(({ mutations }) => [...mutations.keys()]))].sort();
  const headings = ["", "calls", "own", "decided", "share", "flagged", ...ways];
  for (const by of ["repo", "family"] as const) {
    const groups = [...Map.groupBy(counts, (count) => count[by])].sort(([a], [b]) => (a < b ? -1 : 1));
    const rows = [...groups, ["ALL", counts] as const].map(([name, own]) => [name, ...rowOf(own, ways)]);
    console.log(`${printTable(headings, rows)}\n`);
  }
  const families = [...new Set(counts.map(({ family }) => family))].sort();
  const why = [...new Set(counts.flatMap(({ reasons }) => [...reasons.keys()]))];
  const calls = (reason: string, family?: string): number =>
    counts.reduce(
      (sum, one) => sum + (family && one.family !== family ? 0 : (one.reasons.get(reason) ?? 0)),
      0,
    );
  const rows = why
    .sort((a, b) => calls(b) - calls(a))
    .map((reason) => [reason, ...[undefined, ...families].map((family) => `${calls(reason, family) || ""}`)]);
  console.log(printTable(["undecided because", "all", ...families], rows));
}

function rowOf(own: readonly CallCount[], ways: readonly string[]): string[] {
  const sum = (figure: (count: CallCount) => number): number =>
    own.reduce((total, count) => total + figure(count), 0);
  const [imported, decided] = [sum((count) => count.own), sum((count) => count.decided)];
  return [
    `${sum(({ calls }) => calls)}`,
    `${imported}`,
    `${decided}`,
    share(decided, imported),
    `${sum(({ flagged }) => flagged.length)}`,
    ...ways.map((way) => {
      const made = sum(({ mutations }) => mutations.get(way)?.made ?? 0);
      const found = sum(({ mutations }) => mutations.get(way)?.found ?? 0);
      return made === 0 ? "" : `${found}/${made} ${share(found, made)}`;
    }),
  ];
}

function share(part: number, whole: number): string {
  return whole === 0 ? "" : (part / whole).toFixed(2);
}
