import * as fs from "node:fs";
import { join } from "node:path";
import { inLanes } from "../processes.ts";
import { attackedCommands } from "./commands.ts";
import { hostileRepositories, makeGround } from "./repositories.ts";
import { runTraced, type Trespass } from "./traced.ts";

export type AttackOptions = {
  /** Only repositories and commands with these words in their name. */
  readonly repositories: string;
  readonly commands: string;
  /** Only every n-th pair, from this one on. */
  readonly every: number;
  readonly from?: number;
  /** The built product; by default the one of this folder. */
  readonly program?: string;
};

export type AttackReport = {
  readonly repositories: number;
  readonly commands: number;
  readonly runs: number;
  readonly started: number;
  readonly writes: number;
  readonly hung: readonly string[];
  readonly bad: readonly (Trespass & { readonly repository: string; readonly command: string })[];
};

/** Runs the chosen commands in the chosen repositories, each pair in a fresh copy of the repository. */
export async function attackRepositories(folder: string, options: AttackOptions): Promise<AttackReport> {
  const repositories = hostileRepositories.filter(({ name }) => name.includes(options.repositories));
  const commands = attackedCommands.filter(({ args }) => args.join(" ").includes(options.commands));
  const report = {
    runs: 0,
    started: 0,
    writes: 0,
    hung: [] as string[],
    bad: [] as AttackReport["bad"][number][],
  };
  const pairs = repositories
    .flatMap((repository) => commands.map((command) => ({ repository, command })))
    .filter((_, i) => i % options.every === (options.from ?? 0));
  await inLanes(2, [...pairs.keys()], async (i) => {
    const { repository, command } = pairs[i]!;
    const ground = makeGround(join(folder, String(i)), repository);
    const run = await runTraced(ground, command, options.program);
    const names = { repository: repository.name, command: command.args.join(" ") };
    report.runs++;
    report.started += run.started;
    report.writes += run.writes;
    report.bad.push(...run.trespasses.map((each) => ({ ...each, ...names })));
    if (run.code === null && command.args[0] !== "review")
      report.hung.push(`${names.repository}: ${names.command}`);
    fs.rmSync(ground.folder, { recursive: true, force: true });
  });
  return { ...report, repositories: repositories.length, commands: commands.length };
}
