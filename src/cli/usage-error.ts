import type { Refusal } from "../text/model/outcome.ts";
import { exit } from "./command.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Says how a command was used wrongly, and answers with the exit code for it. */
export function misuse(terminal: Terminal, what: string, hint?: string): number {
  const error = what.charAt(0).toUpperCase() + what.slice(1);
  if (terminal.json)
    terminal.printJson({ success: false, output: "", error, ...(hint ? { hint } : {}), code: "malformed" });
  else terminal.complain(`suture: ${error}${hint ? `\n${hint}` : ""}`);
  return exit.misused;
}

/** The same for a refusal of the words themselves. */
export function explainMisuse(terminal: Terminal, refusal: Refusal, hint?: string): number {
  if (refusal.code !== "malformed")
    throw new TypeError(`${refusal.code} is not about the words of a command`);
  return misuse(terminal, refusal.what, refusal.hint ?? hint);
}
