import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { parseAddress } from "../../packages/fleet/src/clones/address.ts";
import {
  addRepositories,
  type Repository,
  readRepository,
} from "../../packages/fleet/src/store/repositories.ts";
import { startFakeGitLab } from "../../packages/fleet/test/fake-gitlab.ts";
import { generate } from "../../packages/fleet/test/generate.ts";
import type { Period } from "./bystanders.ts";
import { checkOf, type FaultRun, type Trouble, type TroubleFigures, type TroubleReport } from "./faults.ts";
import { generateGiant } from "./giant.ts";
import type { WorkerProcess } from "./site.ts";

/** A repository of very many files. */
export function largeRepository(files: number): Trouble {
  let giant: Repository;
  return {
    name: "large repository",
    begin: async (run) => {
      giant = await addFolder(run, await generateGiant(join(run.site.folder, "giants"), files));
    },
    end: async (run) => ({
      figures: { files, ...(await figuresOf(run, giant)) },
      period: await periodOf(run, giant),
    }),
  };
}

async function addFolder({ fleet }: FaultRun, folder: string): Promise<Repository> {
  const address = parseAddress(folder);
  if (!address.ok) throw new Error(folder);
  const [added] = await addRepositories(fleet.query, [address.value]);
  await fleet.queue.add([checkOf(added!)]);
  return added!;
}

async function figuresOf({ fleet }: FaultRun, { id }: Repository): Promise<TroubleFigures> {
  const found = await readRepository(fleet.query, id);
  return { state: found?.state ?? "gone", problem: found?.problem ?? "" };
}

/** From when its check was queued, before all others, to the end of its last job. */
async function periodOf({ fleet }: FaultRun, { id }: Repository): Promise<Period | null> {
  const [row] = await fleet.query<{ from: Date | null; to: Date | null }>(
    `SELECT min(created_on) AS from, max(completed_on) AS to FROM suture_queue.job
     WHERE (data->>'repository')::bigint = $1`,
    [id],
  );
  return row?.from && row.to ? { from: row.from, to: row.to } : null;
}

/**
 * A repository that ends each worker process that works on it. Its fetch waits on a pipe that has no writer, and the worker
 * that waits is killed.
 */
export class DeadlyRepository implements Trouble {
  readonly name = "deadly repository";
  #repository: Repository | undefined;
  readonly #deaths: Date[] = [];
  #watch: NodeJS.Timeout | undefined;

  async begin(run: FaultRun): Promise<void> {
    const { folder } = await generate(join(run.site.folder, "deadly"), "deadly", 7);
    execFileSync("mkfifo", [join(folder, "packed-refs")]);
    this.#repository = await addFolder(run, folder);
    this.#watch = setInterval(() => this.#killWaiting(run, folder), 300);
  }

  #killWaiting({ pool }: FaultRun, folder: string): void {
    const waiting = processesNaming(folder);
    const workers = new Set(waiting.flatMap((pid) => ancestorsOf(pid)));
    for (const pid of pool.pids.filter((each) => workers.has(each))) {
      pool.kill(pid);
      this.#deaths.push(new Date());
    }
    for (const pid of waiting) endProcess(pid);
  }

  async end(run: FaultRun): Promise<TroubleReport> {
    clearInterval(this.#watch);
    const [from, to] = [this.#deaths[0], this.#deaths.at(-1)];
    return {
      figures: { workersEnded: this.#deaths.length, ...(await figuresOf(run, this.#repository!)) },
      period: from && to ? { from, to } : null,
    };
  }
}

/** The git processes whose command line names a folder. */
function processesNaming(folder: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    const line = /^\d+$/.test(name) ? readProc(name, "cmdline") : "";
    return line.startsWith("git") && line.includes(folder) ? [Number(name)] : [];
  });
}

function ancestorsOf(pid: number): number[] {
  const found: number[] = [];
  for (let at = pid; at > 1; ) {
    at = Number(/^PPid:\s+(\d+)/m.exec(readProc(String(at), "status"))?.[1] ?? 0);
    found.push(at);
  }
  return found;
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(join("/proc", pid, file), "utf8");
  } catch {
    return "";
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended with its worker.
  }
}

/**
 * A host that refuses connections for an hour. The clock is the database's: each round moves the times of this host and of
 * its jobs five minutes back.
 */
export class HostDown implements Trouble {
  readonly name = "host down for an hour";
  readonly environment: Record<string, string>;
  readonly #gate: Gate;
  readonly #count: number;
  #hosted: Repository[] = [];
  #host: Awaited<ReturnType<typeof startFakeGitLab>> | undefined;
  #clock: NodeJS.Timeout | undefined;
  #minutes = 0;
  #attempts = 0;
  #from: Date | undefined;
  #to: Date | undefined;

  constructor(gate: Gate, count: number) {
    this.#gate = gate;
    this.#count = count;
    this.environment = { SUTURE_GITLAB_TOKEN: "token of the other host", SUTURE_GITLAB_API: gate.url };
  }

