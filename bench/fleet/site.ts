import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAddress } from "../../packages/fleet/src/clones/address.ts";
import { type Fleet, openFleet } from "../../packages/fleet/src/fleet.ts";
import { openHome } from "../../packages/fleet/src/home.ts";
import { addRepositories, type Repository } from "../../packages/fleet/src/store/repositories.ts";
import { type Cluster, startCluster } from "../../packages/fleet/test/cluster.ts";
import { sutureFromSource } from "../../packages/fleet/test/from-source.ts";
import { type Generated, generate } from "../../packages/fleet/test/generate.ts";

/** A scratch place with a server of its own and generated repositories, for one measurement. */
export type Site = {
  readonly folder: string;
  readonly cluster: Cluster;
  readonly generated: readonly Generated[];
  readonly program: WorkerProgram;
  close(): Promise<void>;
};

/** Workers start from the sources, or from the build that people install, which starts in a fifth of the time. */
export type WorkerProgram = "sources" | "build";

const house = join(import.meta.dirname, "..", "..");

export async function openSite(
  count: number,
  organisations: number,
  program: WorkerProgram = "sources",
): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), "suture-fleet-"));
  const cluster = await startCluster({ durable: true });
  const generated: Generated[] = [];
  const next = Array.from({ length: count }, (_, n) => n);
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let n = next.shift(); n !== undefined; n = next.shift())
        generated[n] = await generate(join(folder, "repositories"), `org-${n % organisations}`, n);
    }),
  );
  return {
    folder,
    cluster,
    generated,
    program,
    close: async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A fleet with every repository of the site in it, in a database of its own. */
export async function openFleetAt(
  site: Site,
  name: string,
  options: { heartbeat?: number; delay?: number; sink?: string } = {},
) {
  const admin = await openFleetless(site.cluster.url);
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.close();
  const url = site.cluster.url.replace(/\/postgres$/, `/${name}`);
  const home = join(site.folder, name);
  const opened = await openFleet({ home: await openHome(home), url, ...options });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  const addresses = site.generated.map(({ folder }) => {
    const address = parseAddress(folder);
    if (!address.ok) throw new Error(folder);
    return address.value;
  });
  const repositories: Repository[] = await addRepositories(opened.value.query, addresses, {
    sink: options.sink ?? null,
  });
  return { fleet: opened.value, url, home, repositories, program: site.program };
}

async function openFleetless(url: string) {
  const { openPostgres } = await import("../../packages/fleet/src/store/postgres.ts");
  return openPostgres(url, { most: 1 });
}

/** Seconds of CPU. */
export type Cpu = { readonly own: number; readonly git: number };

/** A worker process as a person starts it. */
export type WorkerProcess = {
  readonly child: ChildProcess;
  /** Resident memory in bytes, with the processes in which its checks run, as often as it was looked at. */
  readonly memory: number[];
  /** Seconds of CPU so far: its own and its checks', and that of the git they have started. */
  cpu(): Cpu;
  /** What it logged, except the jobs that went well. */
  readonly lines: () => readonly Record<string, unknown>[];
  /** How many jobs went well. */
  jobs(): number;
  stop(): Promise<void>;
};

/** Where a worker finds its jobs and keeps its clones. */
export type WorkerPlace = { readonly url: string; readonly home: string; readonly program: WorkerProgram };

export function startWorkerProcess(
  { url, home, program }: WorkerPlace,
  {
    slots,
    heartbeat = 30,
    environment = {},
    options = [],
  }: {
    readonly slots: number;
    readonly heartbeat?: number;
    readonly environment?: Record<string, string>;
    /** Further options of the command. */
    readonly options?: readonly string[];
  },
): WorkerProcess {
  const child = spawn(
    process.execPath,
    [
      ...(program === "build" ? [join(house, "bin/suture.cjs")] : sutureFromSource),
      "fleet",
      "worker",
      "--home",
      home,
      "--slots",
      String(slots),
      "--heartbeat",
      String(heartbeat),
      ...options,
    ],
    {
      env: { ...process.env, DATABASE_URL: url, ...environment },
      stdio: ["ignore", "ignore", "pipe"],
      // A session of its own, as a service has: Linux shares the processor between sessions, not between processes.
      detached: true,
    },
  );
  endWithThisProcess(child);
  let rest = "";
  const seen: Record<string, unknown>[] = [];
  const memory: number[] = [];
  let jobs = 0;
  child.stderr!.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines)
      if (line.includes('"event":"job"')) jobs++;
      else if (line.startsWith("{")) seen.push(JSON.parse(line));
  });
  let cpu: Cpu = { own: 0, git: 0 };
  const look = setInterval(() => {
    const sizes = [child.pid!, ...childrenOf(child.pid!)].map(residentOf);
    if (sizes[0]! > 0) memory.push(sizes.reduce((sum, size) => sum + size, 0));
    cpu = cpuOfWorker(child.pid!) ?? cpu;
  }, 1000);
  const closed = new Promise<void>((resolve) =>
    child.on("close", () => {
      clearInterval(look);
      resolve();
    }),
  );
  return {
    child,
    memory,
    cpu: () => {
      cpu = cpuOfWorker(child.pid!) ?? cpu;
      return cpu;
    },
    lines: () => seen,
    jobs: () => jobs,
    stop: () => {
      child.kill("SIGTERM");
      return closed;
    },
  };
}

const started = new Set<ChildProcess>();

/** Workers have sessions of their own, so an interrupt of this process does not reach them. */
function endWithThisProcess(child: ChildProcess): void {
  if (started.size === 0) {
    process.once("exit", () => {
      for (const each of started) each.kill("SIGKILL");
    });
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  }
  started.add(child);
  child.once("exit", () => started.delete(child));
}

export function residentOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

export function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return text === "" ? [] : text.split(" ").map(Number);
  } catch {
    return [];
  }
}

/** Seconds of CPU of a worker with the processes in which its checks run, and of the processes of both that have ended. */
function cpuOfWorker(pid: number): Cpu | null {
  const main = cpuOf(pid);
  if (main === null) return null;
  const checks = childrenOf(pid).flatMap((child) => cpuOf(child) ?? []);
  const sum = (pick: (each: Cpu) => number): number =>
    [main, ...checks].reduce((total, each) => total + pick(each), 0);
  return { own: sum(({ own }) => own), git: sum(({ git }) => git) };
}

/** Seconds of CPU of a process and of its children that have ended. */
function cpuOf(pid: number): Cpu | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ")
      .map(Number);
    return { own: (fields[11]! + fields[12]!) / 100, git: (fields[13]! + fields[14]!) / 100 };
  } catch {
    return null;
  }
}

/** Seconds of CPU of a server and all its backends. */
export function cpuOfServer(pid: number): number {
  const main = cpuOf(pid);
  return childrenOf(pid).reduce(
    (sum, child) => sum + (cpuOf(child)?.own ?? 0),
    (main?.own ?? 0) + (main?.git ?? 0),
  );
}

/** Waits until no job waits, runs or is deferred. Returns the seconds that it took. */
export async function untilEmpty(fleet: Fleet, { supervise = false, most = 3600 } = {}): Promise<number> {
  const began = performance.now();
  for (;;) {
    try {
      if (supervise) await fleet.queue.supervise();
      const { waiting, deferred, active } = await fleet.queue.depth();
      if (waiting + deferred + active === 0) return (performance.now() - began) / 1000;
    } catch {
      // The database is stopped for a moment, as part of the measurement.
    }
    if (performance.now() - began > most * 1000) throw new Error("the queue did not become empty");
    await new Promise((resolve) => setTimeout(resolve, supervise ? 1000 : 250));
  }
}
