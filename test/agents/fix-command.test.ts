import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Options } from "../../src/cli/command.ts";
import { command as check } from "../../src/cli/commands/documents/check.ts";
import { command as fix } from "../../src/cli/commands/documents/fix.ts";
import { command as review } from "../../src/cli/commands/documents/review.ts";
import { command as verify } from "../../src/cli/commands/documents/verify.ts";
import { command as undo } from "../../src/cli/commands/history/undo.ts";
import { auditSchema } from "../../src/docs/record/audit-schema.ts";
import { callCommand, type Given } from "./call-command.ts";
import { openProject, type Project } from "./project.ts";
import type { Request, Turn } from "./scripted-server.ts";
import { answerSection, askedText, isSearch, isSectionQuestion, readSection } from "./section-model.ts";

let project: Project;
const kept = { ...process.env };
afterEach(async () => {
  process.env = { ...kept };
  await project.close();
});

const before = {
  "src/cli.ts":
    "export const options = { retryDelay: 1000, fast: true };\nexport function removeCache() {}\nexport function clear() {}\n",
  "docs/cli.md":
    "# CLI\n\nFirst line.\n\n`retryDelay` is `1000` by default.\n\nCall `removeCache()` to start afresh.\r\n\nLast line.\n",
  "docs/cache.md": "# Cache\n\nIt is emptied by `removeCache()`.\n",
};
const after = "export const options = { retryDelay: 2500, fast: true };\nexport function clear() {}\n";

async function begin(script: (request: Request) => Turn, files: Record<string, string> = {}): Promise<void> {
  project = await openProject({ ...before, ...files }, (request) =>
    isSearch(request) ? { text: "NONE" } : script(request),
  );
  project.put("src/cli.ts", after);
  project.commit("raise a default, drop a function");
}

const call = (options: Options, given: Given = {}) =>
  callCommand(project, fix, [], { base: "HEAD~1", ...options }, given);

/** The questions about passages, without the search for others. */
const questions = (): Request[] => project.server.requests.filter((request) => !isSearch(request));
const isReview = ({ system }: Request): boolean => system.includes("You review a draft");
const pageOf = (request: Request): string => readSection(askedText(request)).path;
/** A model that fixes only the passages of the notices. */
const mend =
  (request: Request) =>
  (section: string): string => {
    const [, notices = ""] = askedText(request).split("## Notices");
    const cleared = notices.includes("removeCache")
      ? section.replaceAll("removeCache()", "clear()")
      : section;
    return notices.includes("`1000`") ? cleared.replaceAll("`1000`", "`2500`") : cleared;
  };
const sectionOf = (request: Request, rewrite: (section: string) => string): Turn => ({
  text: answerSection(askedText(request), rewrite),
});

const reword = (request: Request): Turn =>
  isReview(request) ? { text: '{"verdict": "accept", "findings": []}' } : sectionOf(request, mend(request));

const auditOf = (run: string) => auditSchema.parse(JSON.parse(project.text(`.suture/audit/${run}.json`)));

type Value = {
  run: string;
  model?: string;
  fixed: { path: string; by: string; edits: { new_string: string }[] }[];
  left: { path: string; why?: string; tier: string; judgement?: { reason: string } }[];
  usage: { costUsd: number };
  diff: string;
};

