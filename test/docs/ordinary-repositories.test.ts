import { cpSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { check } from "../../src/docs/check/check.ts";
import type { Range } from "../../src/docs/check/range.ts";
import type { CheckReport } from "../../src/docs/check/report.ts";
import { fixFindings } from "../../src/docs/fix/fix.ts";
import { openProject } from "../../src/docs/project.ts";
import { verify } from "../../src/docs/record/verify.ts";
import { openContext } from "../../src/tools/context.ts";
import { openGit } from "../../src/workspace/git/git.ts";
import type { Repository } from "../drift/repository.ts";
import { repositoryMaker } from "../drift/repository-maker.ts";

const repository = repositoryMaker();

const code = (name: string): string => `export function ${name}(path: string): string {\n  return path;\n}\n`;

async function checked(root: string, range: Range | "all" = {}): Promise<CheckReport> {
  const project = await openProject({ root });
  if (!project.ok) throw new Error(JSON.stringify(project.refusal));
  await using open = project.value;
  const report = await check(open, range);
  if (!report.ok) throw new Error(JSON.stringify(report.refusal));
  return report.value;
}

function withLinks(): Repository {
  const made = repository();
  made.write({ "AGENTS.md": "# Agents\n", "LICENSE.md": "MIT\n", "src/a.ts": code("openDocument") });
  symlinkSync("AGENTS.md", join(made.folder, "CLAUDE.md"));
  symlinkSync("../LICENSE.md", join(made.folder, "src", "LICENSE.md"));
  made.commit({ "README.md": "# Use\n\nCall `openDocument` with a path.\n" });
  return made;
}

test("links to pages are not documents of their own: the work tree can be clean and is that commit", async () => {
  const made = withLinks();
  made.commit({ "src/b.ts": "export const b = 1;\n" });
  expect(await checked(made.folder)).toMatchObject({
    head: made.git("rev-parse", "HEAD").trim(),
    findings: [],
    unknown: [],
  });
});

test("links to pages leave nothing unknown while there are uncommitted changes", async () => {
  const made = withLinks();
  made.write({ "src/a.ts": code("openDocument").replace("path;", "path.trim();") });
  symlinkSync("AGENTS.md", join(made.folder, "GEMINI.md"));
  expect(await checked(made.folder)).toMatchObject({ head: "worktree", unknown: [] });
  expect(await checked(made.folder, "all")).toMatchObject({ unknown: [] });
});

test("verify works right after fix in a repository with links", async () => {
  const made = withLinks();
  made.commit({ "src/a.ts": code("loadDocument") });
  const report = await checked(made.folder, { base: "HEAD~1" });
  const context = await openContext({ root: made.folder });
  if (!context.ok) throw new Error("no context");
  const options = { tiers: ["certain"] as const, run: "run-1", time: "2026-01-02T03:04:05.000Z" };
  expect(await fixFindings(context.value, report, options)).toMatchObject({ ok: true });
  const git = await openGit(made.folder);
  const verified = await verify({ git, reader: context.value.reader }, "run-1");
  await context.value.reader.close();
  expect(verified).toMatchObject({ ok: true, value: { edits: [{ path: "README.md", verdict: "derived" }] } });
});

test("a submodule leaves nothing unknown", async () => {
  const inner = repository();
  inner.commit({ "README.md": "# Inner\n" });
  const made = repository();
  made.commit({ "README.md": "# A\n" });
  made.git("submodule", "--quiet", "add", inner.folder, "inner");
  made.git("commit", "--quiet", "--message", "a submodule");
  expect(await checked(made.folder, { base: "HEAD~1" })).toMatchObject({ findings: [], unknown: [] });
});

test("a binary that the change adds is no document", async () => {
  const made = repository();
  made.commit({ "README.md": "# A\n" });
  made.commit({
    "keyring.pub": Uint8Array.of(0x99, 0, 1, 2, 255),
    "testdata/blob.dat": Uint8Array.of(0, 255),
  });
  expect(await checked(made.folder, { base: "HEAD~1" })).toMatchObject({ findings: [], unknown: [] });
});

const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");
const padded = `${code("loadAll")}// ${"x".repeat(1_100_000)}\n`;
const large = `# Log\n\n${"a line of the page\n".repeat(60_000)}`;

test("a page over the size limit that the change did not touch is not asked about", async () => {
  const made = repository();
  made.commit({ "README.md": "# A\n", "docs/all.md": large, "docs/odd.md": Uint8Array.of(0, 1, 255) });
  made.commit({ "src/a.ts": code("a1") });
  expect(await checked(made.folder, { base: "HEAD~1" })).toMatchObject({ findings: [], unknown: [] });
});

test.each<[string, Record<string, string | Uint8Array>, Record<string, string | Uint8Array>, string[]]>([
  [
    "a large page that names what is gone",
    { "docs/all.md": `${large}Call loadDocument.\n` },
    {},
    ["docs/all.md"],
  ],
  [
    "a page in another encoding that names it",
    { "docs/a.md": latin("Call loadDocument \xe9.") },
    {},
    ["docs/a.md"],
  ],
  ["a page with zeros that names it", { "docs/a.md": latin("loadDocument \0\0") }, {}, ["docs/a.md"]],
  [
    "two large pages",
    { "docs/a.md": `${large}loadDocument`, "docs/b.md": `${large}loadDocument!` },
    {},
    ["docs/a.md", "docs/b.md"],
  ],
  ["a large page that names nothing of it", { "docs/all.md": large }, {}, []],
  ["a large changelog", { "CHANGELOG.md": `${large}Call loadDocument.\n` }, {}, []],
  [
    "a large page that the project leaves out",
    { "suture.config.json": '{"docs":{"exclude":["docs/**"]}}', "docs/all.md": `${large}loadDocument` },
    {},
    [],
  ],
  ["a source that the change padded", {}, { "src/big.ts": padded }, ["src/big.ts"]],
  ["a source that was large before", { "src/big.ts": padded }, { "src/big.ts": code("a1") }, ["src/big.ts"]],
  ["a source that is gone and was large", { "src/big.ts": padded }, { "src/big.ts": "" }, ["src/big.ts"]],
  [
    "a source in another encoding",
    {},
    { "src/odd.ts": latin("// \xe9\nexport const a = 1;\n") },
    ["src/odd.ts"],
  ],
  ["a large source of a test", {}, { "test/big.test.ts": padded }, []],
  ["large data", {}, { "src/data.json": `"${"x".repeat(1_100_000)}"` }, []],
  ["a lock file", {}, { "package-lock.json": `"${"x".repeat(1_100_000)}"` }, []],
])("what is left out is named: %s", async (_, before, after, unknown) => {
  const made = repository();
  made.commit({ "README.md": "# A\n", "src/a.ts": code("loadDocument"), ...before });
  made.commit({ "src/a.ts": code("openDocument"), ...after });
  const report = await checked(made.folder, { base: "HEAD~1" });
  expect(report.unknown.map(({ path }) => path).sort()).toEqual(unknown);
  for (const { why } of report.unknown) expect(why).toMatch(/larger than 1,000,000 bytes|not text/);
});

test("a page over the size limit that the change touches is unknown, unless the project leaves it out", async () => {
  const made = repository();
  made.commit({ "README.md": "# A\n", "docs/all.md": "# Log\n" });
  made.commit({ "docs/all.md": large });
  expect((await checked(made.folder, { base: "HEAD~1" })).unknown.map(({ path }) => path)).toEqual([
    "docs/all.md",
  ]);
  made.write({ "suture.config.json": JSON.stringify({ docs: { exclude: ["docs/all.md"] } }) });
  expect((await checked(made.folder, { base: "HEAD~1" })).unknown).toEqual([]);
});

test("a copied work tree, whose index is out of date, has no changes that are none", async () => {
  const made = withLinks();
  made.commit({ "docs/a.md": "# A\n", 'docs/"odd".md': "# B\n" });
  const copy = mkdtempSync(join(tmpdir(), "suture-copy-"));
  try {
    cpSync(made.folder, copy, { recursive: true, verbatimSymlinks: true });
    for (const path of ["README.md", "src/a.ts", "AGENTS.md"]) utimesSync(join(copy, path), 1, 1);
    const git = (await openGit(copy))!;
    const tip = (await git.resolve("HEAD"))!;
    const changes = await git.changes(tip, "worktree");
    expect(changes.map(({ path }) => path)).toEqual(['docs/"odd".md']);
  } finally {
    rmSync(copy, { recursive: true });
  }
});

test.each(["certain", "likely", "possible"])(
  "a file of findings that calls itself %s edits nothing unasked",
  (tier) => {
    const made = repository();
    made.commit({ "README.md": "# A\n", "src/a.ts": "const x = 1;\n" });
    const edits = [{ old_string: "x = 1", new_string: "x = 2" }];
    const findings = [{ path: "src/a.ts", message: "m", tier, edits }];
    const file = join(made.folder, "..", "findings.json");
    writeFileSync(file, JSON.stringify({ findings }));
    made.suture("fix", "--findings", file);
    expect(made.read("src/a.ts")).toBe("const x = 1;\n");
  },
);

test("JSON on the terminal has no character that acts on it", () => {
  const made = repository();
  made.commit({ "README.md": "# A\n" });
  for (const odd of ["\u009b2J", "\u202e", "\u2066", "\u007f"])
    expect(
      made.suture("tool", "read_file", JSON.stringify({ path: `a${odd}.md` }), "--json").out,
    ).not.toContain(odd);
});
