import { accept, type Outcome, refuse } from "../text/outcome.ts";

/**
 * Writes a report to a file that the caller names, wherever it lies. Below `root`, whose files others have written, no
 * link is followed, neither in place of the file nor on the way to it.
 */
export function writeOutput(name: string, text: string, root: string): Outcome<true> {
  const link = findLink(name, root);
  if (link !== null) return refuse({ code: "not-allowed", detail: `${link} is a link, and is not followed` });
  return put(name, text, "w");
}

/** Adds to a file that the CI host has made for it. */
export function appendOutput(name: string, text: string): Outcome<true> {
  return put(name, text, "a");
}

function findLink(name: string, root: string): string | null {
  const { relative, resolve, isAbsolute, sep, join } = process.getBuiltinModule("node:path");
  const { lstatSync } = process.getBuiltinModule("node:fs");
  const way = relative(resolve(root), resolve(name));
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) return null;
  const names = way.split(sep);
  const steps = names.map((_, depth) => join(resolve(root), ...names.slice(0, depth + 1)));
  return steps.find((step) => lstatSync(step, { throwIfNoEntry: false })?.isSymbolicLink()) ?? null;
}

function put(name: string, text: string, how: "w" | "a"): Outcome<true> {
  const fs = process.getBuiltinModule("node:fs");
  const path = process.getBuiltinModule("node:path");
  const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_NOFOLLOW } = fs.constants;
  const flags = O_WRONLY | O_CREAT | (how === "w" ? O_TRUNC : O_APPEND) | (O_NOFOLLOW ?? 0);
  try {
    fs.mkdirSync(path.dirname(name), { recursive: true });
    const file = fs.openSync(name, flags, 0o644);
    try {
      fs.writeFileSync(file, text);
    } finally {
      fs.closeSync(file);
    }
    return accept(true);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return refuse({ code: "unavailable", detail: `cannot write ${name} (${code})` });
  }
}