describe("fix with a model", () => {
  test.each(["openai", "anthropic"] as const)(
    "rules first, the rest by %s; each edit says who made it; the record holds both, and undo restores every byte",
    async (wire) => {
      await begin(reword);
      const snapshot = project.snapshot();
      const said = await call({ yes: true, json: true }, { wire });
      const value = said.json as Value;
      expect(said).toMatchObject({ code: 0, out: "", values: 1 });
      expect(value.fixed.map(({ path, by }) => [path, by])).toEqual([
        ["docs/cache.md", value.model],
        ["docs/cli.md", "rule"],
        ["docs/cli.md", value.model],
      ]);
      expect(project.text("docs/cli.md")).toBe(
        before["docs/cli.md"].replace("`1000`", "`2500`").replace("removeCache", "clear"),
      );
      const changed = project.snapshot();
      const record = auditOf(value.run);
      expect(record).toMatchObject({ source: "fix", model: value.model, toolCalls: { edit_article: 3 } });
      expect(record.usage.costUsd).toBeGreaterThan(0);
      for (const { edits, editReasons } of record.articles) expect(editReasons).toHaveLength(edits!.length);
      const page = record.articles.find(({ path }) => path === "docs/cli.md")!;
      expect(page.edits!.map(({ by }) => by)).toEqual([undefined, value.model]);
      expect(page.entries).toHaveLength(1);
      expect(page.verdicts).toMatchObject([{ verdict: "fix" }, { verdict: "fix" }]);
      project.git("checkout", "-q", "--", "docs");
      for (const { patch } of record.articles)
        execFileSync("git", ["apply", "-"], { cwd: project.root, input: patch! });
      expect(project.snapshot()).toEqual(changed);
      expect((await callCommand(project, undo, [value.run], {})).code).toBe(0);
      expect(project.snapshot()).toEqual(snapshot);
    },
  );

  test("verify derives the edits by rule again, and reports the others as written by a model", async () => {
    await begin(reword);
    const { run, model } = (await call({ yes: true, json: true })).json as Value;
    const said = await callCommand(project, verify, [run], { json: true });
    expect(said.code).toBe(3);
    const { edits } = said.json as { edits: { verdict: string; why?: string }[] };
    expect(edits.map(({ verdict }) => verdict).sort()).toEqual(["cannot-tell", "cannot-tell", "derived"]);
    expect(edits.filter(({ why }) => why?.includes(model!))).toHaveLength(2);
  });

  test("a dry run shows rules' and model's edits of a page as one patch, and writes nothing", async () => {
    await begin(reword);
    const snapshot = project.snapshot();
    const said = await call({ yes: true, "dry-run": true, json: true });
    const { diff } = said.json as Value;
    expect(project.snapshot()).toEqual(snapshot);
    expect(project.exists(".suture")).toBe(false);
    execFileSync("git", ["apply", "-"], { cwd: project.root, input: diff });
    expect(project.text("docs/cli.md")).toBe(
      before["docs/cli.md"].replace("`1000`", "`2500`").replace("removeCache", "clear"),
    );
  });

  test("what a person should look at is said with the edits, also in a dry run", async () => {
    const deny = (text: string): string =>
      text
        .replace("`1000`", "`2500`")
        .replace("Call `removeCache()` to", "Never call `clear()` to")
        .replace("removeCache()", "clear()");
    await begin((request) => (isReview(request) ? reword(request) : sectionOf(request, deny)));
    const { err } = await call({ yes: true, "dry-run": true });
    expect(err).toContain("Look at docs/cli.md: negation: Never call `clear()` to start afresh.");
    const { risks } = (await call({ yes: true, json: true })).json as { risks: unknown };
    expect(risks).toMatchObject([{ path: "docs/cli.md", what: "negation" }]);
  });

  test("--no-model asks no model; without a model the output says how to choose one; --model and --no-model together are a usage error", async () => {
    await begin(reword);
    expect((await call({ "no-model": true })).code).toBe(1);
    expect(project.server.requests).toEqual([]);
    expect((await call({}, { model: false })).err).toContain("--model provider:name");
    expect((await call({ "no-model": true, model: "openai:x" })).code).toBe(2);
  });

  test("a model that cannot be used stops the command before anything is written", async () => {
    await begin(reword);
    const snapshot = project.snapshot();
    expect((await call({ yes: true, model: "nonsense" })).code).toBe(2);
    expect((await call({ yes: true, model: "anthropic:claude-haiku-4-5" })).code).toBe(3);
    expect(project.snapshot()).toEqual(snapshot);
  });

  test("--limit counts passages by rule and by model together", async () => {
    await begin(reword);
    const { fixed } = (await call({ yes: true, limit: "2", json: true })).json as Value;
    expect(fixed.map(({ by }) => by === "rule").sort()).toEqual([false, true]);
  });

  test("passages beyond --max-cost are left, and the command ends with 1", async () => {
    await begin(reword);
    const said = await call({ yes: true, "max-cost": "0.000001", json: true });
    expect(said.code).toBe(1);
    const value = said.json as Value;
    expect(project.server.requests).toEqual([]);
    expect(value.left.every(({ why }) => why?.includes("cost ceiling"))).toBe(true);
    // A likely edit that no model could judge is not made.
    expect(value.fixed).toEqual([]);
    expect(project.text("docs/cli.md")).toBe(before["docs/cli.md"]);
  });

  test("passages that a model keeps are left with its reason, and the exit code follows their tiers", async () => {
    await begin((request) => ({ text: answerSection(askedText(request), String, "KEEP", "all is well.") }));
    const said = await call({ yes: true, json: true });
    const { left } = said.json as Value;
    expect(new Set(left.map(({ why }) => why))).toEqual(new Set(["left as it is: all is well."]));
    expect(said.code).toBe(left.some(({ tier }) => tier !== "possible") ? 1 : 0);
  });

  test("--yes with a model makes no likely edit that the model calls a false alarm, and the finding no longer gates", async () => {
    await begin((request) => ({ text: answerSection(askedText(request), String, "KEEP", "another flag.") }));
    const said = await call({ yes: true, json: true });
    expect(project.text("docs/cli.md")).toBe(before["docs/cli.md"]);
    const raised = (said.json as Value).left.find(
      ({ path, tier }) => path === "docs/cli.md" && tier === "possible",
    );
    expect(raised).toMatchObject({ judgement: { verdict: "keep", reason: "another flag." } });
  });

  test("an answer that is the rule's own edit is made, also where the new words are a number alone", async () => {
    const page =
      "# Usage\n\n## API\n\n###### timeout\n\nType: `number`\n\nMilliseconds to wait.\n\n###### retries\n\nType: `number`, `function`<br>\nDefault: `5`\n\nNumber of request retries when network errors happens.\n";
    const code = (count: number): string =>
      `function normalizeArguments(url, opts) {\n\topts = Object.assign(\n\t\t{\n\t\t\tpath: '',\n\t\t\tretries: ${count}\n\t\t},\n\t\turl\n\t);\n\treturn opts;\n}\n`;
    const reduce = (section: string): string => section.replace("Default: `5`", "Default: `2`");
    project = await openProject({ "index.js": code(5), "readme.md": page }, (request) => ({
      text: answerSection(askedText(request), reduce, "FIX", "index.js sets 2."),
    }));
    project.put("index.js", code(2));
    project.commit("reduce retries");
    const said = await call({ yes: true, json: true });
    expect(questions()).toHaveLength(1);
    expect((said.json as Value).fixed).toMatchObject([{ path: "readme.md", by: "rule" }]);
    expect(project.text("readme.md")).toBe(page.replace("`5`", "`2`"));
    expect(said.code).toBe(0);
  });

  test("a verdict is remembered: the same passage is not asked about again, until it or the code changes", async () => {
    await begin((request) => ({ text: answerSection(askedText(request), String, "KEEP", "fine.") }));
    await call({ yes: true });
    const asked = questions().length;
    const again = await call({ yes: true, json: true });
    expect(questions()).toHaveLength(asked);
    expect((again.json as Value).left[0]!.why).toBe("left as it is: fine. (judged before)");
    project.put("docs/cache.md", "# Cache\n\nOnly `removeCache()` empties it.\n");
    await call({ yes: true });
    expect(questions()).toHaveLength(asked + 1);
  });

  test("equal lines in two sections have their own verdicts, in the same run and in the next one", async () => {
    const line = "Call `removeCache()` to start afresh.";
    const twins = `# CLI\n\n## First\n\n${line}\n\n## Second\n\n${line}\n`;
    const invent = (section: string): string => section.replace("removeCache()", "inventedCall()");
    await begin(
      (request) => ({
        text: answerSection(askedText(request), invent).replace(/^2 FIX: .*$/m, "2 KEEP: told as history."),
      }),
      { "docs/cli.md": "# CLI\n", "docs/cache.md": twins },
    );
    const judged = async () => {
      const { left } = (await call({ yes: true, json: true })).json as Value;
      return left.map(({ why }) => why);
    };
    const first = await judged();
    expect(first[0]).toContain("inventedCall");
    expect(first[1]).toBe("left as it is: told as history.");
    const asked = questions().length;
    const again = await judged();
    expect(again[0]).toContain("inventedCall");
    expect(again[1]).toBe("left as it is: told as history. (judged before)");
    for (const request of questions().slice(asked)) expect(askedText(request)).not.toContain("## Second");
  });

  test("one page that fails leaves the rest: it stays as it was, byte for byte, and the run ends with 1", async () => {
    await begin((request) =>
      pageOf(request) === "docs/cache.md"
        ? sectionOf(request, (section) => section.replace("removeCache()", "inventedCall()"))
        : reword(request),
    );
    const said = await call({ yes: true, json: true });
    expect(said.code).toBe(1);
    expect(said.err).toMatch(
      /^✖ docs\/cache\.md: not every passage could be fixed\n {2}line 3: .*inventedCall/m,
    );
    expect(project.text("docs/cache.md")).toBe(before["docs/cache.md"]);
    expect(project.text("docs/cli.md")).toContain("clear()");
    const { articles } = auditOf((said.json as Value).run);
    expect(articles.map(({ path, status }) => [path, status])).toEqual([
      ["docs/cache.md", "error"],
      ["docs/cli.md", "updated"],
    ]);
  });

  test("a file that instructs agents is not sent to a model, and a rule's edit of it needs consent", async () => {
    await begin(reword, {
      "docs/AGENTS.md": "# Agents\n\n`retryDelay` is `1000` by default.\n\nCall `removeCache()` often.\n",
    });
    const said = await call({ json: true });
    expect(JSON.stringify(project.server.requests)).not.toContain("AGENTS.md");
    expect(project.text("docs/AGENTS.md")).toContain("`1000`");
    expect((said.json as Value).left.map(({ path }) => path)).toContain("docs/AGENTS.md");
    await call({}, { answers: ["n", "n", "n", "n"] });
    expect(project.text("docs/AGENTS.md")).toContain("`1000`");
    await call({ "no-model": true }, { answers: ["y", "y", "y", "y", "y"] });
    expect(project.text("docs/AGENTS.md")).toContain("`2500`");
    expect(project.text("docs/AGENTS.md")).toContain("removeCache");
  });

  test("a finding that a person declined is not sent to a model", async () => {
    await begin(reword);
    await call({}, { answers: ["n"] });
    expect(project.text("docs/cli.md")).toContain("`1000`");
    const asked = project.server.requests.filter(isSectionQuestion).map(askedText);
    expect(asked).toHaveLength(2);
    expect(asked.every((text) => !/^Notice \d+[^=]*=+ DATA: notice =+\n[^\n]*retryDelay/m.test(text))).toBe(
      true,
    );
  });

  test("an interrupted run keeps the record of the edits by rule", async () => {
    await begin((request) => {
      if (pageOf(request) === "docs/cli.md") process.emit("SIGINT");
      return reword(request);
    });
    await expect(call({}, { answers: ["y"] })).rejects.toThrow("interrupted");
    process.exitCode = 0;
    expect(project.text("docs/cli.md")).toBe(before["docs/cli.md"].replace("`1000`", "`2500`"));
    const name = readdirSync(join(project.root, ".suture/audit")).find((one) => one.startsWith("run-"));
    const { articles } = auditOf(name!.replace(".json", ""));
    expect(articles.find(({ path }) => path === "docs/cli.md")).toMatchObject({
      status: "error",
      error: expect.stringContaining("stopped"),
      editReasons: [expect.stringContaining("2500")],
    });
  });
});

