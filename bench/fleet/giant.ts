import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseAddress } from "../../packages/fleet/src/clones/address.ts";
import { addRepositories } from "../../packages/fleet/src/store/repositories.ts";
import { printTable } from "../report.ts";
import { openFleetAt, type Site, startWorkerProcess, untilEmpty } from "./site.ts";

export type GiantReport = {
  readonly files: number;
  readonly healthy: number;
  readonly memoryLimit: number;
  readonly giantState: string;
  readonly giantProblem: string;
  readonly giantSeconds: number;
  readonly healthyOpen: number;
  /** Seconds until the last of the healthy repositories was published. */
  readonly healthySeconds: number;
  readonly jobsLost: number;
  readonly published: number;
  readonly publishedTwice: number;
  readonly stuck: number;
};

/**
 * One repository of very many files among small ones, on two worker processes. With little memory for a check, the large
 * one stops its check process twice.
 */
export async function measureGiant(
  site: Site,
  { files, memory }: { readonly files: number; readonly memory: number },
): Promise<GiantReport> {
  const place = await openFleetAt(site, `giant_${memory}`, { heartbeat: 10 });
  const { fleet, repositories } = place;
  const address = parseAddress(await generateGiant(join(site.folder, "giants"), files));
  if (!address.ok) throw new Error("address");
  const [giant] = await addRepositories(fleet.query, [address.value]);
  const began = performance.now();
  const job = { kind: "check", commit: null, cause: "nightly" } as const;
  await fleet.queue.add(
    [giant!, ...repositories].map(({ id, organisation }) => ({ ...job, repository: id, organisation })),
  );
  const workers = [0, 1].map(() =>
    startWorkerProcess(place, { slots: 2, heartbeat: 10, options: ["--check-memory", String(memory)] }),
  );
  await untilEmpty(fleet, { supervise: true });
  const seconds = (performance.now() - began) / 1000;
  await Promise.all(workers.map((worker) => worker.stop()));
  const [row] = await fleet.query<{ state: string; problem: string | null }>(
    "SELECT state, problem FROM suture_fleet.repository WHERE id = $1",
    [giant!.id],
  );
  const [healthy] = await fleet.query<{ open: number; seconds: number }>(
    `SELECT count(*)::int AS open, (SELECT extract(epoch FROM max(ended) - min(began)) FROM suture_fleet.run
       WHERE repository <> $1)::float AS seconds
     FROM suture_fleet.repository WHERE state = 'open' AND id <> $1`,
    [giant!.id],
  );
  const [published] = await fleet.query<{ all: number; twice: number }>(
    `SELECT count(*)::int AS all, (count(*) - count(DISTINCT repository))::int AS twice
     FROM suture_fleet.publication WHERE state = 'confirmed' AND repository <> $1`,
    [giant!.id],
  );
  const depth = await fleet.queue.depth();
  await fleet.close();
  return {
    files,
    healthy: repositories.length,
    memoryLimit: memory,
    giantState: row?.state ?? "",
    giantProblem: row?.problem ?? "",
    giantSeconds: seconds,
    healthyOpen: healthy!.open,
    healthySeconds: healthy!.seconds,
    jobsLost: workers.flatMap((worker) => worker.lines().filter(({ event }) => event === "job-lost")).length,
    published: published!.all,
    publishedTwice: published!.twice,
    stuck: depth.waiting + depth.deferred + depth.active,
  };
}

/** One page for nine sources, and a second commit that changes one file in a hundred. */
export async function generateGiant(folder: string, files: number): Promise<string> {
  const place = join(folder, "big", "giant.git");
  if (existsSync(join(place, "HEAD"))) return place;
  mkdirSync(place, { recursive: true });
  await git(place, ["init", "--bare", "--quiet", "--template=", "--initial-branch=main"], []);
  await git(place, ["fast-import", "--quiet", "--done"], stream(files));
  return place;
}

function* stream(files: number): Generator<string> {
  const commit = (n: number): string =>
    `commit refs/heads/main\ncommitter T <t@example.org> ${1_700_000_000 + n} +0000\ndata 1\n${n}\n`;
  const file = (path: string, text: string): string =>
    `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  const source = (i: number, name: string): string =>
    file(
      `src/part${i % 500}/file${i}.js`,
      `export function ${name}${i}(input) {\n  return input + ${i};\n}\n`,
    );
  yield commit(1);
  for (let i = 0; i < files; i++)
    yield i % 10 === 0
      ? file(`docs/part${i % 500}/page${i}.md`, `# Page ${i}\n\nCall \`load${i + 1}\` with an input.\n`)
      : source(i, "load");
  yield commit(2);
  for (let i = 1; i < files; i += 100) yield source(i, "fetch");
  yield "done\n";
}

function git(folder: string, args: readonly string[], input: Iterable<string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, { cwd: folder, stdio: ["pipe", "ignore", "inherit"] });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`git ${args[0]}: ${code}`))));
    void (async () => {
      let batch = "";
      for (const piece of input) {
        batch += piece;
        if (batch.length < 1 << 20) continue;
        if (!child.stdin.write(batch)) await new Promise((drained) => child.stdin.once("drain", drained));
        batch = "";
      }
      child.stdin.end(batch);
    })();
  });
}

export function printGiants(reports: readonly GiantReport[]): string {
  const names = Object.keys(reports[0] ?? {}) as (keyof GiantReport)[];
  const shown = (value: string | number): string =>
    typeof value === "number" ? String(Math.round(value)) : value.slice(0, 60);
  return printTable(
    ["one large repository", ...reports.map(() => "")],
    names.map((name) => [name, ...reports.map((report) => shown(report[name]))]),
  );
}
