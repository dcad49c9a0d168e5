import { afterAll, expect, test } from "vitest";
import type { ReportedFinding } from "../../src/docs/check/report.ts";
import { createRepository, type Repository } from "../drift/repository.ts";

const opened: Repository[] = [];
afterAll(() => {
  for (const each of opened) each.remove();
});

const CLI = (flags: readonly string[]): string =>
  `import { parseArgs } from "node:util";\nexport const { values } = parseArgs({\n  options: {\n${flags
    .map((flag) => `    "${flag}": { type: "boolean" },\n`)
    .join("")}  },\n});\n`;
const LIBRARY = (name: string): string =>
  `/** Reads a user. */\nexport function ${name}(id: string): string {\n  const key = id.trim();\n  return key.toLowerCase();\n}\n\nexport function saveUser(id: string): void {\n  store.set(id, true);\n}\n`;
const README = `# Tool

Call \`fetchUserById()\` and then \`saveUser()\`.

    tool --keep-history --dry-run

Set \`TOOL_CACHE_FOLDER\` to move the cache.

Contributors run \`yarn check:types\`.

Other tools have \`otherTool()\` and \`--other-flag\`. See [the rules](docs/rules.md#naming).
`;

/** A repository in which pages went stale over some commits, each of which says what it did. */
function withLosses(): Repository {
  const made = createRepository();
  opened.push(made);
  const scripts = (types: string): string =>
    JSON.stringify(
      { name: "tool", bin: "cli.js", scripts: { [types]: "tsc --noEmit", test: "vitest" } },
      null,
      2,
    );
  const pass = (count: number): void => {
    for (let i = 0; i < count; i++) made.commit({}, `nothing ${i}`);
  };
  made.commit({
    "package.json": scripts("check:types"),
    "src/cli.ts": CLI(["keep-history", "dry-run"]),
    "src/user.ts": LIBRARY("fetchUserById"),
    "src/cache.ts": "export const folder = process.env.TOOL_CACHE_FOLDER ?? '/tmp';\n",
    "README.md": README,
    "docs/rules.md": "# Rules\n\nWords.\n\n## Naming\n\nMore words.\n",
  });
  pass(2);
  made.commit({ "src/cli.ts": CLI(["dry-run"]) }, "history is always kept");
  made.commit({ "src/user.ts": LIBRARY("loadUser") }, "loadUser is the better name");
  made.git("checkout", "--quiet", "-b", "types");
  made.commit({ "package.json": scripts("typecheck") }, "typecheck, as everywhere else");
  made.git("checkout", "--quiet", "main");
  pass(1);
  made.git("merge", "--quiet", "--no-ff", "--message", "merge types", "types");
  made.commit({ "src/cache.ts": "export const folder = '/tmp';\n" }, "one cache for all");
  made.commit({ "docs/rules.md": "# Rules\n\nWords.\n\n## Names\n\nMore words.\n" }, "shorter headings");
  pass(1);
  return made;
}

test("names, flags, variables, tasks and headings that went long ago are reported with the commit that took them", () => {
  const made = withLosses();
  const { findings } = made.suture("check", "--all", "--json").json();
  const shown = findings
    .filter(({ tier }: ReportedFinding) => tier !== "possible")
    .map(({ startLine, kind, since, edits }: ReportedFinding) => [
      startLine,
      kind,
      since?.subject,
      edits[0]?.new_string ?? null,
    ]);
  expect(shown).toEqual([
    [3, "exists", "loadUser is the better name", "Call `loadUser()` and then `saveUser()`."],
    [5, "exists", "history is always kept", null],
    [7, "exists", "one cache for all", null],
    [9, "exists", "merge types", "Contributors run `yarn typecheck`."],
    [11, "link", "shorter headings", expect.stringContaining("docs/rules.md#names")],
  ]);
  const fixed = made.suture("fix", "--all", "--yes", "--no-model", "--json");
  expect(fixed.json()).toMatchObject({ success: expect.any(Boolean) });
  expect(made.read("README.md")).toContain("[the rules](docs/rules.md#names)");
  const verified = made.suture("verify", "--json").json();
  expect(new Set(verified.edits.map(({ verdict }: { verdict: string }) => verdict))).toEqual(
    new Set(["derived"]),
  );
});

test("a word that a page took up after the code had lost it means something else", () => {
  const made = createRepository();
  opened.push(made);
  made.commit({ "src/user.ts": LIBRARY("fetchUserById"), "README.md": "# Tool\n" });
  made.commit({ "src/user.ts": LIBRARY("loadUser") });
  made.commit({ "README.md": "# Tool\n\nOther libraries call it `fetchUserById()`.\n" });
  expect(made.suture("check", "--all", "--json").json().findings).toEqual([]);
});

