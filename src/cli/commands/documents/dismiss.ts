import { dismissFindings } from "../../../docs/fix/dismiss.ts";
import type { Project } from "../../../docs/project.ts";
import { findReported } from "../../../docs/record/reported-ids.ts";
import { nearest } from "../../../text/match/nearest.ts";
import { configPath } from "../../../tools/config-path.ts";
import { openContext } from "../../../tools/context.ts";
import { dismissWords } from "../../../wording/drift.ts";
import { type Call, type Command, exit, textOf } from "../../command.ts";
import { usageError } from "../../usage-error.ts";
import { decline, docsOption, rangeOf, rangeOptions, withProject } from "../../with-project.ts";

export const command: Command = {
  name: "dismiss",
  group: "documentation",
  summary: "dismiss a finding, so that it is not reported again",
  usage: ["ID --reason TEXT"],
  operands: [1, 1],
  options: [
    { name: "reason", short: "m", value: "TEXT", text: "why the passage is right as it is" },
    ...rangeOptions,
    docsOption,
  ],
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

async function dismissAt(call: Call, project: Project, reason: string): Promise<number> {
  const { operands, options, terminal } = call;
  const id = operands[0]!;
  const { isKnown, ids } = await findReported(project, id, rangeOf(options));
  if (!isKnown) return usageError(terminal, dismissWords.unknown(id), dismissWords.hint(nearest(id, ids)));
  const { root } = project.docs?.isAgreed ? project.docs : project;
  const opened = await openContext({
    root,
    task: "dismiss",
    policy: { consent: (path) => path === configPath },
  });
  if (!opened.ok) return decline(terminal, "dismiss", opened.refusal);
  const context = opened.value;
  try {
    const applied = await dismissFindings(context, [id], reason);
    if (!applied.ok) return decline(terminal, "dismiss", applied.refusal);
    if (terminal.json)
      terminal.printJson({ success: true, entry: applied.value.entry?.id, path: configPath });
    else terminal.print(`✓ ${id} is dismissed in ${configPath}`);
    return exit.done;
  } finally {
    await context.reader.close();
  }
}
