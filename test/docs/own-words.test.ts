import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { check } from "../../src/docs/check/check.ts";
import { fix } from "../../src/docs/fix/fix-report.ts";
import { openProject } from "../../src/docs/project.ts";
import { parseAudit } from "../../src/docs/record/audit-schema.ts";
import { verify } from "../../src/docs/record/verify.ts";
import { openContext } from "../../src/tools/context.ts";
import { openGit } from "../../src/workspace/git/git.ts";
import { createRepository } from "../drift/repository.ts";

const code = (name: string): string => `export function ${name}(path: string): string {\n  return path;\n}\n`;

test("an edit in a person's own words is written, and the record keeps the proposal beside it", async () => {
  const made = createRepository();
  onTestFinished(() => made.remove());
  made.commit({ "src/a.ts": code("openDocument"), "AGENTS.md": "# Use\n\nCall `openDocument` first.\n" });
  made.commit({ "src/a.ts": code("loadDocument") });
  const project = await openProject({ root: made.folder });
  const context = await openContext({ root: made.folder, policy: { consent: true } });
  if (!project.ok || !context.ok) throw new Error("no project");
  await using open = project.value;
  const report = await check(open, { base: "HEAD~1" });
  if (!report.ok) throw new Error("no report");
  const fixed = await fix(context.value, report.value, {
    tiers: ["certain"],
    ask: async ({ edits }) =>
      edits.map((edit) => ({
        ...edit,
        new_string: edit.new_string.replace("loadDocument", "loadDocument()"),
        original: edit.new_string,
      })),
    run: "run-1",
    time: "2026-01-02T03:04:05.000Z",
  });
  expect(fixed).toMatchObject({ ok: true, value: { done: [{ path: "AGENTS.md", by: "person" }], left: [] } });
  expect(readFileSync(join(made.folder, "AGENTS.md"), "utf8")).toBe(
    "# Use\n\nCall `loadDocument()` first.\n",
  );
  const record = parseAudit(readFileSync(join(made.folder, ".suture/audit/run-1.json"), "utf8"));
  const [edit] = record?.articles.flatMap(({ edits = [] }) => edits) ?? [];
  expect(edit).toMatchObject({ by: "person", original: expect.stringContaining("`loadDocument`") });
  const verified = await verify({ git: await openGit(made.folder), reader: context.value.reader }, "run-1");
  await context.value.reader.close();
  expect(verified).toMatchObject({ ok: true, value: { edits: [{ verdict: "cannot-tell" }] } });
});
