import { afterEach, describe, expect, test } from "vitest";
import { runDocumentation } from "../../src/agents/documentation/documentation.ts";
import { runGoal } from "../../src/agents/goal/run-goal.ts";
import { runImpactAgent } from "../../src/agents/impact/agent.ts";
import { openProject, type Project } from "./project.ts";
import type { Request, Script, Turn } from "./scripted-server.ts";

let project: Project;
afterEach(() => project.close());

const update = async () => "update" as const;
const skip = async () => "skip" as const;
const isDone = ({ messages }: Request): boolean => messages.at(-1)!.role === "tool";

/** A repository with one change of code on a branch. */
async function begin(files: Record<string, string>, script: Script): Promise<void> {
  project = await openProject({ "src/code.ts": "export const a = 1;\n", ...files }, script);
  project.git("checkout", "-qb", "work");
  project.put("src/code.ts", "export const a = 2;\n");
  project.commit("change");
}

const watching = (text: string): string => `---\njrn: X\nattention:\n  - src/code.ts\n---\n${text}`;

const editing = (path: string, from: string, to: string): Turn => ({
  calls: [
    {
      name: "edit_article",
      input: { path, edits: [{ old_string: from, new_string: to, reason: "src/code.ts changed." }] },
    },
  ],
});

describe("files that instruct agents", () => {
  const instructions = ["AGENTS.md", "CLAUDE.md", "docs/AGENTS.md", ".github/copilot-instructions.md"];

  test.each(instructions)("a task cannot edit %s without a person's consent", async (path) => {
    await begin({ [path]: "# Rules\n\naaa\n" }, (request) => {
      if (request.system.includes("You split a goal"))
        return {
          text: JSON.stringify({ tasks: [{ id: "one", description: "d", mode: "modify", targets: [path] }] }),
        };
      return isDone(request)
        ? { text: "Done." }
        : { calls: [{ name: "edit_file", input: { path, old_content: "aaa", new_content: "bbb" } }] };
    });
    const { run } = await project.open();
    const done = await runGoal(run, { goal: `Change ${path}`, commands: [], onConflict: skip });
    expect(done.ok && done.value.results[0]).toMatchObject({ status: "failed" });
    expect(project.text(path)).toContain("aaa");
    const heard = project.server.requests
      .flatMap(({ messages }) => messages)
      .filter(({ role }) => role === "tool");
    expect(heard.map(({ text }) => text).join()).toMatch(/instruct|agree|consent|allow/i);
  });

  test("an article that is one is not updated by its agent either", async () => {
    const page = watching("# Rules\n\naaa\n");
    await begin({ "docs/AGENTS.md": page }, (request) =>
      isDone(request) ? { text: "Done." } : editing("docs/AGENTS.md", "aaa", "bbb"),
    );
    const { run } = await project.open();
    const done = await runImpactAgent(run, {
      docs: "docs",
      base: "main",
      decide: update,
      propagate: false,
    });
    expect(done.ok && done.value.phase1[0]).toMatchObject({ status: "error" });
    expect(project.text("docs/AGENTS.md")).toBe(page);
  });
});

describe("hostile front matter", () => {
  const planted = "process.exit(1)";
  test.each([
    ["a script", `---js\n${planted}\n---\n`],
    ["tags", "---\njrn: X\nattention: !!js/function 'function(){process.exit(1)}'\n---\n"],
    ["merge keys", "---\nbase: &b {attention: [src/code.ts]}\n<<: *b\n---\n"],
    ["a key twice", "---\nattention: [src/code.ts]\nattention: [docs/**]\n---\n"],
    ["keys of every object", "---\n__proto__: {attention: [src/code.ts]}\nconstructor: 1\n---\n"],
    [
      "aliases that multiply",
      `---\na: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghi"
        .split("")
        .map((name, i) => `${name}: &${name} [${`*${"abcdefgh"[i]},`.repeat(9)}]`)
        .join("\n")}\nattention: *i\n---\n`,
    ],
  ])("%s: nothing is run, nothing is selected by it, and every byte stays", async (_, matter) => {
    const page = `${matter}# Page\n\naaa\n`;
    await begin({ "docs/x.md": page, "docs/y.md": watching("# Y\n\naaa\n") }, (request) =>
      isDone(request) ? { text: "Done." } : editing("docs/y.md", "aaa", "bbb"),
    );
    const { run } = await project.open();
    const done = await runImpactAgent(run, {
      docs: "docs",
      base: "main",
      decide: update,
      propagate: false,
    });
    expect(done.ok && done.value.phase1.map(({ path }) => path)).toEqual(["docs/y.md"]);
    expect(project.text("docs/x.md")).toBe(page);
    expect(({} as Record<string, unknown>).attention).toBeUndefined();
  });
});

describe("include directives", () => {
  const secret = "PLANTED-in-a-file-that-is-included";
  const directives = [
    "{{#include ../.env}}",
    "!INCLUDE ../.env",
    '--8<-- ".env"',
    ".. literalinclude:: ../.env",
    "include::../.env[]",
    "<<< @/.env",
    "[embedmd]:# (../.env)",
    "![[../.env]]",
    "{% include '../.env' %}",
    '<Include file="../.env" />',
    "<!--#include file='../outside/secret.txt' -->",
  ];

  test("are not followed by any reader of the page", async () => {
    const page = watching(`# Page\n\naaa\n\n${directives.join("\n\n")}\n`);
    await begin({ "docs/x.md": page, ".env": `KEY=${secret}\n` }, (request): Turn => {
      if (request.system.includes("You study")) return { text: "A tool." };
      if (request.system.includes("You plan"))
        return {
          text: '[{"path": "docs/x.md", "relevantPaths": ["src/code.ts", ".env", "../outside/secret.txt"]}]',
        };
      if (isDone(request)) return { text: "Done." };
      return request.tools.includes("patch_file")
        ? { text: "Nothing." }
        : { calls: [{ name: "read_file", input: { path: "docs/x.md" } }] };
    });
    const { run } = await project.open();
    await runImpactAgent(run, { docs: "docs", base: "main", decide: update, propagate: false });
    await runDocumentation(run, { command: "documentation", output: "docs", base: "main" });
    const sent = JSON.stringify(project.server.requests.map(({ body }) => body));
    expect(sent).toContain("literalinclude");
    expect(sent).not.toContain(secret);
    expect(project.text("docs/x.md")).toBe(page);
  });
});

