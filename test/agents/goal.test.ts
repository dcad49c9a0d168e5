import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { type GoalOptions, type GoalResult, runGoal } from "../../src/agents/goal/run-goal.ts";
import type { AgentRunOptions } from "../../src/agents/run/open-agent-run.ts";
import { auditSchema } from "../../src/docs/record/audit-schema.ts";
import { openProject, type Project } from "./project.ts";
import type { Request, Script, Turn } from "./scripted-server.ts";

let project: Project;
afterEach(() => project.close());

/** 361 lines, as the file was that three tasks overwrote. */
const analysis = Array.from({ length: 361 }, (_, i) =>
  i % 20 === 0 && i < 360 ? `def step_${i}(value):` : `    value_${i} = ${i}`,
).join("\n");

const files = { "mirror/analysis.py": `${analysis}\n`, "README.md": "# Mirror\n\nWords.\n" };

type Planned = {
  id: string;
  mode: string;
  targets?: string[];
  dependsOn?: string[];
  command?: string[];
  description?: string;
};

const isPlan = ({ system }: Request): boolean => system.includes("You split a goal into tasks");
const taskOf = ({ messages }: Request): string => /## Your task\n\n(.+)/.exec(messages[0]!.text)?.[1] ?? "";
const stepOf = ({ messages }: Request): number => messages.filter(({ role }) => role === "assistant").length;

function script(tasks: Planned[], act: (task: string, step: number, request: Request) => Turn): Script {
  return (request) => {
    if (isPlan(request))
      return {
        text: JSON.stringify({
          tasks: tasks.map((task) => ({ description: task.id, targets: ["mirror/analysis.py"], ...task })),
        }),
      };
    return act(taskOf(request), stepOf(request), request);
  };
}

async function run(
  goal: string,
  options: Partial<GoalOptions> = {},
  run: Partial<AgentRunOptions> = {},
): Promise<GoalResult> {
  const opened = await project.open(run);
  const done = await runGoal(opened.run, {
    goal,
    commands: [],
    onConflict: async () => "skip",
    ...options,
  });
  await opened.close();
  if (!done.ok) throw new Error(JSON.stringify(done.refusal));
  return done.value;
}

const edit = (from: string, to: string, path = "mirror/analysis.py") => ({
  name: "edit_file",
  input: { path, old_content: from, new_content: to, reason: `${from} → ${to}` },
});
const statuses = ({ results }: GoalResult) =>
  Object.fromEntries(results.map(({ task, status }) => [task.id, status]));

describe("RFC-041, replayed", () => {
  const three = ["one", "two", "three"].map((id) => ({ id, mode: "generate" }));
  const stub = "# improved\npass\n";

  test("'Analyze X and suggest 3 improvements' changes no byte, although every task tries to write", async () => {
    project = await openProject(
      files,
      script(three, (_, step) =>
        step === 0
          ? {
              calls: [
                { name: "write_file", input: { path: "mirror/analysis.py", content: stub } },
                edit("value_1 = 1", "value_1 = 2"),
                { name: "read_file", input: { path: "mirror/analysis.py" } },
              ],
            }
          : {
              text: JSON.stringify({
                summary: "Three ideas.",
                findings: [
                  {
                    path: "mirror/analysis.py",
                    line: 2,
                    severity: "minor",
                    message: "Names say little.",
                    suggestion: "Rename.",
                  },
                ],
              }),
            },
      ),
    );
    const before = project.snapshot();
    const result = await run("Analyze mirror/analysis.py and suggest 3 code improvements");
    expect(project.snapshot()).toEqual(before);
    expect(result.results.map(({ task, status }) => [task.mode, status])).toEqual([
      ["analyze", "done"],
      ["analyze", "done"],
      ["analyze", "done"],
    ]);
    expect(result.results[0]!.findings).toEqual([
      {
        path: "mirror/analysis.py",
        line: 2,
        severity: "minor",
        message: "Names say little.",
        suggestion: "Rename.",
      },
    ]);
    expect(
      project.server.requests
        .filter((request) => !isPlan(request))
        .every(({ tools }) => !tools.some((name) => /write|edit|patch|insert|undo/.test(name))),
    ).toBe(true);
  });

  test.each([
    [
      "other words",
      {
        summary: "One idea.",
        findings: [{ path: "a.py", line: "105-119", severity: "HIGH", message: "m", suggestion: null }],
      },
    ],
    ["the list alone", [{ path: "a.py", line: 105, severity: "critical", message: "m" }]],
  ])("a report in %s is read", async (_, report) => {
    project = await openProject(
      files,
      script([three[0]!], () => ({ text: JSON.stringify(report) })),
    );
    const { results } = await run("Analyze mirror/analysis.py and suggest improvements");
    expect(results[0]!.findings).toEqual([{ path: "a.py", line: 105, severity: "major", message: "m" }]);
  });

  test("generate tasks may not replace a file that exists", async () => {
    project = await openProject(
      files,
      script(three, (_, step) =>
        step === 0
          ? {
              calls: [
                { name: "write_file", input: { path: "mirror/analysis.py", content: stub, rewrite: true } },
              ],
            }
          : { text: "Done." },
      ),
    );
    const before = project.snapshot();
    const result = await run("Improve mirror/analysis.py and make it better");
    expect(project.snapshot()).toEqual(before);
    expect(statuses(result)).toEqual({ one: "failed", two: "failed", three: "failed" });
  });

  test("three modify tasks leave all three changes in the file and the rest unchanged", async () => {
    const changes: Record<string, [string, string]> = {
      one: ["    value_5 = 5\n", "    value_5 = 'five'\n"],
      two: ["    value_150 = 150\n", "    value_150 = 'new'\n"],
      three: ["    value_359 = 359\n", "    value_359 = 'late'\n"],
    };
    project = await openProject(
      files,
      script(
        ["one", "two", "three"].map((id) => ({ id, mode: "modify" })),
        (task, step) => (step === 0 ? { calls: [edit(...changes[task]!)] } : { text: `${task} done` }),
      ),
    );
    const result = await run("Improve mirror/analysis.py and make it better");
    expect(statuses(result)).toEqual({ one: "done", two: "done", three: "done" });
    const expected = Object.values(changes).reduce(
      (text, [from, to]) => text.replace(from, () => to),
      files["mirror/analysis.py"],
    );
    expect(project.text("mirror/analysis.py")).toBe(expected);
    const tools = project.server.requests.find((request) => !isPlan(request))!.tools;
    expect(tools).toEqual(expect.arrayContaining(["edit_file", "patch_file", "insert_at"]));
    expect(tools).not.toContain("write_file");
  });
});