describe("check with a model", () => {
  test("false alarms no longer gate, confirmed findings do, and each verdict has its reason", async () => {
    await begin((request) => ({
      text:
        pageOf(request) === "docs/cache.md"
          ? "1 FIX: it is gone."
          : "1 KEEP: another flag.\n2 FIX: it is gone.",
    }));
    const options = { base: "HEAD~1", json: true, model: "openai:gpt-4o-mini" } as const;
    const said = await callCommand(project, check, [], options);
    const { findings } = said.json as { findings: { path: string; tier: string; judgement?: object }[] };
    expect(findings.every(({ judgement }) => judgement !== undefined)).toBe(true);
    expect(findings.filter(({ tier }) => tier === "possible")).toMatchObject([
      { path: "docs/cli.md", judgement: { verdict: "keep", reason: "another flag." } },
    ]);
    expect(said.code).toBe(1);
    const asked = questions().length;
    const { json: _, ...printing } = options;
    const { out } = await callCommand(project, check, [], { ...printing, verbose: true });
    expect(out).toContain("calls it a false alarm: another flag.");
    expect(out).toContain("confirms it: it is gone.");
    expect(questions()).toHaveLength(asked);
    expect(said.err).toMatch(/^openai:gpt-4o-mini: [1-9]\d* tokens in, [1-9]\d* out, \$\d\.\d{4}$/m);
  });

  test("a check leaves a record of its verdicts; one that asks nothing leaves none", async () => {
    await begin((request) => ({
      text:
        pageOf(request) === "docs/cache.md" ? "1 FIX: it is gone." : "1 KEEP: a flag.\n2 FIX: it is gone.",
    }));
    const options = { base: "HEAD~1", json: true, model: "openai:gpt-4o-mini" } as const;
    const { err } = await callCommand(project, check, [], options);
    const runs = () =>
      readdirSync(join(project.root, ".suture/audit")).filter((name) => name.startsWith("run-"));
    const [name] = runs();
    const record = auditOf(name!.replace(".json", ""));
    expect(record).toMatchObject({ source: "check", command: "check", model: "openai:gpt-4o-mini" });
    expect(record.usage.inputTokens).toBeGreaterThan(0);
    expect(record.articles.map(({ path, status, verdicts }) => [path, status, verdicts])).toEqual([
      ["docs/cache.md", "unchanged", [expect.objectContaining({ verdict: "fix", reason: "it is gone." })]],
      [
        "docs/cli.md",
        "unchanged",
        [
          expect.objectContaining({ verdict: "keep", reason: "a flag.", by: "openai:gpt-4o-mini" }),
          expect.objectContaining({ verdict: "fix" }),
        ],
      ],
    ]);
    expect(err).toContain(`Each verdict and its reason: suture review ${record.id}`);
    const shown = await callCommand(project, review, [record.id], {});
    expect(shown.out).toBe("No edits to review. The run left these remarks:");
    expect(shown.err).toMatch(
      /^docs\/cli\.md: \w+-\w+: openai:gpt-4o-mini calls it a false alarm: a flag\.$/m,
    );
    await callCommand(project, check, [], options);
    expect(runs()).toHaveLength(1);
  });
});

