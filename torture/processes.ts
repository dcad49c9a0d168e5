import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";

/** How a child ended, and its output. */
export type ChildEnd = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
  readonly stderr: string;
};

const home = mkdtempSync(join(tmpdir(), "suture-children-"));
process.once("exit", () => rmSync(home, { recursive: true, force: true }));
export const childEnvironment = {
  ...process.env,
  NODE_COMPILE_CACHE: join(home, "compiled"),
  NODE_OPTIONS: "",
};

const programs = new Map<string, Promise<string>>();

/** Bundles one of the rig's children, because one file starts in half the time of forty sources. */
export function childProgram(name: string): Promise<string> {
  const known = programs.get(name) ?? bundle(name);
  programs.set(name, known);
  return known;
}

async function bundle(name: string): Promise<string> {
  const output = { entryFileNames: `${name}.mjs` };
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: "error",
    build: { ssr: name, outDir: home, emptyOutDir: false, minify: false, rolldownOptions: { output } },
  });
  return join(home, `${name}.mjs`);
}

/** Runs one of the rig's children to its end. */
export async function runChild(
  name: string,
  args: readonly string[],
  under: readonly string[] = [],
): Promise<ChildEnd> {
  const [command, ...rest] = [...under, process.execPath, await childProgram(name), ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(command!, rest, { env: childEnvironment, stdio: ["ignore", "pipe", "pipe"] });
    const said = { output: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said.output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said.stderr += text;
    });
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, ...said }));
  });
}

/** Runs a task for each item, a few in parallel. */
export async function inLanes<T>(
  lanes: number,
  items: readonly T[],
  task: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) await task(items[next++]!);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
}

/** Why a program cannot be used on this machine; `null` if it can. */
export function lacks(program: string, args: readonly string[]): string | null {
  const { error, status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (error) return `${program} is not installed`;
  return status === 0 ? null : `${program} does not work here: ${stderr.trim().split("\n")[0]}`;
}

/** A child that runs until `stop`. */
export type Running = { readonly output: () => string; stop(): Promise<void> };

/** Starts a child and waits until it prints `ready`. The child stops when its input is closed. */
export async function startChild(name: string, args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [await childProgram(name), ...args], {
    env: childEnvironment,
    stdio: ["pipe", "pipe", "inherit"],
  });
  let said = "";
  const closed = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const stop = (): Promise<void> => {
    child.stdin.end();
    return closed;
  };
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => reject(new Error(`${name} ended before it was ready`)));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.startsWith("ready\n")) resolve({ output: () => said, stop });
    });
  });
}
