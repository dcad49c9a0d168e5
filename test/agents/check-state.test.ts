import { afterEach, describe, expect, test } from "vitest";
import { command as documentation } from "../../src/cli/commands/agents/documentation.ts";
import { command as check } from "../../src/cli/commands/documents/check.ts";
import type { CheckReport } from "../../src/docs/check/report.ts";
import { callCommand } from "./call-command.ts";
import { openProject, type Project } from "./project.ts";

let project: Project;
const kept = { ...process.env };
afterEach(async () => {
  process.env = { ...kept };
  await project.close();
});

const article = (rules: string): string => `---\nattention:\n${rules}---\n# Page\n\nWords.\n`;

async function checked(base = "HEAD~1"): Promise<CheckReport & { code: number }> {
  const said = await callCommand(project, check, [], { base, json: true }, { model: false });
  return { ...(said.json as CheckReport), code: said.code };
}

const subjects = ({ findings }: CheckReport) =>
  findings.filter(({ kind }) => kind === "subject").map(({ path, startLine }) => [path, startLine]);

describe("a page's declared or recorded subject", () => {
  test("is a possible finding when it changed, with the change as evidence, and gates nothing", async () => {
    project = await openProject({
      "src/a.ts": "export const a = 1;\n",
      "src/b.ts": "export const b = 1;\n",
      "docs/a.md": article("  - src/a.ts\n"),
      "docs/b.md": article("  - op: file\n    path: src/b.ts\n"),
      "docs/core.md": article("  - {path: src/a.ts, source: core}\n"),
      "CHANGELOG.md": article("  - src/**\n"),
    });
    project.put("src/a.ts", "// more\nexport const a = 1;\n");
    project.commit("change");
    const report = await checked();
    expect(report.code).toBe(0);
    expect(subjects(report)).toEqual([["docs/a.md", 3]]);
    expect(report.findings[0]).toMatchObject({
      tier: "possible",
      edits: [],
      message: "`src/a.ts`, which this page says it is about, changed.",
      evidence: [{ path: "src/a.ts", startLine: 1, after: "// more" }],
    });
    expect((await checked()).findings).toEqual(report.findings);
  });

  test("is not one when the page changed with it; pictures and moved files count", async () => {
    project = await openProject({
      "src/old.ts": `${"export const line = 1;\n".repeat(20)}`,
      "img/logo.png": "\u0000png",
      "docs/same.md": article("  - img/logo.png\n"),
      "docs/logo.md": article("  - img/*.png\n"),
      "docs/moved.md": article("  - src/old.ts\n"),
    });
    project.git("mv", "src/old.ts", "src/new.ts");
    project.put("img/logo.png", "\u0000png2");
    project.put("docs/same.md", article("  - img/logo.png\n").replace("Words", "New words"));
    project.commit("change");
    expect(subjects(await checked())).toEqual([
      ["docs/logo.md", 3],
      ["docs/moved.md", 3],
    ]);
  });

  test("rules that cannot be read are unknown, and the check is not clean", async () => {
    project = await openProject({
      "src/a.ts": "export const a = 1;\n",
      "docs/a.md": "---\nattention: [\n---\n# A\n",
    });
    project.put("src/a.ts", "export const a = 2;\n");
    project.commit("change");
    const report = await checked();
    expect(report.unknown).toMatchObject([{ path: "docs/a.md" }]);
    expect(report.code).toBe(3);
  });

  test("is taken from the lineage, unless the page was found true after the change", async () => {
    project = await openProject({
      "src/a.ts": "export const a = 1;\n",
      "docs/a.md": "# A\n",
      "docs/b.md": "# B\n",
    });
    const first = project.git("rev-parse", "HEAD").trim();
    project.put("src/a.ts", "export const a = 1; // more\n");
    const second = project.commit("change");
    const page = (commit: string) => ({ sources: ["src/a.ts"], commit, version: "v" });
    project.put(
      ".suture/lineage.json",
      JSON.stringify({ version: 1, pages: { "docs/a.md": page(first), "docs/b.md": page(second) } }),
    );
    project.commit("lineage");
    expect(subjects(await checked("HEAD~2"))).toEqual([["docs/a.md", 1]]);
  });
});

describe("documentation uses the state that check recorded", () => {
  async function begin(base: "first" | "second", more: string): Promise<void> {
    project = await openProject(
      { "src/a.ts": "export const a = 1;\n", "docs/a.md": "# A\n", "other.txt": "" },
      (request) =>
        request.system.includes("You plan") ? { text: "[]" } : { text: "Nothing needs to change." },
    );
    const first = project.git("rev-parse", "HEAD").trim();
    project.put("other.txt", "x\n");
    const second = project.commit("other");
    const commit = { first, second }[base];
    const pages = { "docs/a.md": { sources: ["src/a.ts"], commit, version: "v" } };
    project.put(".suture/lineage.json", JSON.stringify({ version: 1, pages }));
    project.put("src/a.ts", `export const a = 1;${more}\n`);
    project.commit("third");
  }
  const document = async () =>
    (await callCommand(project, documentation, [], { json: true })).json as { skipped?: string };

  test("after a clean check at the head documentation skips and says why; force does not skip", async () => {
    await begin("second", "");
    expect((await checked("HEAD~1")).findings).toEqual([]);
    expect((await document()).skipped).toContain("no drift was found");
    const forced = await callCommand(project, documentation, [], { json: true, force: true });
    expect((forced.json as { skipped?: string }).skipped).toBeUndefined();
  });

  test("a check that found something, or began after a page was last true, does not", async () => {
    await begin("first", "");
    await checked("HEAD~1");
    expect((await document()).skipped).toBeUndefined();
    await project.close();
    await begin("second", " // changed");
    expect((await checked("HEAD~1")).findings).toHaveLength(1);
    expect((await document()).skipped).toBeUndefined();
  });

  test("where pages have no lineage, a check writes nothing", async () => {
    project = await openProject({ "src/a.ts": "export const a = 1;\n", "docs/a.md": "# A\n" });
    project.put("src/a.ts", "export const a = 2;\n");
    project.commit("change");
    await checked();
    expect(project.exists(".suture")).toBe(false);
  });
});
