import { spawn } from "node:child_process";
import { childEnvironment, childProgram } from "./processes.ts";
import type { Random } from "./random.ts";

export type Crowd = {
  /** The child's program. It says `try …` when it begins a piece of work and `done …` when it has finished it. */
  readonly child: string;
  readonly args: (name: string, pieces: number) => readonly string[];
  readonly processes: number;
  /** How many pieces of work each has to do. */
  readonly pieces: number;
  /** How many are killed on the way; another goes on where a killed one was. */
  readonly kills: number;
  readonly random: Random;
  readonly hear: (line: string) => void;
};

export type Dispersed = { readonly killed: number; readonly troubles: readonly string[] };

/** Runs many processes at once, killing some at any moment, until each has done its work. */
export async function runCrowd(crowd: Crowd): Promise<Dispersed> {
  const { processes, pieces, kills, random } = crowd;
  const program = await childProgram(crowd.child);
  const left = { kills };
  // Deaths are spread over the whole: on average a process lives for this many pieces.
  const life = kills === 0 ? 0 : Math.max(1, Math.floor((processes * pieces) / kills));
  const place = async (index: number): Promise<string> => {
    let done = 0;
    for (let round = 0; done < pieces; round++) {
      const mortal = left.kills > 0;
      if (mortal) left.kills--;
      const fate = mortal ? 1 + random.below(Math.min(2 * life, pieces - done)) : null;
      const lived = await live(crowd, program, `${index}-${round}`, pieces - done, fate);
      done += lived.done;
      if (lived.killed) continue;
      if (mortal) left.kills++;
      if (lived.trouble !== "") return lived.trouble;
    }
    return "";
  };
  const troubles = await Promise.all(Array.from({ length: processes }, (_, index) => place(index)));
  return { killed: kills - left.kills, troubles: troubles.filter((trouble) => trouble !== "") };
}

type Lived = { readonly done: number; readonly killed: boolean; readonly trouble: string };

/** One process from start to end; it is killed some moment after it has begun its piece number `fate`. */
function live(
  { args, hear, random }: Crowd,
  program: string,
  name: string,
  pieces: number,
  fate: number | null,
): Promise<Lived> {
  const process_ = spawn(process.execPath, [program, ...args(name, pieces)], {
    env: childEnvironment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let [rest, trouble] = ["", ""];
    let [begun, done, killed] = [0, 0, false];
    const kill = (): void => {
      killed = process_.kill("SIGKILL");
    };
    const heard = (line: string): void => {
      hear(line);
      if (line.startsWith("done ")) done++;
      if (line.startsWith("try ") && ++begun === fate) setTimeout(kill, random.below(20));
    };
    process_.stderr.setEncoding("utf8").on("data", (text: string) => {
      trouble += text;
    });
    process_.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) heard(line);
    });
    process_.on("error", reject);
    process_.on("close", (_code, signal) =>
      resolve({ done, killed: killed && signal === "SIGKILL", trouble: firstError(trouble) }),
    );
  });
}

function firstError(trouble: string): string {
  return /^\w*Error: .*$/m.exec(trouble)?.[0] ?? trouble.trim();
}
