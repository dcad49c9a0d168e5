import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { indexRepository } from "../../src/agents/context/repository-index.ts";
import {
  type AgentOptions,
  type AgentResult,
  lastRunFile,
  runImpactAgent,
  runPropagation,
} from "../../src/agents/impact/agent.ts";
import { searchImpact } from "../../src/agents/impact/search.ts";
import type { AgentRunOptions } from "../../src/agents/run/open-agent-run.ts";
import { type AuditArticle as ArticleRecord, auditSchema } from "../../src/docs/record/audit-schema.ts";
import { agentText } from "../../src/wording/impact.ts";
import { openProject, type Project } from "./project.ts";
import type { Request, Script, Turn } from "./scripted-server.ts";

let project: Project;
const others: Project[] = [];
afterEach(async () => {
  await project.close();
  for (const other of others.splice(0)) await other.close();
});

const watching = (id: string, ...paths: string[]): string =>
  `---\njrn: ${id}\nattention:\n${paths.map((path) => `  - op: file\n    path: "${path}"\n`).join("")}---\n\n`;

const login = `${watching("LOGIN", "src/login.ts")}# Login\n\n## Authentication\n\nThe login endpoint accepts username and password.\n\n## Parameters\n\n| Name | Type | Required |\n|------|------|----------|\n| username | string | Yes |\n\nThe end.`;

const files = {
  "src/login.ts": "export function login(username: string, password: string) {}\n",
  "src/other.ts": "export const other = 1;\n",
  "docs/login.md": login,
  "docs/guide.md": `${watching("GUIDE", "docs/login.md")}# Guide\n\nSee login: username and password.\n`,
  "docs/unrelated.md": "# Unrelated\n\nWords.\n",
};

const seed = {
  path: "docs/login.md",
  edits: [
    {
      old_string: "## Authentication\n\nThe login endpoint accepts username and password.",
      new_string:
        "## Authentication\n\nThe login endpoint accepts username, password, and an optional MFA token.",
      reason: "Code change added MFA token parameter to login function",
    },
    {
      old_string: "## Parameters\n\n| Name | Type | Required |\n|------|------|----------|",
      new_string:
        "## Parameters\n\n| Name | Type | Required |\n|------|------|----------|\n| mfaToken | string | No |",
      reason: "Document new optional mfaToken parameter",
    },
  ],
};

const edit = (path: string, from: string, to: string, reason = "The code changed.") => ({
  name: "edit_article",
  input: { path, edits: [{ old_string: from, new_string: to, reason }] },
});

const articleOf = ({ messages }: Request): string => /^Path: (.+)$/m.exec(messages[0]!.text)?.[1] ?? "";

/** A model that goes through these turns for each article, and is done then. */
function each(turns: Record<string, Turn[]>): (request: Request) => Turn {
  return (request) => {
    const step = request.messages.filter(({ role }) => role === "assistant").length;
    return turns[articleOf(request)]?.[step] ?? { text: "Nothing to do here." };
  };
}

async function begin(script: Script, more: Record<string, string> = {}): Promise<void> {
  project = await openProject({ ...files, ...more }, script);
  project.git("checkout", "-qb", "work");
  project.put(
    "src/login.ts",
    "export function login(username: string, password: string, mfaToken?: string) {}\n",
  );
  project.commit("add mfa\n\nA token may stand in for the second factor.");
}

async function run(
  options: Partial<AgentOptions> = {},
  run: Partial<AgentRunOptions> = {},
): Promise<AgentResult> {
  const opened = await project.open(run);
  const done = await runImpactAgent(opened.run, {
    docs: "docs",
    base: "main",
    decide: async () => "update",
    ...options,
  });
  await opened.close();
  if (!done.ok) throw new Error(JSON.stringify(done.refusal));
  return done.value;
}

const statuses = (articles: readonly ArticleRecord[]) =>
  Object.fromEntries(articles.map(({ path, status }) => [path, status]));

function record(id: string) {
  return auditSchema.parse(JSON.parse(project.text(`.suture/audit/${id}.json`)));
}

