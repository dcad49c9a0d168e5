import { execFileSync } from "node:child_process";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  type DocumentationOptions,
  type DocumentationResult,
  runDocumentation,
} from "../../src/agents/documentation/documentation.ts";
import type { AgentRunOptions } from "../../src/agents/run/open-agent-run.ts";
import { auditSchema } from "../../src/docs/record/audit-schema.ts";
import { parseLineage } from "../../src/docs/record/lineage.ts";
import { openProject, type Project } from "./project.ts";
import type { Request, Script, Turn } from "./scripted-server.ts";

let project: Project;
afterEach(() => project.close());

const long = Array.from({ length: 200 }, (_, i) => `Line ${i + 1} of the page.`).join("\n");

const files = {
  "package.json": '{ "name": "acme" }\n',
  "src/cli.ts": 'export const flags = ["--new", "--keep"];\nexport function start() {}\n',
  "docs/cli.md": `---\ntitle: CLI\n---\n\n# CLI\n\nPass \`--old\` to be quick.\r\nPass \`--keep\` always.\n\n${long}\n\n<Tabs>mdx</Tabs>\n\n\`\`\`mermaid\ngraph TD\n\`\`\``,
  "docs/other.md": "# Other\n\nUse `--old` here, too.\n",
};

const patch = (from: string, to: string, reason = "The flag was renamed in src/cli.ts.") => ({
  name: "patch_file",
  input: { original_text_snippet: from, new_text_snippet: to, reason },
});

type Page = { path: string; relevantPaths?: string[]; originalPath?: string };

const isPlan = ({ system }: Request): boolean => system.includes("You plan the documentation");
const isResearch = ({ system }: Request): boolean => system.includes("You study the source");
/** The page a writer's request is about. */
const pageOf = ({ messages }: Request): string => /^Path: (.+)$/m.exec(messages[0]!.text)?.[1] ?? "";
const isDone = ({ messages }: Request): boolean => messages.at(-1)!.role === "tool";

/** A planner that names these pages, and a writer that does this for each. */
function script(pages: Page[], write: (path: string, request: Request) => Turn | Promise<Turn>): Script {
  return (request) => {
    if (isResearch(request)) return { text: "A tool with flags." };
    if (isPlan(request))
      return {
        text: JSON.stringify(
          pages.map((page) => ({
            description: "d",
            type: "reference",
            relevantPaths: ["src/cli.ts"],
            ...page,
          })),
        ),
      };
    return write(pageOf(request), request);
  };
}

const rename = (_: string, request: Request): Turn =>
  isDone(request) || !request.messages[0]!.text.includes("`--old`")
    ? { text: "Renamed the flag." }
    : { calls: [patch("`--old`", "`--new`")] };

async function run(
  options: Partial<DocumentationOptions> = {},
  run: Partial<AgentRunOptions> = {},
): Promise<DocumentationResult> {
  const opened = await project.open(run);
  const done = await runDocumentation(opened.run, { command: "documentation", output: "docs", ...options });
  await opened.close();
  if (!done.ok) throw new Error(JSON.stringify(done.refusal));
  return done.value;
}

const statuses = ({ pages }: DocumentationResult) =>
  Object.fromEntries(pages.map(({ path, status }) => [path, status]));
const stateOf = (name: string): string | null =>
  project.exists(`.suture/${name}`) ? project.text(`.suture/${name}`) : null;
const auditOf = ({ run: id }: DocumentationResult) =>
  auditSchema.parse(JSON.parse(stateOf(`audit/${id}.json`)!));

test.each([
  ["its manifest", { "package.json": '{ "name": "acme" }\n', "README.md": "# Agent Trace\n" }, "acme"],
  [
    "the title of its README",
    { "README.md": "# Agent [Trace](https://example.org) ![](a.svg)\n" },
    "Agent Trace",
  ],
])("a project has the name that %s says", async (_, named, name) => {
  const { "package.json": _manifest, ...rest } = files;
  project = await openProject({ ...rest, ...named }, script([{ path: "docs/cli.md" }], rename));
  await run();
  const writer = project.server.requests.find((request) => !isPlan(request) && !isResearch(request));
  expect(writer!.system).toContain(`the lead technical writer of ${name}.`);
});

test("the writer of a new page hears nothing of a diff that does not exist", async () => {
  project = await openProject(
    files,
    script([{ path: "docs/new.md" }], () => ({ text: "# New\n\nPass `--keep`.\n" })),
  );
  await run();
  const asked = project.server.requests.filter((request) => pageOf(request) === "docs/new.md");
  expect(asked.length).toBeGreaterThan(0);
  for (const { messages } of asked) expect(messages[0]!.text).not.toContain("There is no diff");
});

