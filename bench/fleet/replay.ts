import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseAddress } from "../../packages/fleet/src/clones/address.ts";
import { type Fleet, openFleet } from "../../packages/fleet/src/fleet.ts";
import { openHome } from "../../packages/fleet/src/home.ts";
import { startWorker } from "../../packages/fleet/src/queue/worker.ts";
import { addRepositories, type Repository } from "../../packages/fleet/src/store/repositories.ts";
import { startFakeGitHub } from "../../packages/fleet/test/fake-github.ts";

export type ReplayOptions = {
  /** A folder of bare mirrors, each as OWNER+NAME/repo. */
  readonly mirrors: string;
  readonly names: readonly string[];
  readonly commits: number;
  /** How many commits each push has. */
  readonly step: number;
};

/** An edit that was published, and the commit that it was first published for. */
export type PublishedEdit = {
  readonly repository: string;
  readonly commit: string;
  readonly path: string;
  readonly line: number;
  readonly tier: string;
  readonly message: string;
  readonly edits: readonly { readonly old_string: string; readonly new_string: string }[];
  readonly evidence: readonly {
    readonly path: string;
    readonly startLine: number;
    readonly revision: string;
  }[];
};

export type Replay = {
  readonly repositories: readonly Repository[];
  readonly checks: number;
  readonly pulls: number;
  readonly states: readonly {
    readonly name: string;
    readonly state: string;
    readonly drift: number;
    readonly standing: number;
    readonly problem: string | null;
  }[];
  readonly published: readonly PublishedEdit[];
};

/** Replays the last commits of real repositories against a stand-in for GitHub: what a fleet would publish, unattended. */
export async function replay(options: ReplayOptions): Promise<Replay> {
  const folder = mkdtempSync(join(tmpdir(), "suture-replay-"));
  const origins = options.names.map((name) => new Origin(folder, name, options));
  const host = await startFakeGitHub((called) => origins.find(({ name }) => name === called)?.place ?? null);
  const opened = await openFleet({
    home: await openHome(join(folder, "home")),
    environment: { SUTURE_GITHUB_TOKEN: "a token", SUTURE_GITHUB_API: host.url },
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  const fleet = opened.value;
  try {
    const repositories = await addAll(fleet, origins);
    for (let done = options.commits; done >= 0; done -= options.step)
      await push(fleet, repositories, origins, done);
    const pulls = [...host.shelves.values()].reduce((sum, { pulls }) => sum + pulls.length, 0);
    return { repositories, pulls, ...(await collect(fleet)) };
  } finally {
    await fleet.close();
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A repository on the stand-in host: the objects of a mirror, and a main branch that moves on. */
class Origin {
  readonly name: string;
  readonly place: string;
  readonly #line: readonly string[];

  constructor(folder: string, name: string, { mirrors, commits }: ReplayOptions) {
    const mirror = join(mirrors, name, "repo");
    this.name = name.replace("+", "/");
    this.place = join(folder, "origins", `${this.name}.git`);
    mkdirSync(this.place, { recursive: true });
    git(this.place, "init", "--bare", "--quiet", "--template=", "--initial-branch=main");
    mkdirSync(join(this.place, "objects", "info"), { recursive: true });
    writeFileSync(join(this.place, "objects", "info", "alternates"), `${join(mirror, "objects")}\n`);
    const listed = git(mirror, "rev-list", "--first-parent", `--max-count=${commits + 1}`, "HEAD");
    this.#line = listed.split("\n");
  }

  /** Moves the main branch to the commit that has so many after it. */
  moveTo(after: number): void {
    git(
      this.place,
      "update-ref",
      "refs/heads/main",
      this.#line[Math.min(after, this.#line.length - 1)] ?? "",
    );
  }
}

function git(folder: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
}

async function addAll(fleet: Fleet, origins: readonly Origin[]): Promise<Repository[]> {
  const addresses = origins.map(({ place }) => {
    const address = parseAddress(place);
    if (!address.ok) throw new Error(place);
    return address.value;
  });
  return addRepositories(fleet.query, addresses, { sink: "github" });
}

async function push(
  fleet: Fleet,
  repositories: readonly Repository[],
  origins: readonly Origin[],
  after: number,
): Promise<void> {
  for (const origin of origins) origin.moveTo(after);
  await fleet.queue.add(
    repositories.map(({ id, organisation }) => ({
      kind: "check",
      repository: id,
      organisation,
      commit: null,
      cause: "push",
    })),
  );
  await startWorker(fleet, { untilEmpty: true, interval: 100, slots: 2 }).ended;
  console.error(`${after} commits before the head: done`);
}

async function collect({ query }: Fleet): Promise<Pick<Replay, "checks" | "states" | "published">> {
  const [counted] = await query<{ checks: number }>(
    "SELECT count(*)::int AS checks FROM suture_fleet.run WHERE kind = 'check' AND state = 'done'",
  );
  const states = await query<Replay["states"][number]>(
    `SELECT organisation || '/' || name AS name, state, drift, standing, problem FROM suture_fleet.repository ORDER BY 1`,
  );
  const published = await query<PublishedEdit>(
    `SELECT DISTINCT ON (r.id, s.finding) r.organisation || '/' || r.name AS repository, run.commit, s.path, s.start_line AS line,
       s.tier, s.message, s.edits, s.evidence
     FROM suture_fleet.reason s JOIN suture_fleet.run ON run.id = s.run JOIN suture_fleet.repository r ON r.id = s.repository
     WHERE run.kind = 'fix' AND s.fixed ORDER BY r.id, s.finding, run.ended`,
  );
  return { checks: counted?.checks ?? 0, states, published };
}

/** The mirrors of a folder. */
export function listMirrors(folder: string): string[] {
  return globSync(join(folder, "*", "repo"))
    .map((place) => basename(dirname(place)))
    .sort();
}

export function printReplay({ checks, pulls, states, published, repositories }: Replay): string {
  const lines = [
    `${repositories.length} repositories, ${checks} checks, ${pulls} pull requests, ${published.length} edits published`,
    "",
    "| Repository | State | No longer true | False as it stands | Problem |",
    "| --- | --- | --- | --- | --- |",
    ...states.map(
      ({ name, state, drift, standing, problem }) =>
        `| ${name} | ${state} | ${drift} | ${standing} | ${problem ?? ""} |`,
    ),
    "",
  ];
  for (const { repository, commit, path, line, tier, message, edits, evidence } of published)
    lines.push(
      `### ${repository} ${commit.slice(0, 12)} ${path}:${line} (${tier})`,
      message,
      ...evidence.map((one) => `evidence: ${one.path}:${one.startLine} at ${one.revision.slice(0, 12)}`),
      ...edits.flatMap(({ old_string, new_string }) => [
        ...old_string.split("\n").map((text) => `- ${text}`),
        ...new_string.split("\n").map((text) => `+ ${text}`),
      ]),
      "",
    );
  return lines.join("\n");
}