describe("an article", () => {
  test("its agent reads what the commits say, and each subject", async () => {
    await begin(each({}));
    await run();
    const { text } = project.server.requests[0]!.messages[0]!;
    expect(text).toMatch(/^[0-9a-f]{12} add mfa$/m);
    expect(text).toContain("A token may stand in for the second factor.");
  });

  test("the two example edits are applied, and their reasons and patch are recorded", async () => {
    await begin(
      each({
        "docs/login.md": [
          { calls: [{ name: "read_file", input: { path: "docs/login.md" } }] },
          { calls: [{ name: "edit_article", input: seed }] },
          { text: "Documented the token." },
        ],
      }),
    );
    const result = await run({ propagate: false });
    expect(statuses(result.phase1)).toEqual({ "docs/login.md": "updated" });
    expect(project.text("docs/login.md")).toContain("username, password, and an optional MFA token.");
    expect(project.text("docs/login.md")).toContain(
      "|------|------|----------|\n| mfaToken | string | No |\n| username",
    );
    const kept = record(result.records[0]!.id);
    expect(kept).toMatchObject({
      source: "git",
      toolCalls: { edit_article: 1, read_file: 1, write_file: 0 },
      trigger: { changedFiles: ["src/login.ts"], commits: [project.git("rev-parse", "HEAD").trim()] },
    });
    expect(kept.articles[0]).toMatchObject({
      jrn: "LOGIN",
      status: "updated",
      editReasons: seed.edits.map(({ reason }) => reason),
      reasoning: "Documented the token.",
      evidence: [
        { changedFile: "src/login.ts", pattern: "src/login.ts", matchType: "exact", source: "local" },
      ],
    });
    expect(kept.articles[0]!.patch).toMatch(
      /^diff --git a\/docs\/login\.md b\/docs\/login\.md\n--- a\/docs\/login\.md\n\+\+\+ b\/docs\/login\.md\n/,
    );
  });

  test("the agent gets reading tools and edit_article, and no tool that removes, moves, undoes or runs", async () => {
    await begin(each({}));
    await run({ propagate: false });
    const { tools } = project.server.requests[0]!;
    expect(tools.toSorted()).toEqual(["edit_article", "list_files", "read_file", "search_files"]);
  });

  test("the question holds the article and what the commits say, so that no round trip fetches them", async () => {
    await begin(each({}));
    await run({ propagate: false });
    const [{ messages }] = project.server.requests as [Request];
    expect(messages[0]!.text).toContain("The login endpoint accepts username and password.");
    expect(messages[0]!.text).toContain("add mfa");
  });

  test("two matching tables refuse the whole call, and the model gets the count and the hint", async () => {
    const twice = `${login}\n\n## Parameters\n\n| Name | Type | Required |\n|------|------|----------|\n| x | y | z |\n`;
    await begin(each({ "docs/login.md": [{ calls: [{ name: "edit_article", input: seed }] }] }), {
      "docs/login.md": twice,
    });
    const result = await run({ propagate: false });
    expect(project.text("docs/login.md")).toBe(twice);
    expect(result.phase1).toMatchObject([
      { status: "error", error: expect.stringContaining("Edit 1: Text appears 2 times") },
    ]);
    const heard = project.server.requests[1]!.messages.at(-1)!.text;
    expect(heard).toContain("Edit 1: Text appears 2 times in file");
    expect(heard).toContain("Add a heading, preceding paragraph, or other unique text to old_string");
  });

  test("the agent corrects itself from the error; the failed call is not recorded", async () => {
    await begin(
      each({
        "docs/login.md": [
          { calls: [edit("docs/login.md", "accepts user and password", "x", "wrong")] },
          {
            calls: [
              edit(
                "docs/login.md",
                "accepts username and password",
                "accepts username, password and a token",
                "right",
              ),
            ],
          },
        ],
      }),
    );
    const result = await run({ propagate: false });
    expect(result.phase1[0]).toMatchObject({
      status: "updated",
      editReasons: ["right"],
      toolCalls: { edit_article: 2 },
    });
  });

  test("an article without a call is unchanged, with the explanation as reasoning", async () => {
    await begin(each({ "docs/login.md": [{ text: "The article does not speak of parameters." }] }));
    expect((await run({ propagate: false })).phase1).toMatchObject([
      { status: "unchanged", reasoning: "The article does not speak of parameters." },
    ]);
  });

  test.each([
    ["an answer that was cut", { text: "I look at the article. First", cut: true }, "output limit"],
    ["a call that cannot be read", { text: '{"old_string": "The end.", "new_str' }, "cannot be read"],
  ])("%s is an error, not a word that the article is right", async (_, turn, why) => {
    await begin(each({ "docs/login.md": [turn] }));
    expect((await run({ propagate: false })).phase1).toMatchObject([
      { status: "error", error: expect.stringContaining(why) },
    ]);
  });

  const written = { calls: [edit("docs/login.md", "The end.", "The very end.")] };
  const reading = { calls: [{ name: "read_file", input: { path: "src/login.ts" } }] };

  test.each([
    ["its steps run out", [written, reading], "steps ran out"],
    [
      "a later edit is refused",
      [written, { calls: [edit("docs/login.md", "Nowhere.", "x")] }],
      "was refused",
    ],
    ["the answer is cut", [written, { text: "Now I", cut: true }], "output limit"],
    ["the provider fails", [written, { status: 400, text: "broken" }], "400"],
  ] as [string, Turn[], string][])(
    "what was written stays updated when %s, with why it ended",
    async (_, turns, why) => {
      await begin(each({ "docs/login.md": turns }));
      const result = await run({ propagate: false, maxSteps: 2 }, { limits: { maxRetries: 0 } });
      expect(project.text("docs/login.md")).toContain("The very end.");
      const article = {
        status: "updated",
        error: expect.stringMatching(new RegExp(`^not all of it was done: .*${why}`)),
        patch: expect.stringContaining("+The very end."),
        entries: [expect.any(String)],
      };
      expect(result.phase1).toMatchObject([article]);
      expect(record(result.records[0]!.id).articles).toMatchObject([article]);
      expect(result.left).toMatchObject([{ path: "docs/login.md", why: expect.stringContaining(why) }]);
      expect(agentText(result)).toMatch(/^updated {3}docs\/login\.md: not all of it was done: /);
      expect(agentText(result)).toContain("Updated 1, Unchanged 0, Skipped 0, Errors 0;");
    },
  );

  test("what was written before a person stopped the run is recorded as updated", async () => {
    const controller = new AbortController();
    await begin((request) => {
      if (request.messages.at(-1)!.role !== "tool") return written;
      controller.abort(new Error("stopped"));
      return { hang: true };
    });
    const opened = await project.open({ signal: controller.signal });
    const options = { docs: "docs", base: "main", decide: async () => "update" as const };
    await expect(runImpactAgent(opened.run, options)).rejects.toThrow("stopped");
    await opened.close();
    expect(project.text("docs/login.md")).toContain("The very end.");
    expect(record(opened.run.id).articles).toMatchObject([
      {
        status: "updated",
        error: "not all of it was done: stopped before it was done",
        patch: expect.stringContaining("+The very end."),
        entries: [expect.any(String)],
      },
    ]);
  });

  test("an edit on the last step is whole: only the closing words are missing", async () => {
    await begin(each({ "docs/login.md": [reading, written] }));
    const { phase1, left } = await run({ propagate: false, maxSteps: 2 });
    expect(phase1).toMatchObject([{ status: "updated" }]);
    expect(phase1[0]!.error).toBeUndefined();
    expect(left).toEqual([]);
  });

  test("edits that cancel out leave the article unchanged", async () => {
    await begin(
      each({
        "docs/login.md": [
          { calls: [edit("docs/login.md", "The end.", "The finish.")] },
          { calls: [edit("docs/login.md", "The finish.", "The end.")] },
        ],
      }),
    );
    const { phase1 } = await run({ propagate: false });
    expect(phase1[0]).toMatchObject({
      status: "unchanged",
      editReasons: ["The code changed.", "The code changed."],
    });
    expect(phase1[0]!.patch).toBeUndefined();
  });

  test("an article that cannot be read again is still marked as edited, without a patch", async () => {
    await begin((request) => {
      if (request.messages.at(-1)!.role !== "tool")
        return { calls: [edit("docs/login.md", "The end.", "The very end.")] };
      project.put("docs/login.md", Buffer.from([0xff, 0xfe, 0xfd]));
      return { text: "ok" };
    });
    const [article] = (await run({ propagate: false })).phase1;
    expect(article).toMatchObject({ status: "updated", editReasons: ["The code changed."] });
    expect(article!.patch).toBeUndefined();
  });

  test("another path is refused, other spellings of the article's path are accepted", async () => {
    await begin(
      each({
        "docs/login.md": [
          {
            calls: [
              edit("docs/unrelated.md", "Words.", "Other words."),
              edit("src/other.ts", "other", "evil"),
            ],
          },
          { calls: [edit("./docs/../docs/login.md", "The end.", "The very end.")] },
        ],
      }),
    );
    const before = project.snapshot();
    const { phase1 } = await run({ propagate: false });
    const { "docs/login.md": _a, ...rest } = project.snapshot();
    const { "docs/login.md": _b, ...was } = before;
    expect(rest).toEqual(was);
    expect(phase1[0]).toMatchObject({ status: "updated", editReasons: ["The code changed."] });
  });

  test("write_file never replaces the article", async () => {
    await begin(
      each({
        "docs/login.md": [
          {
            calls: [
              { name: "write_file", input: { path: "docs/login.md", content: "# Gone\n", rewrite: true } },
            ],
          },
        ],
      }),
    );
    const before = project.snapshot();
    await run({ propagate: false });
    expect(project.snapshot()).toEqual(before);
  });

  test("the agent cannot change the id and the rules of an article", async () => {
    await begin(each({ "docs/login.md": [{ calls: [edit("docs/login.md", "jrn: LOGIN", "jrn: OTHER")] }] }));
    const before = project.snapshot();
    expect((await run({ propagate: false })).phase1[0]!.status).toBe("error");
    expect(project.snapshot()).toEqual(before);
  });

  test("a gate's reason goes back to the model, and what it refuses twice is left for a person", async () => {
    const bogus = { calls: [edit("docs/login.md", "The end.", "Pass `--bogus`.")] };
    await begin(each({ "docs/login.md": [bogus, bogus] }));
    const before = project.snapshot();
    const { phase1 } = await run({ propagate: false });
    expect(project.server.requests[1]!.messages.at(-1)!.text).toMatch(
      /--bogus.*nowhere in the code.*Send the edit again without that/,
    );
    expect(project.server.requests[2]!.messages.at(-1)!.text).toContain("left for a person");
    expect(phase1[0]).toMatchObject({ status: "error", objections: [{ gate: "names" }] });
    expect(project.snapshot()).toEqual(before);
  });

  test("an article that fails does not stop the others", async () => {
    const second = { "docs/second.md": `${watching("SECOND", "src/**")}# Second\n\nOld words.\n` };
    await begin(
      (request) =>
        articleOf(request) === "docs/login.md"
          ? { status: 500, text: "broken" }
          : each({ "docs/second.md": [{ calls: [edit("docs/second.md", "Old words.", "New words.")] }] })(
              request,
            ),
      second,
    );
    const result = await run({ propagate: false });
    expect(statuses(result.phase1)).toEqual({ "docs/login.md": "error", "docs/second.md": "updated" });
    expect(result.left).toMatchObject([{ path: "docs/login.md", why: expect.stringContaining("500") }]);
  });

  test("a session without an answer ends by timeout", async () => {
    await begin(() => ({ hang: true }));
    const { phase1 } = await run({ propagate: false }, { limits: { stepMs: 100, maxRetries: 0 } });
    expect(phase1).toMatchObject([{ status: "error", error: expect.stringContaining("no answer in time") }]);
  });
});

