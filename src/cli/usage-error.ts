import { defined } from "../text/model/defined.ts";
import type { Refusal } from "../text/model/outcome.ts";
import { capitalised } from "../wording/sentences.ts";
import type { CloneBarrier } from "../workspace/git/own-files.ts";
import { exit } from "./command.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Prints why a call of a command is wrong, and returns the exit code for it. */
export function usageError(terminal: Terminal, what: string, hint?: string): number {
  const error = capitalised(what);
  if (terminal.json)
    terminal.printJson({
      success: false,
      output: "",
      error,
      ...defined({ hint: hint || undefined }),
      code: "malformed",
    });
  else terminal.complain(`suture: ${error}${hint ? `\n${hint}` : ""}`);
  return exit.misused;
}

/** Why a clone cannot be set up, for `usageError`. */
export const cloneBarriers: Readonly<Record<CloneBarrier, readonly [what: string, hint: string]>> = {
  "no-clone": ["there is no clone of git here", "Run it inside one, or name one with --root."],
  elsewhere: ["this clone keeps a file of git's in another place, by a link", "Work in a fresh clone."],
};

/** The same for a refusal with the code `malformed`. */
export function explainUsageError(terminal: Terminal, refusal: Refusal, hint?: string): number {
  if (refusal.code !== "malformed") throw new TypeError(`${refusal.code} is not a usage error`);
  return usageError(terminal, refusal.what, refusal.hint ?? hint);
}
