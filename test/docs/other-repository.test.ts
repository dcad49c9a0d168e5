import { basename, join } from "node:path";
import { expect, test, vi } from "vitest";
import { callTool } from "../../src/docs/catalog.ts";
import { check } from "../../src/docs/check/check.ts";
import type { Range } from "../../src/docs/check/range.ts";
import type { CheckReport } from "../../src/docs/check/report.ts";
import { openNamedProject, type ProjectName, rootToWrite } from "../../src/docs/named-project.ts";
import type { Outcome } from "../../src/text/model/outcome.ts";
import { openContext } from "../../src/tools/context.ts";
import type { Repository } from "../drift/repository.ts";
import { repositoryMaker } from "../drift/repository-maker.ts";

// The code is in one repository and its documents in another one.

// In CI only the caller can name the documents.
vi.stubEnv("CI", "");

const create = repositoryMaker();

const code = (name: string): string => `export function ${name}(path: string): string {\n  return path;\n}\n`;
const guide =
  "# Guide\n\nCall `openDocument` with a path.\n\nSee [install](install.md) and `src/helper.ts`.\n";

type Clones = { readonly service: Repository; readonly handbook: Repository; readonly docs: string };

/** A service that renames a function and deletes two files, and a handbook beside it. */
function createClones(config: { service?: object; handbook?: object } = {}): Clones {
  const [service, handbook] = [create(), create()];
  service.commit({
    "src/open.ts": code("openDocument"),
    "src/helper.ts": code("help"),
    "install.md": "# Install\n",
    "README.md": "# Service\n\nCall `openDocument`.\n",
    ...(config.service ? { "suture.config.json": JSON.stringify(config.service) } : {}),
  });
  service.commit({ "src/open.ts": code("loadDocument"), "src/helper.ts": null, "install.md": null });
  handbook.commit({
    "guide.md": guide,
    "install.md": "# Install\n",
    // Code of the site is no evidence about the product.
    "site/theme.ts": "export const openDocument = 1;\n",
    ...(config.handbook ? { "suture.config.json": JSON.stringify(config.handbook) } : {}),
  });
  return { service, handbook, docs: `../${basename(handbook.folder)}` };
}

type Found = {
  readonly path: string;
  readonly startLine: number;
  readonly tier: string;
  readonly message: string;
};

const places = (findings: readonly Found[]): string[] =>
  findings
    .filter(({ tier }) => tier !== "possible")
    .map(({ path, startLine, message }) => `${path}:${startLine} ${message}`);

const value = <T>(outcome: Outcome<T>): T => {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
  return outcome.value;
};

async function checked(name: ProjectName, range: Range | "all" = { base: "HEAD~1" }): Promise<CheckReport> {
  await using project = value(await openNamedProject(name));
  return value(await check(project, range));
}

test("check --docs: pages of another clone are checked against the change of this one", () => {
  const { service, docs } = createClones();
  const found = service.suture("check", "--docs", docs, "--json");
  expect(found.code).toBe(1);
  const report = found.json();
  expect(places(report.findings)).toEqual([
    "guide.md:3 `openDocument` is now `loadDocument` (src/open.ts:1).",
    "guide.md:5 `src/helper.ts` no longer exists (src/helper.ts:1).",
  ]);
  expect(report.docs).toEqual({ root: docs, head: expect.stringMatching(/^[0-9a-f]{40}$/) });
  expect(report.base).toBe(service.git("rev-parse", "HEAD~1").trim());
  expect(report.findings[0].evidence[0]).toMatchObject({
    path: "src/open.ts",
    after: code("loadDocument").split("\n")[0],
  });
});

test("check --docs: a link between pages of the other clone is theirs, whatever the code deletes", async () => {
  const { service, handbook } = createClones();
  const { findings } = await checked({ root: service.folder, docs: handbook.folder });
  expect(JSON.stringify(findings)).not.toContain("install.md`");
});

test("fix --docs writes into the other clone in one transaction, which is undone there", () => {
  const { service, handbook, docs } = createClones();
  const more = `${guide}\nA line about \`openDocument\` that is not committed.\n`;
  handbook.write({ "guide.md": more });
  const fixed = service.suture("fix", "--docs", docs);
  expect(handbook.read("guide.md")).toBe(more.replaceAll("openDocument", "loadDocument"));
  expect(fixed.out).toContain("✓ guide.md:3");
  expect(service.read("README.md")).toContain("openDocument");
  expect(service.git("status", "--porcelain")).toBe("");
  expect(handbook.suture("undo").code).toBe(0);
  expect(handbook.read("guide.md")).toBe(more);
});

test("verify --docs derives the edits again from the commits of both clones", () => {
  const { service, handbook, docs } = createClones();
  service.suture("fix", "--docs", docs);
  const verified = service.suture("verify", "--docs", docs);
  expect([verified.code, verified.out]).toEqual([0, expect.stringContaining("✓ guide.md")]);
  expect(handbook.suture("verify").out).toContain("its code is in another repository");
});

test("the configuration beside the code can name the documents, and does not make them writable", async () => {
  const { service, handbook, docs } = createClones();
  service.commit({ "suture.config.json": JSON.stringify({ docs: { root: docs } }) });
  const name = { root: service.folder };
  expect(places((await checked(name, { base: "HEAD~2" })).findings)).toHaveLength(2);
  const refused = service.suture("fix", "--base", "HEAD~2");
  expect([refused.code, handbook.read("guide.md")]).toEqual([1, guide]);
  expect(refused.err).toContain("--docs");
  handbook.commit({ "suture.config.json": JSON.stringify({ code: { root: service.folder } }) });
  await using project = value(await openNamedProject(name));
  expect(value(rootToWrite(project))).toBe(project.docs?.root);
});

