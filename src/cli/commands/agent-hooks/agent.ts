import { type Call, type Command, textOf } from "../../command.ts";
import { misuse } from "../../usage-error.ts";

/** What `suture agent` does, each loaded when it is asked for. */
const actions: Readonly<Record<string, (call: Call) => Promise<number>>> = {
  start: async (call) => (await import("./hook.ts")).answerHook(call, "start"),
  stop: async (call) => (await import("./hook.ts")).answerHook(call, "stop"),
};

export const command: Command = {
  name: "agent",
  group: "documentation",
  summary: "tell coding agents, at the end of each turn, which passages they made false",
  usage: ["start", "stop [--fix] [--limit SECONDS]"],
  operands: [1, 1],
  options: [
    {
      name: "target",
      value: "CLIENT",
      text: "claude, codex, gemini, copilot, vscode or cursor (recognised by what it sends)",
    },
    { name: "fix", text: "stop: make the certain edits, and report them" },
    { name: "limit", value: "SECONDS", integer: true, text: "stop: give up after so long (20)" },
  ],
  examples: [["what a client's hook runs at the end of a turn", "suture agent stop --target codex"]],
  run,
};

function run(call: Call): Promise<number> {
  const [name = ""] = call.operands;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action) return action(call);
  const known = Object.keys(actions).join(", ");
  return Promise.resolve(misuse(call.terminal, `agent has no action ${name}`, `Its actions are ${known}.`));
}

/** The client that `--target` names. */
export function targetOf({ options }: Call): string | undefined {
  return textOf(options, "target");
}
