import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, inject } from "vitest";
import type { Tally } from "../../torture/tally.ts";

/** A busy machine must not fail these tests. */
export const patiently = { timeout: 1_200_000 };

/**
 * Runs the short form of a part, prints its counts, and expects no bad outcome. It runs in a separate process without
 * vitest, which is a quarter faster.
 */
export async function runPart(name: string): Promise<Tally["counts"]> {
  const { counts, bad, skipped } = JSON.parse(await outputOf(name)) as Tally;
  const counted = Object.entries(counts).map(([what, number]) => `${what} ${number}`);
  console.log([`${name}: ${counted.join(", ")}`, ...new Set(skipped)].join("\n  skipped: "));
  expect(bad.slice(0, 20)).toEqual([]);
  return counts;
}

function outputOf(part: string): Promise<string> {
  const main = join(import.meta.dirname, "../../torture/main.ts");
  const options = ["--short", "--json", "--no-teeth", "--only", part, "--seed", String(inject("seed"))];
  const child = spawn(process.execPath, [main, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve(output));
  });
}
