import { execFile } from "node:child_process";

export type Executed = { readonly ok: boolean; readonly output: string };

export type ExecuteOptions = {
  readonly root: string;
  /** The commands the user allows, word by word. */
  readonly allowed: readonly (readonly string[])[];
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
};

const mostOutput = 64 * 1024;

/** Runs a command that the user has allowed in just these words: no shell, no secrets of ours, and not for ever. */
export function execute(command: readonly string[], options: ExecuteOptions): Promise<Executed> {
  const { root, allowed, timeoutMs = 120_000, signal } = options;
  const agreed = allowed.some(
    (words) => words.length === command.length && words.every((word, i) => word === command[i]),
  );
  const [program, ...args] = command;
  if (!agreed || program === undefined)
    return Promise.resolve({
      ok: false,
      output: `${JSON.stringify(command)} is not one of the allowed commands`,
    });
  const env = Object.fromEntries(
    passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  return new Promise((resolve) => {
    const run = {
      cwd: root,
      env,
      timeout: timeoutMs,
      killSignal: "SIGKILL" as const,
      maxBuffer: 16 * 1024 * 1024,
      shell: false,
      windowsHide: true,
    };
    execFile(program, args, { ...run, ...(signal ? { signal } : {}) }, (error, stdout, stderr) => {
      const said = `${stdout}${stderr === "" ? "" : `\n${stderr}`}`.trim();
      const shown =
        said.length > mostOutput
          ? `${said.slice(0, mostOutput)}\n(${said.length - mostOutput} more characters)`
          : said;
      resolve({
        ok: error === null,
        output: error === null ? shown : `${shown}\n(${whyEnded(error)})`.trim(),
      });
    });
  });
}

// What programs need to find each other; keys and tokens are not passed on.
const passedOn = [
  "PATH",
  "HOME",
  "LANG",
  "LC_ALL",
  "TMPDIR",
  "TEMP",
  "TMP",
  "SystemRoot",
  "APPDATA",
  "USERPROFILE",
  "CI",
  "NODE_ENV",
];

function whyEnded(error: Error & { readonly killed?: boolean; readonly code?: unknown }): string {
  if (error.killed) return "it did not end in time";
  return typeof error.code === "number"
    ? `exit code ${error.code}`
    : `it could not be run: ${String(error.code ?? error.message)}`;
}
