import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Answer } from "../../src/agent-hooks/clients/client.ts";
import { readHookInput } from "../../src/agent-hooks/payload.ts";
import { openPlace, startSession } from "../../src/agent-hooks/start.ts";
import { stopTurn } from "../../src/agent-hooks/stop.ts";

/** A repository in a temporary folder, with a session memory of its own, and the hooks called in this process. */
export class Trial implements Disposable {
  readonly #home = realpathSync(mkdtempSync(join(tmpdir(), "suture-hooks-")));
  readonly #cache = process.env.SUTURE_CACHE;
  readonly root = join(this.#home, "shop");

  constructor(files: Readonly<Record<string, string>> = shop) {
    process.env.SUTURE_CACHE = join(this.#home, "cache");
    mkdirSync(this.root);
    this.git("init", "-q", "-b", "main");
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    this.commit("begin");
  }

  git(...words: readonly string[]): string {
    const who = ["-c", "user.name=ada", "-c", "user.email=ada@example.org"];
    const run = spawnSync("git", [...who, ...words], { cwd: this.root, encoding: "utf8" });
    if (run.status !== 0) throw new Error(`git ${words.join(" ")}: ${run.stderr}`);
    return run.stdout.trim();
  }

  commit(message: string): void {
    this.git("add", "-A");
    this.git("commit", "-qm", message);
  }

  path(name: string): string {
    return join(this.root, name);
  }

  write(path: string, text: string | Uint8Array): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  read(path: string): string {
    return readFileSync(this.path(path), "utf8");
  }

  bytes(path: string): Buffer {
    return readFileSync(this.path(path));
  }

  replace(path: string, old: string, fresh: string): void {
    this.write(path, this.read(path).replaceAll(old, fresh));
  }

  /** A payload of this session; fields are added or replaced. */
  payload(fields: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
    return { session_id: "one", turn_id: "t", cwd: this.root, stop_hook_active: false, ...fields };
  }

  /** A record of the session with these shell commands, as a client keeps it. Returns its path. */
  transcript(commands: readonly string[]): string {
    const path = join(this.#home, "session.jsonl");
    const calls = commands.map((command) => ({
      type: "function_call",
      name: "shell",
      arguments: JSON.stringify({ command }),
    }));
    writeFileSync(path, calls.map((call) => `${JSON.stringify({ payload: call })}\n`).join(""));
    return path;
  }

  async start(fields: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const { call } = readHookInput(encode(this.payload(fields)));
    const place = call && (await openPlace(call));
    if (!place) return;
    await startSession(call, place);
    await place.project.close();
  }

  /** The answer to the end of a turn. */
  async stop(
    fields: Readonly<Record<string, unknown>> = {},
    { fix = false, record = false } = {},
  ): Promise<Answer> {
    const { client, call } = readHookInput(encode(this.payload(fields)));
    const place = call && (await openPlace(call));
    if (!place) return {};
    try {
      const options = {
        fix,
        record,
        command: "suture",
        run: `run-${++runs}`,
        time: "2026-11-15T10:00:00.000Z",
      };
      return await stopTurn({ client, call }, place, options);
    } finally {
      await place.project.close();
    }
  }

  [Symbol.dispose](): void {
    if (this.#cache === undefined) delete process.env.SUTURE_CACHE;
    else process.env.SUTURE_CACHE = this.#cache;
    rmSync(this.#home, { recursive: true, force: true });
  }
}

let runs = 0;

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** A function, and a page that names it. */
export const shop = {
  "package.json": '{ "name": "shop" }\n',
  "src/client.ts": "export function fetchUser(id: string) {\n  return id;\n}\n",
  "docs/guide.md": "# Guide\n\nCall `fetchUser` with an id.\n",
};
