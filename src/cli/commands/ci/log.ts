import { logged } from "../../../wording/quoted.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** A terminal whose lines a runner never takes for workflow commands. */
export function withoutCommands(terminal: Terminal): Terminal {
  return {
    ...terminal,
    print: (text) => terminal.print(logged(text)),
    remark: (text) => terminal.remark(logged(text)),
    complain: (text) => terminal.complain(logged(text)),
    printJson: (value) =>
      terminal.printExactly(`${JSON.stringify(value, null, 2).replaceAll("##[", "#\\u0023[")}\n`),
  };
}
