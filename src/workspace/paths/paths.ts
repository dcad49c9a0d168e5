import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { type Concern, concernOf, isProtected } from "./guarded-names.ts";
import { flawOf, foldName, hidesText } from "./names.ts";

/** What a caller may reach. Everything not said here is the careful choice. */
export type PathPolicy = {
  /** The only paths that may be written; absent: all that nothing else forbids. */
  readonly writable?: (path: string) => boolean;
  /** A person's agreement to files that set things in motion: all of them, or those it says yes to. */
  readonly consent?: boolean | ((path: string, concern: Concern) => boolean);
};

/** A name that has passed the gate. `path` is its one spelling, `key` what other spellings of it share. */
export type GatedPath = {
  readonly path: string;
  readonly names: readonly string[];
  readonly key: string;
  /** Some name on the way reorders or hides text: it may be read, not created. */
  readonly hidesText: boolean;
};

const longestName = 255;
const longestPath = 4096;
const deepestPath = 255;

/**
 * The gate in front of every access: relative names, separated by slashes, that stay inside the root. `.` and
 * doubled slashes are dropped; `..`, backslashes, absolute names and trailing slashes are refused; nothing is
 * expanded or decoded.
 */
export function gate(path: string, access: "read" | "write", policy: PathPolicy = {}): Outcome<GatedPath> {
  const named = parsePath(path);
  if (!named.ok) return named;
  const { path: clean, key } = named.value;
  const folded = key.split("/");
  if (folded.some(isProtected))
    return refuse({ code: "protected", path: clean, detail: folded.find(isProtected)! });
  if (access === "write" && policy.writable && !policy.writable(clean))
    return refuse({ code: "not-allowed", path: clean, detail: "not one of the files this task may write" });
  const concern = concernOf(folded);
  if (concern && (access === "write" || concern === "secrets") && !agreed(policy, clean, concern))
    return refuse({ code: "needs-consent", path: clean, detail: concern });
  return named;
}

/** The names of a path and its one spelling, if it is one that may be used at all. */
export function parsePath(path: string): Outcome<GatedPath> {
  if (typeof path !== "string") return refuse({ code: "malformed", what: "a path is text" });
  if (path.startsWith("/") || /^[a-z]:/i.test(path) || path.startsWith("\\"))
    return refuse({ code: "outside", path, detail: "an absolute path" });
  // Before anything else is done with it, so that no length costs time.
  if (path.length > 2 * longestPath) return tooLong(path.length, longestPath, "a path");
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  // Dots are folded away, and so is all that can stand for them.
  if (names.some((name) => foldName(name) === ""))
    return refuse({ code: "outside", path, detail: "a way up, or a name that could be read as one" });
  if (names.length === 0) return refuse({ code: "malformed", path, what: "the path names no file" });
  if (/(^|\/)\.?\/*$/.test(path))
    return refuse({ code: "malformed", path, what: "the path names a directory" });
  for (const name of names) {
    const flaw = flawOf(name);
    if (flaw) return refuse({ code: "malformed", path, what: `the path has ${flaw}` });
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
  return typeof consent === "function" ? consent(path, concern) : consent === true;
}

function tooLong(size: number, limit: number, what: string): Outcome<never> {
  return refuse({ code: "too-large", size, limit, what });
}