test("a summary in the last call ends the work on a page, and costs no round trip of its own", async () => {
  const last = { ...patch("`--old`", "`--new`") };
  const turn = { calls: [{ ...last, input: { ...last.input, summary: "Renamed the flag in the text." } }] };
  project = await openProject(
    files,
    script([{ path: "docs/cli.md" }], () => turn),
  );
  const result = await run({}, { review: false });
  expect(statuses(result)).toEqual({ "docs/cli.md": "updated" });
  expect(result.pages[0]).toMatchObject({ summary: "Renamed the flag in the text." });
  expect(project.server.requests.filter((request) => pageOf(request) === "docs/cli.md")).toHaveLength(1);
});

test("a summary in a call that fails ends nothing", async () => {
  const wrong = patch("`--older`", "`--new`");
  const right = patch("`--old`", "`--new`");
  const turns = [wrong, right].map(({ name, input }) => ({
    calls: [{ name, input: { ...input, summary: "Done." } }],
  }));
  let asked = 0;
  project = await openProject(
    files,
    script([{ path: "docs/cli.md" }], () => turns[asked++] ?? { text: "?" }),
  );
  expect(statuses(await run({}, { review: false }))).toEqual({ "docs/cli.md": "updated" });
  expect(asked).toBe(2);
});

test("a change of sources that lineage knows is not researched and planned again; a new source is", async () => {
  const right = script([{ path: "docs/cli.md" }], rename);
  project = await openProject(files, right);
  await run();
  const plans = () =>
    project.server.requests.filter((request) => isPlan(request) || isResearch(request)).length;
  project.commit("the pages of the first run");
  const first = plans();
  expect(first).toBe(2);
  project.put("src/cli.ts", `${files["src/cli.ts"]}export function stop() {}\n`);
  project.commit("stop");
  expect(statuses(await run())).toEqual({ "docs/cli.md": "unchanged" });
  expect(plans()).toBe(first);
  project.put("src/more.ts", "export function more() {}\n");
  project.commit("more");
  await run();
  expect(plans()).toBe(first + 2);
});

test("the reviewer sees the files that the writer has read", async () => {
  const page = "# New\n\nPass `--keep`.\n";
  let writes = 0;
  project = await openProject(
    { ...files, "src/inner.ts": "export const innerSecretOfTheTool = 1;\n" },
    script([{ path: "docs/new.md" }], (_, request) => {
      if (request.system.includes("You review a draft"))
        return { text: '{"verdict": "accept", "findings": []}' };
      return writes++ === 0
        ? { calls: [{ name: "read_file", input: { path: "src/inner.ts" } }] }
        : { text: page };
    }),
  );
  await run({}, { review: true });
  const review = project.server.requests.find(({ system }) => system.includes("You review a draft"));
  expect(review!.messages[0]!.text).toContain("innerSecretOfTheTool");
});

