import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { basename, join } from "node:path";
import type { AttackedCommand } from "./commands.ts";
import type { Ground } from "./repositories.ts";

/** What a command did that it may not do: a foreign program that started, a file outside that changed. */
export type Trespass = { readonly what: "program" | "file"; readonly path: string };

export type TracedRun = {
  readonly trespasses: readonly Trespass[];
  /** The programs that started, the command itself included. */
  readonly started: number;
  /** The calls that changed a name or opened a file for writing. */
  readonly writes: number;
  readonly code: number | null;
};

const longest = 60_000;

/** The product as `npm run build` leaves it. */
const builtProgram = join(import.meta.dirname, "../../bin/suture.cjs");

/** Runs a command of the built product under strace, in an armed repository, with a home folder of its own. */
export async function runTraced(
  ground: Ground,
  { args, input = "" }: AttackedCommand,
  program = builtProgram,
): Promise<TracedRun> {
  const { folder, root } = ground;
  const trace = join(folder, "trace");
  const home = join(folder, "home");
  fs.mkdirSync(home, { recursive: true });
  const calls =
    "trace=execve,execveat,openat,open,creat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,mkdir,mkdirat,truncate,chmod,fchmodat";
  const child = spawn(
    "strace",
    [
      "-f",
      "--seccomp-bpf",
      "-y",
      "-s",
      "4096",
      "-qq",
      "-e",
      calls,
      "-o",
      trace,
      process.execPath,
      program,
      ...args,
    ],
    {
      cwd: root,
      env: {
        // As npm and careless shells set it: folders of the project come first.
        PATH: [join(root, "node_modules/.bin"), ".", process.env.PATH].join(":"),
        HOME: home,
        TMPDIR: join(folder, "tmp"),
        SUTURE_MODEL: "openai-compatible:none",
        OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
        NO_COLOR: "1",
      },
      stdio: ["pipe", "ignore", "ignore"],
      // A signal to strace alone may leave the command running.
      detached: true,
    },
  );
  fs.mkdirSync(join(folder, "tmp"), { recursive: true });
  child.stdin.on("error", () => {});
  child.stdin.end(input.replaceAll("/ROOT", root));
  const timer = setTimeout(() => process.kill(-child.pid!, "SIGTERM"), args[0] === "review" ? 4000 : longest);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  return { ...judgeTrace(fs.readFileSync(trace, "utf8"), ground), code };
}

/** Reads a trace. `-y` shows the path of each descriptor, also of the one that a call returns. */
function judgeTrace(text: string, { folder, root }: Ground): Omit<TracedRun, "code"> {
  const trespasses: Trespass[] = [];
  let [started, writes] = [0, 0];
  for (const line of text.split("\n")) {
    if (/ = -1 [A-Z]/.test(line) || !/ = \d/.test(line)) continue;
    const program = /\bexecve(?:at)?\((?:\S+, )?"((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
    if (program !== undefined) {
      started++;
      if (!isOwnProgram(program)) trespasses.push({ what: "program", path: program });
      continue;
    }
    for (const path of changedPaths(line)) {
      writes++;
      const isInside = [root, join(folder, "home"), join(folder, "tmp"), join(folder, "out")].some(
        (place) => path === place || path.startsWith(`${place}/`),
      );
      if (!isInside && !/^\/(?:dev|proc)\//.test(path)) trespasses.push({ what: "file", path });
    }
  }
  if (fs.existsSync(join(folder, "sprung"))) trespasses.push({ what: "program", path: "the trap" });
  return { trespasses, started, writes };
}

/** Node, git with its own helpers, and the system's tar, which tells the attributes of a file. */
function isOwnProgram(path: string): boolean {
  const own = /^\/usr\/(?:local\/)?(?:bin\/(?:git|tar)|lib(?:exec)?\/git-core\/git[\w-]*)$/;
  return path === process.execPath || own.test(path);
}

/** The paths that a successful call wrote to or named anew. */
function changedPaths(line: string): string[] {
  const call = /^\d+ +(\w+)\(/.exec(line)?.[1] ?? "";
  if (/^(?:open|openat|creat)$/.test(call)) {
    if (call !== "creat" && !/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(line)) return [];
    const opened = / = \d+<([^>]*)>$/.exec(line)?.[1];
    return opened === undefined ? [] : [opened];
  }
  const places = Array.from(
    line.matchAll(/(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/g),
    ([, folder, name]) => (name!.startsWith("/") ? name! : join(folder ?? "", name!)),
  );
  // The first name of a symbolic link is only its text.
  return places.slice(/^symlink/.test(call) ? 1 : 0).filter((path) => basename(path) !== "");
}