test("review with a model has each finding judged first; a run that is recorded is not judged again", async () => {
  await begin((request) => ({
    text: pageOf(request) === "docs/cache.md" ? "1 FIX: it is gone." : "1 KEEP: a flag.\n2 FIX: it is gone.",
  }));
  const options = { base: "HEAD~1", model: "openai:gpt-4o-mini" };
  // The page of the report is there only where it was built.
  await callCommand(project, review, [], {
    ...options,
    export: join(project.root, "report.html"),
    json: true,
  });
  const [name] = readdirSync(join(project.root, ".suture/audit")).filter((file) => file.startsWith("run-"));
  const record = auditOf(name!.replace(".json", ""));
  expect(record).toMatchObject({ command: "review", source: "check" });
  expect(record.articles.flatMap(({ verdicts = [] }) => verdicts.map(({ verdict }) => verdict))).toEqual([
    "fix",
    "keep",
    "fix",
  ]);
  expect((await callCommand(project, review, [record.id], options)).code).toBe(2);
});

describe("a judge whose answer cannot be used", () => {
  test.each([
    [
      "a question that comes back",
      "- KEEP: a reader is not misled.\n- FIX: words are false.\n- ADD: it lists.",
    ],
    ["prose", "Everything looks good to me."],
    ["a call as text", '{"name": "read_file", "arguments": {"path": "a"}}'],
  ])("%s leaves the findings as they were, and says so", async (_, text) => {
    await begin(() => ({ text }));
    const said = await callCommand(project, check, [], {
      base: "HEAD~1",
      json: true,
      model: "openai:gpt-4o-mini",
    });
    const { findings } = said.json as { findings: { judgement?: object }[] };
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.every(({ judgement }) => judgement === undefined)).toBe(true);
    expect(said.err).toContain("no usable answer from openai:gpt-4o-mini");
    const asked = questions().length;
    expect(said.err).toMatch(
      new RegExp(
        `^openai:gpt-4o-mini: \\d+ tokens in, .*; ${asked} questions? without a usable answer$`,
        "m",
      ),
    );
  });
});

