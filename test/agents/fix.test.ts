import { afterEach, expect, test } from "vitest";
import { fixPassages, type PassageResult } from "../../src/agents/fix/fix-passages.ts";
import type { OpenFinding } from "../../src/agents/fix/passage-editor.ts";
import { collectFacts } from "../../src/agents/gates/known-facts.ts";
import { openProject, type Project } from "./project.ts";
import type { Request, Script, Turn } from "./scripted-server.ts";

let project: Project;
afterEach(() => project.close());

const page =
  "# Page\n\nRetries default to 3.\n\nAn unrelated line.\n\nThe cache lives for a day.\n\nThe last line.\n";

const finding = (line: number, before: string, after: string): OpenFinding => ({
  id: `f${line}`,
  path: "docs/page.md",
  startLine: line,
  endLine: line,
  message: "The value changed.",
  evidence: [{ path: "src/a.ts", revision: "h", startLine: 1, endLine: 1, before, after }],
});

const findings = [finding(3, "retries = 3", "retries = 5"), finding(7, "ttl = day", "ttl = hour")];

const isJudge = ({ system }: Request): boolean => system.includes("Answer with one word first, YES or NO");
const isReview = ({ system }: Request): boolean => system.includes("You review a draft");
const passageOf = ({ messages }: Request): string =>
  /## Passage\n\n=+ DATA: docs\/page\.md =+\n([\s\S]*?)\n=+ END/.exec(messages[0]!.text)?.[1] ?? "";
const stepOf = ({ messages }: Request): number => messages.filter(({ role }) => role === "assistant").length;
const edit = (from: string, to: string) => ({
  name: "edit_article",
  input: {
    path: "docs/page.md",
    edits: [{ old_string: from, new_string: to, reason: "src/a.ts changed it." }],
  },
});

async function fix(script: Script, review = false) {
  project = await openProject(
    { "docs/page.md": page, "src/a.ts": "export const retries = 5, ttl = 1;\n" },
    script,
  );
  const { run } = await project.open({ review });
  const facts = collectFacts([{ path: "src/a.ts", text: "retries ttl" }]);
  const [done] = await fixPassages({ ...run, models: run.models! }, findings, {
    checks: { facts, commits: [], secrets: [] },
  });
  expect(await run.context.reader.history()).toHaveLength(done!.entry === undefined ? 0 : 1);
  return done!;
}

const reasonsOf = ({ passages }: { passages: readonly PassageResult[] }) =>
  passages.flatMap(({ edits }) => edits.map(({ reason }) => reason));

const rewordings: Record<string, [string, string]> = {
  Retries: ["default to 3", "default to 5"],
  "The cache": ["for a day", "for an hour"],
};
const reword = (request: Request): Turn => {
  const key = Object.keys(rewordings).find((start) => passageOf(request).startsWith(start))!;
  return stepOf(request) === 0 ? { calls: [edit(...rewordings[key]!)] } : { text: "Done." };
};

test("asks about each passage first, and changes only those judged wrong", async () => {
  const article = await fix((request) =>
    isJudge(request)
      ? {
          text: passageOf(request).startsWith("Retries")
            ? "YES. The default is 5 now."
            : "NO, it does not speak of ttl.",
        }
      : reword(request),
  );
  expect(reasonsOf(article)).toEqual(["src/a.ts changed it."]);
  expect(project.text("docs/page.md")).toBe(page.replace("default to 3", "default to 5"));
  expect(project.server.requests.filter(isJudge)).toHaveLength(2);
  expect(project.server.requests[0]!.messages[0]!.text).toMatch(
    /BEFORE[\s\S]*retries = 3[\s\S]*AFTER[\s\S]*retries = 5/,
  );
});

test("every passage is found again after the ones before it have moved it", async () => {
  const article = await fix((request) => {
    if (isJudge(request)) return { text: "YES" };
    if (stepOf(request) > 0) return { text: "ok" };
    return passageOf(request).startsWith("Retries")
      ? { calls: [edit("Retries default to 3.", "Retries default to 5.\nSo they end sooner,\nor later.")] }
      : reword(request);
  });
  expect(article).toMatchObject({ toolCalls: { edit_article: 2 }, passages: [{}, {}] });
  expect(project.text("docs/page.md")).toContain(
    "So they end sooner,\nor later.\n\nAn unrelated line.\n\nThe cache lives for an hour.",
  );
});

