import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { RunProgress } from "../../src/agents/run/agent-run.ts";
import {
  type AgentRunOptions,
  type OpenAgentRun,
  openAgentRun,
} from "../../src/agents/run/open-agent-run.ts";
import { openServer, type Script, type ScriptedServer, type Wire } from "./scripted-server.ts";

/** A repository on disk with a scripted model beside it, for one test. */
export type Project = {
  readonly root: string;
  readonly server: ScriptedServer;
  readonly events: RunProgress[];
  git(...args: string[]): string;
  put(path: string, text: string | Uint8Array): void;
  text(path: string): string;
  exists(path: string): boolean;
  /** Every file outside version control and Suture's own state, with its bytes. */
  snapshot(): Record<string, string>;
  commit(message: string): string;
  environment(wire?: Wire): Record<string, string>;
  open(options?: Partial<AgentRunOptions>): Promise<OpenAgentRun>;
  close(): Promise<void>;
};

export async function openProject(files: Record<string, string>, script: Script = []): Promise<Project> {
  const root = mkdtempSync(join(tmpdir(), "suture-agents-"));
  const server = await openServer(script);
  const events: RunProgress[] = [];
  const opened: OpenAgentRun[] = [];
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@example.com",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@example.com",
  };
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, env, encoding: "utf8", stdio: "pipe" });
  const put = (path: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  git("init", "-q", "-b", "main");
  for (const [path, text] of Object.entries(files)) put(path, text);
  const commit = (message: string): string => {
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD").trim();
  };
  commit("first");
  const environment = (wire: Wire = "openai") => ({ ...server.environment(wire), HOME: root });
  return {
    root,
    server,
    events,
    git,
    put,
    text: (path) => readFileSync(join(root, path), "utf8"),
    exists: (path) => existsSync(join(root, path)),
    snapshot: () => snapshotOf(root),
    commit,
    environment,
    open: async (options = {}) => {
      const run = await openAgentRun({
        root,
        environment: environment(),
        report: (event) => events.push(event),
        review: false,
        limits: { maxRetries: 0, stepMs: 60_000 },
        ...options,
      });
      if (!run.ok) throw new Error(JSON.stringify(run.refusal));
      opened.push(run.value);
      return run.value;
    },
    close: async () => {
      for (const run of opened) await run.close();
      await server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function snapshotOf(root: string): Record<string, string> {
  const files: Record<string, string> = {};
  const walk = (folder: string): void => {
    for (const name of readdirSync(join(root, folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (path === ".git" || path === ".suture") continue;
      if (statSync(join(root, path)).isDirectory()) walk(path);
      else files[path] = readFileSync(join(root, path), "latin1");
    }
  };
  walk("");
  return files;
}