describe("where the rules are silent", () => {
  const files = {
    "src/retry.ts": "export function waitBeforeRetry(attempt) {\n  return attempt * 1000;\n}\n",
    "docs/retry.md":
      "# Retries\n\nThe delay of `waitBeforeRetry` grows by a second with each attempt.\n\nNothing else.\n",
  };
  async function beginSilent(search: string, judge: (request: Request) => string): Promise<void> {
    project = await openProject(files, (request) => ({
      text: isSearch(request) ? search : judge(request),
    }));
    project.put("src/retry.ts", files["src/retry.ts"].replace("attempt * 1000", "2 ** attempt * 1000"));
    project.commit("delays of waitBeforeRetry double");
  }
  const quoted = [
    "FALSE",
    "page: The delay of `waitBeforeRetry` grows by a second",
    "code: return 2 ** attempt * 1000;",
    "now: The delay doubles with each attempt.",
  ].join("\n");
  const options = { base: "HEAD~1", json: true, model: "openai:gpt-4o-mini" } as const;
  const findingsOf = async () => {
    const said = await callCommand(project, check, [], options);
    return { code: said.code, ...(said.json as { findings: { path: string; tier: string }[] }) };
  };

  test("a model is asked once for passages, and a passage that the judge confirms is reported", async () => {
    await beginSilent(quoted, () => "1 FIX: it doubles now.");
    const { code, findings } = await findingsOf();
    expect(code).toBe(0);
    expect(findings).toMatchObject([
      {
        path: "docs/retry.md",
        startLine: 3,
        tier: "likely",
        kind: "asked",
        by: "model",
        message: "The delay doubles with each attempt.",
        evidence: [
          {
            path: "src/retry.ts",
            startLine: 2,
            before: "  return attempt * 1000;",
            after: "  return 2 ** attempt * 1000;",
          },
        ],
        judgement: { verdict: "fix" },
      },
    ]);
    const [search] = project.server.requests.filter(isSearch);
    expect(askedText(search!)).toContain("delays of waitBeforeRetry double");
    expect(askedText(search!)).toContain("2 ** attempt * 1000");
    expect(askedText(search!)).toContain("Nothing else.");
  });

  test("a passage that only the model noticed fails the check with --strict-model alone", async () => {
    await beginSilent(quoted, () => "1 FIX: it doubles now.");
    const { json: _, ...words } = options;
    const said = await callCommand(project, check, [], words);
    expect(said.code).toBe(0);
    expect(said.err).toContain(
      "Only the model noticed 1 of these passages; it fails the check with --strict-model.",
    );
    expect(said.err).toContain("the model was asked about 1 page near the 1 changed file: docs/retry.md.");
    expect((await callCommand(project, check, [], { ...words, "strict-model": true })).code).toBe(1);
  });

  test("a file that has a finding already is asked about too, and the model hears what is known", async () => {
    const both = { ...files, "docs/calls.md": "# Calls\n\nCall `oldName()` of src/retry.ts first.\n" };
    project = await openProject(
      { ...both, "src/retry.ts": `${files["src/retry.ts"]}export function oldName() {}\n` },
      (request) => ({ text: isSearch(request) ? "NONE" : "1 FIX: yes." }),
    );
    project.put("src/retry.ts", files["src/retry.ts"].replace("attempt * 1000", "2 ** attempt * 1000"));
    project.commit("delays of waitBeforeRetry double, oldName is gone");
    const { findings } = await findingsOf();
    expect(findings.map(({ path }) => path)).toEqual(["docs/calls.md"]);
    const asked = project.server.requests.filter(isSearch).map(askedText);
    expect(asked.some((text) => text.includes("docs/retry.md"))).toBe(true);
    expect(asked.find((text) => text.includes("DATA: docs/calls.md"))).toContain("findings of this page");
  });

  test("all changed folders are in one question for each page", async () => {
    project = await openProject({ ...files, "lib/wait.ts": "export const longestWait = 3;\n" }, () => ({
      text: "NONE",
    }));
    project.put("src/retry.ts", files["src/retry.ts"].replace("attempt * 1000", "2 ** attempt * 1000"));
    project.put("lib/wait.ts", "export const longestWait = 9;\n");
    project.commit("longer waits of waitBeforeRetry");
    await findingsOf();
    const asked = project.server.requests.filter(isSearch).map(askedText);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("2 ** attempt");
    expect(asked[0]).toContain("longestWait = 9");
  });

  test("the same change is asked about once, however often it is checked", async () => {
    await beginSilent(quoted, () => "1 FIX: it doubles now.");
    const first = await findingsOf();
    const again = await findingsOf();
    expect(again.findings).toEqual(first.findings);
    expect(project.server.requests.filter(isSearch)).toHaveLength(1);
    project.put("src/retry.ts", files["src/retry.ts"].replace("attempt * 1000", "3 ** attempt * 1000"));
    project.commit("delays of waitBeforeRetry triple");
    await findingsOf();
    expect(project.server.requests.filter(isSearch)).toHaveLength(2);
  });

  test.each([
    ["the judge does not confirm", quoted, "1 KEEP: it is true."],
    ["is not on the page", quoted.replace("by a second", "by a minute"), "1 FIX: yes."],
    [
      "no changed line is behind",
      "FALSE\npage: Nothing else.\ncode: sleep();\nnow: So it is.",
      "1 FIX: yes.",
    ],
    ["the model does not find", "NONE", "1 FIX: yes."],
  ])("a passage that %s is not reported", async (_, search, verdict) => {
    await beginSilent(search, () => verdict);
    expect(await findingsOf()).toMatchObject({ code: 0, findings: [] });
  });

  test("fix says what the question has used, although the model found nothing", async () => {
    await beginSilent("NONE", () => "");
    const said = await call({ yes: true });
    expect(said).toMatchObject({ code: 0, err: expect.stringMatching(/^openai:\S+: [1-9]\d* tokens in/m) });
    rmSync(join(project.root, ".suture"), { recursive: true, force: true });
    expect((await call({ yes: true, json: true })).json).toMatchObject({
      usage: { inputTokens: expect.any(Number) },
    });
  });

  test("a passage that is answered with FIX and stays as it was is not fixed", async () => {
    const second = "FALSE\npage: Nothing else.\ncode: return 2 ** attempt * 1000;\nnow: There is more.";
    const rewrite = (section: string): string => section.replace("grows by a second", "doubles");
    await beginSilent(`${quoted}\n\n${second}`, (request) =>
      answerSection(askedText(request), rewrite, "FIX", "src/retry.ts doubles it."),
    );
    const said = await call({ yes: true });
    expect(said.code).toBe(1);
    expect(said.err).toContain("its words stay as they were");
    expect(project.text("docs/retry.md")).toBe(files["docs/retry.md"]);
  });

  test("fix rewrites the passage under the same gates", async () => {
    await beginSilent(quoted, (request) =>
      answerSection(
        askedText(request),
        (section) => section.replace("grows by a second", "doubles"),
        "FIX",
        "src/retry.ts doubles it.",
      ),
    );
    const said = await call({ yes: true, json: true });
    expect(said.code).toBe(0);
    expect(project.text("docs/retry.md")).toContain("The delay of `waitBeforeRetry` doubles with each");
  });
});
