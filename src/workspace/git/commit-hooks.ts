import { decode } from "./parse-output.ts";
import { createRunner, createStarter } from "./run-git.ts";

const MARK = "# by `suture blame --install`";

/** Why the hooks of a clone were not changed: there is none, its hooks lie elsewhere, or one is no shell script. */
export type HookBarrier = "no-clone" | "hooks-path" | "no-script";

/**
 * Puts one line into each of these hooks of a clone, or takes it out where the line is null. Hooks that are there stay. Hooks
 * in a folder that the project chose are not touched: they may be committed.
 */
export async function setCommitHooks(
  root: string,
  lines: Readonly<Record<string, string | null>>,
): Promise<HookBarrier | null> {
  const git = createRunner(createStarter(root));
  const common = await git(["rev-parse", "--path-format=absolute", "--git-common-dir"]);
  if (common === null) return "no-clone";
  for (const scope of ["--local", "--global"])
    if ((await git(["config", scope, "--get", "core.hooksPath"])) !== null) return "hooks-path";
  const { join } = process.getBuiltinModule("node:path");
  const hooks = Object.entries(lines).map(([name, line]) => {
    const path = join(decode(common).trimEnd(), "hooks", name);
    return { path, line, old: readScript(path) };
  });
  if (hooks.some(({ old }) => !/^$|^#!.*sh\b/.test(old))) return "no-script";
  for (const hook of hooks) writeHook(hook);
  return null;
}

type Hook = { readonly path: string; readonly line: string | null; readonly old: string };

function readScript(path: string): string {
  const fs = process.getBuiltinModule("node:fs");
  return fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "";
}

/** The line comes first, because a script may end before its last line. */
function writeHook({ path, line, old }: Hook): void {
  const fs = process.getBuiltinModule("node:fs");
  const { dirname } = process.getBuiltinModule("node:path");
  const [shell = "", ...others] = old.split("\n").filter((each) => !each.endsWith(MARK));
  const own = line === null ? [] : [`${line} || true ${MARK}`];
  const text = [shell || "#!/bin/sh", ...own, ...(others.length > 0 ? others : [""])].join("\n");
  if (text === "#!/bin/sh\n") fs.rmSync(path, { force: true });
  else if (text !== old) {
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(path, text, { mode: 0o755 });
  }
}

/** Attaches a note to a commit under a name of its own. False where git could not. */
export async function writeNote(root: string, name: string, { commit, text }: CommitNote): Promise<boolean> {
  const git = createRunner(createStarter(root));
  const add = ["notes", `--ref=${name}`, "add", "--force", "--file=-", commit];
  return (await git(add, { input: text })) !== null;
}

export type CommitNote = { readonly commit: string; readonly text: string };

/** Adds trailers to the file of a commit message, each once. */
export async function addTrailers(root: string, file: string, trailers: readonly string[]): Promise<boolean> {
  const git = createRunner(createStarter(root));
  const words = trailers.flatMap((trailer) => ["--trailer", trailer]);
  const add = ["interpret-trailers", "--in-place", "--if-exists=addIfDifferent", ...words, file];
  return trailers.length === 0 || (await git(add)) !== null;
}
