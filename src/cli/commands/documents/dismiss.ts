import { configPath } from "../../../docs/config.ts";
import { dismissFinding } from "../../../docs/fix/dismiss.ts";
import type { Project } from "../../../docs/project.ts";
import { openContext } from "../../../tools/context.ts";
import { type Call, type Command, exit, textOf } from "../../command.ts";
import { usageError } from "../../usage-error.ts";
import { decline, withProject } from "../../with-project.ts";

export const command: Command = {
  name: "dismiss",
  group: "documentation",
  summary: "dismiss a finding, so that it is not reported again",
  usage: ["ID --reason TEXT"],
  operands: [1, 1],
  options: [{ name: "reason", short: "m", value: "TEXT", text: "why the passage is right as it is" }],
  examples: [
    [
      "never report this passage again",
      "suture dismiss rename-0a1b2c3d --reason 'an example of the old name'",
    ],
  ],
  run,
};

function run(call: Call): Promise<number> {
  const reason = textOf(call.options, "reason");
  if (reason === undefined || reason.trim() === "")
    return Promise.resolve(usageError(call.terminal, "dismiss needs --reason TEXT"));
  return withProject(call, "dismiss", (project) => dismissAt(call, project, reason));
}

async function dismissAt({ operands, terminal }: Call, { root }: Project, reason: string): Promise<number> {
  const opened = await openContext({
    root,
    task: "dismiss",
    policy: { consent: (path) => path === configPath },
  });
  if (!opened.ok) return decline(terminal, "dismiss", opened.refusal);
  const context = opened.value;
  try {
    const applied = await dismissFinding(context, operands[0]!, reason);
    if (!applied.ok) return decline(terminal, "dismiss", applied.refusal);
    if (terminal.json)
      terminal.printJson({ success: true, entry: applied.value.entry?.id, path: configPath });
    else terminal.print(`✓ ${operands[0]} is dismissed in ${configPath}`);
    return exit.done;
  } finally {
    await context.reader.close();
  }
}
