import { accept, type Outcome, refuse } from "../text/outcome.ts";

/** Writes a report to a file that the caller names, wherever it lies. A link in its place is not followed. */
export function writeOutput(name: string, text: string): Outcome<true> {
  return put(name, text, "w");
}

/** Adds to a file that the CI host has made for it. */
export function appendOutput(name: string, text: string): Outcome<true> {
  return put(name, text, "a");
}

function put(name: string, text: string, how: "w" | "a"): Outcome<true> {
  const fs = process.getBuiltinModule("node:fs");
  const path = process.getBuiltinModule("node:path");
  const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_NOFOLLOW } = fs.constants;
  try {
    fs.mkdirSync(path.dirname(name), { recursive: true });
    const file = fs.openSync(
      name,
      O_WRONLY | O_CREAT | (how === "w" ? O_TRUNC : O_APPEND) | (O_NOFOLLOW ?? 0),
      0o644,
    );
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
