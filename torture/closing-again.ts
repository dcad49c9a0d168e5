import { callTool } from "../src/docs/catalog.ts";
import type { Context } from "../src/tools/tool.ts";
import type { Workspace } from "../src/workspace/workspace.ts";
import { Bystanders, harms } from "./bystanders.ts";
import { answerOf, guarded } from "./closing.ts";
import { foreignText } from "./other-root.ts";
import type { Random } from "./random.ts";
import { prepare } from "./rehearsal.ts";
import { makeDiskScene, removeDiskScene } from "./scene.ts";
import { blame, count, type Tally } from "./tally.ts";
import type { Opener } from "./unguarded.ts";
import { locateWorkload, type Workload } from "./workloads.ts";

export type AgainOptions = {
  readonly random: Random;
  /** How often each misuse is tried. */
  readonly rounds: number;
  /** A broken workspace in place of ours. */
  readonly opener?: Opener;
  /** The misuses to try; by default all. */
  readonly only?: readonly MisuseName[];
};

/** A known misuse of a closed workspace. Returns what is wrong. */
type Misuse = (workspace: Workspace, scene: Round) => Promise<string[]>;
type Round = { readonly bystanders: Bystanders; readonly tally: Tally; readonly random: Random };

const path = "d0/page-0.md";
const workload: Workload = locateWorkload("edit 5");

const misuses = {
  "a handler returns before its tools are called": async (workspace, { bystanders, tally }) => {
    const context = contextOf(workspace);
    await context[Symbol.asyncDispose]();
    await bystanders.arrive(tally);
    const bad: string[] = [];
    for (const [tool, input] of [
      ["read_file", { path }],
      ["edit_file", { path, old_content: "old", new_content: "new" }],
      ["history", {}],
    ] as const) {
      const result = await callTool(context, tool, input).catch((error) => ({ code: String(error) }));
      if (result.code !== "closed") bad.push(`${tool} answers ${result.code ?? "success"}`);
      if (JSON.stringify(result).includes(foreignText)) count(tally, "read elsewhere");
    }
    return bad;
  },
  "read and edit through a closed workspace": async (workspace, { bystanders, tally }) => {
    const read = await workspace.read(path);
    await workspace.close();
    await bystanders.arrive(tally);
    const again = await answerOf(async () => {
      const foreign = await workspace.read(path);
      if (foreign.ok && foreign.value.text?.includes(foreignText)) count(tally, "read elsewhere");
      return foreign;
    });
    const edit = await answerOf(async () => (read.ok ? workload.act(workspace) : read));
    return [again, edit].filter((code) => code !== "closed").map((code) => `answers ${code}`);
  },
  "close during a commit": async (workspace, { bystanders, tally, random }) => {
    let isRunning = true;
    const answer = answerOf(() => workload.act(workspace)).finally(() => {
      isRunning = false;
    });
    // Some operations of a commit are synchronous, so a moment is a number of turns of the event loop.
    for (let i = random.below(8); i > 0; i--) await new Promise((resolve) => setImmediate(resolve));
    if (isRunning) count(tally, "commits that were closed while they ran");
    const closing = workspace.close();
    await bystanders.arrive(tally);
    const [code] = await Promise.all([answer, closing]);
    return code === "ok" || code === "closed" ? [] : [`answers ${code}`];
  },
  "close twice": async (workspace, { bystanders, tally }) => {
    await workspace.close();
    await bystanders.arrive(tally);
    await workspace.close();
    return [];
  },
} satisfies Readonly<Record<string, Misuse>>;

export type MisuseName = keyof typeof misuses;
export const misuseNames = Object.keys(misuses) as MisuseName[];

/** Tries the known misuses of a closed workspace, each in many rounds, while other roots and files are opened. */
export async function closeAgain(
  tally: Tally,
  { random, rounds, opener = guarded, only = misuseNames }: AgainOptions,
): Promise<void> {
  for (const harm of harms) count(tally, harm, 0);
  for (const name of only)
    for (let round = 0; round < rounds; round++) {
      blame(tally, `${name}, round ${round}`, await playRound(misuses[name], opener, { tally, random }));
      count(tally, name);
    }
}

async function playRound(
  misuse: Misuse,
  opener: Opener,
  { tally, random }: Omit<Round, "bystanders">,
): Promise<string[]> {
  const scene = makeDiskScene({ lasting: false });
  await prepare(scene, workload);
  const bystanders = await Bystanders.open(workload, opener, random);
  const opened = await opener.open(scene.root, { files: opener.files(), durability: "full" });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  const bad = await misuse(opened.value, { bystanders, tally, random });
  bad.push(...(await bystanders.leave(tally)));
  removeDiskScene(scene);
  return bad;
}

function contextOf(workspace: Workspace): Context {
  const close = (): Promise<void> => workspace.close();
  return {
    reader: workspace,
    workspace,
    profile: "files",
    author: "torture",
    task: "closing",
    close,
    [Symbol.asyncDispose]: close,
  };
}