describe("pages", () => {
  test("one patch on a long page is one git hunk, and every other byte stays", async () => {
    project = await openProject(files, script([{ path: "docs/cli.md" }], rename));
    const result = await run();
    expect(statuses(result)).toEqual({ "docs/cli.md": "updated" });
    expect(project.text("docs/cli.md")).toBe(files["docs/cli.md"].replace("--old", "--new"));
    const diff = project.git("diff", "-U0", "--", "docs");
    expect(diff.match(/^@@/gm)).toHaveLength(1);
    expect(project.git("diff", "--numstat", "--", "docs").trim()).toBe("1\t1\tdocs/cli.md");
  });

  test("one run mixes modes; a failed page is reported, stays as it was, and is not recorded as current", async () => {
    const pages = [
      { path: "docs/cli.md" },
      { path: "docs/new/page.md" },
      { path: "docs/other.md" },
      { path: "../evil.md" },
    ];
    project = await openProject(
      files,
      script(pages, (path, request) => {
        if (path === "docs/new/page.md") return { text: "# New\n\nPass `--keep` always, whatever you do.\n" };
        if (path === "docs/other.md") return { status: 400, text: "no" };
        return rename(path, request);
      }),
    );
    const before = project.text("docs/other.md");
    const result = await run();
    expect(statuses(result)).toEqual({
      "docs/cli.md": "updated",
      "docs/new/page.md": "created",
      "docs/other.md": "failed",
      "../evil.md": "refused",
    });
    expect(project.text("docs/new/page.md")).toContain("# New");
    expect(project.text("docs/other.md")).toBe(before);
    expect(result.left.map(({ path }) => path).sort()).toEqual(["../evil.md", "docs/other.md"]);
    expect(project.events.filter(({ kind }) => kind === "failed").map(({ text }) => text)).toEqual([
      expect.stringMatching(/^✖ Failed docs\/other\.md: .*400: no/),
    ]);
    const lineage = parseLineage(stateOf("lineage.json")!)!;
    expect(Object.keys(lineage.pages).sort()).toEqual(["docs/cli.md", "docs/new/page.md"]);
    expect(lineage.pages["docs/cli.md"]).toMatchObject({
      sources: ["src/cli.ts"],
      commit: project.git("rev-parse", "HEAD").trim(),
    });
    expect(stateOf("audit/documentation.state.json")).toBeNull();
  });

  test("pages of one run may link to each other, whichever is written first", async () => {
    const pages = [{ path: "docs/first.md" }, { path: "docs/second.md" }];
    const words = (other: string) => `Pass \`--keep\` always. See [the other page](${other}).\n`;
    project = await openProject(
      files,
      script(pages, (path) => ({
        text:
          path === "docs/first.md" ? `# First\n\n${words("second.md")}` : `# Second\n\n${words("first.md")}`,
      })),
    );
    expect(statuses(await run())).toEqual({ "docs/first.md": "created", "docs/second.md": "created" });
  });

  test("a planned page that failed stays planned until it is written, also where the next plan is empty", async () => {
    let pages: Page[] = [{ path: "docs/cli.md" }, { path: "docs/other.md" }];
    let works = false;
    project = await openProject(files, (request, index) => {
      const act = script(pages, (path, asked) =>
        path === "docs/other.md" && !works ? { status: 400, text: "no" } : rename(path, asked),
      );
      return typeof act === "function" ? act(request, index) : act[index]!;
    });
    expect(statuses(await run())).toEqual({ "docs/cli.md": "updated", "docs/other.md": "failed" });
    project.commit("what was written");
    pages = [];
    expect(statuses(await run())).toEqual({ "docs/other.md": "failed" });
    works = true;
    expect(statuses(await run())).toEqual({ "docs/other.md": "updated" });
    project.commit("the rest");
    expect((await run()).skipped).toBeDefined();
  });

  test("a planned page that failed is written later with the change that it was planned for", async () => {
    let works = false;
    project = await openProject(
      files,
      script([{ path: "docs/other.md" }], (path, request) =>
        works ? rename(path, request) : { status: 400, text: "no" },
      ),
    );
    project.put("src/cli.ts", `${files["src/cli.ts"]}export function stop() {}\n`);
    project.commit("stop");
    expect(statuses(await run({ base: "HEAD~1" }))).toEqual({ "docs/other.md": "failed" });
    works = true;
    expect(statuses(await run())).toEqual({ "docs/other.md": "updated" });
    const asked = project.server.requests.filter((one) => pageOf(one) === "docs/other.md");
    expect(asked.at(-1)!.messages[0]!.text).toContain("+export function stop() {}");
  });

  test("a page that needs no change keeps its bytes and time and is reported unchanged", async () => {
    project = await openProject(
      files,
      script([{ path: "docs/cli.md" }], () => ({ text: `Nothing to do.\n\n${files["docs/cli.md"]}` })),
    );
    utimesSync(join(project.root, "docs/cli.md"), 1000, 1000);
    const before = project.snapshot();
    const result = await run();
    expect(statuses(result)).toEqual({ "docs/cli.md": "unchanged" });
    expect(project.snapshot()).toEqual(before);
    expect(
      execFileSync("stat", ["-c", "%Y", join(project.root, "docs/cli.md")], { encoding: "utf8" }).trim(),
    ).toBe("1000");
  });

  test("force rewrites the page and keeps its front matter", async () => {
    project = await openProject(
      files,
      script([{ path: "docs/cli.md" }], () => ({ text: "# CLI\n\nPass `--new` when you like.\n" })),
    );
    expect(statuses(await run({ force: true }))).toEqual({
      "docs/cli.md": "updated",
      "docs/other.md": "updated",
    });
    expect(project.text("docs/cli.md")).toBe(
      "---\ntitle: CLI\n---\n\n# CLI\n\nPass `--new` when you like.\n",
    );
  });

  test("force tells of a page that loses most of its lines, and of no other", async () => {
    const short = "# CLI\n\nPass `--new` when you like.\n";
    project = await openProject(
      files,
      script([{ path: "docs/cli.md" }], () => ({ text: short })),
    );
    const { pages } = await run({ force: true });
    expect(pages.map(({ path, status, article }) => ({ path, status, risks: article.risks }))).toEqual([
      {
        path: "docs/cli.md",
        status: "updated",
        risks: [
          {
            path: "docs/cli.md",
            what: "lost lines",
            detail: "the page has 5 lines of text where it had 210",
          },
        ],
      },
      { path: "docs/other.md", status: "updated", risks: undefined },
    ]);
  });

  test("force rewrites every page, also those that the planner leaves out, but none of the past or of a program", async () => {
    const kept = {
      "docs/changelog.md": "# Changelog\n\n- `--old` is new.\n",
      "docs/made.md": "<!-- This file is generated. Do not edit. -->\n# Made\n",
      "docs/plain.rst": "Plain\n=====\n",
    };
    project = await openProject(
      { ...files, ...kept, "docs/other.md": `${files["docs/other.md"]}\n## Speed\n\nFast.\n\n## Limits\n` },
      script([{ path: "docs/new.md" }], () => ({ text: "# Flags\n\nPass `--new` when you like.\n" })),
    );
    const result = await run({ force: true });
    expect(statuses(result)).toEqual({
      "docs/new.md": "created",
      "docs/cli.md": "updated",
      "docs/other.md": "updated",
    });
    expect(result.pages.map(({ mode }) => mode)).toEqual(Array(3).fill("full-generation"));
    for (const [path, text] of Object.entries(kept)) expect(project.text(path)).toBe(text);
    const asked = project.server.requests.find((one) => pageOf(one) === "docs/other.md")!;
    expect(asked.messages[0]!.text).toContain(
      "Purpose: Other: Use `--old` here, too. (its sections: Speed, Limits)",
    );
    expect(asked.messages[0]!.text).toMatch(
      /that you may link to[\s\S]*docs\/new\.md[\s\S]*that yours replaces[\s\S]*Use `--old` here, too\./,
    );
    const fresh = project.server.requests.find((one) => pageOf(one) === "docs/new.md")!;
    expect(fresh.messages[0]!.text).toContain("for its tone and form");
    expect(fresh.messages[0]!.text).not.toContain("that yours replaces");
  });

  test("force with a limit says which pages are left, and the next run knows them, however many", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 210 }, (_, i) => [`docs/many/p${i}.md`, `# Page ${i}\n\nWords.\n`]),
    );
    project = await openProject(
      { ...files, ...many },
      script([{ path: "docs/other.md" }], () => ({ text: "# Flags\n\nPass `--new` when you like.\n" })),
    );
    const result = await run({ force: true, limit: 1 });
    expect(statuses(result)).toEqual({ "docs/other.md": "updated" });
    expect(result.left).toHaveLength(211);
    expect(result.left[0]).toEqual({ path: "docs/cli.md", why: expect.stringContaining("--limit") });
    expect(statuses(await run({ limit: 2 }))).toHaveProperty(["docs/cli.md"]);
  });

  test("a moved page is updated from its old text, and moves in the same transaction", async () => {
    project = await openProject(
      files,
      script([{ path: "docs/guide/flags.md", originalPath: "docs/other.md" }], rename),
    );
    expect(statuses(await run())).toEqual({ "docs/guide/flags.md": "created" });
    expect(project.text("docs/guide/flags.md")).toBe("# Other\n\nUse `--new` here, too.\n");
    expect(project.exists("docs/other.md")).toBe(false);
  });

  test("a page that is not text is refused, and the other pages are processed", async () => {
    project = await openProject(files, script([{ path: "docs/bad.md" }, { path: "docs/other.md" }], rename));
    project.put("docs/bad.md", Buffer.from([0x23, 0x20, 0xe9, 0xff, 0x0a]));
    expect(statuses(await run())).toEqual({ "docs/bad.md": "failed", "docs/other.md": "updated" });
  });

  test("a page that changed on disk during the run keeps the new text", async () => {
    project = await openProject(
      files,
      script([{ path: "docs/other.md" }], (_, request) => {
        if (!isDone(request))
          project.put(
            "docs/other.md",
            "# Other\n\nSomebody rewrote `--old` in the meantime, and `--old` twice.\n",
          );
        return rename("", request);
      }),
    );
    const result = await run();
    expect(statuses(result)).toEqual({ "docs/other.md": "failed" });
    expect(project.text("docs/other.md")).toContain("Somebody rewrote");
    expect(stateOf("lineage.json")).toBeNull();
  });

  test("force does not overwrite a page that changed during the run", async () => {
    project = await openProject(
      files,
      script([{ path: "docs/other.md" }], (path) => {
        if (path === "docs/other.md") project.put(path, "# Other\n\nSomebody's own words.\n");
        return { text: "# Other\n\nWritten by a model, all anew.\n" };
      }),
    );
    expect(statuses(await run({ force: true }))).toEqual({
      "docs/other.md": "failed",
      "docs/cli.md": "updated",
    });
    expect(project.text("docs/other.md")).toContain("Somebody's own words.");
  });

  test("patches from before the step limit are written, and the page still counts as failed", async () => {
    project = await openProject(
      files,
      script([{ path: "docs/other.md" }], (_, request) =>
        request.messages.length === 1
          ? { calls: [patch("`--old`", "`--new`")] }
          : { calls: [patch("nowhere", "x")] },
      ),
    );
    const result = await run();
    expect(statuses(result)).toEqual({ "docs/other.md": "partial" });
    expect(project.text("docs/other.md")).toContain("--new");
    expect(stateOf("lineage.json")).toBeNull();
    expect(result.left).toMatchObject([
      {
        path: "docs/other.md",
        why: expect.stringContaining("Could not find the exact snippet in docs/other.md"),
      },
    ]);
  });

  test("an edit that a gate refuses twice is left for a person, and nothing of the page is written", async () => {
    project = await openProject(
      files,
      script([{ path: "docs/other.md" }], (_, request) =>
        isDone(request)
          ? { text: "ok" }
          : {
              calls: [
                patch(
                  request.system.includes("objections") ? "`--bogus`" : "`--old`",
                  "`--bogus` or `--bogus2`",
                ),
              ],
            },
      ),
    );
    const before = project.snapshot();
    const result = await run();
    expect(statuses(result)).toEqual({ "docs/other.md": "failed" });
    expect(project.snapshot()).toEqual(before);
    expect(auditOf(result).articles[0]).toMatchObject({
      status: "error",
      objections: [{ gate: "names" }, { gate: "names" }],
    });
  });
});

