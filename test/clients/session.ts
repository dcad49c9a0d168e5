import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Trial } from "../agent-hooks/trial.ts";
import { clientCache, findProgram, realClients } from "./real-clients.ts";
import type { Order } from "./run-inside.ts";
import type { ModelRequest, Step } from "./scripted-model.ts";

export type RealClientName = keyof typeof realClients;

/** Why the tests of a client cannot run here; `null` where they can. */
export function reasonToSkip(name: RealClientName): string | null {
  if (process.platform !== "linux" || process.arch !== "x64")
    return "the clients are fetched for Linux on x64";
  if (!existsSync("dist/cli/main.cjs")) return "Suture is not built (npm run build)";
  if (!findProgram(realClients[name])) return `${name} is not in ${clientCache} (npm run clients fetches it)`;
  const isolated = spawnSync("unshare", ["-rn", "ip", "link", "set", "lo", "up"]);
  return isolated.status === 0 ? null : "no network of its own can be made (unshare -rn, ip)";
}

/** The tool with which a client runs a command. */
const shells: Readonly<Record<RealClientName, (command: string) => Step>> = {
  codex: (cmd) => ({ tool: "exec_command", input: { cmd } }),
  claude: (command) => ({ tool: "Bash", input: { command, description: "run it" } }),
  gemini: (command) => ({ tool: "run_shell_command", input: { command, description: "run it" } }),
  opencode: (command) => ({ tool: "bash", input: { command, description: "run it" } }),
  pi: (command) => ({ tool: "bash", input: { command } }),
  copilot: (command) => ({ tool: "bash", input: { command, description: "run it", mode: "sync" } }),
};

type RunOptions = Partial<Pick<Order, "words" | "prepare" | "env" | "settings">>;

/** A repository in which one real client runs, with Suture on its path and no network but loopback. */
export class ClientTrial extends Trial {
  /** Where Suture is; some clients run commands with a path of their own. */
  readonly program = this.path("../bin/suture");
  readonly #client: RealClientName;
  #runs = 0;

  constructor(client: RealClientName, files?: Readonly<Record<string, string>>) {
    super(files);
    this.#client = client;
    mkdirSync(this.path("../bin"), { recursive: true });
    writeFileSync(this.program, `#!/bin/sh\nexec ${process.execPath} ${resolve("bin/suture.cjs")} "$@"\n`);
    chmodSync(this.program, 0o755);
    // The documents start Suture by npx with options of its own, which would ask the registry.
    writeFileSync(
      this.path("../bin/npx"),
      '#!/bin/sh\nwhile :; do case "$1" in suture*) break ;; esac; shift; done\nshift\nexec suture "$@"\n',
      { mode: 0o755 },
    );
    this.git("config", "user.name", "ada");
    this.git("config", "user.email", "ada@example.org");
  }

  /** Runs `suture` as a person would, and answers with its output. */
  suture(...words: readonly string[]): string {
    const env = { ...process.env, ...this.#env() };
    const run = spawnSync("suture", words, { cwd: this.root, encoding: "utf8", env });
    return run.stdout;
  }

  /** A busy machine must not fail a test: no hook is ended early. */
  waitLonger(file: string): void {
    const patient = this.read(file)
      .replaceAll("agent stop", "agent stop --limit 300")
      .replace(/("timeout(?:Sec)?": )(\d+)/g, (_all, key, time) => `${key}${Number(time) * 20}`);
    this.write(file, patient);
  }

  shell(command: string): Step {
    return shells[this.#client](command);
  }

  /** Lets the client do the steps, and answers with what it sent to the model. */
  run(
    steps: readonly Step[],
    { words = [], prepare = [], env = {}, settings = "" }: RunOptions = {},
  ): readonly ModelRequest[] {
    const folder = this.path(`../run-${++this.#runs}`);
    mkdirSync(join(folder, "home"), { recursive: true });
    const requests = join(folder, "requests.json");
    const order: Order = {
      tree: this.root,
      home: join(folder, "home"),
      steps,
      prompt: "Do it.",
      env: { ...this.#env(), ...env },
      words,
      prepare,
      settings,
      requests,
    };
    writeFileSync(join(folder, "order.json"), JSON.stringify(order));
    const inside = [
      process.execPath,
      resolve("test/clients/run-inside.ts"),
      this.#client,
      join(folder, "order.json"),
    ];
    const run = spawnSync("unshare", ["-rn", "sh", "-c", 'ip link set lo up; exec "$@"', "sh", ...inside], {
      encoding: "utf8",
      timeout: 540_000,
      env: { ...process.env, ...this.#env() },
    });
    if (!existsSync(requests)) throw new Error(`${this.#client} did not end: ${run.stdout}${run.stderr}`);
    return JSON.parse(readFileSync(requests, "utf8")) as ModelRequest[];
  }

  #env(): Record<string, string> {
    return {
      PATH: `${this.path("../bin")}:${process.env.PATH}`,
      SUTURE_CACHE: process.env.SUTURE_CACHE ?? "",
    };
  }
}
