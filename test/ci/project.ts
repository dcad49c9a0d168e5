import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { compiled } from "./compiled.ts";
import { openFakeGitHub, type Pull } from "./fake-github.ts";

export const house = join(import.meta.dirname, "..", "..");
export const repository = "acme/postbox";
export const token = "ghs_plantedTokenThatMustNeverLeak0123456789";

/** A repository on a fake host, a clone of it as a runner has it, and the action's entry over that clone. */
export type Project = Awaited<ReturnType<typeof openProject>>;

const before = {
  "src/env.ts":
    "export function token(): string | undefined {\n  return process.env.POSTBOX_TOKEN;\n}\nexport const retries = 3;\n",
  "README.md": "# Postbox\n\nSet the token:\n\n```sh\nexport POSTBOX_TOKEN=...\n```\n",
  "docs/guide.md": "# Guide\n\nThe variable `POSTBOX_TOKEN` holds the token.\n\nMore text.\n",
};
export const renamed = {
  "src/env.ts": before["src/env.ts"].replace("POSTBOX_TOKEN", "POSTBOX_API_TOKEN"),
};

export async function openProject(files: Readonly<Record<string, string>> = before) {
  const folder = mkdtempSync(join(tmpdir(), "suture-ci-"));
  const [bare, work] = [join(folder, "bare.git"), join(folder, "work")];
  const run = (cwd: string, ...args: string[]): string =>
    execFileSync(
      "git",
      ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", ...args],
      {
        cwd,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
      },
    ).trim();
  mkdirSync(work, { recursive: true });
  run(folder, "init", "-q", "--bare", "-b", "main", "bare.git");
  run(work, "init", "-q", "-b", "main");
  run(work, "remote", "add", "origin", bare);
  const git = (...args: string[]): string => run(work, ...args);
  const commit = (changes: Readonly<Record<string, string | null>>, message = "a change"): string => {
    for (const [path, text] of Object.entries(changes)) {
      mkdirSync(dirname(join(work, path)), { recursive: true });
      if (text === null) rmSync(join(work, path));
      else writeFileSync(join(work, path), text);
    }
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD");
  };
  commit(files, "first");
  git("push", "-q", "origin", "main");
  git("fetch", "-q", "origin");
  const host = await openFakeGitHub({ repository, bare });
  /** A pull request from a branch of this repository, or of a fork that shares its objects. */
  const pull = (number: number, branch: string, fork: string | null = null): Pull => {
    git(
      "push",
      "-q",
      "--force",
      "origin",
      `HEAD:${fork === null ? `refs/heads/${branch}` : `refs/pull/${number}/head`}`,
    );
    const made: Pull = {
      number,
      title: "::set-output name=x::y @everyone",
      body: "",
      state: "open",
      head: { ref: branch, sha: git("rev-parse", "HEAD"), repo: { full_name: fork ?? repository } },
      base: { ref: "main", sha: host.tip("main") },
    };
    host.pulls.set(number, made);
    return made;
  };
  const pullEvent = (number: number) => {
    const { head, base, title } = host.pulls.get(number)!;
    return { pull_request: { number, title, head, base: { ...base, repo: { full_name: repository } } } };
  };
  const ci = async (
    args: readonly string[],
    event: object,
    options: { name?: string; env?: Record<string, string>; cwd?: string } = {},
  ) => {
    const place = mkdtempSync(join(folder, "run-"));
    const at = (name: string): string => join(place, name);
    writeFileSync(at("event.json"), JSON.stringify(event));
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: place,
      NO_COLOR: "1",
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_EVENT_NAME: options.name ?? "pull_request",
      GITHUB_EVENT_PATH: at("event.json"),
      GITHUB_REPOSITORY: repository,
      GITHUB_API_URL: host.url,
      GITHUB_SHA: git("rev-parse", "HEAD"),
      GITHUB_OUTPUT: at("output"),
      GITHUB_STEP_SUMMARY: at("summary.md"),
      GITHUB_TOKEN: token,
      ...options.env,
    };
    const result = await start(process.execPath, [join(house, "src/cli/main.ts"), "ci", ...args], {
      cwd: options.cwd ?? work,
      env,
    });
    const read = (name: string): string => (existsSync(at(name)) ? readFileSync(at(name), "utf8") : "");
    return { ...result, place, summary: read("summary.md"), outputs: parseOutputs(read("output")) };
  };
  return {
    folder,
    work,
    bare,
    host,
    git,
    commit,
    pull,
    pullEvent,
    ci,
    comments: (number: number) => host.comments.get(number) ?? [],
    close: async () => {
      await host.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a program without blocking this process, which is also the server it talks to. */
export function start(
  program: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { NODE_COMPILE_CACHE: compiled, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => (out += chunk));
    child.stderr.on("data", (chunk) => (err += chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

function parseOutputs(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}
