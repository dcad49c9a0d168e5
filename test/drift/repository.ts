import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const house = join(import.meta.dirname, "..", "..");

/** A real repository in a folder of its own, and the command line over it. */
export type Repository = ReturnType<typeof createRepository>;

export function createRepository() {
  const folder = mkdtempSync(join(tmpdir(), "suture-drift-"));
  const git = (...args: string[]): string =>
    execFileSync(
      "git",
      [
        "-c",
        "user.name=T",
        "-c",
        "user.email=t@example.org",
        "-c",
        "commit.gpgsign=false",
        "-c",
        "protocol.file.allow=always",
        ...args,
      ],
      {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
  git("init", "--quiet", "--initial-branch=main");
  const write = (files: Readonly<Record<string, string | Uint8Array | null>>): void => {
    for (const [path, content] of Object.entries(files)) {
      if (content === null) rmSync(join(folder, path));
      else {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
      }
    }
  };
  return {
    folder,
    git,
    write,
    copy: (from: string) => cpSync(join(house, from), folder, { recursive: true }),
    commit(files: Readonly<Record<string, string | Uint8Array | null>>, message = "a change"): void {
      write(files);
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--message", message);
    },
    read: (path: string): string => readFileSync(join(folder, path), "utf8"),
    suture: (...args: string[]) => sutureIn(folder, args),
    /** The command line with text on its standard input. */
    sutureWith: (input: string, ...args: string[]) => sutureIn(folder, args, {}, input),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function sutureIn(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = "",
) {
  const { CI: _, ...rest } = process.env;
  const run = spawnSync(process.execPath, [join(house, "src", "cli", "main.ts"), ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...rest, NO_COLOR: "1", ...env },
    input,
  });
  return { code: run.status, out: run.stdout, err: run.stderr, json: () => JSON.parse(run.stdout) };
}
