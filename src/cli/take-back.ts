import type { Context, Result } from "../tools/tool.ts";
import { redo, type UndoInput, undo } from "../tools/undo.ts";
import { type Call, type Command, exit, isSet, textOf, writing } from "./command.ts";
import { perform } from "./perform.ts";
import type { Terminal } from "./terminal.ts";

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
  const { operands, options, terminal } = call;
  const shared = {
    ...(isSet(options, "reason") ? { reason: textOf(options, "reason") } : {}),
    ...(isSet(options, "dry-run") ? { dry_run: true } : {}),
  };
  let declined = false;
  const act = async (context: Context): Promise<Result> => {
    const target = await targetOf(context, operands[0]);
    if (target.run !== undefined && !isSet(options, "dry-run") && !isSet(options, "yes"))
      declined = !(await confirm(terminal, name, target.run));
    if (declined)
      return { success: false, output: "", tool: name, error: "Nothing was changed.", code: "declined" };
    return (name === "undo" ? undo : redo)(context, { ...target, ...shared });
  };
  const code = await perform(call, name, act);
  return declined ? exit.refused : code;
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

/** Only a person at a terminal is asked; a program has said what it wants. */
async function confirm(terminal: Terminal, name: string, run: string): Promise<boolean> {
  const answer = await terminal.ask(`${name === "undo" ? "Undo" : "Redo"} every entry of run ${run}? [y/N]`);
  return answer === undefined || answer.startsWith("y");
}
