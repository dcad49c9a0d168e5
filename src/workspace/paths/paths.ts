import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { type Concern, concernOf, isProtected, mayHoldSecrets, wordFor } from "./guarded-names.ts";
import { foldName, hidesText, problemOf } from "./names.ts";

/**
 * The files that a caller may access. The defaults are the restrictive ones. A function may answer with a promise, and only the
 * answer `true` allows: any other value refuses.
 */
export type PathPolicy = {
  /** Limits the paths that may be written; absent: no limit besides the gate's own rules. */
  readonly writable?: (path: string) => boolean | Promise<boolean>;
  /** A person's consent to write sensitive files: all of them, or those for which the function answers true. */
  readonly consent?: boolean | ((path: string, concern: Concern) => boolean | Promise<boolean>);
};

/** A path that has passed the gate. `path` is its canonical spelling, `key` is shared by other spellings of it. */
export type GatedPath = {
  readonly path: string;
  readonly names: readonly string[];
  readonly key: string;
  /** A name in the path reorders or hides text. Such a file may be read, but not created. */
  readonly hidesText: boolean;
};

const longestName = 255;
const longestPath = 4096;
const deepestPath = 255;

/**
 * The gate checks the path of every access. It accepts relative paths with slashes that stay inside the root. It drops
 * `.` and doubled slashes, refuses `..`, backslashes, absolute paths and trailing slashes, and never expands or decodes.
 * A promise is no answer here: `AskedPolicy` waits for it first.
 */
export function gate(path: string, access: "read" | "write", policy: PathPolicy = {}): Outcome<GatedPath> {
  const named = parsePath(path);
  if (!named.ok) return named;
  const { path: clean, key } = named.value;
  const folded = key.split("/");
  const guarded = folded.find(isProtected);
  if (guarded !== undefined) return refuse({ code: "protected", path: clean, detail: guarded });
  if (access === "write" && policy.writable && policy.writable(clean) !== true)
    return refuse({ code: "not-allowed", path: clean, detail: "not one of the files this task may write" });
  const concern = access === "write" || mayHoldSecrets(folded) ? concernOf(folded) : null;
  if (concern && (access === "write" || concern === "secrets") && !agreed(policy, clean, concern))
    return refuse({ code: "needs-consent", path: clean, detail: concern, word: wordFor(concern) });
  return named;
}

/** Parses a path into its names and its canonical spelling, if it is usable at all. */
export function parsePath(path: string): Outcome<GatedPath> {
  if (typeof path !== "string") return refuse({ code: "malformed", what: "a path is text" });
  if (path.startsWith("/") || /^[a-z]:/i.test(path) || path.startsWith("\\"))
    return refuse({ code: "outside", path, detail: "an absolute path" });
  // Checked first, so that a very long path costs no time.
  if (path.length > 2 * longestPath) return tooLong(path.length, longestPath, "a path");
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  // Folding removes dots, and every character that can be read as a dot.
  if (names.some((name) => foldName(name) === ""))
    return refuse({
      code: "outside",
      path,
      detail: "a parent directory, or a name that could be read as one",
    });
  if (names.length === 0) return refuse({ code: "malformed", path, what: "the path names no file" });
  if (/(^|\/)\.?\/*$/.test(path))
    return refuse({ code: "malformed", path, what: "the path names a directory" });
  for (const name of names) {
    const problem = problemOf(name);
    if (problem) return refuse({ code: "malformed", path, what: `the path has ${problem}` });
  }
  const bytes = names.map((name) => new TextEncoder().encode(name).length);
  if (Math.max(...bytes) > longestName) return tooLong(Math.max(...bytes), longestName, "a name");
  const total = bytes.reduce((sum, length) => sum + length + 1, -1);
  if (total > longestPath) return tooLong(total, longestPath, "a path");
  if (names.length > deepestPath) return tooLong(names.length, deepestPath, "the names in a path");
  return accept({
    path: names.join("/"),
    names,
    key: names.map(foldName).join("/"),
    hidesText: names.some(hidesText),
  });
}

function agreed({ consent }: PathPolicy, path: string, concern: Concern): boolean {
  return (typeof consent === "function" ? consent(path, concern) : consent) === true;
}

function tooLong(size: number, limit: number, what: string): Outcome<never> {
  return refuse({ code: "too-large", size, limit, what });
}
