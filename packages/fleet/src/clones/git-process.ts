import { spawn } from "node:child_process";
import { withoutSecrets } from "../secrets.ts";
import { type GitFailure, readGitFailures } from "./git-failures.ts";

/** Git failed. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly #failures: ReadonlySet<GitFailure>;

  constructor(message: string, failures: Iterable<GitFailure> = []) {
    super(message);
    this.#failures = new Set(failures);
  }

  is(failure: GitFailure): boolean {
    return this.#failures.has(failure);
  }
}

export type GitCall = {
  readonly folder?: string;
  readonly input?: string;
  /** Settings that must not appear in the list of processes. */
  readonly secret?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Variables for git itself. */
  readonly variables?: Readonly<Record<string, string>>;
};

/** Turns off everything that a repository or its remote could make git run or follow. */
const safeSettings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "fetch.recurseSubmodules=false",
  "submodule.recurse=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "protocol.ext.allow=never",
  "credential.interactive=false",
].flatMap((setting) => ["-c", setting]);

/** Runs git with safe settings and without prompts. */
export async function runGit(args: readonly string[], call: GitCall = {}): Promise<string> {
  const { code, signal, out, err } = await start([...safeSettings, ...args], call);
  if (code === 0) return out;
  const ending = signal === null ? `ended with ${code}` : `was ended by ${signal}`;
  throw new GitError(shorten(err) || `git ${commandOf(args)} ${ending}`, readGitFailures(err));
}

/** The command after git's own options. `-c` is the only one with a value of its own. */
function commandOf(args: readonly string[]): string {
  return args.find((arg, at) => !arg.startsWith("-") && args[at - 1] !== "-c") ?? "";
}

/** The output of git, also where it fails. */
export async function tryGit(args: readonly string[], call: GitCall = {}): Promise<GitResult> {
  return start([...safeSettings, ...args], call);
}

export type GitResult = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
};

const mostErrorText = 64 << 10;

function start(args: readonly string[], { folder, input, secret = {}, signal, variables = {} }: GitCall) {
  return new Promise<GitResult>((resolve, reject) => {
    const child = spawn("git", args, {
      ...(folder === undefined ? {} : { cwd: folder }),
      env: { ...environment(secret), ...variables },
      stdio: ["pipe", "pipe", "pipe"],
      ...(signal === undefined ? {} : { signal, killSignal: "SIGKILL" as const }),
    });
    const out: Buffer[] = [];
    let err = "";
    child.on("error", reject);
    child.stdin.on("error", () => {});
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      if (err.length < mostErrorText) err += chunk.toString();
    });
    child.on("close", (code, by) => resolve({ code, signal: by, out: Buffer.concat(out).toString(), err }));
    child.stdin.end(input ?? "");
  });
}

function environment(secret: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(withoutSecrets(process.env)).filter(([name]) => !name.startsWith("GIT_"));
  const settings = Object.entries(secret).flatMap(([name, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, name],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(settings),
    GIT_CONFIG_COUNT: String(Object.keys(secret).length),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
    GIT_ALLOW_PROTOCOL: "https:ssh:file",
    GIT_NO_LAZY_FETCH: "1",
    GIT_LFS_SKIP_SMUDGE: "1",
  };
}

function shorten(err: string): string {
  return err
    .split("\n")
    .filter((line) => /^(fatal|error|remote):/.test(line))
    .slice(0, 3)
    .join("; ")
    .replace(/\/\/[^@/\s]*@/g, "//")
    .slice(0, 400);
}