describe("the patch applies with git", () => {
  const body = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`).join("\n");
  test.each([
    ["one change", `${body}\n`, [["line 3\n", "line three\n"]]],
    [
      "two changes four lines apart",
      `${body}\n`,
      [
        ["line 10\n", "ten\n"],
        ["line 15\n", "fifteen\n"],
      ],
    ],
    [
      "two changes six lines apart",
      `${body}\n`,
      [
        ["line 10\n", "ten\n"],
        ["line 17\n", "seventeen\n"],
      ],
    ],
    ["the last line", `${body}\n`, [["line 30", "the last"]]],
    ["no final newline", body, [["line 30", "the last"]]],
    ["CRLF", `${body}\n`.replaceAll("\n", "\r\n"), [["line 12\r\n", "twelve\r\n"]]],
    ["a final newline added", body, [["line 30", "line 30\n"]]],
  ] as [string, string, [string, string][]][])("%s", async (_, text, changes) => {
    const before = `${watching("P", "src/login.ts")}${text}`;
    const input = {
      path: "docs/p.md",
      edits: changes.map(([old_string, new_string]) => ({ old_string, new_string, reason: "r" })),
    };
    await begin(each({ "docs/p.md": [{ calls: [{ name: "edit_article", input }] }] }), {
      "docs/p.md": before,
      "docs/login.md": "# x\n",
    });
    const [article] = (await run({ propagate: false })).phase1;
    const after = project.text("docs/p.md");
    expect(article).toMatchObject({ path: "docs/p.md", status: "updated" });
    project.put("docs/p.md", before);
    execFileSync("git", ["apply", "--check", "-"], { cwd: project.root, input: article!.patch! });
    execFileSync("git", ["apply", "-"], { cwd: project.root, input: article!.patch! });
    expect(project.text("docs/p.md")).toBe(after);
  });
});

describe("a run", () => {
  test("the command asks before each article and does nothing without a yes", async () => {
    const more = {
      "docs/a.md": `${watching("A", "src/**")}# A\n`,
      "docs/b.md": `${watching("B", "src/**")}# B\n`,
    };
    await begin(each({}), more);
    const asked: string[] = [];
    const answers = { "docs/a.md": "skip", "docs/b.md": "quit" } as const;
    const { phase1 } = await run({
      decide: async ({ article }) => {
        asked.push(article.path);
        return answers[article.path as "docs/a.md"];
      },
    });
    expect(asked).toEqual(["docs/a.md", "docs/b.md"]);
    expect(statuses(phase1)).toEqual({
      "docs/a.md": "skipped",
      "docs/b.md": "skipped",
      "docs/login.md": "skipped",
    });
    expect(project.server.requests).toEqual([]);
  });

  test("a dry run lists the articles without asking; without a model it says how to choose one", async () => {
    await begin(each({}));
    const dry = await run({ dryRun: true }, { readOnly: true });
    expect(dry.left).toMatchObject([{ path: "docs/login.md", why: expect.stringContaining("src/login.ts") }]);
    const none = await run({}, { environment: { HOME: project.root } });
    expect(none).toMatchObject({
      left: [{ path: "docs/login.md" }],
      howTo: expect.stringContaining("--model"),
    });
    expect(project.server.requests).toEqual([]);
    expect(project.exists(".suture")).toBe(false);
  });

  test("the updates of a run are undone together, byte for byte", async () => {
    await begin(
      each({
        "docs/login.md": [
          { calls: [edit("docs/login.md", "The end.", "The very end.")] },
          { calls: [edit("docs/login.md", "# Login", "# Log in")] },
        ],
      }),
    );
    const before = project.snapshot();
    const result = await run({ propagate: false });
    expect(project.snapshot()).not.toEqual(before);
    const { run: agentRun } = await project.open();
    expect(
      (await agentRun.context.workspace!.undo({ run: result.records[0]!.id }, { author: "test" })).ok,
    ).toBe(true);
    expect(project.snapshot()).toEqual(before);
  });

  test("moved, deleted and binary files select articles too", async () => {
    project = await openProject(
      {
        ...files,
        "src/old.ts": "export const value = 1;\n".repeat(5),
        "img.bin": "\0\0",
        "docs/m.md": `${watching("M", "src/old.ts")}# M\n`,
        "docs/n.md": `${watching("N", "src/fresh.ts")}# N\n`,
        "docs/i.md": `${watching("I", "*.bin")}# I\n`,
        "docs/d.md": `${watching("D", "src/other.ts")}# D\n`,
      },
      each({}),
    );
    project.git("checkout", "-qb", "work");
    project.git("mv", "src/old.ts", "src/fresh.ts");
    project.git("rm", "-q", "src/other.ts");
    project.put("img.bin", "\0\u0001");
    project.commit("move");
    const { run: agentRun } = await project.open();
    const found = await searchImpact(agentRun, { docs: "docs", base: "main" });
    expect(found.ok && found.value.impacted.map(({ article }) => article.path)).toEqual([
      "docs/d.md",
      "docs/i.md",
      "docs/m.md",
      "docs/n.md",
    ]);
  });

  test("two articles with one id are two articles, and it is said", async () => {
    await begin(each({}), { "docs/twin.md": `${watching("LOGIN", "src/login.ts")}# Twin\n` });
    const { run: agentRun } = await project.open();
    const found = await searchImpact(agentRun, { docs: "docs", base: "main" });
    expect(found.ok && found.value.impacted).toHaveLength(2);
    expect(found.ok && found.value.notes).toMatchObject([expect.stringContaining('same id "LOGIN"')]);
  });
});