describe("tasks", () => {
  test("edits may not shrink a file to a stub", async () => {
    project = await openProject(
      files,
      script([{ id: "one", mode: "modify" }], (_, step) =>
        step === 0
          ? {
              calls: [
                {
                  name: "edit_file",
                  input: {
                    path: "mirror/analysis.py",
                    old_content: files["mirror/analysis.py"],
                    new_content: "pass\n",
                  },
                },
              ],
            }
          : { text: "ok" },
      ),
    );
    const before = project.snapshot();
    expect(statuses(await run("Rewrite it"))).toEqual({ one: "failed" });
    expect(project.snapshot()).toEqual(before);
  });

  test("only the task's targets are written, and code that parsed must still parse", async () => {
    project = await openProject(
      files,
      script(
        [{ id: "one", mode: "modify" }],
        (_, step) =>
          [
            { calls: [edit("Words.", "Evil.", "README.md")] },
            { calls: [edit("def step_0(value):", "def step_0(value")] },
            { calls: [edit("def step_0(value):", "def step_zero(value):")] },
          ][step] ?? { text: "ok" },
      ),
    );
    const result = await run("Rename a function");
    expect(statuses(result)).toEqual({ one: "done" });
    expect(project.text("README.md")).toBe(files["README.md"]);
    const heard = project.server.requests
      .at(-1)!
      .messages.filter(({ role }) => role === "tool")
      .map(({ text }) => text);
    expect(heard[0]).toContain("README.md is not one of the files this task may write");
    expect(heard[1]).toContain("would not parse");
    expect(project.text("mirror/analysis.py")).toContain("def step_zero(value):");
  });

  test("generate creates missing files, and later tasks see the results of earlier ones", async () => {
    project = await openProject(
      files,
      script(
        [
          { id: "look", mode: "research" },
          { id: "make", mode: "generate", targets: ["docs/mirror.md"], dependsOn: ["look"] },
        ],
        (task, step) => {
          if (task === "look") return { text: JSON.stringify({ summary: "It has steps.", findings: [] }) };
          return step === 0
            ? {
                calls: [
                  {
                    name: "write_file",
                    input: { path: "docs/mirror.md", content: "# Mirror\n\nIt has steps.\n" },
                  },
                ],
              }
            : { text: "Made it." };
        },
      ),
    );
    expect(statuses(await run("Write a page about it"))).toEqual({ look: "done", make: "done" });
    expect(project.text("docs/mirror.md")).toContain("It has steps.");
    expect(
      project.server.requests.find((request) => taskOf(request) === "make")!.messages[0]!.text,
    ).toContain("It has steps.");
  });

  test("a page may name a function that an earlier task created, and no other unknown function", async () => {
    const docs = (name: string) => ({
      name: "edit_file",
      input: { path: "README.md", old_content: "Words.", new_content: `Call \`${name}()\`.`, reason: "r" },
    });
    project = await openProject(
      files,
      script(
        [
          { id: "code", mode: "modify" },
          { id: "docs", mode: "modify", targets: ["README.md"], dependsOn: ["code"] },
        ],
        (task, step) => {
          if (task === "code")
            return step === 0
              ? { calls: [edit("def step_0(value):", "def fresh_name(value):")] }
              : { text: "ok" };
          return [{ calls: [docs("stale_name")] }, { calls: [docs("fresh_name")] }][step] ?? { text: "ok" };
        },
      ),
    );
    expect(statuses(await run("Rename it and update the page"))).toEqual({ code: "done", docs: "done" });
    expect(project.text("README.md")).toContain("`fresh_name()`");
  });

  test("tasks that depend on a failed task are skipped", async () => {
    project = await openProject(
      files,
      script(
        [
          { id: "one", mode: "modify" },
          { id: "two", mode: "modify", dependsOn: ["one"] },
        ],
        () => ({ text: "I did it, trust me." }),
      ),
    );
    const result = await run("Change it");
    expect(result.results).toMatchObject([
      { status: "failed", error: "it changed nothing: it said: I did it, trust me." },
      { status: "skipped" },
    ]);
  });

  test("a task that changed nothing says why its last edit was refused and what the model said last", async () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const said = `I cannot find it.\n\nThe key is ${secret}. ${"More words. ".repeat(100)}`;
    project = await openProject(
      files,
      script([{ id: "one", mode: "modify" }], (_, step) =>
        step === 0 ? { calls: [edit("no_such_name = 1", "value_1 = 9")] } : { text: said },
      ),
    );
    const { results, audit } = await run("Change it");
    const { error = "" } = results[0]!;
    expect(error).toMatch(
      /^it changed nothing: edit_file was refused: .+; it said: I cannot find it\. The key is /,
    );
    expect(error).not.toMatch(/\n/);
    expect(error).not.toContain(secret);
    expect(error.length).toBeLessThan(800);
    expect(audit!.articles).toMatchObject([{ status: "error", error: `one: ${error}` }]);
  });

  test("--mode analyze and --plan cannot write", async () => {
    project = await openProject(
      files,
      script([{ id: "one", mode: "modify" }], (_, step) =>
        step === 0
          ? { calls: [edit("value_1 = 1", "value_1 = 9")] }
          : { text: '{"summary": "s", "findings": []}' },
      ),
    );
    const before = project.snapshot();
    const plan = await run("Change it", { planOnly: true }, { readOnly: true });
    expect(plan).toMatchObject({ plan: { tasks: [{ id: "one", mode: "modify" }] }, results: [] });
    expect(statuses(await run("Change it", { mode: "analyze" }, { readOnly: true }))).toEqual({
      one: "done",
    });
    expect(project.snapshot()).toEqual(before);
    expect(project.exists(".suture")).toBe(false);
  });

  test("execute runs an allowed command, and no other", async () => {
    const allowed = ["node", "-e", "console.log('ran', 6 * 7)"];
    project = await openProject(
      files,
      script(
        [
          { id: "yes", mode: "execute", command: allowed },
          { id: "no", mode: "execute", command: ["node", "-e", "require('fs').writeFileSync('pwned','')"] },
        ],
        () => ({ text: "" }),
      ),
    );
    const result = await run("Run the tests", { commands: [allowed] });
    expect(result.results).toMatchObject([
      { status: "done", summary: "ran 42" },
      {
        status: "failed",
        error: expect.stringMatching(
          /not one of the allowed commands.+"commands".+~\/\.config\/suture\/config\.json/,
        ),
      },
    ]);
    expect(project.exists("pwned")).toBe(false);
    expect(project.server.requests.find(isPlan)!.messages[0]!.text).toContain(JSON.stringify(allowed));
  });

  test("the planner is told what the project is", async () => {
    const readme = "# Postbox\n\nPostbox sends letters over HTTP.\n";
    project = await openProject(
      { ...files, "README.md": readme },
      script([], () => ({ text: "" })),
    );
    await run("Analyze the retry code");
    expect(project.server.requests.find(isPlan)!.messages[0]!.text).toContain("sends letters over HTTP");
  });

  test("a report that was cut is no report, and says what to change", async () => {
    const cut = { text: '{"summary": "Long", "findings": [{"path": "mirror/an', cut: true };
    project = await openProject(
      files,
      script([{ id: "one", mode: "analyze" }], () => cut),
    );
    const { results } = await run("Analyze mirror/analysis.py");
    expect(results).toMatchObject([
      { status: "failed", error: expect.stringContaining("SUTURE_MAX_OUTPUT") },
    ]);
  });

  test("without a model the goal is left, with how to name one", async () => {
    project = await openProject(files);
    expect(await run("Change it", {}, { environment: { HOME: project.root } })).toMatchObject({
      results: [],
      howTo: expect.stringContaining("--model"),
    });
  });
});

