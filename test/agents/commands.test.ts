import { afterEach, describe, expect, test } from "vitest";
import type { Command, Options } from "../../src/cli/command.ts";
import { command as documentation } from "../../src/cli/commands/agents/documentation.ts";
import { command as impact } from "../../src/cli/commands/agents/impact.ts";
import { command as readme } from "../../src/cli/commands/agents/readme.ts";
import { command as run } from "../../src/cli/commands/agents/run.ts";
import { command as review } from "../../src/cli/commands/documents/review.ts";
import { describeAll, printHelp } from "../../src/cli/help.ts";
import { callCommand, type Given } from "./call-command.ts";
import { openProject, type Project } from "./project.ts";
import type { Request, Script, Turn } from "./scripted-server.ts";

let project: Project;
const kept = { ...process.env };
afterEach(async () => {
  process.env = { ...kept };
  await project.close();
});

const call = (command: Command, operands: string[], options: Options, given: Given = {}) =>
  callCommand(project, command, operands, options, given);

const files = {
  "src/cli.ts": 'export const flags = ["--new"];\n',
  "docs/cli.md":
    '---\njrn: CLI\nattention:\n  - op: file\n    path: "src/*.ts"\n---\n\n# CLI\n\nPass `--old` here.\n',
};

const isDone = ({ messages }: Request): boolean => messages.at(-1)!.role === "tool";

const script = (request: Request): Turn => {
  if (request.system.includes("You study")) return { text: "A tool." };
  if (request.system.includes("You plan"))
    return { text: '[{"path": "docs/cli.md", "relevantPaths": ["src/cli.ts"]}]' };
  if (request.system.includes("You review")) return { text: '{"verdict": "accept", "findings": []}' };
  if (request.system.includes("You split"))
    return {
      text: JSON.stringify({
        tasks: [{ id: "one", description: "d", mode: "modify", targets: ["docs/cli.md"] }],
      }),
    };
  if (isDone(request)) return { text: "Renamed the flag." };
  if (request.tools.includes("patch_file") && !request.tools.includes("edit_file"))
    return {
      calls: [
        {
          name: "patch_file",
          input: { original_text_snippet: "`--old`", new_text_snippet: "`--new`", reason: "It was renamed." },
        },
      ],
    };
  if (request.tools.includes("edit_article"))
    return {
      calls: [
        {
          name: "edit_article",
          input: {
            path: "docs/cli.md",
            edits: [{ old_string: "`--old`", new_string: "`--new`", reason: "It was renamed." }],
          },
        },
      ],
    };
  return {
    calls: [
      { name: "edit_file", input: { path: "docs/cli.md", old_content: "`--old`", new_content: "`--new`" } },
    ],
  };
};

async function begin(answers: Script = script): Promise<void> {
  project = await openProject(files, answers);
  project.git("checkout", "-qb", "work");
  project.put("src/cli.ts", 'export const flags = ["--new"]; // renamed\n');
  project.commit("rename");
}

