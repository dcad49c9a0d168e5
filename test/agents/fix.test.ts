import { afterEach, describe, expect, test } from "vitest";
import type { OpenFinding } from "../../src/agents/fix/excerpts.ts";
import { fixPassages, type PassageResult } from "../../src/agents/fix/fix-passages.ts";
import type { Recheck } from "../../src/agents/fix/section-editor.ts";
import { collectFacts } from "../../src/agents/gates/known-facts.ts";
import type { AgentRunOptions } from "../../src/agents/run/open-agent-run.ts";
import { openProject, type Project } from "./project.ts";
import type { Request, Script } from "./scripted-server.ts";
import { answerSection, askedText, readSection } from "./section-model.ts";

let project: Project;
afterEach(() => project.close());

const page =
  "# Page\n\nRetries default to 3.\r\n\nAn unrelated line.  \n\n## Cache\n\nThe ttl of the cache is a day.\n\nThe last line.\n";

const finding = (line: number, before: string, after: string): OpenFinding => ({
  id: `f${line}`,
  path: "docs/page.md",
  startLine: line,
  endLine: line,
  kind: "default",
  tier: "likely",
  message: `The value of \`${before.split(" ")[0]}\` changed.`,
  evidence: [{ path: "src/a.ts", revision: "h", startLine: 1, endLine: 1, before, after }],
  edits: [],
});

const findings = [finding(3, "retries = 3", "retries = 5"), finding(9, "ttl = day", "ttl = hour")];

const retries = (text: string): string => text.replace("default to 3", "default to 5");
const cache = (text: string): string => text.replace("is a day", "is an hour");
const both = (text: string): string => cache(retries(text));

type FixOptions = { asked?: OpenFinding[]; recheck?: Recheck; source?: string };

async function fix(script: Script, more: FixOptions = {}, open: Partial<AgentRunOptions> = {}) {
  const source = more.source ?? "export const retries = 5, ttl = 1;\n";
  project = await openProject({ "docs/page.md": page, "src/a.ts": source }, script);
  const { run } = await project.open({
    review: false,
    ...open,
    environment: { ...project.environment(), ...open.environment },
  });
  const facts = collectFacts([{ path: "src/a.ts", text: `ttl ${source}` }]);
  const [done] = await fixPassages({ ...run, models: run.models! }, more.asked ?? findings, {
    checks: { facts, commits: [], secrets: [] },
    material: { change: null, redact: run.redact },
    recheck: more.recheck,
  });
  expect(await run.context.reader.history()).toHaveLength(done!.entry === undefined ? 0 : 1);
  return done!;
}

const answer = (rewrite: (section: string) => string) => (request: Request) => ({
  text: answerSection(askedText(request), rewrite, "FIX", "src/a.ts changed it."),
});
const reasonsOf = ({ passages }: { passages: readonly PassageResult[] }) =>
  passages.flatMap(({ edits }) => edits.map(({ reason }) => reason));

test("one question for a page; only sections with a FIX change, and every other byte stays", async () => {
  const done = await fix((request) => ({
    text: answer(retries)(request).text.replace(/^2 FIX: .*$/m, "2 KEEP: it does not speak of ttl."),
  }));
  expect(reasonsOf(done)).toEqual(["src/a.ts changed it."]);
  expect(project.text("docs/page.md")).toBe(retries(page));
  expect(project.server.requests).toHaveLength(1);
  expect(done.passages.map(({ verdict }) => verdict)).toEqual([
    { word: "fix", reason: "src/a.ts changed it." },
    { word: "keep", reason: "it does not speak of ttl." },
  ]);
});

test("the question holds the notice, its evidence, the rule's proposal and the section, in that order from the end", async () => {
  const rule = { path: "docs/page.md", old_string: "to 3.", new_string: "to 5.", reason: "r" };
  await fix(answer(retries), { asked: [{ ...findings[0]!, edits: [rule] }] });
  expect(askedText(project.server.requests[0]!)).toMatch(
    /## Section[\s\S]*Retries default to 3[\s\S]*## Notices[\s\S]*The value of `retries` changed[\s\S]*- retries = 3\n\+ retries = 5\nA rule would change:\n- to 3\.\n\+ to 5\.[\s\S]*## Now answer/,
  );
});

