import { spawnSync } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const module = resolve("src/cli/terminal/standard-stream.ts");

/** What a program with these statements does; `out` is its standard output. */
function run(statements: string, stdout: number | "pipe" = "pipe") {
  const source = `import { isTerminal, StandardStream } from ${JSON.stringify(module)}; const out = new StandardStream(1); ${statements}`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", source], {
    encoding: "utf8",
    stdio: ["ignore", stdout, "pipe"],
    maxBuffer: 8_000_000,
  });
}

test("a text longer than a pipe holds arrives whole, in order", () => {
  const { stdout, stderr } = run('out.write("é".repeat(500_000)); out.write("end");');
  expect({ length: stdout.length, end: stdout.slice(-4), stderr }).toEqual({
    length: 500_003,
    end: "éend",
    stderr: "",
  });
});

test("a reader that leaves early is no error", () => {
  const source = `import { StandardStream } from ${JSON.stringify(module)}; const out = new StandardStream(1); for (let i = 0; i < 1000; i++) out.write("line\\n".repeat(1000)); console.error("done");`;
  const { stdout, stderr } = spawnSync(
    "bash",
    ["-c", '"$0" --input-type=module -e "$1" | head -n 1', process.execPath, source],
    { encoding: "utf8" },
  );
  expect([stdout, stderr]).toEqual(["line\n", "done\n"]);
});

test("a pipe that does not wait gets the whole text too", () => {
  // Node's own stream turns its pipe into one that does not wait.
  const { stdout } = run('process.stdout.write("first\\n"); out.write("x".repeat(300_000));');
  expect(stdout.length).toBe(300_006);
});

test("a file, a pipe and the null device are no terminal", () => {
  const folder = mkdtempSync(join(tmpdir(), "suture-stream-"));
  const file = join(folder, "out");
  run("out.write(String(out.isTerminal)); out.write(String(isTerminal(0)));", openSync(file, "w"));
  expect(readFileSync(file, "utf8")).toBe("falsefalse");
  expect(run("out.write(String(out.isTerminal));").stdout).toBe("false");
  rmSync(folder, { recursive: true });
});