describe("propagation", () => {
  const chain: Script = each({
    "docs/login.md": [{ calls: [edit("docs/login.md", "The end.", "The very end.")] }],
    "docs/guide.md": [{ calls: [edit("docs/guide.md", "See login", "See the login page")] }],
  });

  test("articles that watch an updated article follow, under their own record", async () => {
    await begin(chain);
    const result = await run();
    expect(statuses(result.phase2)).toEqual({ "docs/guide.md": "updated" });
    expect(result).toMatchObject({ depth: 1, cut: false });
    expect(record(result.records[1]!.id)).toMatchObject({
      source: "sync",
      trigger: { record: result.records[0]!.id, changedFiles: ["docs/login.md"] },
      articles: [{ evidence: [{ changedFile: "docs/login.md" }] }],
    });
    expect(
      project.server.requests.find((request) => articleOf(request) === "docs/guide.md")!.messages[0]!.text,
    ).toContain("+The very end.");
  });

  test("--propagate-only goes on from the last record", async () => {
    await begin(chain);
    const first = await run({ propagate: false });
    expect(first.phase2).toEqual([]);
    const { id } = JSON.parse(project.text(`.suture/${lastRunFile}`)) as { id: string };
    const { run: agentRun } = await project.open();
    const second = await runPropagation(
      agentRun,
      { docs: "docs", base: "main", decide: async () => "update" },
      record(id),
    );
    expect(second.ok && statuses(second.value.phase2)).toEqual({ "docs/guide.md": "updated" });
  });

  test("quitting in the second phase ends it", async () => {
    await begin(chain, { "docs/third.md": `${watching("THIRD", "docs/guide.md")}# Third\n` });
    const result = await run({
      decide: async ({ article }) => (article.path === "docs/guide.md" ? "quit" : "update"),
    });
    expect(statuses(result.phase2)).toEqual({ "docs/guide.md": "skipped" });
  });
});

