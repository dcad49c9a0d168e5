import { splitNul } from "./parse-output.ts";

/** Runs git with arguments. The output, or null where git fails or is not installed. */
export type RunGit = (args: readonly string[], options?: GitRunOptions) => Promise<Uint8Array | null>;

export type GitRunOptions = {
  readonly input?: string;
  /** The codes that are answers, because some commands end with 1 to say no. Default: 0. */
  readonly answers?: readonly number[];
  /** Called with each piece of the output as git prints it. The promise then has no output of its own. */
  readonly take?: (piece: Uint8Array) => void;
};

/** Options that keep git from starting programs which the repository or the user's settings name. */
const harmless = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.quotePath=false",
  "-c",
  "diff.external=",
  "-c",
  "core.pager=cat",
  "--no-optional-locks",
  "--literal-pathspecs",
];

/** Runs git in a folder, without the variables that would lead it to another repository. */
export function createRunner(folder: string): RunGit {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const env = { ...Object.fromEntries(kept), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_NO_LAZY_FETCH: "1" };
  return (args, { input, answers = [0], take } = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn("git", [...harmless, ...args], {
        cwd: folder,
        env,
        stdio: ["pipe", "pipe", "ignore"],
      });
      const chunks: Uint8Array[] = [];
      child.on("error", (error: NodeJS.ErrnoException) =>
        error.code === "ENOENT" ? resolve(null) : reject(error),
      );
      child.stdin.on("error", () => {});
      child.stdout.on("data", (chunk: Uint8Array) => {
        try {
          if (take) take(chunk);
          else chunks.push(chunk);
        } catch (error) {
          child.kill();
          reject(error);
        }
      });
      child.on("close", (code) => resolve(answers.includes(code ?? -1) ? concat(chunks) : null));
      child.stdin.end(input ?? "");
    });
}

/** The output of git; throws where git fails. */
export async function demand(git: RunGit, args: readonly string[]): Promise<Uint8Array> {
  const output = await git(args);
  if (output === null) throw new Error(`git ${args[0]} failed`);
  return output;
}

/**
 * Options that switch the repository's clean filters off. Git compares files that changed in the same moment as its
 * index by content, and would run these filters for it.
 */
export async function withoutFilters(git: RunGit): Promise<string[]> {
  const output = await git([
    "config",
    "-z",
    "--name-only",
    "--get-regexp",
    "^filter\\..*\\.(clean|process|required)$",
  ]);
  return splitNul(output ?? new Uint8Array()).flatMap((name) => ["-c", `${name}=`]);
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    result.set(chunk, at);
    at += chunk.length;
  }
  return result;
}