describe("two agents edit the same lines", () => {
  test("the second agent gets the conflict with both texts, and nothing is merged", async () => {
    const written = Promise.withResolvers<void>();
    await begin({ "docs/x.md": "# X\n\nThe value is 1.\n" }, async (request): Promise<Turn> => {
      if (request.system.includes("You split a goal"))
        return {
          text: JSON.stringify({
            tasks: ["one", "two"].map((id) => ({
              id,
              description: id,
              mode: "modify",
              targets: ["docs/x.md"],
            })),
          }),
        };
      const mine = /## Your task\n\n(one|two)/.exec(request.messages[0]!.text)![1]!;
      if (mine === "one" && isDone(request)) written.resolve();
      if (isDone(request)) return { text: "Done." };
      if (mine === "two") await written.promise;
      const input =
        mine === "one"
          ? { path: "docs/x.md", old_content: "The value is 1.", new_content: "The value is 2." }
          : { path: "docs/x.md", old_content: "value is 2", new_content: "value is 3" };
      return { calls: [{ name: "edit_file", input }] };
    });
    const { run } = await project.open();
    const shown: string[] = [];
    const done = await runGoal(run, {
      goal: "Change the value",
      commands: [],
      onConflict: async ({ refusal }) => {
        shown.push(JSON.stringify(refusal));
        return "skip";
      },
    });
    expect(project.text("docs/x.md")).toContain("The value is 2.");
    expect(done.ok && done.value.results.map(({ status }) => status)).toEqual(["done", "failed"]);
    expect(shown.join()).toContain("value is 2");
    const heard = project.server.requests.at(-1)!.messages.at(-1)!.text;
    expect(heard).toMatch(/one/);
  });
});

test("a model that loops forever stops at the step limit, and undo takes its edits back as one run", async () => {
  let n = 0;
  await begin({ "docs/x.md": watching("# X\n\n0 times.\n") }, () =>
    editing("docs/x.md", `${n} times.`, `${++n} times.`),
  );
  const before = project.snapshot();
  const { run } = await project.open();
  const done = await runImpactAgent(run, { docs: "docs", base: "main", decide: update, propagate: false });
  // What it wrote up to the last step counts.
  expect(done.ok && done.value.phase1[0]).toMatchObject({ status: "updated" });
  expect(project.server.requests).toHaveLength(5);
  expect(project.text("docs/x.md")).toContain("5 times.");
  await run.context.workspace!.undo({ run: run.id }, { author: "test" });
  expect(project.snapshot()).toEqual(before);
});

test("a model that reads forever is stopped by the money budget and the time limit", async () => {
  const reads: Turn = { calls: [{ name: "read_file", input: { path: "docs/big.md" } }] };
  await begin({ "docs/x.md": watching("# X\n"), "docs/big.md": "x ".repeat(200_000) }, () => ({
    ...reads,
    usage: { input: 50_000, output: 10 },
  }));
  const { run } = await project.open({ maxCostUsd: 0.05 });
  const done = await runImpactAgent(run, {
    docs: "docs",
    base: "main",
    decide: update,
    maxSteps: 1000,
    propagate: false,
  });
  expect(done.ok && done.value.phase1[0]).toMatchObject({
    status: "error",
    error: expect.stringContaining("cost ceiling"),
  });
  expect(run.budget.total().costUsd).toBeLessThanOrEqual(0.05);
  const quick = await project.open({ limits: { totalMs: 400, maxRetries: 0 } });
  const late = await runImpactAgent(quick.run, {
    docs: "docs",
    base: "main",
    decide: update,
    maxSteps: 1_000_000,
    propagate: false,
  });
  expect(late.ok && late.value.phase1[0]).toMatchObject({
    status: "error",
    error: expect.stringContaining("in time"),
  });
});

test("a key in the code or a secret of the environment does not reach a model", async () => {
  const key = "sk-live-0123456789abcdefghij";
  await begin(
    { "docs/x.md": watching("# X\n"), "src/old.ts": "export const old = 1;\n" },
    (request): Turn => {
      if (request.system.includes("You plan"))
        return { text: '[{"path": "docs/x.md", "relevantPaths": ["src/code.ts"]}]' };
      return { text: "Nothing." };
    },
  );
  project.put("src/code.ts", `export const a = "${key}", b = "deploy-me-0123";\n`);
  project.commit("a key");
  const { run } = await project.open({
    environment: { ...project.environment(), DEPLOY_TOKEN: "deploy-me-0123" },
  });
  await runImpactAgent(run, { docs: "docs", base: "main", decide: update, propagate: false });
  await runDocumentation(run, { command: "documentation", output: "docs", base: "main" });
  const sent = JSON.stringify(project.server.requests.map(({ body }) => body));
  expect(sent).toContain("export const a = ");
  expect(sent).not.toContain(key);
  expect(sent).not.toContain("deploy-me-0123");
});