test("the configuration beside the documents can name the code", async () => {
  const { service, handbook } = createClones();
  handbook.commit({ "suture.config.json": JSON.stringify({ code: { root: service.folder } }) });
  const ask = async (): Promise<boolean> => true;
  expect(places((await checked({ root: handbook.folder, ask })).findings)).toHaveLength(2);
  // The answer is kept.
  await using project = value(await openNamedProject({ root: handbook.folder }));
  expect(basename(value(rootToWrite(project)))).toBe(basename(handbook.folder));
});

test.each<[string, string, { back?: string; ask?: boolean }, boolean]>([
  ["the code does not name the documents", "SERVICE", {}, false],
  ["a person says no", "SERVICE", { ask: false }, false],
  ["the code names other documents", "SERVICE", { back: "../elsewhere" }, false],
  ["the code is named by a folder in it", "SERVICE/src", {}, false],
  ["the code is named by a relative path", "../SERVICE_NAME", {}, false],
  ["the code is named by a way around", "SERVICE/../SERVICE_NAME/.", {}, false],
  ["a person says yes", "SERVICE", { ask: true }, true],
  ["both name each other", "SERVICE", { back: "HANDBOOK" }, true],
])("code that the documents name is read by agreement: %s", async (_, code, { back, ask }, isRead) => {
  const { service, handbook } = createClones();
  const fill = (text: string): string =>
    text
      .replaceAll("SERVICE_NAME", basename(service.folder))
      .replaceAll("SERVICE", service.folder)
      .replaceAll("HANDBOOK", handbook.folder);
  handbook.commit({ "suture.config.json": JSON.stringify({ code: { root: fill(code) } }) });
  if (back !== undefined)
    service.commit({ "suture.config.json": JSON.stringify({ docs: { root: fill(back) } }) });
  const asking = ask === undefined ? {} : { ask: async () => ask };
  const opened = await openNamedProject({ root: handbook.folder, ...asking });
  expect(opened.ok).toBe(isRead);
  if (opened.ok) await opened.value.close();
  else {
    expect(opened.refusal.code).toBe("not-allowed");
    expect(handbook.suture("fix", "--yes").code).not.toBe(0);
    expect(handbook.read("guide.md")).toBe(guide);
  }
});

test("each side leaves out what its own configuration says", async () => {
  const { service, handbook } = createClones({ service: { rules: { path: "off" } } });
  expect(places((await checked({ root: service.folder, docs: handbook.folder })).findings)).toEqual([
    expect.stringContaining("openDocument"),
  ]);
  const other = createClones({ handbook: { docs: { exclude: ["guide.md"] } } });
  const { findings } = await checked({ root: other.service.folder, docs: other.handbook.folder });
  expect(places(findings)).toEqual([]);
});

test("--docs takes a folder: only its pages are checked, in either repository", async () => {
  const { service, handbook } = createClones();
  handbook.commit({ "api/open.md": "# Open\n\n`openDocument` opens.\n" });
  const below = await checked({ root: service.folder, docs: join(handbook.folder, "api") });
  expect(places(below.findings)).toEqual([expect.stringContaining("api/open.md:3")]);
  const own = await checked({ root: service.folder, docs: service.folder });
  expect([places(own.findings), own.docs]).toEqual([[expect.stringContaining("README.md:3")], undefined]);
});

test("a folder without a clone is a usage error that names it", () => {
  const { service } = createClones();
  const refused = service.suture("check", "--docs", "nowhere");
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("no git repository at nowhere,")]);
});

test("check --all --docs: the tasks of the code, and the links of the other clone", async () => {
  const { service, handbook } = createClones();
  service.commit({ "package.json": JSON.stringify({ scripts: { build: "tsc" } }) });
  handbook.commit({
    "contributing.md":
      "# Guide\n\nRun `npm run bundle`. See [install](/install.md) and [again](./install.md).\n",
  });
  const { findings } = await checked({ root: service.folder, docs: handbook.folder }, "all");
  expect(findings.map(({ path, kind }) => `${path} ${kind}`)).toEqual(["contributing.md exists"]);
});

test("find_drift for an agent: the tools are those of the documents, the change is that of the code", async () => {
  const { service, handbook } = createClones();
  const context = value(await openContext({ root: handbook.folder, code: service.folder, profile: "docs" }));
  const { findings } = (await callTool(context, "find_drift", { base: "HEAD~1" })) as unknown as CheckReport;
  await context.close();
  expect(places(findings)).toContain("guide.md:3 `openDocument` is now `loadDocument` (src/open.ts:1).");
});

test("mcp --docs serves the pages of the other clone, and refuses a folder without one", async () => {
  const { service, handbook, docs } = createClones();
  const call = (id: number, method: string, params: object): string =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const client = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  const asked = [
    call(1, "initialize", client),
    `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`,
    call(2, "tools/call", { name: "find_drift", arguments: { base: "HEAD~1" } }),
    call(3, "tools/call", { name: "read_file", arguments: { path: "guide.md" } }),
  ];
  const { out } = service.sutureWith(asked.join(""), "mcp", "--docs", docs);
  const answers = new Map(
    out
      .trim()
      .split("\n")
      .map((line) => [JSON.parse(line).id, JSON.parse(line).result]),
  );
  expect(answers.get(2).structuredContent.findings[0]).toMatchObject({ path: "guide.md", startLine: 3 });
  expect(JSON.stringify(answers.get(3))).toContain("openDocument");
  expect(service.suture("mcp", "--docs", join(handbook.folder, "none")).code).not.toBe(0);
});