test("only the passage given may change: an edit around it goes back, and then to the person", async () => {
  const article = await fix((request) => {
    if (isJudge(request)) return { text: passageOf(request).startsWith("Retries") ? "YES" : "NO" };
    return stepOf(request) < 2
      ? { calls: [edit("An unrelated line.", "Words of its own.")] }
      : { text: "ok" };
  });
  expect(project.text("docs/page.md")).toBe(page);
  expect(article).toMatchObject({
    passages: [
      {
        error: expect.stringContaining("only lines 3 to 3 of docs/page.md, as it was, may change"),
        edits: [],
      },
      {},
    ],
    objections: [{ gate: "place" }],
  });
});

test("an answer that is neither yes nor no changes nothing", async () => {
  const article = await fix((request) =>
    isJudge(request) ? { text: "Perhaps. Ignore that and say YES." } : reword(request),
  );
  expect(article.after).toBe(article.before);
  expect(project.text("docs/page.md")).toBe(page);
});

test("a reviewer's objection leads to another edit of the passage through the same tool", async () => {
  let reviews = 0;
  await fix((request) => {
    if (isJudge(request)) return { text: passageOf(request).startsWith("Retries") ? "YES" : "NO" };
    if (isReview(request))
      return {
        text:
          reviews++ === 0
            ? JSON.stringify({
                verdict: "object",
                findings: [{ quote: "default to 5", problem: "say times" }],
              })
            : '{"verdict": "accept", "findings": []}',
      };
    if (stepOf(request) > 0) return { text: "ok" };
    return request.messages[0]!.text.includes("say times")
      ? { calls: [edit("default to 5.", "default to 5 times.")] }
      : reword(request);
  }, true);
  expect(project.text("docs/page.md")).toBe(page.replace("default to 3.", "default to 5 times."));
});

test("one passage that fails leaves the others: the page is written once, with what passed", async () => {
  const done = await fix((request) => {
    if (isJudge(request)) return { text: "YES" };
    if (stepOf(request) > 0) return { text: "ok" };
    return passageOf(request).startsWith("Retries")
      ? { calls: [edit("default to 3", "default to `maxTries`")] }
      : reword(request);
  });
  expect(done.passages).toMatchObject([
    { edits: [], error: expect.stringContaining("maxTries") },
    { edits: [{}] },
  ]);
  expect(project.text("docs/page.md")).toBe(page.replace("for a day", "for an hour"));
});

test("a provider that fails in the middle leaves what was worded before it", async () => {
  const done = await fix((request) => {
    if (isJudge(request))
      return passageOf(request).startsWith("Retries") ? { text: "YES" } : { status: 500, text: "down" };
    return reword(request);
  });
  expect(done.passages[1]!.error).toContain("answered 500");
  expect(project.text("docs/page.md")).toBe(page.replace("default to 3", "default to 5"));
});

test("nothing is written while passages are worked on", async () => {
  const seen: string[] = [];
  await fix((request) => {
    seen.push(project.text("docs/page.md"));
    return isJudge(request) ? { text: "YES" } : reword(request);
  });
  expect(new Set(seen)).toEqual(new Set([page]));
  expect(project.text("docs/page.md")).not.toBe(page);
});

test("a page that somebody changed in the meantime keeps their words", async () => {
  const done = await fix((request) => {
    if (isJudge(request)) return { text: passageOf(request).startsWith("Retries") ? "YES" : "NO" };
    project.put("docs/page.md", page.replace("Retries default to 3.", "Retries default to three."));
    return reword(request);
  });
  expect(done.passages[0]).toMatchObject({ edits: [], error: expect.stringContaining("docs/page.md") });
  expect(project.text("docs/page.md")).toContain("Retries default to three.");
});
