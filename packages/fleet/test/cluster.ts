import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A PostgreSQL server of our own, on loopback, in a scratch folder that goes when it stops. */
export type Cluster = {
  readonly url: string;
  readonly pid: () => number;
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** Where Debian and others put the server's programs; null where there is none. */
export function findPostgres(): string | null {
  const [newest] = globSync("/usr/lib/postgresql/*/bin/initdb").sort().reverse();
  return newest ? newest.slice(0, -"/initdb".length) : null;
}

export async function startCluster({ durable = false } = {}): Promise<Cluster> {
  const bin = findPostgres();
  if (bin === null) throw new Error("there is no PostgreSQL server here");
  const folder = mkdtempSync(join(tmpdir(), "suture-postgres-"));
  const as = whoMayServe();
  if (as) chownSync(folder, as.uid, as.gid);
  const options = {
    ...as,
    stdio: "ignore",
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: "C" },
  } as const;
  const data = join(folder, "data");
  execFileSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "suture", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-instructions"],
    options,
  );
  const port = await freePort();
  const settings = [
    "-c",
    `port=${port}`,
    "-c",
    "listen_addresses=127.0.0.1",
    "-c",
    `unix_socket_directories=${folder}`,
  ];
  if (!durable)
    settings.push("-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off");
  const control = (verb: string, ...more: string[]): void =>
    void execFileSync(
      join(bin, "pg_ctl"),
      [verb, "-D", data, "-w", "-s", "-l", join(folder, "log"), ...more],
      options,
    );
  const start = (): void => control("start", "-o", settings.join(" "));
  start();
  const url = `postgres://suture@127.0.0.1:${port}/postgres`;
  return {
    url,
    pid: () => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]),
    restart: async () => {
      await new Promise((resolve) =>
        spawn(join(bin, "pg_ctl"), ["stop", "-D", data, "-m", "immediate", "-w", "-s"], options).on(
          "close",
          resolve,
        ),
      );
      await new Promise((resolve) => setTimeout(resolve, 500));
      await new Promise((resolve) =>
        spawn(
          join(bin, "pg_ctl"),
          ["start", "-D", data, "-w", "-s", "-l", join(folder, "log"), "-o", settings.join(" ")],
          options,
        ).on("close", resolve),
      );
    },
    stop: async () => {
      if (existsSync(join(data, "postmaster.pid"))) control("stop", "-m", "immediate");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The server refuses to run as root, so there it runs as the user that the package made, or as nobody. */
function whoMayServe(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((each) => each.startsWith("postgres:"));
  const [, , uid = "65534", gid = "65534"] = line?.split(":") ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
