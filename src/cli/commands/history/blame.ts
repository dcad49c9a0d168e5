import { blame } from "../../../tools/verbs/blame.ts";
import type { HookBarrier } from "../../../workspace/git/commit-hooks.ts";
import { type Call, type Command, exit, isSet, textOf } from "../../command.ts";
import { runTool } from "../../run-tool.ts";
import { cloneBarriers, usageError } from "../../usage-error.ts";

export const command: Command = {
  name: "blame",
  group: "history",
  summary: "who wrote each line of a file, in which entry and why; also as notes and trailers of commits",
  usage: ["FILE", "--install [--trailer]", "--uninstall", "--note [COMMIT]", "--sign MESSAGE [TREE]"],
  operands: [0, 1],
  options: [
    {
      name: "install",
      text: "write a note of git-ai at each commit in this clone: which lines agents wrote",
    },
    { name: "trailer", text: "install: add `Assisted-by: AGENT:MODEL` to the commit message, too" },
    { name: "uninstall", text: "take the hooks out of this clone again" },
    { name: "note", text: "write the note of a commit (HEAD)" },
    {
      name: "sign",
      value: "MESSAGE",
      text: "add the trailers for a tree to this file with a commit message (HEAD)",
    },
  ],
  examples: [
    ["who wrote what, and why", "suture blame src/engine.ts"],
    ["tell with every commit which lines agents wrote", "suture blame --install --trailer"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const { operands, options, terminal } = call;
  if (isSet(options, "install") || isSet(options, "uninstall")) return setUp(call);
  if (isSet(options, "note") || isSet(options, "sign")) return await describeCommit(call);
  const [path] = operands;
  if (path === undefined)
    return usageError(terminal, "blame needs a file", "`suture help blame` has examples.");
  return runTool(call, "blame", (context) => blame(context, { path }), { readOnly: true });
}

/** What the hooks call. */
async function describeCommit({ operands, options, terminal }: Call): Promise<number> {
  const { openProject } = await import("../../../docs/project.ts");
  const { agentLinesOf, assistants, printGitAiNote } = await import("../../../docs/record/authorship.ts");
  const { addTrailers, writeNote } = await import("../../../workspace/git/commit-hooks.ts");
  const opened = await openProject({ root: textOf(options, "root") ?? "." });
  const failed = (what: string): number => usageError(terminal, what, "Run it inside a clone of git.");
  if (!opened.ok) return failed("there is no clone of git here");
  await using project = opened.value;
  const { git, reader } = project;
  if (!git || !reader) return failed("there is no clone of git here");
  const message = textOf(options, "sign");
  const head = operands[0] ?? "HEAD";
  if (message !== undefined) {
    const files = await agentLinesOf({ git, reader }, { base: await git.resolve("HEAD"), head });
    const trailers = assistants(files).map((who) => `Assisted-by: ${who}`);
    return (await addTrailers(git.top, message, trailers))
      ? exit.done
      : failed("git could not add a trailer");
  }
  const commit = await git.resolve(head);
  if (commit === null) return failed(`there is no commit ${head}`);
  const [base = null, ...others] = await git.parents(commit);
  const files = others.length > 0 ? [] : await agentLinesOf({ git, reader }, { base, head: commit });
  const text = printGitAiNote(files, commit);
  if (files.length > 0 && !(await writeNote(git.top, "ai", { commit, text })))
    return failed("git could not write the note");
  if (terminal.json) terminal.printJson({ commit, files: files.map(({ path }) => path) });
  return exit.done;
}

const barriers: Readonly<Record<HookBarrier, readonly [what: string, hint: string]>> = {
  ...cloneBarriers,
  "hooks-path": [
    "this clone keeps its hooks in a folder of its own (core.hooksPath)",
    'Add `suture blame --note` to its post-commit, and `suture blame --sign "$1" "$(git write-tree)"` to its commit-msg.',
  ],
  "no-script": ["a hook of this clone is no shell script", "Call `suture blame --note` from it."],
};

async function setUp({ options, terminal }: Call): Promise<number> {
  const { setCommitHooks } = await import("../../../workspace/git/commit-hooks.ts");
  const { callName } = await import("../agent-hooks/call-name.ts");
  const root = textOf(options, "root") ?? ".";
  const isWanted = isSet(options, "install");
  const call = `${callName({ root, absolute: true })} blame --quiet`;
  const barrier = await setCommitHooks(root, {
    "post-commit": isWanted ? `${call} --note` : null,
    "commit-msg": isWanted && isSet(options, "trailer") ? `${call} --sign "$1" "$(git write-tree)"` : null,
  });
  if (barrier) return usageError(terminal, ...barriers[barrier]);
  if (terminal.json) terminal.printJson({ installed: isWanted });
  else
    terminal.print(isWanted ? "Commits in this clone get notes under refs/notes/ai." : "The hooks are gone.");
  return exit.done;
}