describe("documentation", () => {
  test.each(["openai", "anthropic", "google"] as const)(
    "updates pages through %s and exits with 0; standard output is JSON without any key",
    async (wire) => {
      await begin();
      const said = await call(documentation, [], { json: true }, { wire });
      expect(JSON.stringify(said)).not.toMatch(/scripted-(key-)?0123456789abcdef/);
      expect(said).toMatchObject({
        code: 0,
        out: "",
        json: { pages: [{ path: "docs/cli.md", status: "updated", mode: "surgical-update" }] },
      });
      expect(project.text("docs/cli.md")).toContain("`--new`");
    },
  );

  test("after pages were written, the output says how to take them back", async () => {
    await begin();
    const said = await call(documentation, [], {});
    expect(`${said.out}${said.err}`).toMatch(/Take it back with: suture undo run-/);
    const skipped = await call(documentation, [], {});
    expect(skipped.out).toMatch(/Pass --base REV to look at an older change, or --force/);
  });

  test("a forced page that loses most of its lines is told below the pages, also in a dry run", async () => {
    const rewrite: Script = (request) =>
      /You (study|plan|review)/.test(request.system)
        ? script(request)
        : { text: "# CLI\n\nPass `--new` here.\n" };
    await begin(rewrite);
    const lines = Array.from({ length: 30 }, (_, i) => `Line ${i} of the page.`).join("\n");
    project.put("docs/cli.md", `# CLI\n\n${lines}\n`);
    const told = "Look at docs/cli.md: lost lines: the page has 2 lines of text where it had 31";
    for (const options of [{ force: true, "dry-run": true }, { force: true }] as const)
      expect(await call(documentation, [], options)).toMatchObject({
        code: 0,
        out: expect.stringContaining(told),
      });
    expect(project.text("docs/cli.md")).not.toContain("Line 1");
  });

  test("after a draft was refused, the output says where to read it; a dry run keeps none", async () => {
    await begin((request) => {
      if (request.system.includes("You plan"))
        return { text: '[{"path": "docs/new.md", "relevantPaths": ["src/cli.ts"]}]' };
      if (request.tools.length > 0 && request.messages[0]!.text.includes("Path: docs/new.md"))
        return { text: "# New\n\nPass `--bogus` when you like.\n\n```sh\ndocker run acme\n```\n" };
      return script(request);
    });
    expect((await call(documentation, [], { "dry-run": true })).err).not.toContain("suture review");
    const said = await call(documentation, [], {});
    const [, id] = /^1 refused draft kept\. Read it with: suture review (run-\S+)$/m.exec(said.err) ?? [];
    expect(said.code).toBe(1);
    // What to look at in a draft is told with the draft.
    expect(said.out).not.toContain("Look at");
    const shown = await call(review, [id!], {});
    expect(shown.out).toContain("+Pass `--bogus` when you like.");
    expect(shown.err).toContain("docs/new.md: new command: docker run acme");
  });

  test("a dry run prints the patch and writes nothing", async () => {
    await begin();
    const said = await call(documentation, [], { "dry-run": true, verbose: true });
    expect(said.code).toBe(0);
    expect(said.out).toContain("+Pass `--new` here.");
    expect(said.err).toContain("Surgical Update Mode detected for docs/cli.md");
    expect(project.text("docs/cli.md")).toBe(files["docs/cli.md"]);
  });

  test("exit codes: 1 for a failed page, 3 for a model that cannot be used, 2 for a wrong amount or name", async () => {
    await begin();
    project.put("docs/cli.md", "# CLI\n\nNothing old here.\n");
    expect((await call(documentation, [], {})).code).toBe(1);
    expect((await call(documentation, [], { model: "anthropic:x" }, { model: false })).code).toBe(3);
    expect((await call(documentation, [], { model: "gpt-5" })).code).toBe(2);
    expect((await call(documentation, [], { "max-cost": "much" })).code).toBe(2);
    expect((await call(documentation, [], { "max-cost": "1", model: "openai:unpriced" })).code).toBe(2);
  });

  test.each([900, 9000])(
    "--max-tokens %i limits the answers of the writer; those of the reviewer stay at 1500",
    async (limit) => {
      await begin();
      await call(documentation, [], { "max-tokens": String(limit) });
      const { requests } = project.server;
      const writers = requests.filter(({ tools }) => tools.includes("patch_file"));
      const reviewers = requests.filter(({ system }) => system.includes("You review"));
      expect(writers.map(({ body }) => body.max_tokens)).toEqual([limit, limit]);
      expect(reviewers.map(({ body }) => body.max_tokens)).toEqual([1500]);
    },
  );

  test.each<[string, Options, Record<string, string>, string]>([
    ["--timeout", { timeout: "1" }, {}, "1 s"],
    ["SUTURE_TIMEOUT", {}, { SUTURE_TIMEOUT: "0.5" }, "0.5 s"],
    ["--timeout before SUTURE_TIMEOUT", { timeout: "1" }, { SUTURE_TIMEOUT: "300" }, "1 s"],
  ])(
    "a model is waited for as long as %s says, and the message says how long that was",
    async (_, options, environment, limit) => {
      await begin((request) => (request.system.includes("You plan") ? { hang: true } : script(request)));
      const said = await call(documentation, [], options, { environment });
      expect(said.code).toBe(3);
      expect(`${said.out}${said.err}`).toContain(
        `no answer in time (${limit}); raise the limit with --timeout or SUTURE_TIMEOUT`,
      );
    },
  );

  test("without a model it says how to name one", async () => {
    await begin();
    const said = await call(documentation, [], {}, { model: false });
    expect(said.out).toContain("--model provider:name");
    expect(said.code).toBe(0);
  });

  test("readme finds a README however its name is spelled, and writes no second one", async () => {
    await begin();
    project.put("readme.md", "# X\n\nPass `--old` here.\n");
    project.commit("a readme");
    expect((await call(readme, [], {})).code).toBe(0);
    expect(project.text("readme.md")).toContain("`--new`");
    expect(project.exists("README.md")).toBe(false);
  });

  test("readme takes one page", async () => {
    await begin();
    project.put("README.md", "# Acme\n\nPass `--old`.\n");
    expect((await call(readme, [], {})).code).toBe(0);
    expect(project.text("README.md")).toContain("`--new`");
  });
});

