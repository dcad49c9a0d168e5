import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { command as fix } from "../../src/cli/commands/documents/fix.ts";
import { command as verify } from "../../src/cli/commands/documents/verify.ts";
import type { Proposal } from "../../src/docs/fix/proposal.ts";
import { auditSchema } from "../../src/docs/record/audit-schema.ts";
import { openReview } from "../../src/web/review/open-review.ts";
import { callCommand } from "../agents/call-command.ts";
import { openProject, type Project } from "../agents/project.ts";
import type { Request } from "../agents/scripted-server.ts";
import { answerSection, askedText } from "../agents/section-model.ts";
import { value } from "./review-fixture.ts";

let project: Project;
const kept = { ...process.env };
afterEach(async () => {
  process.env = { ...kept };
  await project.close();
});

const parser = (flag: string): string =>
  `import { parseArgs } from "node:util";\nexport const { values } = parseArgs({\n  options: {\n    ${flag}: { type: "boolean" },\n  },\n});\n`;

test("a model's wording waits for a person like a rule's, says whose it is, and is recorded as that", async () => {
  const during: Proposal[] = [];
  const files = {
    "src/cli.ts": `${parser("colour")}export function removeCache() {}\nexport function clear() {}\n`,
    "docs/cli.md": "# CLI\n\nPass `--colour` to paint.\n",
    "docs/cache.md": "# Cache\n\nIt is emptied by `removeCache()`.\n",
  };
  project = await openProject(files, (request: Request) => {
    const folder = join(project.root, ".suture", "proposals");
    if (existsSync(folder)) during.push(newest(folder));
    return {
      text: answerSection(askedText(request), (section) =>
        section.replaceAll("removeCache()", "clear()").replaceAll("--colour", "--color"),
      ),
    };
  });
  project.put("src/cli.ts", `${parser("color")}export function clear() {}\n`);
  project.commit("rename a flag, drop a function");
  const before = project.snapshot();
  const said = await callCommand(project, fix, [], { base: "HEAD~1", propose: true, json: true });
  expect(said.code).toBe(0);
  expect(project.snapshot()).toEqual(before);
  // While the model was asked, what rules propose could be looked at already.
  expect(during[0]).toMatchObject({ progress: { done: 0, total: expect.any(Number) } });

  const { run, findings } = said.json as { run: string; findings: { path: string; by?: string }[] };
  const model = findings.find(({ path }) => path === "docs/cache.md")!.by!;
  expect(model).toMatch(/^openai:/);
  expect(findings.find(({ path }) => path === "docs/cli.md")).not.toHaveProperty("by");

  const review = value(
    await openReview({ root: project.root, check: () => Promise.reject(new Error("no check")) }),
  );
  const desk = value(await review.session);
  const { items, progress } = await desk.run();
  expect(progress).toBeNull();
  for (const { key, path } of items) {
    const view = value(await desk.view(key));
    expect(view.by).toBe(path === "docs/cache.md" ? model : null);
    value(await desk.approve([key], view.hash!));
  }
  expect(project.text("docs/cache.md")).toBe("# Cache\n\nIt is emptied by `clear()`.\n");
  expect(project.text("docs/cli.md")).toBe("# CLI\n\nPass `--color` to paint.\n");
  const record = auditSchema.parse(JSON.parse(project.text(`.suture/audit/${run}.json`)));
  expect(record.articles.map(({ path, edits }) => [path, edits?.[0]?.by])).toEqual([
    ["docs/cache.md", model],
    ["docs/cli.md", undefined],
  ]);
  const authors = (await review.context.reader.history()).map(({ author }) => author);
  expect(authors.sort()).toEqual([model, "suture"].sort());
  await review.close();
  const verified = await callCommand(project, verify, [run], { json: true });
  expect(JSON.stringify(verified.json)).toContain("derived");
  expect(JSON.stringify(verified.json)).not.toContain("not-derived");
});

function newest(folder: string): Proposal {
  const { readdirSync } = process.getBuiltinModule("node:fs");
  const [name] = readdirSync(folder).filter((each) => each.endsWith(".json"));
  return JSON.parse(readFileSync(join(folder, name!), "utf8")) as Proposal;
}
