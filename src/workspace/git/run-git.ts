import type { ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { splitNul } from "./parse-output.ts";

/** Runs git with arguments. The output, or null where git fails or is not installed. */
export type RunGit = (args: readonly string[], options?: GitRunOptions) => Promise<Uint8Array | null>;

export type GitRunOptions = {
  readonly input?: string;
  /** Settings for this call beside the harmless ones. */
  readonly settings?: readonly GitSetting[];
  /** The codes that are answers, because some commands end with 1 to say no. Default: 0. */
  readonly answers?: readonly number[];
  /** Called with each piece of the output as git prints it. The promise then has no output of its own. */
  readonly take?: (piece: Uint8Array) => void;
};

/** A key of git's configuration and its value. */
export type GitSetting = readonly [key: string, value: string];

/** Settings that keep git from starting programs which the repository or the user's settings name. */
const harmless: readonly GitSetting[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.quotePath", "false"],
  ["diff.external", ""],
  ["core.pager", "cat"],
  ["log.showSignature", "false"],
  ["submodule.recurse", "false"],
  // A bare repository inside a clone is made of committed files, its settings too.
  ["safe.bareRepository", "explicit"],
];

const options = ["--no-optional-locks", "--literal-pathspecs"];

/** Options that keep a command from the drivers and programs that attributes and settings name. */
const commandOptions: Readonly<Record<string, readonly string[]>> = {
  blame: ["--no-textconv"],
  log: ["--no-ext-diff", "--no-textconv", "--no-show-signature"],
  "diff-index": ["--no-ext-diff", "--no-textconv"],
  "diff-tree": ["--no-ext-diff", "--no-textconv"],
};

/** Variables without which a missing object or a question could start a program. */
const variables = {
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
};

/** Starts git with arguments. Its input and output are open. */
export type StartGit = (
  args: readonly string[],
  settings?: readonly GitSetting[],
) => ChildProcessByStdio<Writable, Readable, null>;

/**
 * Starts git in a folder, without the variables that would lead it to another repository. `repository`: a bare one that
 * the caller names.
 */
export function createStarter(folder: string, repository?: string): StartGit {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:GIT_|PATH$)/i.test(name));
  const env = { ...Object.fromEntries(kept), ...variables, PATH: programFolders(process.env.PATH, folder) };
  const where = repository === undefined ? [] : [`--git-dir=${repository}`];
  return ([command = "", ...args], settings = []) => {
    const configured = configure([...harmless, ...settings]);
    const call = [command, ...(commandOptions[command] ?? []), ...args];
    const child = spawn("git", [...configured.args, ...options, ...where, ...call], {
      cwd: folder,
      env: { ...env, ...configured.variables },
      stdio: ["pipe", "pipe", "ignore"],
    });
    endAtPipe(child);
    return child;
  };
}

/**
 * Ends a git that opened a named pipe and would wait for ever. An archive can have one in the place of any file that git
 * reads. Only Linux tells what a process waits for.
 */
function endAtPipe(child: ReturnType<StartGit>): void {
  if (process.platform !== "linux") return;
  const { readFile } = process.getBuiltinModule("node:fs");
  const timer = setInterval(
    () =>
      readFile(`/proc/${child.pid}/wchan`, "latin1", (_, call) => {
        if (call !== "wait_for_partner") return;
        child.emit("error", new Error("git reads a named pipe in this repository, and was ended"));
        child.kill("SIGKILL");
      }),
    500,
  ).unref();
  child.on("close", () => clearInterval(timer));
}

/** Runs git to its end, each call in a process of its own. */
export function createRunner(start: StartGit): RunGit {
  return (args, { input, answers = [0], take, settings } = {}) =>
    new Promise((resolve, reject) => {
      const child = start(args, settings);
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

/**
 * The folders in which git is looked for. npm puts the programs of the project's packages first, and some shells the current
 * folder: a file there called `git` would be started in a stranger's clone.
 */
export function programFolders(list: string | undefined, project: string): string | undefined {
  const { delimiter, isAbsolute, relative, sep } = process.getBuiltinModule("node:path");
  const isOwn = (folder: string): boolean => {
    const way = relative(project, folder);
    return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
  };
  return list
    ?.split(delimiter)
    .filter(
      (folder) => isAbsolute(folder) && !isOwn(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder),
    )
    .join(delimiter);
}

/** Git cuts `-c KEY=VALUE` at the first "=", so a key that has one goes by the environment. */
function configure(settings: readonly GitSetting[]): { args: string[]; variables: Record<string, string> } {
  const [plain, odd] = [false, true].map((isOdd) => settings.filter(([key]) => key.includes("=") === isOdd));
  const pairs = odd!.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return {
    args: plain!.flatMap(([key, value]) => ["-c", `${key}=${value}`]),
    variables: { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(odd!.length) },
  };
}

/** The output of git; throws where git fails. */
export async function demand(
  git: RunGit,
  args: readonly string[],
  options: GitRunOptions = {},
): Promise<Uint8Array> {
  const output = await git(args, options);
  if (output === null) throw new Error(`git ${args[0]} failed`);
  return output;
}

/**
 * Settings that switch the repository's filters off. Git compares files that changed in the same moment as its index
 * by content, and would run these filters for it. Throws where git does not let a filter be switched off.
 */
export async function withoutFilters(git: RunGit): Promise<readonly GitSetting[]> {
  const output = (await git(["config", "-z", "--name-only", "--list"])) ?? new Uint8Array();
  const names = new Set(splitNul(output).filter((name) => FILTER.test(name)));
  const settings = [...names].map((name): GitSetting => [name, ""]);
  for (const name of names) {
    // A version before 2.31 ignores the environment, and a name that is not UTF-8 cannot be passed on.
    const isStuck =
      name.includes("\ufffd") || (name.includes("=") && (await settingOf(git, name, settings)) !== "");
    if (isStuck) throw new Error(`git cannot switch off a filter of this repository: ${name}`);
  }
  return settings;
}

const FILTER = /^filter\..*\.(?:clean|smudge|process|required)$/s;

async function settingOf(git: RunGit, name: string, settings: readonly GitSetting[]): Promise<string | null> {
  const output = await git(["config", "-z", "--get", name], { settings });
  return output && splitNul(output).join("");
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