describe("two tasks edit the same lines", () => {
  const clash = script(
    [
      { id: "one", mode: "modify" },
      { id: "two", mode: "modify", dependsOn: ["one"] },
    ],
    (task, step) =>
      step === 0
        ? {
            calls: [
              task === "one"
                ? edit("    value_150 = 150\n", "    value_150 = 'one'\n")
                : edit("    value_150 = 'one'\n", "    value_150 = 'two'\n"),
            ],
          }
        : { text: "ok" },
  );

  test.each([
    ["skip", "one", "failed"],
    ["manual", "one", "failed"],
    ["force", "two", "done"],
  ] as const)("%s: the file holds what %s wrote", async (decision, winner, status) => {
    project = await openProject(files, clash);
    const shown: string[] = [];
    const result = await run("Change it", {
      onConflict: async ({ refusal, attempted }) => {
        expect(attempted).toContain("+    value_150 = 'two'");
        if (refusal.code === "conflict") shown.push(...(refusal.with ?? []).map(({ task }) => task));
        return decision;
      },
    });
    expect(project.text("mirror/analysis.py")).toContain(`value_150 = '${winner}'`);
    expect(shown).toEqual(["one"]);
    expect(statuses(result)).toEqual({ one: "done", two: status });
    if (decision !== "force")
      expect(result.results[1]!.conflicts).toMatchObject([{ path: "mirror/analysis.py", decision }]);
  });
});