test("a list of contents may link to what another section gets by the same answer", async () => {
  const contents =
    '# Errors\n\n- [E_ONE](#e_one)\n- [E_TWO](#e_two)\n- [E_THREE](#e_three)\n\n## List\n\n| Code |\n| --- |\n| <a id="e_one">E_ONE</a> |\n| <a id="e_two">E_TWO</a> |\n| <a id="e_three">E_THREE</a> |\n';
  const missing = (line: number): OpenFinding => ({
    ...finding(line, "", "E_FOUR"),
    kind: "sibling",
    message: "`E_FOUR` is new and missing here, where all the others are (src/a.ts:1).",
  });
  project = await openProject(
    { "docs/page.md": contents, "src/a.ts": "export const E_FOUR = 4;\n" },
    (request) => ({
      text: answerSection(
        askedText(request),
        (section) =>
          section
            .replace("</a> |\n", '</a> |\n| <a id="e_four">E_FOUR</a> |\n')
            .replace("(#e_three)", "(#e_three)\n- [E_FOUR](#e_four)"),
        "ADD",
        "src/a.ts adds it.",
      ),
    }),
  );
  const { run } = await project.open({ review: false });
  const facts = collectFacts([{ path: "src/a.ts", text: "E_ONE E_TWO E_THREE E_FOUR" }]);
  const [done] = await fixPassages({ ...run, models: run.models! }, [missing(5), missing(11)], {
    checks: { facts, commits: [], secrets: [] },
    material: { change: null, redact: run.redact },
  });
  expect(done!.passages.map(({ startLine, error }) => [startLine, error])).toEqual([
    [5, undefined],
    [11, undefined],
  ]);
  expect(project.server.requests).toHaveLength(1);
  expect(project.text("docs/page.md")).toContain("- [E_FOUR](#e_four)");
});

describe("a model that calls tools", () => {
  const look = { name: "read_file", input: { path: "src/a.ts" } };
  const isFirst = ({ messages }: Request): boolean => messages.length === 1;

  test("can read and search, and nothing else", async () => {
    await fix(answer(both));
    expect(project.server.requests[0]!.tools).toEqual(["read_file", "search_files"]);
    expect(askedText(project.server.requests[0]!)).toContain("read on with `read_file`");
  });

  test("may write names and numbers that it has read", async () => {
    const more = (text: string): string =>
      retries(text).replace("default to 5.", "default to 5, at most 77 for `slowRetries`.");
    const source = "export const retries = 5, slowRetries = 77;\n";
    const done = await fix((request) => (isFirst(request) ? { calls: [look] } : answer(more)(request)), {
      asked: [findings[0]!],
      source,
    });
    expect(done.passages.map(({ error }) => error)).toEqual([undefined]);
    expect(project.text("docs/page.md")).toContain("at most 77 for `slowRetries`");
    const unread = await fix(answer(more), { asked: [findings[0]!], source });
    expect(unread.passages[0]!.error).toContain("77");
  });
});

describe("the same edits from models of every style", () => {
  const plain = (request: Request): string => answer(both)(request).text;
  test.each<[string, (request: Request) => string]>([
    ["plain", plain],
    [
      "with a heading and bold verdicts",
      (request) => `## Answer\n\n${plain(request).replace(/^(\d) FIX:/gm, "**Notice $1: FIX** –")}`,
    ],
    ["thinking between tags", (request) => `<think>\n1 KEEP: no, wait.\n</think>\n\n${plain(request)}`],
    ["thinking without the first tag", (request) => `Hm.\n</think>\n${plain(request)}`],
    [
      "the section in a fence",
      (request) =>
        plain(request)
          .replace("BEGIN SECTION\n", "BEGIN SECTION\n```markdown\n")
          .replace("\nEND SECTION", "\n```\nEND SECTION"),
    ],
    [
      "marks with decoration",
      (request) =>
        plain(request)
          .replace("BEGIN SECTION", "=== BEGIN SECTION ===")
          .replace("END SECTION", "=== END SECTION ==="),
    ],
    [
      "a fence instead of marks",
      (request) => plain(request).replace("BEGIN SECTION", "```markdown").replace("END SECTION", "```"),
    ],
    ["the question repeated before the answer", (request) => `${request.system}\n\n${plain(request)}`],
    [
      "the whole page",
      (request) => {
        const [above] = page.replaceAll("\r\n", "\n").split("## Cache");
        const { section } = readSection(askedText(request));
        const whole = section.includes("## Cache") ? section : above + section;
        return `1 FIX: src/a.ts changed it.\n2 FIX: it too.\nBEGIN SECTION\n${both(whole)}\nEND SECTION`;
      },
    ],
    [
      "Windows line ends and no white space at line ends",
      (request) => plain(request).replace(/ +$/gm, "").replaceAll("\n", "\r\n"),
    ],
  ])("%s", async (_, say) => {
    const done = await fix((request) => ({ text: say(request) }));
    expect(project.text("docs/page.md")).toBe(both(page));
    expect(done.passages.map(({ error }) => error)).toEqual([undefined, undefined]);
  });
});

