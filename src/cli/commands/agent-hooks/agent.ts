import { type Call, type Command, textOf } from "../../command.ts";
import { usageError } from "../../usage-error.ts";
import type { ToolHookOptions } from "./witness.ts";

/** The subcommands of `suture agent`, each loaded on first use. */
const actions: Readonly<Record<string, (call: Call) => Promise<number>>> = {
  start: async (call) => (await import("./hook.ts")).answerHook(call, "start"),
  stop: async (call) => (await import("./hook.ts")).answerHook(call, "stop"),
  before: async (call) => (await import("./witness.ts")).answerTool("before", toolOptions(call)),
  after: async (call) => (await import("./witness.ts")).answerTool("after", toolOptions(call)),
  install: async (call) => (await import("./install.ts")).install(call),
  uninstall: async (call) => (await import("./install.ts")).uninstall(call),
  status: async (call) => (await import("./install.ts")).status(call),
};

export const command: Command = {
  name: "agent",
  group: "documentation",
  summary: "tell coding agents, at the end of each turn, which passages they made false",
  usage: [
    "install [--target CLIENT] [--user] [--no-witness]",
    "uninstall [--target CLIENT] [--user]",
    "status [--target CLIENT]",
    "start",
    "stop [--fix] [--record] [--limit SECONDS]",
    "before",
    "after",
  ],
  operands: [1, 1],
  options: [
    {
      name: "target",
      value: "CLIENT",
      text: "claude, codex, gemini, copilot, vscode or cursor (recognised by what it sends)",
    },
    { name: "user", text: "install, uninstall: for all your projects, in the client's own settings" },
    { name: "command", value: "TEXT", text: "install: what calls Suture in the hooks (suture)" },
    { name: "no-witness", text: "install: no hooks around the client's own edit tools" },
    { name: "dry-run", short: "n", text: "install, uninstall: show what would be written" },
    { name: "fix", text: "stop: make the certain edits, and report them" },
    { name: "record", text: "stop: put what the agent's commands changed into the journal" },
    { name: "limit", value: "SECONDS", integer: true, text: "stop: give up after so long (20)" },
  ],
  examples: [
    ["hooks for the agents that are used here", "suture agent install"],
    ["hooks for one of them", "suture agent install --target claude"],
    ["take the last installation back, to the byte", "suture undo"],
    ["are they in place, and will they run?", "suture agent status"],
  ],
  run,
};

function toolOptions({ options, terminal }: Call): ToolHookOptions {
  return { target: textOf(options, "target"), isVerbose: terminal.verbose };
}

function run(call: Call): Promise<number> {
  const [name = ""] = call.operands;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action) return action(call);
  const known = Object.keys(actions).join(", ");
  return Promise.resolve(
    usageError(call.terminal, `agent has no action ${name}`, `Its actions are ${known}.`),
  );
}