describe("a task has replaced the text that another one quotes", () => {
  const old = "    value_150 = 150\n";
  const clash = script(
    [
      { id: "one", mode: "modify" },
      { id: "two", mode: "modify", dependsOn: ["one"] },
    ],
    (task, step) => (step === 0 ? { calls: [edit(old, `    value_150 = '${task}'\n`)] } : { text: "ok" }),
  );

  test.each([
    ["skip", "one", "failed"],
    ["force", "two", "done"],
  ] as const)("%s: the file holds what %s wrote", async (decision, winner, status) => {
    project = await openProject(files, clash);
    const asked: unknown[] = [];
    const result = await run("Change it", {
      onConflict: async ({ refusal, attempted }) => {
        asked.push(attempted, refusal.code === "conflict" && refusal.with?.map(({ task }) => task));
        return decision;
      },
    });
    expect(asked).toEqual([expect.stringContaining("+    value_150 = 'two'"), ["one"]]);
    expect(project.text("mirror/analysis.py")).toBe(
      files["mirror/analysis.py"].replace("value_150 = 150", `value_150 = '${winner}'`),
    );
    expect(statuses(result)).toEqual({ one: "done", two: status });
  });
});

test("a run leaves a record whose patches git applies, with a reason for each edit; undo restores every byte", async () => {
  project = await openProject(
    files,
    script(
      [
        { id: "one", mode: "modify" },
        { id: "two", mode: "modify" },
        { id: "new", mode: "generate", targets: ["docs/new.md"] },
      ],
      (task, step) => {
        if (step > 0) return { text: "ok" };
        if (task === "new")
          return {
            calls: [
              {
                name: "write_file",
                input: { path: "docs/new.md", content: "# New\n\nWords.\n", reason: "It was missing." },
              },
            ],
          };
        return {
          calls:
            task === "one"
              ? [edit("value_5 = 5", "value_5 = 'x'"), edit("value_7 = 7", "value_7 = 'y'")]
              : [edit("value_301 = 301", "value_301 = 3")],
        };
      },
    ),
  );
  const before = project.snapshot();
  const result = await run("Change it");
  const after = project.snapshot();
  const record = auditSchema.parse(JSON.parse(project.text(`.suture/audit/${result.run}.json`)));
  expect(record).toMatchObject({
    source: "goal",
    command: "run",
    toolCalls: { edit_file: 3, write_file: 1 },
    trigger: { goal: "Change it" },
  });
  const byPath = Object.fromEntries(record.articles.map((article) => [article.path, article]));
  expect(byPath["mirror/analysis.py"]!.editReasons).toHaveLength(3);
  expect(byPath["docs/new.md"]!.editReasons).toEqual(["It was missing."]);
  project.git("stash", "-q", "--include-untracked", "--", "mirror", "docs");
  for (const { patch } of record.articles)
    execFileSync("git", ["apply", "-"], { cwd: project.root, input: patch! });
  expect(project.snapshot()).toEqual(after);
  const { run: agentRun } = await project.open();
  expect((await agentRun.context.workspace!.undo({ run: result.run }, { author: "test" })).ok).toBe(true);
  expect(project.snapshot()).toEqual(before);
});