test("a line that tells of the past may name what is gone", () => {
  const made = createRepository();
  opened.push(made);
  const page = "# Tool\n\nCall `loadUser()` (previously `fetchUserById()`).\n";
  made.commit({ "src/user.ts": LIBRARY("fetchUserById"), "README.md": page });
  made.commit({ "src/user.ts": LIBRARY("loadUser") });
  const { findings } = made.suture("check", "--all", "--json").json();
  expect(findings.filter(({ tier }: ReportedFinding) => tier !== "possible")).toEqual([]);
});

test("a clone without the history says nothing about the past", () => {
  const made = createRepository();
  opened.push(made);
  const page = "# Tool\n\nCall `fetchUserById()`.\n";
  made.commit({ "src/user.ts": LIBRARY("fetchUserById"), "README.md": page });
  made.commit({ "src/user.ts": LIBRARY("loadUser") });
  const shallow = createRepository();
  opened.push(shallow);
  shallow.git("pull", "--quiet", "--depth", "1", `file://${made.folder}`, "main");
  expect(made.suture("check", "--all", "--json").json().findings).toHaveLength(1);
  expect(shallow.suture("check", "--all", "--json").json().findings).toEqual([]);
});

test("a lower version than the manifest asks for, and an address of a tag that never had the file", () => {
  const made = createRepository();
  opened.push(made);
  const engines = (least: string): string =>
    JSON.stringify(
      { name: "tool", repository: "https://github.com/o/tool", engines: { node: least } },
      null,
      2,
    );
  const url = "https://github.com/o/tool/blob/v1.0.0";
  const page = `# Tool

It requires Node.js 18 or newer. Other tools require Node.js 16 or newer.

You need Node.js >= 18.12 (better 20.1).

See [the code](${url}/src/user.ts), [the page](${url}/docs/gone.md) and [another](${url.replace("v1.0.0", "v9")}/x.md).
`;
  made.commit({
    "package.json": engines(">=18.12.0"),
    "src/user.ts": LIBRARY("loadUser"),
    "README.md": page,
  });
  made.git("tag", "v1.0.0");
  made.commit({ "package.json": engines(">=22.0.0") }, "Node 18 has come to its end");
  const { findings } = made.suture("check", "--all", "--json").json();
  expect(
    findings.map(({ startLine, kind, tier, message, edits }: ReportedFinding) => [
      startLine,
      kind,
      tier,
      message.replace(/[0-9a-f]{9} of [\d-]+/, "COMMIT"),
      edits[0]?.new_string ?? null,
    ]),
  ).toEqual([
    [
      3,
      "version",
      "certain",
      "the version is now `22`, not `18` (since COMMIT: Node 18 has come to its end).",
      "It requires Node.js 22 or newer. Other tools require Node.js 16 or newer.",
    ],
    [
      5,
      "version",
      "certain",
      "the version is now `22.0.0`, not `18.12` (since COMMIT: Node 18 has come to its end).",
      null,
    ],
    [7, "link", "certain", "`v1.0.0` of this repository has no `docs/gone.md`.", null],
  ]);
});

test("a sample that an edit of its page broke is possible, with the commit; one that never parsed is not reported", () => {
  const made = createRepository();
  opened.push(made);
  const page = (config: string, code: string): string =>
    `# Tool\n\n\`\`\`json\n{\n  "name": "tool",\n${config}}\n\`\`\`\n\n\`\`\`python\nimport tool\n\n${code}\`\`\`\n\n` +
    `\`\`\`go\na := tool.New()\nb := tool.New()\n\na.Run()\n${code === "tool.run(1\n" ? "" : "\n//...\n"}\`\`\`\n\n` +
    '```json\n{\n  "part": 1,\n  and so on\n```\n\n```js\nconst tool = load();\ntool.run(\n  ...\n```\n';
  made.commit({ "README.md": page('  "port": 1\n', "tool.run(1)\n").replace("  ...\n", ")\n") }, "begin");
  made.commit({ "README.md": page('  "port": 1\n', "tool.run(1)\n") }, "leave lines out");
  made.commit({ "README.md": page('  "port": 1\n  "host": "a"\n', "tool.run(1)\n") }, "say the host");
  made.commit({ "README.md": page('  "port": 1\n  "host": "a"\n', "tool.run(1\n") }, "shorter");
  const { findings } = made.suture("check", "--all", "--json").json();
  expect(
    findings.map(({ startLine, kind, tier, message }: ReportedFinding) => [
      startLine,
      kind,
      tier,
      message.replace(/[0-9a-f]{9} of [\d-]+/, "COMMIT"),
    ]),
  ).toEqual([
    [3, "form", "possible", "this json sample does not parse (since COMMIT: say the host)."],
    [11, "form", "possible", "this python sample does not parse (since COMMIT: shorter)."],
  ]);
});
