import { verifyRun } from "../../docs/verify.ts";
import { plural } from "../../wording/report.ts";
import { atSite, decline, type Site } from "../check-repository.ts";
import { type Call, type Command, exit } from "../command.ts";
import { misuse } from "../usage-error.ts";

export const command: Command = {
  name: "verify",
  group: "documentation",
  summary: "derive the edits of a recorded run again, from git alone",
  usage: ["[RUN]"],
  operands: [0, 1],
  options: [],
  examples: [["the last run", "suture verify"]],
  run,
};

function run(call: Call): Promise<number> {
  return atSite(call, "verify", (site) => verifyAt(call, site));
}

async function verifyAt({ operands, terminal }: Call, { git, reader }: Site): Promise<number> {
  if (!reader) return misuse(terminal, "verify needs a work tree, where the records of runs are");
  const verified = await verifyRun(git, reader, operands[0]);
  if (!verified.ok) return decline(terminal, "verify", verified.refusal);
  const { id, edits } = verified.value;
  const wrong = edits.filter(({ verdict }) => verdict === "not-derived");
  const unsure = edits.filter(({ verdict }) => verdict === "cannot-tell");
  if (terminal.json) terminal.printJson({ success: wrong.length + unsure.length === 0, run: id, edits });
  else
    for (const { path, finding, verdict, why } of edits)
      terminal.print(`${verdict === "derived" ? "✓" : "✗"} ${path} ${finding}${why ? `: ${why}` : ""}`);
  terminal.remark(
    `${id}: ${plural(edits.length - wrong.length - unsure.length, "edit")} derived again, ${wrong.length} not, ${unsure.length} cannot be told`,
  );
  if (wrong.length > 0) return exit.refused;
  return unsure.length > 0 ? exit.failed : exit.done;
}
