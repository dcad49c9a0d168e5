import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const house = process.cwd();
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "suture-optional-"));
  writeFileSync(join(root, "a.md"), "old\n");
});
afterAll(() => rmSync(root, { recursive: true }));

function node(...options: string[]) {
  return nodeWithout("ai", ...options);
}

function nodeWithout(what: "ai" | "packages", ...options: string[]) {
  const hook = pathToFileURL(join(house, `test/doors/without-${what}.mjs`)).href;
  return spawnSync(process.execPath, ["--no-warnings", "--import", hook, ...options], {
    cwd: root,
    encoding: "utf8",
  });
}

test("every entry of the package loads without the AI SDK", () => {
  const doors = Object.values(manifest.exports).flatMap((door) =>
    typeof door === "string" ? [] : door.default,
  );
  const sources = doors.map(
    (door) => pathToFileURL(join(house, door.replace("./dist/", "src/").replace(/\.js$/, ".ts"))).href,
  );
  const script = `for (const entry of ${JSON.stringify(sources)}) await import(entry); console.log("loaded");`;
  const ran = node("--input-type=module", "--eval", script);
  expect(ran.stderr).toBe("");
  expect(ran.stdout).toBe("loaded\n");
});

test("the entries for texts and for files load without any package", () => {
  const sources = ["text.ts", "workspace/index.ts"].map(
    (entry) => pathToFileURL(join(house, "src", entry)).href,
  );
  const script = `for (const entry of ${JSON.stringify(sources)}) await import(entry); console.log("loaded");`;
  const ran = nodeWithout("packages", "--input-type=module", "--eval", script);
  expect([ran.stderr, ran.stdout]).toEqual(["", "loaded\n"]);
});

test("a session gives AI SDK tools without the AI SDK", () => {
  const entry = pathToFileURL(join(house, "src/index.ts")).href;
  const script = `
    import { openSession, unwrap } from ${JSON.stringify(entry)};
    await using session = unwrap(await openSession({ root: ".", mode: "modify" }));
    const { edit_file } = session.tools.ai();
    console.log((await edit_file.execute({ path: "a.md", old_content: "old", new_content: "new" })).success);`;
  const ran = node("--input-type=module-typescript", "--eval", script);
  expect([ran.stderr, ran.stdout]).toEqual(["", "true\n"]);
});

test("asking a model names the packages to install", () => {
  const ran = node(join(house, "src/cli/main.ts"), "run", "rename it", "--model", "ollama:small");
  expect(ran.stderr).toContain("npm install ai @ai-sdk/openai-compatible");
  expect(ran.status).toBe(3);
});