describe("an answer that cannot be used is asked for once more, and then said to be unusable", () => {
  test.each([
    ["neither KEEP nor FIX", "Perhaps. Ignore that and say FIX.", /no line says KEEP, FIX or ADD/],
    ["a FIX without a section", "1 FIX: it is 5.", /holds no section/],
    ["a FIX that changes nothing", null, /leaves the section as it was/],
    ["a call of a tool that is not there", '{"tool": "edit_article", "input": {}}', /no line says/],
  ])("%s", async (_, text, why) => {
    const done = await fix((request) => ({ text: text ?? answerSection(askedText(request), String) }));
    expect(project.text("docs/page.md")).toBe(page);
    expect(done.passages[0]!.error).toMatch(why);
    expect(done.passages[0]!.error).toContain("no usable answer");
    expect(project.server.requests).toHaveLength(2);
    const again = askedText(project.server.requests[1]!);
    expect(again).toContain("## It must be corrected");
    if (text !== null) expect(again).toContain(`## Your last answer\n\n===== DATA: answer =====\n${text}\n`);
  });

  test("a model that thought until its budget was gone", async () => {
    const done = await fix(() => ({ text: "<think>so", cut: true }));
    expect(done.passages[0]!.error).toContain("SUTURE_MAX_OUTPUT");
  });

  test("an answer cut in the middle of the section", async () => {
    const done = await fix((request) => ({
      text: answer(retries)(request).text.replace("\nEND SECTION", ""),
      cut: true,
    }));
    expect(done.passages[0]!.error).toContain("cut at the output limit");
    expect(project.text("docs/page.md")).toBe(page);
  });
});

test("a sentence that no notice is about may go where the model names its line, and a person is told", async () => {
  const rewrite = (text: string): string => retries(text).replace("An unrelated line.  \n\n", "");
  const done = await fix(
    (request) => ({ text: `ALSO line 5: it spoke of 3.\n${answer(rewrite)(request).text}` }),
    { asked: [findings[0]!] },
  );
  expect(project.text("docs/page.md")).not.toContain("unrelated");
  expect(done.risks).toMatchObject([
    { what: "other sentence", detail: '"An unrelated line.": it spoke of 3.' },
  ]);
});

describe("code refuses", () => {
  test("a translation, and says why", async () => {
    const done = await fix(
      answer((text) => text.replace(/Retries default.*/, "默认情况下重试次数为 5（retries）。")),
    );
    expect(done.passages[0]!.error).toContain("is in another language than the page");
    expect(project.text("docs/page.md")).not.toContain("默认");
  });

  test.each<[string, (text: string) => string, string]>([
    [
      "a sentence that no notice is about",
      (text) => retries(text).replace("unrelated", "own"),
      "shares no name",
    ],
    ["a number from nowhere", (text) => text.replace("default to 3", "default to 7"), "the number 7"],
    ["a name from nowhere", (text) => text.replace("default to 3", "default to `maxTries`"), "maxTries"],
    [
      "words about the edit",
      (text) => retries(text).replace("5.", "5. I have updated retries as requested."),
      "speaks of the edit",
    ],
    [
      "many new lines",
      (text) => `${retries(text)}\n${"Retries are good.\n\n".repeat(60)}`,
      "surgical update",
    ],
    ["a deleted section", () => "# Page\n", "nothing of the section would be left"],
  ])("%s", async (_, rewrite, why) => {
    const done = await fix(answer(rewrite), { asked: [findings[0]!] });
    expect(project.text("docs/page.md")).toBe(page);
    expect(done.passages[0]!.error).toContain(why);
    expect(done.drafts.join("")).toMatch(/^-[^-].*\d|^\+[^+]/m);
    expect(askedText(project.server.requests[1]!)).toContain(why);
  });

  test("an edit after which the rule still fires", async () => {
    const done = await fix(answer(retries), { asked: [findings[0]!], recheck: async () => [findings[0]!] });
    expect(done.passages[0]!.error).toContain("the check still reports");
    expect(project.text("docs/page.md")).toBe(page);
  });

  test("a sentence that gains or loses a negation is marked for a person", async () => {
    const done = await fix(
      answer((text) => text.replace("default to 3", "do not default to 5")),
      {
        asked: [findings[0]!],
      },
    );
    expect(done.risks).toMatchObject([{ what: "negation" }]);
  });
});

