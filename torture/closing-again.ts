import { callTool } from "../src/docs/catalog.ts";
import type { Context } from "../src/tools/tool.ts";
import type { Workspace } from "../src/workspace/workspace.ts";
import { answerOf, guarded } from "./closing.ts";
import type { Random } from "./random.ts";
import { prepare } from "./rehearsal.ts";
import { makeDiskScene, removeDiskScene } from "./scene.ts";
import { foreignText, harms, Strangers } from "./strangers.ts";
import { blame, count, type Tally } from "./tally.ts";
import type { Opener } from "./unguarded.ts";
import { locateWorkload, type Workload } from "./workloads.ts";

export type AgainOptions = { readonly random: Random; readonly rounds: number; readonly opener?: Opener };

/** One way in which a closed workspace was seen to work on; answers with what is wrong. */
type Way = (workspace: Workspace, scene: Round) => Promise<string[]>;
type Round = { readonly strangers: Strangers; readonly tally: Tally; readonly random: Random };

const path = "d0/page-0.md";
const workload: Workload = locateWorkload("edit 50");

const ways: Readonly<Record<string, Way>> = {
  "a handler returns before its tools are called": async (workspace, { strangers, tally }) => {
    const context = contextOf(workspace);
    await context[Symbol.asyncDispose]();
    await strangers.arrive(tally);
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
  "read and edit through a closed workspace": async (workspace, { strangers, tally }) => {
    const read = await workspace.read(path);
    await workspace.close();
    await strangers.arrive(tally);
    const again = await answerOf(async () => {
      const foreign = await workspace.read(path);
      if (foreign.ok && foreign.value.text?.includes(foreignText)) count(tally, "read elsewhere");
      return foreign;
    });
    const edit = await answerOf(async () => (read.ok ? workload.act(workspace) : read));
    return [again, edit].filter((code) => code !== "closed").map((code) => `answers ${code}`);
  },
  "close during a commit": async (workspace, { strangers, tally, random }) => {
    const answer = answerOf(() => workload.act(workspace));
    for (let i = random.below(60); i > 0; i--) await new Promise((resolve) => setImmediate(resolve));
    const closing = workspace.close();
    await strangers.arrive(tally);
    const [code] = await Promise.all([answer, closing]);
    return code === "ok" || code === "closed" ? [] : [`answers ${code}`];
  },
  "close twice": async (workspace, { strangers, tally }) => {
    await workspace.close();
    await strangers.arrive(tally);
    await workspace.close();
    return [];
  },
};

/** The known ways to misuse a closed workspace, each in many rounds, with other roots and files opened in between. */
export async function closeAgain(
  tally: Tally,
  { random, rounds, opener = guarded }: AgainOptions,
): Promise<void> {
  for (const harm of harms) count(tally, harm, 0);
  for (const [name, way] of Object.entries(ways))
    for (let round = 0; round < rounds; round++) {
      const scene = makeDiskScene({ lasting: false });
      await prepare(scene, workload);
      const strangers = await Strangers.settle(workload, opener, random);
      const opened = await opener.open(scene.root, { files: opener.files(), durability: "fast" });
      if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
      const bad = await way(opened.value, { strangers, tally, random });
      blame(tally, `${name}, round ${round}`, [...bad, ...(await strangers.leave(tally))]);
      count(tally, name);
      removeDiskScene(scene);
    }
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
