import type { Call } from "./command.ts";

/** Options that say what a command looks at. The next command needs them too. */
const repeated = ["root", "base", "head", "staged", "all", "docs", "findings"];

type Asked = Pick<Call, "operands" | "options">;

/** A command that looks at the same as this call, as a person can paste it. */
export function sameWith(name: string, { operands, options }: Asked, ...more: readonly string[]): string {
  const words = repeated.flatMap((option) => {
    const value = options[option];
    if (value === undefined) return [];
    return value === true ? [`--${option}`] : [`--${option}`, shellWord(value)];
  });
  return ["suture", name, ...operands.map(shellWord), ...words, ...more].join(" ");
}

/** A word as a shell reads it back. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./^-][\w@%+=:,./^~-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
