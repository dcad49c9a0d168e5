import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";

/** One bare clone, read through a single `git cat-file --batch`. */
export type Clone = {
  readonly tree: (commit: string) => Promise<Map<string, string>>;
  readonly changed: (
    from: string,
    to: string,
  ) => Promise<{ path: string; before: string | null; after: string | null }[]>;
  readonly blob: (id: string) => Promise<Buffer | null>;
  readonly close: () => void;
};

const NO_BLOB = "0000000000000000000000000000000000000000";
const REGULAR = new Set(["100644", "100755"]);

export function openClone(gitDir: string): Clone {
  const batch = openBatch(gitDir);
  return {
    async tree(commit) {
      const listed = new Map<string, string>();
      for (const line of (await run(gitDir, ["ls-tree", "-r", "-z", "--full-tree", commit])).split("\0")) {
        const tab = line.indexOf("\t");
        const [mode, , id] = line.slice(0, tab).split(" ");
        if (tab > 0 && REGULAR.has(mode!)) listed.set(line.slice(tab + 1), id!);
      }
      return listed;
    },
    async changed(from, to) {
      const fields = (await run(gitDir, ["diff-tree", "-r", "-z", "--no-renames", from, to])).split("\0");
      const changes = [];
      for (let i = 0; i + 1 < fields.length; i += 2) {
        const [oldMode, newMode, before, after] = fields[i]!.slice(1).split(" ");
        changes.push({
          path: fields[i + 1]!,
          before: before === NO_BLOB || !REGULAR.has(oldMode!) ? null : before!,
          after: after === NO_BLOB || !REGULAR.has(newMode!) ? null : after!,
        });
      }
      return changes;
    },
    blob: batch.read,
    close: batch.close,
  };
}

function run(gitDir: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) =>
    execFile(
      "git",
      ["--git-dir", gitDir, "-c", "core.quotepath=off", ...args],
      { maxBuffer: 1 << 28, encoding: "utf8" },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    ),
  );
}

/** Answers come back in the order of the questions, so a queue of waiting callers is enough. */
function openBatch(gitDir: string): { read: (id: string) => Promise<Buffer | null>; close: () => void } {
  const process: ChildProcessWithoutNullStreams = spawn("git", ["--git-dir", gitDir, "cat-file", "--batch"]);
  const waiting: ((found: Buffer | null) => void)[] = [];
  let held: Buffer = Buffer.alloc(0);
  let chunks: Buffer[] = [];
  let arrived = 0;
  let needed = 0;
  process.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    arrived += chunk.length;
    if (arrived < needed) return;
    held = Buffer.concat([held, ...chunks]);
    chunks = [];
    answer();
    arrived = held.length;
  });
  function answer(): void {
    for (;;) {
      const newline = held.indexOf(10);
      if (newline < 0) {
        needed = 0;
        return;
      }
      const header = held.toString("latin1", 0, newline).split(" ");
      if (header.length < 3 || header[1] === "missing") {
        held = held.subarray(newline + 1);
        waiting.shift()?.(null);
        continue;
      }
      const size = Number(header[2]);
      needed = newline + 1 + size + 1;
      if (held.length < needed) return;
      const content = Buffer.from(held.subarray(newline + 1, newline + 1 + size));
      held = held.subarray(needed);
      needed = 0;
      waiting.shift()?.(content);
    }
  }
  return {
    read: (id) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        process.stdin.write(`${id}\n`);
      }),
    close: () => process.stdin.end(),
  };
}