  async begin({ site, fleet }: FaultRun): Promise<void> {
    const folder = join(site.folder, "hosted");
    this.#host = await startFakeGitLab((project) => join(folder, `${project}.git`));
    this.#gate.target = Number(new URL(this.#host.url).port);
    const addresses = [];
    for (let n = 0; n < this.#count; n++) {
      const made = await generate(folder, "patient", n);
      addresses.push({ host: "gitlab.com", organisation: "patient", name: made.name, url: made.folder });
    }
    this.#hosted = await addRepositories(fleet.query, addresses);
    await fleet.queue.add(this.#hosted.map(checkOf));
    this.#clock = setInterval(() => void this.#passFiveMinutes(fleet).catch(() => {}), 10_000);
  }

  async #passFiveMinutes({ query }: FaultRun["fleet"]): Promise<void> {
    const isOneWaiting = (await this.#waitingAttempts(query)).length > 0;
    if (!isOneWaiting) return;
    await query(
      `UPDATE suture_fleet.host SET paused_until = paused_until - interval '5 minutes',
         away_until = away_until - interval '5 minutes' WHERE name = 'gitlab.com'`,
    );
    await query(
      `UPDATE suture_queue.job SET start_after = start_after - interval '5 minutes'
       WHERE state < 'active' AND (data->>'repository')::bigint = ANY($1)`,
      [this.#hosted.map(({ id }) => id)],
    );
    this.#from ??= new Date();
    this.#minutes += 5;
    if (this.#minutes <= 60) return;
    this.#gate.isOpen = true;
    this.#to ??= new Date();
  }

  /** The attempts that the waiting publications have cost. */
  async #waitingAttempts(query: FaultRun["fleet"]["query"]): Promise<number[]> {
    const rows = await query<{ attempts: number }>(
      `SELECT retry_count AS attempts FROM suture_queue.job WHERE name = 'work' AND state < 'active'
         AND data->>'kind' = 'publish' AND (data->>'repository')::bigint = ANY($1)`,
      [this.#hosted.map(({ id }) => id)],
    );
    this.#attempts = Math.max(this.#attempts, ...rows.map(({ attempts }) => attempts));
    return rows.map(({ attempts }) => attempts);
  }

  async end({ fleet }: FaultRun): Promise<TroubleReport> {
    clearInterval(this.#clock);
    const states = await Promise.all(this.#hosted.map(({ id }) => readRepository(fleet.query, id)));
    const opened = this.#hosted.map(({ name }) => this.#host!.requestsOf(`patient/${name}`).length);
    await this.#host!.close();
    await this.#gate.close();
    const figures = {
      repositories: this.#hosted.length,
      minutesDown: Math.min(60, this.#minutes),
      connectionsRefused: this.#gate.refused,
      mostAttemptsSpent: this.#attempts,
      open: states.filter((each) => each?.state === "open").length,
      lost: opened.filter((count) => count === 0).length,
      doubled: opened.filter((count) => count > 1).length,
    };
    return { figures, period: this.#from && this.#to ? { from: this.#from, to: this.#to } : null };
  }
}

/** The door of a host on this machine: closed, it drops every connection. */
export class Gate {
  isOpen = false;
  refused = 0;
  /** The port behind it. */
  target = 0;
  readonly url: string;
  readonly close: () => Promise<void>;

  private constructor(port: number, close: () => Promise<void>) {
    this.url = `http://127.0.0.1:${port}`;
    this.close = close;
  }

  static async open(): Promise<Gate> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
      if (!gate.isOpen) {
        gate.refused++;
        return void socket.destroy();
      }
      const behind = connect(gate.target, "127.0.0.1").on("error", () => socket.destroy());
      socket.pipe(behind).pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const close = async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    };
    const gate = new Gate((server.address() as { port: number }).port, close);
    return gate;
  }
}

/** A worker whose disk fills up while it works. Its disk stays full until the end. */
export class FullDisk implements Trouble {
  readonly name = "full disk";
  #worker: WorkerProcess | undefined;
  #disk = "";
  #filling: NodeJS.Timeout | undefined;
  #doneBefore = 0;
  #from: Date | undefined;

  async begin({ site, pool }: FaultRun): Promise<void> {
    const disk = join(site.folder, "small-disk");
    mkdirSync(disk, { recursive: true });
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=200m", "tmpfs", disk]);
    if (mounted.status !== 0) return;
    this.#disk = disk;
    this.#worker = pool.startExtra(join(disk, "home"));
    this.#filling = setTimeout(() => {
      this.#doneBefore = this.#worker!.jobs();
      this.#from = new Date();
      fill(join(disk, "fill"));
    }, 30_000);
  }

  async end(): Promise<TroubleReport> {
    if (this.#worker === undefined)
      return { figures: { skipped: "this machine allows no small disk to be mounted" }, period: null };
    clearTimeout(this.#filling);
    await this.#worker.stop();
    spawnSync("umount", [this.#disk]);
    const lines = this.#worker.lines();
    const failed = lines.filter(({ event }) => failures.has(String(event)));
    const figures = {
      jobsBefore: this.#doneBefore,
      jobsAfter: this.#worker.jobs() - this.#doneBefore,
      failedOrBuried: failed.length,
      whyFailed: [...new Set(failed.map(({ why }) => String(why)))].join("; "),
      timesNoJobWasTaken: lines.filter(({ event }) => event === "disk-full").length,
    };
    return { figures, period: this.#from ? { from: this.#from, to: new Date() } : null };
  }
}

const failures: ReadonlySet<string> = new Set(["job-failed", "job-hopeless", "job-quarantined"]);

/** Writes until no byte is left. */
function fill(path: string): void {
  const file = openSync(path, "w");
  try {
    for (let size = 1 << 20; size > 0; size >>= 1)
      try {
        for (;;) writeSync(file, Buffer.alloc(size));
      } catch {
        // Smaller pieces may still fit.
      }
  } finally {
    closeSync(file);
  }
}