describe("a refused draft is kept as a patch that git applies, also that of", () => {
  const bogus = "# Flags\n\nPass `--bogus` when you like.\n";
  const patched = (_: string, request: Request): Turn =>
    isDone(request) ? { text: "ok" } : { calls: [patch("`--old`", "`--bogus`")] };
  test.each<[string, { page: Page; force?: boolean; write: Parameters<typeof script>[1]; after: string }]>([
    ["a new page", { page: { path: "docs/flags.md" }, write: () => ({ text: bogus }), after: bogus }],
    [
      "an existing page that is written from scratch",
      { page: { path: "docs/other.md" }, force: true, write: () => ({ text: bogus }), after: bogus },
    ],
    [
      "a page that moves",
      {
        page: { path: "docs/flags.md", originalPath: "docs/other.md" },
        write: patched,
        after: "# Other\n\nUse `--bogus` here, too.\n",
      },
    ],
  ])("%s", async (_, { page, force = false, write, after }) => {
    project = await openProject(files, script([page], write));
    const before = project.snapshot();
    const result = await run({ force, limit: 1 });
    expect(statuses(result)).toEqual({ [page.path]: "failed" });
    expect(project.snapshot()).toEqual(before);
    const { draft } = auditOf(result).articles[0]!;
    execFileSync("git", ["apply", "-"], { cwd: project.root, input: draft! });
    expect(project.text(page.path)).toBe(after);
    if (page.originalPath !== undefined) expect(project.exists(page.originalPath)).toBe(false);
  });
});

