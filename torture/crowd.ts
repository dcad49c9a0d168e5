import { spawn } from "node:child_process";
import { childEnvironment, childProgram } from "./processes.ts";
import type { Random } from "./random.ts";

export type Crowd = {
  /** The child's program. It prints `try …` when it begins a piece of work and `done …` when it has finished it. */
  readonly child: string;
  readonly args: (name: string, pieces: number) => readonly string[];
  readonly processes: number;
  /** The pieces of work for each process. */
  readonly pieces: number;
  /** How many processes are killed. Another process continues the work of a killed one. */
  readonly kills: number;
  readonly random: Random;
  readonly onLine: (line: string) => void;
};

export type CrowdResult = { readonly killed: number; readonly errors: readonly string[] };

/** Runs many processes in parallel and kills some at random moments, until all work is done. */
export async function runCrowd(crowd: Crowd): Promise<CrowdResult> {
  const { processes, pieces, kills, random } = crowd;
  const program = await childProgram(crowd.child);
  const left = { kills };
  // Kills are spread over the whole run: on average a process lives for this many pieces.
  const life = kills === 0 ? 0 : Math.max(1, Math.floor((processes * pieces) / kills));
  const runPlace = async (index: number): Promise<string> => {
    let done = 0;
    for (let round = 0; done < pieces; round++) {
      const isKilled = left.kills > 0;
      if (isKilled) left.kills--;
      const killAt = isKilled ? 1 + random.below(Math.min(2 * life, pieces - done)) : null;
      const name = `${index}-${round}`;
      const child = await runCrowdChild(crowd, { program, name, pieces: pieces - done, killAt });
      done += child.done;
      if (child.killed) continue;
      if (isKilled) left.kills++;
      if (child.error !== "") return child.error;
    }
    return "";
  };
  const errors = await Promise.all(Array.from({ length: processes }, (_, index) => runPlace(index)));
  return { killed: kills - left.kills, errors: errors.filter((error) => error !== "") };
}

type ChildResult = { readonly done: number; readonly killed: boolean; readonly error: string };

type CrowdChild = {
  readonly program: string;
  readonly name: string;
  readonly pieces: number;
  readonly killAt: number | null;
};

/** Runs one process to its end. It is killed shortly after it has begun its piece number `killAt`. */
function runCrowdChild(
  { args, onLine, random }: Crowd,
  { program, name, pieces, killAt }: CrowdChild,
): Promise<ChildResult> {
  const process_ = spawn(process.execPath, [program, ...args(name, pieces)], {
    env: childEnvironment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let [rest, stderr] = ["", ""];
    let [begun, done, killed] = [0, 0, false];
    const kill = (): void => {
      killed = process_.kill("SIGKILL");
    };
    const readLine = (line: string): void => {
      onLine(line);
      if (line.startsWith("done ")) done++;
      if (line.startsWith("try ") && ++begun === killAt) setTimeout(kill, random.below(20));
    };
    process_.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    process_.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) readLine(line);
    });
    process_.on("error", reject);
    process_.on("close", (_code, signal) =>
      resolve({ done, killed: killed && signal === "SIGKILL", error: firstError(stderr) }),
    );
  });
}

function firstError(stderr: string): string {
  return /^\w*Error: .*$/m.exec(stderr)?.[0] ?? stderr.trim();
}