test("a rule that matches no file is reported, and one that matches is not", async () => {
  project = await openProject(
    {
      "src/a.ts": "export const a = 1;\n",
      "docs/a.md":
        '---\nattention:\n  - src/*.ts\n  - src/gone.ts\n  - "lib/**"\n  - {path: x.ts, source: core}\n---\n# A\n',
    },
    [],
  );
  project.commit("more");
  const { run: agentRun } = await project.open();
  const found = await searchImpact(agentRun, { docs: "docs", source: "local" });
  expect(found.ok && found.value.notes).toEqual([
    'docs/a.md: no file matches its rule "src/gone.ts"',
    'docs/a.md: no file matches its rule "lib/**"',
  ]);
});

test("a host that only the change itself brings into the code is not known", async () => {
  project = await openProject({
    ...files,
    "src/api.ts": "// https://known.dev/api\n",
    "src/old.ts": "// https://gone.dev\n",
  });
  const base = project.commit("base");
  project.put("src/login.ts", "// https://evil.dev/collect\n");
  project.git("rm", "-q", "src/old.ts");
  project.commit("change");
  project.put("src/new.ts", "// https://worse.dev\n");
  const { run: agentRun } = await project.open();
  const index = await indexRepository(agentRun, { base });
  const known = ["known.dev", "gone.dev", "evil.dev", "worse.dev"].map(
    (host) => index.ok && index.value.facts.knowsHost(host),
  );
  expect(known).toEqual([true, true, false, false]);
  const usual = await indexRepository(agentRun);
  expect(usual.ok && usual.value.facts.knowsHost("worse.dev")).toBe(false);
});