describe("impact", () => {
  test("extract shows the change, or the prompt that finds search words", async () => {
    await begin();
    expect((await call(impact, ["extract"], { base: "main", json: true })).json).toMatchObject({
      files: [{ path: "src/cli.ts", status: "changed" }],
    });
    expect((await call(impact, ["extract"], { base: "main", prompt: true })).out).toMatch(
      /search queries[\s\S]*renamed/,
    );
  });

  test("search lists articles with their evidence, without a model", async () => {
    await begin();
    const said = await call(impact, ["search"], { base: "main" }, { model: false });
    expect(said).toMatchObject({ code: 0, out: "docs/cli.md\n  src/cli.ts (local) matches src/*.ts, glob" });
    expect((await call(impact, ["search"], { base: "work" }, { model: false })).out).toBe(
      "No changes detected.",
    );
    expect((await call(impact, ["search"], { base: "main", docs: "src" }, { model: false })).out).toBe(
      "No impacted articles found.",
    );
    expect((await call(impact, ["search"], { base: "nowhere" }, { model: false })).code).toBe(3);
    expect((await call(impact, ["bogus"], {})).code).toBe(2);
  });

  test.each([
    [["v", "u"], "updated"],
    [["s"], "skipped"],
    [["q"], "skipped"],
    [["x"], "skipped"],
    [[], "skipped"],
  ] as const)("the agent asks, and %j leaves the article %s", async (answers, status) => {
    await begin();
    const said = await call(impact, ["agent"], { base: "main" }, { answers: [...answers] });
    expect(said.out).toContain(`${status.padEnd(9)} docs/cli.md`);
    expect(project.text("docs/cli.md").includes("`--new`")).toBe(status === "updated");
  });

  test("agent --yes prints the agreed JSON and no progress on standard output", async () => {
    await begin();
    const said = await call(impact, ["agent"], { base: "main", yes: true, json: true });
    expect(said).toMatchObject({
      code: 0,
      out: "",
      json: {
        results: [{ status: "updated", editReasons: ["It was renamed."] }],
        auditRecordId: expect.any(String),
        phase1Results: [{}],
        phase2Results: [],
        propagationResult: { depth: 0 },
      },
    });
    const again = await call(impact, ["agent"], { "propagate-only": true, yes: true, base: "main" });
    expect(again.code).toBe(0);
  });

  test("agent ends with 1 where an article was updated and its agent did not get to its end", async () => {
    await begin((request) => (isDone(request) ? { text: "Renamed", cut: true } : script(request)));
    const said = await call(impact, ["agent"], { base: "main", yes: true });
    expect(said).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^updated {3}docs\/cli\.md: not all of it/),
    });
  });

  test("agent without a model lists what is left and ends with 1; --propagate-only without a record with 2", async () => {
    await begin();
    const said = await call(impact, ["agent"], { base: "main", yes: true }, { model: false });
    expect(said.code).toBe(1);
    expect(said.out).toMatch(/docs\/cli\.md[\s\S]*--model provider:name/);
    expect((await call(impact, ["agent"], { "propagate-only": true })).code).toBe(2);
  });
});

