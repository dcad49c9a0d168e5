import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generateAll } from "../scripts/generated.ts";
import { entrySchema, findingsSchema } from "../src/docs/schemas.ts";

const generated = await generateAll();

test.each(Object.keys(generated))("%s is what the code prints (else: npm run generate)", (path) => {
  expect(readFileSync(path, "utf8")).toBe(generated[path]);
});

test("findings and journal entries are as their published schemas say", () => {
  const root = mkdtempSync(join(tmpdir(), "suture-generated-"));
  try {
    const git = (...options: string[]) =>
      spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...options], { cwd: root });
    const suture = (...options: string[]): unknown =>
      JSON.parse(
        spawnSync(process.execPath, ["src/cli/main.ts", ...options, "--root", root, "--json"], {
          encoding: "utf8",
        }).stdout,
      );
    git("init", "-q");
    const code = (name: string): string => `export function ${name}(count) {\n  return count + 1;\n}\n`;
    writeFileSync(join(root, "retry.js"), code("retryAgain"));
    writeFileSync(join(root, "README.md"), "# Retry\n\nCall `retryAgain(2)` to try again.\n");
    git("add", ".");
    git("commit", "-qm", "one");
    writeFileSync(join(root, "retry.js"), code("retryOnce"));
    const findings = findingsSchema.parse(suture("check", "--base", "HEAD"));
    expect(findings.findings).toHaveLength(1);
    suture("fix", "--base", "HEAD", "--yes");
    const { record } = suture("show", "1") as { record: unknown };
    expect(entrySchema.parse(record).edits).toHaveLength(1);
  } finally {
    rmSync(root, { recursive: true });
  }
});
