import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { Trial } from "./trial.ts";

const hook = resolve("src/cli/tool-hook.ts");

/** Runs a hook as a client does. */
function runHook(trial: Trial, input: string | Uint8Array) {
  const words = ["--no-warnings", hook, "agent", "after", "--target", "claude"];
  return spawnSync(process.execPath, words, { cwd: trial.root, input, encoding: "utf8" });
}

const call = (trial: Trial, tool_input: unknown): string =>
  JSON.stringify(trial.payload({ prompt_id: "p", tool_name: "Edit", tool_use_id: "t", tool_input }));

test.each<[string, (trial: Trial) => string | Uint8Array]>([
  ["more than a hook reads", () => new Uint8Array(33 << 20).fill(0x20)],
  ["no JSON", () => "\xff\xfe{"],
  ["a deep nest", () => `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
  [
    "a path outside",
    (trial) => call(trial, { file_path: "/etc/hostname", old_string: "a", new_string: "b" }),
  ],
  [
    "a path that climbs",
    (trial) => call(trial, { file_path: "docs/../../../etc/passwd", old_string: "a", new_string: "b" }),
  ],
  [
    "names with line breaks and options",
    (trial) => call(trial, { file_path: "--stdin\n-z\0x", old_string: "a", new_string: "b" }),
  ],
  ["a session that is a path", (trial) => JSON.stringify(trial.payload({ session_id: "../../../../x" }))],
  ["a folder that does not exist", (trial) => JSON.stringify(trial.payload({ cwd: "/no/such\nfolder" }))],
])("%s changes nothing and prints nothing", (_name, input) => {
  using trial = new Trial();
  const { status, stdout, stderr } = runHook(trial, input(trial));
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "{}\n", stderr: "" });
  expect(trial.git("status", "--short", "--ignored")).toBe("");
  expect(readdirSync(trial.path("..")).filter((name) => name !== "shop" && name !== "cache")).toEqual([]);
});

test("a plugin that was copied away from its package answers with nothing where Suture cannot be had", () => {
  using trial = new Trial();
  const bin = trial.path("../plugin/bin");
  mkdirSync(bin, { recursive: true });
  cpSync(resolve("plugin/bin/suture.cjs"), join(bin, "suture.cjs"));
  writeFileSync(trial.path("suture"), "#!/bin/sh\necho the project ran\n", { mode: 0o755 });
  const run = spawnSync(process.execPath, [join(bin, "suture.cjs"), "agent", "stop"], {
    cwd: trial.root,
    input: "{}",
    encoding: "utf8",
    env: { ...process.env, PATH: ".:node_modules/.bin" },
  });
  expect(run.status).toBe(0);
  expect(run.stdout).not.toContain("the project ran");
});