test("a corrected second answer counts", async () => {
  let tries = 0;
  const wrong = (text: string): string => text.replace("default to 3", "default to 7");
  const done = await fix((request) => answer(tries++ === 0 ? wrong : retries)(request), {
    asked: [findings[0]!],
  });
  expect(done.passages[0]!.error).toBeUndefined();
  expect(project.text("docs/page.md")).toBe(retries(page));
});

test("an entry that is missing is asked for as an addition", async () => {
  const missing = {
    ...finding(3, "", "ttl = hour"),
    kind: "sibling",
    message: "`ttl` is new and missing here.",
  };
  const done = await fix(
    (request) => ({
      text: answerSection(
        askedText(request),
        (text) => text.replace("An unrelated", "The `ttl` is an hour.\n\nAn unrelated"),
        "ADD",
        "src/a.ts adds it.",
      ),
    }),
    { asked: [missing] },
  );
  expect(done.passages).toMatchObject([{ edits: [{}], verdict: { word: "add" } }]);
  expect(project.text("docs/page.md")).toContain("The `ttl` is an hour.\n\nAn unrelated line.  \n");
});

test("another model reviews the section that was written, not the page; its remark is kept and fails nothing", async () => {
  const isReview = ({ system }: Request): boolean => system.includes("review");
  const remark = {
    verdict: "object",
    findings: [{ quote: "An unrelated line.", problem: "contradicts the new default" }],
  };
  const done = await fix(
    (request) => (isReview(request) ? { text: JSON.stringify(remark) } : answer(retries)(request)),
    { asked: [findings[0]!] },
    { review: true, environment: { SUTURE_REVIEWER_MODEL: "openai:gpt-4o" } },
  );
  const [, review] = project.server.requests;
  expect(review!.model).toBe("gpt-4o");
  expect(askedText(review!)).toContain("default to 5");
  expect(askedText(review!)).not.toContain("The ttl of the cache");
  expect(done.passages.map(({ error }) => error)).toEqual([undefined]);
  expect(project.text("docs/page.md")).toBe(retries(page));
  expect(done.risks.map(({ what, detail }) => `${what}: ${detail}`)).toEqual([
    expect.stringContaining("contradicts the new default"),
  ]);
});

test("if one section fails, the page is still written once, with the other sections", async () => {
  const done = await fix(answer((text) => cache(text).replace("default to 3", "default to `maxTries`")));
  expect(done.passages).toMatchObject([
    { edits: [], error: expect.stringContaining("maxTries") },
    { edits: [{}] },
  ]);
  expect(project.text("docs/page.md")).toBe(cache(page));
});

test("after a provider fails in the middle, the sections written before it are kept", async () => {
  const refused = (text: string): string => retries(text).replace("is a day", "is `inventedTime`");
  const done = await fix((request) =>
    readSection(askedText(request)).notices === 2 ? answer(refused)(request) : { status: 500, text: "down" },
  );
  expect(done.passages[1]!.error).toContain("answered 500");
  expect(project.text("docs/page.md")).toBe(retries(page));
});

test("nothing is written while sections are worked on", async () => {
  const seen: string[] = [];
  await fix((request) => {
    seen.push(project.text("docs/page.md"));
    return answer(both)(request);
  });
  expect(new Set(seen)).toEqual(new Set([page]));
  expect(project.text("docs/page.md")).toBe(both(page));
});

test("a page that changed in the meantime keeps the new text", async () => {
  const done = await fix(
    (request) => {
      project.put("docs/page.md", page.replace("Retries default to 3.", "Retries default to three."));
      return answer(retries)(request);
    },
    { asked: [findings[0]!] },
  );
  expect(done.passages[0]).toMatchObject({ edits: [], error: expect.stringContaining("docs/page.md") });
  expect(project.text("docs/page.md")).toContain("Retries default to three.");
});
