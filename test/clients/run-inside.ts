/**
 * Runs one client against a scripted model, both on a machine whose only network is loopback:
 *   node run-inside.ts CLIENT ORDER.json
 * The order names the work tree, the home folder, the steps and the prompt; what the client asked goes to `requests`.
 */
import { type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findProgram, realClients } from "./real-clients.ts";
import { ScriptedModel, type Step } from "./scripted-model.ts";

export type Order = {
  readonly tree: string;
  readonly home: string;
  readonly steps: readonly Step[];
  readonly prompt: string;
  readonly env: Readonly<Record<string, string>>;
  /** Words for the client beside its usual ones. */
  readonly words: readonly string[];
  /** Calls of the client before the turn, each with its own words. */
  readonly prepare: readonly (readonly string[])[];
  /** Text for the end of the settings in the client's home folder. */
  readonly settings: string;
  /** Where the requests are written. */
  readonly requests: string;
};

const [name, file] = process.argv.slice(2);
const client = realClients[name as keyof typeof realClients];
const order = JSON.parse(readFileSync(file!, "utf8")) as Order;
const model = new ScriptedModel(order.steps);
const place = { tree: order.tree, home: order.home, model: await model.listen() };
for (const [path, text] of Object.entries(client.home(place))) {
  mkdirSync(dirname(join(order.home, path)), { recursive: true });
  writeFileSync(join(order.home, path), path.endsWith(".toml") ? text + order.settings : text);
}
const program = findProgram(client)!;
const words = [...client.words(place, order.prompt), ...order.words];
const isScript = program.endsWith(".js");
const options: SpawnOptions = {
  cwd: order.tree,
  env: { ...process.env, HOME: order.home, PWD: order.tree, ...client.env(place), ...order.env },
  stdio: ["ignore", "inherit", "inherit"],
};
const [command, first] = isScript ? [process.execPath, [program]] : [program, []];
for (const one of order.prepare) spawnSync(command, [...first, ...one], options);
const child = spawn(command, [...first, ...words], options);
child.on("close", (code) => {
  writeFileSync(order.requests, JSON.stringify(model.requests));
  model.close();
  process.exitCode = code ?? 1;
});