describe("run", () => {
  test("does the tasks; --plan shows them; --mode analyze changes nothing", async () => {
    await begin();
    const plan = await call(run, ["Rename the flag"], { plan: true });
    expect(plan).toMatchObject({ code: 0, out: "one (modify) on docs/cli.md: d" });
    await call(run, ["Rename the flag"], { mode: "analyze" });
    expect(project.text("docs/cli.md")).toBe(files["docs/cli.md"]);
    const done = await call(run, ["Rename the flag"], { yes: true });
    expect(done.code).toBe(0);
    expect(project.text("docs/cli.md")).toContain("`--new`");
    expect(done.out).toContain("+Pass `--new` here.");
    expect(done.err).toMatch(/Take it back with: suture undo run-/);
    expect((await call(run, ["Rename the flag"], {}, { model: false })).code).toBe(1);
  });

  test("a task ends after the 12 round trips that the help names", async () => {
    await begin((request) =>
      request.system.includes("You split")
        ? script(request)
        : { calls: [{ name: "read_file", input: { path: "docs/cli.md" } }] },
    );
    const described = (await describeAll()).find(({ name }) => name === "run");
    expect(printHelp(described!, { colour: false })).toMatch(
      /--max-steps N +round trips to the model for each task \(12\)/,
    );
    await call(run, ["Rename the flag"], { yes: true });
    const { requests } = project.server;
    expect(requests.filter(({ system }) => !system.includes("You split"))).toHaveLength(12);
  });

  test("a plan that writes is shown and asked about; without an answer nothing is written", async () => {
    await begin();
    const unanswered = await call(run, ["Rename the flag"], {});
    expect(unanswered).toMatchObject({ code: 1, out: "one (modify) on docs/cli.md: d" });
    expect(unanswered.err).toContain("--yes");
    expect((await call(run, ["Rename the flag"], {}, { answers: ["n"] })).code).toBe(1);
    expect((await call(run, ["Rename the flag"], { json: true })).code).toBe(1);
    expect(project.text("docs/cli.md")).toBe(files["docs/cli.md"]);
    expect((await call(run, ["Rename the flag"], {}, { answers: ["y"] })).code).toBe(0);
    expect(project.text("docs/cli.md")).toContain("`--new`");
  });

  test("files that the goal does not name are asked about once; without an answer nothing is written", async () => {
    await begin();
    const unasked = await call(run, ["Change src/cli.ts"], { yes: true });
    expect(unasked.code).toBe(1);
    expect(unasked.err).toContain("docs/cli.md");
    expect(unasked.err).toContain("--may-write");
    expect((await call(run, ["Change src/cli.ts"], { yes: true, json: true })).code).toBe(1);
    expect((await call(run, ["Change src/cli.ts"], { yes: true }, { answers: ["n"] })).code).toBe(1);
    expect(project.text("docs/cli.md")).toBe(files["docs/cli.md"]);
    expect((await call(run, ["Change src/cli.ts"], { yes: true }, { answers: ["y"] })).code).toBe(0);
    project.put("docs/cli.md", files["docs/cli.md"]);
    expect((await call(run, ["Change src/cli.ts"], { yes: true, "may-write": "docs/*.md" })).code).toBe(0);
    expect(project.text("docs/cli.md")).toContain("`--new`");
  });

  test("a goal that says not to change anything changes nothing, whatever the planner says", async () => {
    await begin();
    const goal = "Review docs/cli.md and suggest improvements. Do not change anything.";
    const said = await call(run, [goal], { yes: true });
    expect(project.text("docs/cli.md")).toBe(files["docs/cli.md"]);
    expect(said.code).toBe(1);
    expect(said.err).toContain("the goal asks only to look, so 1 task only looked");
    expect(said.err).toContain("--mode modify");
    expect((await call(run, [goal], { yes: true, mode: "analyze" })).code).toBe(0);
  });

  test("an order with limits is done within them", async () => {
    await begin();
    const goal = "In docs/cli.md rename the flag, but do not touch src/cli.ts or the tests";
    expect((await call(run, [goal], { yes: true })).code).toBe(0);
    expect(project.text("docs/cli.md")).toContain("`--new`");
  });

  test("a file that the goal wants left alone is never written, also when a person agrees to the plan", async () => {
    await begin();
    const said = await call(
      run,
      ["Rename the flag in src/ but leave docs/cli.md alone"],
      {},
      { answers: ["y"] },
    );
    expect(said.code).toBe(1);
    expect(said.err).toContain("the goal wants docs/cli.md left alone");
    expect(project.text("docs/cli.md")).toBe(files["docs/cli.md"]);
  });

  test("an order that is planned as an analysis ends with 1 and says that nothing was written", async () => {
    await begin((request) =>
      request.system.includes("You split")
        ? {
            text: '{"tasks": [{"id": "one", "description": "d", "mode": "analyze", "targets": ["docs/cli.md"]}]}',
          }
        : { text: '{"summary": "s", "findings": []}' },
    );
    const said = await call(run, ["Rename the flag"], { yes: true });
    expect(said).toMatchObject({ code: 1, err: expect.stringContaining("no task changed anything") });
    expect((await call(run, ["Review the flag"], { yes: true })).code).toBe(0);
  });
});
