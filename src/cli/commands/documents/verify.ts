import type { Project } from "../../../docs/project.ts";
import { verify } from "../../../docs/record/verify.ts";
import { verifyWords } from "../../../wording/drift.ts";
import { type Call, type Command, exit } from "../../command.ts";
import { usageError } from "../../usage-error.ts";
import { decline, docsOption, withProject } from "../../with-project.ts";

export const command: Command = {
  name: "verify",
  group: "documentation",
  summary: "derive the edits of a recorded run again, from git alone",
  usage: ["[RUN]"],
  operands: [0, 1],
  options: [docsOption],
  examples: [
    ["the last run", "suture verify"],
    ["the last run over pages in another clone", "suture verify --docs ../handbook"],
  ],
  run,
};

function run(call: Call): Promise<number> {
  return withProject(call, "verify", (project) => verifyAt(call, project));
}

async function verifyAt({ operands, terminal }: Call, project: Project): Promise<number> {
  if (!(project.docs ?? project).reader)
    return usageError(terminal, "verify needs a work tree, where the records of runs are");
  const verified = await verify(project, operands[0]);
  if (!verified.ok) return decline(terminal, "verify", verified.refusal);
  const { id, edits } = verified.value;
  const wrong = edits.filter(({ verdict }) => verdict === "not-derived");
  const unsure = edits.filter(({ verdict }) => verdict === "cannot-tell");
  if (terminal.json) terminal.printJson({ success: wrong.length + unsure.length === 0, run: id, edits });
  else
    for (const { path, finding, verdict, why } of edits)
      terminal.print(`${verdict === "derived" ? "✓" : "✗"} ${path} ${finding}${why ? `: ${why}` : ""}`);
  const whyUnsure = unsure[0]?.why;
  terminal.remark(
    verifyWords.summary(id, { all: edits.length, wrong: wrong.length, unsure: unsure.length, whyUnsure }),
  );
  if (wrong.length > 0) return exit.refused;
  return unsure.length > 0 ? exit.failed : exit.done;
}
