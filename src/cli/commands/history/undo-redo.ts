import { defined } from "../../../text/model/defined.ts";
import type { Context, Result } from "../../../tools/tool.ts";
import { redo, type UndoInput, undo } from "../../../tools/verbs/undo.ts";
import { type Call, type Command, isSet, textOf, writing } from "../../command.ts";
import { mayGoOn, runTool } from "../../run-tool.ts";

/** `suture undo` and `suture redo`: one entry, a whole run after a question, or the newest. */
export function takeBack(name: "undo" | "redo", rest: Pick<Command, "summary" | "examples">): Command {
  return {
    name,
    group: "history",
    usage: ["[ENTRY | RUN]"],
    operands: [0, 1],
    options: writing.filter((option) => !["base-version", "force"].includes(option.name)),
    ...rest,
    run: (call) => run(call, name),
  };
}

async function run(call: Call, name: "undo" | "redo"): Promise<number> {
  const { operands, options } = call;
  const shared = defined({
    reason: isSet(options, "reason") ? textOf(options, "reason") : undefined,
    dry_run: isSet(options, "dry-run") || undefined,
  });
  const act = async (context: Context): Promise<Result> => {
    const target = await targetOf(context, operands[0]);
    const risky = target.run !== undefined && !isSet(options, "dry-run");
    if (
      risky &&
      !(await mayGoOn(
        call,
        `Every entry of run ${target.run} is about to be ${name === "undo" ? "undone" : "redone"}.`,
      ))
    )
      return { success: false, output: "", tool: name, error: "Nothing was changed.", code: "declined" };
    return (name === "undo" ? undo : redo)(context, { ...target, ...shared });
  };
  return runTool(call, name, act);
}

/** A word names an entry if there is one, and otherwise a run. */
async function targetOf(
  context: Context,
  word: string | undefined,
): Promise<Pick<UndoInput, "entry" | "run">> {
  if (word === undefined) return {};
  if ((await context.reader.entry(word)).ok) return { entry: word };
  const [first] = await context.reader.history({ run: word, limit: 1 });
  return first ? { run: word } : { entry: word };
}