describe("several repositories", () => {
  async function twoRepositories(
    listed: (core: string) => string,
    list = ".jolli/sources.json",
  ): Promise<void> {
    const core = await openProject({ "lib/a.ts": "export const a = 1;\n" });
    others.push(core);
    core.git("checkout", "-qb", "work");
    core.put("lib/a.ts", "export const a = 2;\n");
    core.commit("change");
    const article =
      "---\njrn: CORE\nattention:\n  - op: file\n    path: lib/**\n    source: core\n---\n# Core\n";
    project = await openProject({ ...files, "docs/core.md": article, [list]: listed(core.root) }, each({}));
  }

  test.each([".suture/sources.json", ".jolli/sources.json"])(
    "one that the person names is watched by its rules, as %s lists it",
    async (list) => {
      await twoRepositories(
        (path) => JSON.stringify({ version: 1, sources: { core: { type: "git", path } } }),
        list,
      );
      const { run: agentRun } = await project.open();
      const found = await searchImpact(agentRun, { docs: "docs", base: "main", source: "core" });
      expect(found.ok && found.value.impacted).toMatchObject([
        { article: { path: "docs/core.md" }, evidence: [{ source: "core", changedFile: "lib/a.ts" }] },
      ]);
    },
  );

  test("one that only the repository names is not read: its code would be sent to a model", async () => {
    await twoRepositories((path) => JSON.stringify({ version: 1, sources: { core: { type: "git", path } } }));
    project.commit("more");
    const { run: agentRun } = await project.open();
    const found = await searchImpact(agentRun, { docs: "docs" });
    expect(found.ok && found.value.unresolved).toMatchObject([
      { source: "core", why: expect.stringContaining("--source core") },
    ]);
    expect((await searchImpact(agentRun, { docs: "docs", strict: true })).ok).toBe(false);
  });

  test.each([".jolli/sources.json", ".suture/sources.json"])(
    "a repository inside this one that %s of the repository lists is read only after a person agreed",
    async (list) => {
      await twoRepositories(
        () => JSON.stringify({ version: 1, sources: { core: { type: "git", path: "." } } }),
        list,
      );
      project.git("add", "-f", list);
      project.commit("more");
      const { run: agentRun } = await project.open();
      const unasked = await searchImpact(agentRun, { docs: "docs" });
      expect(unasked.ok && unasked.value.unresolved).toMatchObject([
        { source: "core", why: expect.stringContaining(list) },
      ]);
      const asked: unknown[] = [];
      const answer =
        (yes: boolean) =>
        async (...question: unknown[]) => {
          asked.push(question);
          return yes;
        };
      const declined = await searchImpact(agentRun, { docs: "docs", askSources: answer(false) });
      expect(declined.ok && declined.value.unresolved).toHaveLength(1);
      const agreed = await searchImpact(agentRun, { docs: "docs", askSources: answer(true) });
      expect(agreed.ok && agreed.value.unresolved).toEqual([]);
      expect(asked).toEqual([
        [list, { core: "." }],
        [list, { core: "." }],
      ]);
      if (list.startsWith(".suture")) return;
      const later = await searchImpact(agentRun, { docs: "docs" });
      expect(later.ok && later.value.unresolved).toEqual([]);
    },
  );

  test("a missing repository is a remark, and an error only with --strict", async () => {
    await twoRepositories(() => JSON.stringify({ version: 1, sources: {} }));
    project.commit("more");
    const { run: agentRun } = await project.open();
    expect(await searchImpact(agentRun, { docs: "docs" })).toMatchObject({
      ok: true,
      value: { unresolved: [{ source: "core" }] },
    });
    expect((await searchImpact(agentRun, { docs: "docs", strict: true })).ok).toBe(false);
  });
});
