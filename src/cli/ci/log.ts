import { logged } from "../../wording/quoted.ts";
import type { Terminal } from "../terminal.ts";

/** A terminal whose lines a runner cannot take for its commands, whoever wrote the text in them. */
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
