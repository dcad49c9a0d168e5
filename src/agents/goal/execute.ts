import { execFile } from "node:child_process";
import { goalText } from "../../wording/agents.ts";

export type Executed = { readonly ok: boolean; readonly output: string };

export type ExecuteOptions = {
  readonly root: string;
  /** The exact commands that the user allows. */
  readonly allowed: readonly (readonly string[])[];
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
};

const maxOutput = 64 * 1024;

/** Runs a command that the user allows in exactly these words: without a shell, without secrets, with a time limit. */
export function execute(command: readonly string[], options: ExecuteOptions): Promise<Executed> {
  const { root, allowed, timeoutMs = 120_000, signal } = options;
  const isAllowed = allowed.some(
    (words) => words.length === command.length && words.every((word, i) => word === command[i]),
  );
  const [program, ...args] = command;
  if (!isAllowed || program === undefined)
    return Promise.resolve({ ok: false, output: goalText.notAllowed(command) });
  const settings = {
    cwd: root,
    env: Object.fromEntries(passedOn.map((name) => [name, process.env[name]])),
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: 16 * 1024 * 1024,
    shell: false,
    windowsHide: true,
    signal,
  } as const;
  return new Promise((resolve) => {
    execFile(program, args, settings, (error, stdout, stderr) => {
      const output = shorten(`${stdout}${stderr === "" ? "" : `\n${stderr}`}`.trim());
      if (error === null) resolve({ ok: true, output });
      else resolve({ ok: false, output: `${output}\n(${whyEnded(error)})`.trim() });
    });
  });
}

function shorten(output: string): string {
  if (output.length <= maxOutput) return output;
  return `${output.slice(0, maxOutput)}\n${goalText.moreOutput(output.length - maxOutput)}`;
}

// Programs need these variables to find each other. Keys and tokens are not passed on.
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
  if (error.killed) return goalText.timedOut;
  return typeof error.code === "number"
    ? goalText.exitCode(error.code)
    : goalText.notRun(String(error.code ?? error.message));
}
