import type { Refusal } from "../text/model/outcome.ts";
import { capitalised } from "../wording/sentences.ts";
import { exit } from "./command.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Prints why a call of a command is wrong, and returns the exit code for it. */
export function usageError(terminal: Terminal, what: string, hint?: string): number {
  const error = capitalised(what);
  if (terminal.json)
    terminal.printJson({ success: false, output: "", error, ...(hint ? { hint } : {}), code: "malformed" });
  else terminal.complain(`suture: ${error}${hint ? `\n${hint}` : ""}`);
  return exit.misused;
}

/** The same for a refusal with the code `malformed`. */
export function explainUsageError(terminal: Terminal, refusal: Refusal, hint?: string): number {
  if (refusal.code !== "malformed") throw new TypeError(`${refusal.code} is not a usage error`);
  return usageError(terminal, refusal.what, refusal.hint ?? hint);
}