describe("a run", () => {
  test("verbose output shows the mode of each page and what was done", async () => {
    project = await openProject(files, script([{ path: "docs/other.md" }], rename));
    const result = await run();
    expect(result.pages[0]!.summary).toBe("Renamed the flag.");
    expect(project.events.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        "↳ 🩹 Surgical Update Mode detected for docs/other.md",
        "✔ Wrote docs/other.md",
      ]),
    );
  });

  test("a dry run shows the patches and writes nothing at all", async () => {
    project = await openProject(files, script([{ path: "docs/other.md" }], rename));
    const result = await run({ dryRun: true }, { readOnly: true });
    expect(result.pages[0]!.patch).toContain("+Use `--new` here, too.");
    expect(project.git("status", "--porcelain")).toBe("");
    expect(project.exists(".suture")).toBe(false);
  });

  test("leaves a record that the schema takes, whose patches git applies, with a reason for each edit; undo restores every byte", async () => {
    project = await openProject(
      files,
      script(
        [{ path: "docs/cli.md" }, { path: "docs/other.md" }, { path: "docs/new.md" }],
        (path, request) => {
          if (path === "docs/new.md") return { text: "# New\n\nCall `start()` to begin with.\n" };
          if (isDone(request)) return { text: "ok" };
          const more =
            path === "docs/cli.md"
              ? [
                  patch("Line 3 of", "Line three of", "Spelled out."),
                  patch("graph TD\n```", "graph LR\n```", "Wider."),
                ]
              : [];
          return { calls: [patch("`--old`", "`--new`"), ...more] };
        },
      ),
    );
    const before = project.snapshot();
    const result = await run();
    const after = project.snapshot();
    const record = auditOf(result);
    expect(record).toMatchObject({
      source: "git",
      command: "documentation",
      model: "openai:gpt-4o-mini",
      toolCalls: { patch_file: 4 },
    });
    expect(record.usage.inputTokens).toBeGreaterThan(0);
    const byPath = Object.fromEntries(record.articles.map((article) => [article.path, article]));
    expect(byPath["docs/cli.md"]!.editReasons).toEqual([
      "The flag was renamed in src/cli.ts.",
      "Spelled out.",
      "Wider.",
    ]);
    expect(byPath["docs/other.md"]!.editReasons).toHaveLength(1);
    project.git("stash", "-q", "--include-untracked", "--", "docs");
    for (const { patch: text } of record.articles)
      execFileSync("git", ["apply", "-"], { cwd: project.root, input: text! });
    expect(project.snapshot()).toEqual(after);
    const { run: agentRun, close } = await project.open();
    const undone = await agentRun.context.workspace!.undo({ run: result.run }, { author: "test" });
    expect(undone.ok).toBe(true);
    await close();
    expect(project.snapshot()).toEqual(before);
  });

  test("after a clean run the next run skips and says why, unless it is forced or something changed", async () => {
    project = await openProject(files, script([{ path: "docs/other.md" }], rename));
    await run();
    project.commit("docs");
    await run();
    const asked = project.server.requests.length;
    const skipped = await run();
    expect(skipped.skipped).toMatch(/no drift was found at [0-9a-f]{12} .* nothing has changed since/);
    expect(project.server.requests).toHaveLength(asked);
    expect((await run({ force: true })).skipped).toBeUndefined();
    project.put("src/cli.ts", "export const changed = 1;\n");
    expect((await run()).skipped).toBeUndefined();
  });

  test("a base that the last run was not asked about is no reason to skip; the same base is", async () => {
    project = await openProject(files, script([], rename));
    project.put("src/cli.ts", "export const changed = 1;\n");
    project.commit("change");
    await run();
    expect((await run()).skipped).toBeDefined();
    expect((await run({ base: "HEAD~1" })).skipped).toBeUndefined();
    expect((await run({ base: "HEAD~1" })).skipped).toBeDefined();
    expect((await run()).skipped).toBeDefined();
  });

  test("a base that a run was asked about is skipped after its pages are committed", async () => {
    project = await openProject(files, script([{ path: "docs/other.md" }], rename));
    const base = project.git("rev-parse", "HEAD").trim();
    project.put("src/cli.ts", 'export const flags = ["--new", "--keep", "--more"];\n');
    project.commit("change");
    expect(statuses(await run({ base }))).toEqual({ "docs/other.md": "updated" });
    project.commit("docs");
    expect((await run({ base })).skipped).toBeDefined();
  });

  test("the planner is told when there is no change to go by", async () => {
    project = await openProject(files, script([], rename));
    await run();
    expect(project.server.requests.find(isPlan)!.system).toContain("no change of the code is given");
  });

  test("the planner sees the headings of a page, and pages about migrations", async () => {
    const page = `# Tests\n${"\nWords.\n".repeat(20)}\n## Schema migrations\n`;
    project = await openProject({ ...files, "docs/tests_and_migrations.md": page }, script([], rename));
    await run();
    const asked = project.server.requests.find(isPlan)!;
    expect(asked.messages[0]!.text).toContain("docs/tests_and_migrations.md");
    expect(asked.messages[0]!.text).toContain("## Schema migrations");
    expect(asked.tools).toEqual(["read_file", "search_files"]);
  });

  test.each([
    ["setup.py", 'setup(\n    name="acme-py",\n)\n', "acme-py"],
    ["setup.cfg", "[metadata]\nname = acme-cfg\nversion = 1\n", "acme-cfg"],
  ])("the name of a project is that of its %s", async (manifest, text, name) => {
    const { "package.json": _, ...rest } = files;
    project = await openProject({ ...rest, [manifest]: text }, script([], rename));
    await run();
    expect(project.server.requests.find(isPlan)!.system).toContain(`the documentation of ${name},`);
  });

  test("the writer gets the diff since the page was last current", async () => {
    project = await openProject(files, script([{ path: "docs/other.md" }], rename));
    await run();
    project.commit("docs");
    project.put("src/cli.ts", 'export const flags = ["--new", "--newest"];\n');
    project.put("src/unrelated.ts", "export const unrelated = 1;\n");
    project.commit("another flag");
    await run();
    const last = project.server.requests.findLast((request) => pageOf(request) === "docs/other.md")!;
    expect(last.messages[0]!.text).toContain('+export const flags = ["--new", "--newest"];');
    expect(last.messages[0]!.text).not.toContain("unrelated");
  });

  test("the planner and the writer see what the commits say, and the planner reads the README", async () => {
    const { "package.json": _, ...rest } = files;
    const more = {
      ...rest,
      "README.md": "# Planes\n\nIt folds paper planes.\n",
      "pyproject.toml": '[project]\nname = "planes"\n',
    };
    project = await openProject(more, script([{ path: "docs/cli.md" }], rename));
    await run();
    project.put("src/cli.ts", 'export const flags = ["--new", "--keep", "--fold"];\n');
    project.commit("feat: fold\n\nPlanes are folded twice when it rains.");
    await run({ force: true });
    const asked = project.server.requests.filter(isPlan).at(-1)!;
    expect(asked.messages[0]!.text).toContain("folded twice when it rains");
    expect(project.server.requests.at(-1)!.messages[0]!.text).toContain("folded twice when it rains");
    const research = project.server.requests.find(isResearch)!;
    expect(research.system).toContain("the source of planes");
    expect(research.messages[0]!.text).toContain("folds paper planes");
  });

  test("the writer of a new page sees a page beside it, and reads files where the model calls tools", async () => {
    const look = { name: "read_file", input: { path: "src/cli.ts" } };
    const whole = "# Flags\n\nPass `--new` to be quick.\n";
    project = await openProject(
      files,
      script([{ path: "docs/flags.md", relevantPaths: [] }], (_, request) =>
        isDone(request) ? { text: whole } : { calls: [look] },
      ),
    );
    expect(statuses(await run())).toEqual({ "docs/flags.md": "created" });
    expect(project.text("docs/flags.md")).toBe(whole);
    const [first, second] = project.server.requests.filter((one) => pageOf(one) === "docs/flags.md");
    expect(first!.tools).toEqual(["read_file", "search_files"]);
    expect(first!.messages[0]!.text).toMatch(/for its tone and form[\s\S]*# (?:CLI|Other)/);
    expect(second!.messages.at(-1)!.text).toContain("--keep");
  });

  test("a page that the planner links to nothing is written from the code its words are nearest to", async () => {
    const more = {
      ...files,
      "src/colour.ts": "export const palette = 1;\n",
      "docs/flags.md": "# Flags\n\nHow to start with flags: `--old`.\n",
    };
    project = await openProject(more, script([{ path: "docs/flags.md", relevantPaths: [] }], rename));
    await run();
    expect(parseLineage(stateOf("lineage.json")!)!.pages["docs/flags.md"]!.sources).toEqual(["src/cli.ts"]);
  });

  test("with an embedding model the code nearest in meaning comes first; secrets are not sent, and what it used is counted", async () => {
    const words = "handles the parcels of the shop";
    const sources = {
      "src/words.ts": `// ${words}\n`.repeat(5),
      "src/meaning.ts": `// the shop\nexport const needle = "sk-live-0123456789abcdefghij";\n`,
    };
    project = await openProject(
      { ...files, ...sources, "docs/shop.md": `# The needle\n\n${words}\n` },
      script([{ path: "docs/shop.md", relevantPaths: [] }], () => ({ text: "Nothing to do." })),
    );
    const first = () =>
      /=+ DATA: (src\/\S+)/.exec(
        project.server.requests.findLast((request) => pageOf(request) === "docs/shop.md")!.messages[0]!.text,
      )![1];
    const dry = { readOnly: true, maxCostUsd: 1 };
    const without = await run({ dryRun: true }, dry);
    expect(first()).toBe("src/words.ts");
    const environment = { ...project.environment(), SUTURE_EMBEDDING_MODEL: "openai:text-embedding-3-small" };
    // The price of the model is unknown, so it is not asked under a cost limit.
    await run({ dryRun: true }, { ...dry, environment });
    expect(project.server.embedded).toEqual([]);
    expect(project.events.map(({ text }) => text).join()).toContain("chosen by keywords alone");
    const result = await run({ dryRun: true }, { readOnly: true, environment });
    expect(result.usage.inputTokens).toBe(without.usage.inputTokens + 7);
    expect(first()).toBe("src/meaning.ts");
    expect(JSON.stringify(project.server.embedded)).not.toContain("sk-live");
    expect(project.server.embedded).toHaveLength(1);
  });

  test("--limit and --max-cost are kept", async () => {
    project = await openProject(files, script([{ path: "docs/other.md" }, { path: "docs/cli.md" }], rename));
    expect((await run({ limit: 1 })).pages).toHaveLength(1);
    const poor = await run({ force: true }, { maxCostUsd: 0.0035 });
    expect(poor.usage.costUsd!).toBeLessThanOrEqual(0.0035);
    expect(poor.left.length).toBeGreaterThan(0);
  });

  test("without a model, pages whose sources changed are listed, with how to name one", async () => {
    project = await openProject(files, script([{ path: "docs/other.md" }], rename));
    await run();
    project.put("src/cli.ts", "export const changed = 1;\n");
    project.commit("change");
    const asked = project.server.requests.length;
    const result = await run({}, { environment: { HOME: project.root } });
    expect(result).toMatchObject({
      left: [{ path: "docs/other.md", why: expect.stringContaining("src/cli.ts") }],
      howTo: expect.stringContaining("--model provider:name"),
    });
    expect(project.server.requests).toHaveLength(asked);
  });

  test("without a model, pages that a run planned and did not write are listed", async () => {
    project = await openProject(
      files,
      script([{ path: "docs/other.md" }], () => ({ status: 400, text: "no" })),
    );
    await run();
    const result = await run({}, { environment: { HOME: project.root } });
    expect(result.left).toEqual([{ path: "docs/other.md", why: expect.stringContaining("planned") }]);
  });

  test("in a fresh clone the committed lineage is known, and other pages stay in it", async () => {
    const lineage = JSON.stringify({
      version: 1,
      pages: { "docs/cli.md": { sources: ["src/cli.ts"], commit: null, version: "v" } },
    });
    project = await openProject(
      { ...files, ".suture/lineage.json": lineage },
      script([{ path: "docs/other.md" }], rename),
    );
    await run();
    expect(Object.keys(parseLineage(stateOf("lineage.json")!)!.pages)).toEqual([
      "docs/cli.md",
      "docs/other.md",
    ]);
  });

  test("a fresh clone with the committed pages and lineage is skipped until a source changes", async () => {
    project = await openProject(files, script([{ path: "docs/other.md" }], rename));
    await run();
    project.commit("docs");
    const clone = join(project.root, ".git", "clone");
    project.git("clone", "-q", project.root, clone);
    expect(project.exists(".git/clone/.suture/lineage.json")).toBe(true);
    expect(project.exists(".git/clone/.suture/audit")).toBe(false);
    const asked = project.server.requests.length;
    expect((await run({}, { root: clone })).skipped).toMatch(/nothing has changed since/);
    expect(project.server.requests).toHaveLength(asked);
    project.put(".git/clone/src/cli.ts", "export const changed = 1;\n");
    expect((await run({}, { root: clone })).skipped).toBeUndefined();
  });

  test("a lineage that cannot be read is left alone", async () => {
    project = await openProject(files, script([{ path: "docs/other.md" }], rename));
    await run();
    project.put(".suture/lineage.json", '{"version": 9}');
    await run({ force: false });
    expect(stateOf("lineage.json")).toBe('{"version": 9}');
  });

  test.each(["documentation", "readme"] as const)(
    "the sources of %s are changed files of the product, not its tests or its CI",
    async (command) => {
      project = await openProject(
        { ...files, "README.md": "# Acme\n\nWords.\n" },
        script([], () => ({ text: "Nothing is wrong." })),
      );
      project.put("src/cli.ts", `${files["src/cli.ts"]}export function stop() {}\n`);
      project.put("test/all.test.ts", "test('all', () => start());\n");
      project.put(".github/workflows/ci.yml", "on: push\n");
      project.commit("stop");
      const sourceOf = ({ messages }: Request): string => messages[0]!.text.split("## Diff")[0]!;
      await run(command === "readme" ? { command, output: "README.md", base: "HEAD~1" } : { base: "HEAD~1" });
      const source = sourceOf(project.server.requests[0]!);
      expect(source).toContain("DATA: src/cli.ts");
      expect(source).not.toMatch(/DATA: (?:\.github|test)\//);
    },
  );

  test("readme works on one page, surgically where it is there", async () => {
    project = await openProject({ ...files, "README.md": "# Acme\n\nPass `--old`.\n" }, (request) =>
      rename("", request),
    );
    const result = await run({ command: "readme", output: "README.md" });
    expect(statuses(result)).toEqual({ "README.md": "updated" });
    expect(project.text("README.md")).toBe("# Acme\n\nPass `--new`.\n");
  });

  test("the repository cannot choose a model, an address or a command", async () => {
    const trap = {
      model: "openai:evil",
      baseUrls: { openai: "http://evil.example/v1" },
      commands: [["rm", "-rf", "."]],
    };
    project = await openProject(
      {
        ...files,
        ".suture.json": JSON.stringify(trap),
        "suture.config.json": JSON.stringify(trap),
        ".env": "OPENAI_BASE_URL=http://evil.example\n",
        ".config/suture/config.json": JSON.stringify(trap),
      },
      script([{ path: "docs/other.md" }], rename),
    );
    const { settings, run: agentRun } = await project.open();
    expect(settings.models.writer).toEqual({ provider: "openai", model: "gpt-4o-mini" });
    expect(settings.commands).toEqual([]);
    expect(agentRun.models?.writer.name).toBe("openai:gpt-4o-mini");
    await run();
    expect(project.server.requests.length).toBeGreaterThan(0);
  });

  test("after an interrupt, finished pages are kept and recorded, and the current page is unchanged", async () => {
    const controller = new AbortController();
    project = await openProject(
      files,
      script([{ path: "docs/other.md" }, { path: "docs/cli.md" }], (path, request) => {
        if (path === "docs/other.md") return rename(path, request);
        return new Promise<Turn>((resolve) => {
          setTimeout(() => {
            controller.abort(new Error("stopped"));
            resolve({ calls: [patch("`--old`", "`--new`")] });
          }, 500);
        });
      }),
    );
    const before = project.snapshot();
    const opened = await project.open({ signal: controller.signal });
    await expect(runDocumentation(opened.run, { command: "documentation", output: "docs" })).rejects.toThrow(
      "stopped",
    );
    expect(project.text("docs/cli.md")).toBe(files["docs/cli.md"]);
    expect(project.text("docs/other.md")).toContain("--new");
    expect(Object.keys(parseLineage(stateOf("lineage.json")!)!.pages)).toEqual(["docs/other.md"]);
    const record = auditSchema.parse(JSON.parse(stateOf(`audit/${opened.run.id}.json`)!));
    expect(record.articles.map(({ path, status }) => [path, status])).toEqual([
      ["docs/other.md", "updated"],
      ["docs/cli.md", "error"],
    ]);
    expect(Object.keys(project.snapshot())).toEqual(Object.keys(before));
  });
});
