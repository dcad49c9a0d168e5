import { describe, expect, test } from "vitest";
import { piecesOf } from "./pieces.ts";
import { checkPostConditions } from "./post-conditions.ts";

const before = `## Retries

A request is repeated 3 times by default.

Proxies are set by the system.

\`\`\`js
send({ retries: 3 });
\`\`\`
`;
const fixed = before.replaceAll("3", "5");

const check = (
  after: string,
  more: { adds?: boolean; before?: string; knows?: string[]; documents?: string[] } = {},
) =>
  checkPostConditions({
    path: "docs/page.md",
    before: more.before ?? before,
    after,
    notices: [{ firstLine: 2, lastLine: 2, terms: ["repeated", "retries"] }],
    adds: more.adds ?? false,
    sources: ["export const retries = 5;", "The option retries is 5."],
    knows: (name) => more.knows?.includes(name) ?? false,
    documents: (name) => more.documents?.includes(name) ?? false,
  });
const objections = (after: string, more = {}): string[] =>
  check(after, more).objections!.map(({ gate }) => gate);

test("the edit that the notice asks for passes without a remark", () => {
  expect(check(fixed)).toEqual({ objections: [], risks: [] });
});

describe("objects to", () => {
  const chatter = Array.from({ length: 25 }, () => "Good defaults make life easier for everyone.");
  test.each<[string, string, string[]]>([
    ["25 sentences, each on its own line", `${fixed}\n${chatter.join("\n")}\n`, ["place"]],
    ["25 sentences in one paragraph", `${fixed}\n${chatter.join(" ")}\n`, ["place"]],
    ["a number of nowhere in a sentence", fixed.replace("5 times", "57 times"), ["numbers"]],
    ["a number of nowhere in a line of a sample", fixed.replace("retries: 5", "retries: 57"), ["numbers"]],
    ["an invented key in a sample", fixed.replace("retries:", "retryPolicy:"), ["names"]],
    ["an invented key in quotes", fixed.replace("retries:", '"retryPolicy":'), ["names"]],
    ["an invented variable", fixed.replace("send(", "RETRY_POLICY=on; send("), ["names"]],
    ["an invented method in a sample", fixed.replace("send(", "client.resend("), ["names"]],
    ["another paragraph deleted", fixed.replace("Proxies are set by the system.\n\n", ""), ["place"]],
    ["another paragraph restyled", fixed.replace("Proxies are", "Note that proxies are"), ["place"]],
  ])("%s", (_, after, gates) => {
    expect(objections(after, { adds: true })).toEqual(gates);
  });
});

test("objects to a list entry that goes although no notice is about it", () => {
  const listed = `${before}\n* ReadError\n* CloseError\n`;
  expect(objections(`${fixed}\n* ReadError\n`, { before: listed })).toEqual(["place"]);
});

describe("tells of a risk", () => {
  test.each([
    ["a sentence that gains a negation", fixed.replace("is repeated", "is not repeated")],
    ["a new sentence with a negation", fixed.replace("by default.", "by default. Retries cannot fail.")],
  ])("%s", (_, after) => {
    expect(check(after, { adds: true }).risks).toMatchObject([{ what: "negation" }]);
  });

  test("a sentence that keeps its negation is none", () => {
    const negative = before.replace("is repeated", "is not repeated");
    expect(check(negative.replaceAll("3", "5"), { before: negative }).risks).toEqual([]);
  });
});

describe("lets pass", () => {
  test("a name in inline code that the code and another page use", () => {
    const after = fixed.replace("by default.", "by default. `beforeRetry` hears of retries.");
    const more = { adds: true, knows: ["beforeRetry"] };
    expect(objections(after, more)).toEqual(["names"]);
    expect(objections(after, { ...more, documents: ["beforeRetry"] })).toEqual([]);
  });

  test("a sentence that goes with a related one of its paragraph", () => {
    const longer = before.replace("by default.", "by default. See the next page for more.");
    expect(objections(fixed, { before: longer })).toEqual([]);
  });

  test("a label that goes with its sentence", () => {
    const labelled = before.replace("A request", "**NOTE:** A request");
    expect(objections(fixed, { before: labelled })).toEqual([]);
  });
});

describe("names of an example", () => {
  const told = (sentence: string): string[] =>
    objections(fixed.replace("by default.", `by default. ${sentence}`), { adds: true });

  test("a word of a command line or a path in inline code may be named beside it", () => {
    expect(told("With `tool sdist upload --retries 5` the retries of `upload` count.")).toEqual([]);
    expect(told("The retries of `books` are read from `my_dir/_books`.")).toEqual([]);
  });

  test("the name of a call in it is a name of the code", () => {
    expect(told("With `await resend(url)` the retries of `resend` count.")).toEqual(["names"]);
  });
});

test("a class name does not tie a notice to every sentence with the plain word", () => {
  const page = "# Cookies\n\n`Response` has a body.\n\nA response may set many cookies at once.\n";
  const notices = [{ firstLine: 2, lastLine: 2, terms: ["Response"] }];
  const after = "# Cookies\n\n`Response` has a body.\n";
  const given = { path: "a.md", before: page, after, notices, adds: false, sources: [], knows: () => true };
  expect(checkPostConditions(given).objections).toMatchObject([{ gate: "place" }]);
});

test("the numbers of an added sample are free", () => {
  const sample = "\n```js\nconst delays = retries([10, 20, 40]);\n```\n";
  expect(objections(`${fixed}${sample}`, { adds: true })).toEqual([]);
});

describe("sentences that share no name with a notice", () => {
  const signature = "Call `send(url, body)` to send a request.";
  const page = `## Send\n\n${signature}\n\nProxies are set by the system.\n`;
  const given = (after: string, was = page) => ({
    path: "a.md",
    before: was,
    after,
    notices: [{ firstLine: 4, lastLine: 4, terms: ["retries"] }],
    adds: true,
    sources: ["export function send(url, body, retries) {}"],
    knows: () => true,
  });
  const gatesOf = (after: string, was = page): string[] =>
    checkPostConditions(given(after, was)).objections!.map(({ gate }) => gate);

  test("one that gets the name passes, and one that is only restyled does not", () => {
    expect(gatesOf(page.replace("body)", "body, retries)"))).toEqual([]);
    expect(gatesOf(page.replace("to send", "in order to send"))).toEqual(["place"]);
  });

  test("the words before a sample may go together with a sample about the notice, and not without it", () => {
    const sample = "Set the number like this:\n\n```js\nsend(url, body, { retries: 3 });\n```\n";
    expect(gatesOf(page, `${page}\n${sample}`)).toEqual([]);
    const alone = sample.replace("Set the number like this:\n\n", "");
    expect(gatesOf(`${page}\n${alone}`, `${page}\n${sample}`)).toEqual(["place"]);
  });

  test("those words may also go where a line of the sample stays", () => {
    const sample =
      "Set the number like this:\n\n```js\nconst retries = 3;\nsend(url, body, retries);\nlog(retries);\nfinish('all of it is done');\n```\n";
    const rest = "```js\nfinish('all of it is done');\n```\n";
    expect(gatesOf(`${page}\n${rest}`, `${page}\n${sample}`)).toEqual([]);
  });

  test("lines of a sample may be reworded where the sample gets a line about the notice, and not elsewhere", () => {
    const usage = "```text\n--body FILE  File of the body\n--quiet      Print nothing at all\n```\n";
    const other = usage.replace("File of the body", "The file with the body");
    expect(gatesOf(`${page}\n${other}`, `${page}\n${usage}`)).toEqual(["place"]);
    const grown = other.replace("--quiet", "--retries N  Number of retries\n--quiet");
    expect(gatesOf(`${page}\n${grown}`, `${page}\n${usage}`)).toEqual([]);
  });

  test("list entries within the lines of a notice may be reworded, and may not go", () => {
    const list = "- [send(callback)](#sendcallback)\n- [retries(callback)](#retriescallback)\n";
    const judge = (after: string) =>
      checkPostConditions({
        ...given(`## Send\n\n${after}`, `## Send\n\n${list}`),
        notices: [{ firstLine: 2, lastLine: 3, terms: ["retries"] }],
      }).objections!.map(({ gate }) => gate);
    expect(judge("- [send()](#send)\n- [retries()](#retries)\n")).toEqual([]);
    expect(judge("- [retries()](#retries)\n")).toEqual(["place"]);
  });

  test("a heading of one name that the code shows is about the code", () => {
    const added = (heading: string) =>
      `${page}\n## ${heading}\n\n- Type: \`number\`\n\nThe attempts that are made.\n\nLess is quicker. Set \`retries\` to change it.\n`;
    expect(gatesOf(added("body"))).toEqual([]);
    expect(gatesOf(added("Advice"))).toEqual(["place"]);
  });

  test("one of two equal paragraphs may not go", () => {
    expect(gatesOf(page, `${page}\nProxies are set by the system.\n`)).toEqual(["place"]);
  });

  test("a section may not be emptied", () => {
    const about = "## Send\n\nSet `retries`.\n";
    expect(gatesOf("## Send\n", about)).toEqual(["place"]);
  });
});

test("a section that begins inside a sample is read as code up to the end of the sample", () => {
  const section = "# retries\nretries: 3\n```\n\nProxies are set by the system.\n";
  const chatter = Array.from({ length: 25 }, () => "Good defaults make life easier for everyone.\n").join("");
  const given = (after: string, above: string) =>
    checkPostConditions({
      path: "a.md",
      before: section,
      after,
      above,
      notices: [{ firstLine: 1, lastLine: 1, terms: ["retries"] }],
      adds: true,
      sources: ["retries = 5"],
      knows: () => true,
    }).objections!.map(({ gate }) => gate);
  const above = "# Page\n\n```yaml\nname: x\n";
  expect(given(section.replace("3", "5"), above)).toEqual([]);
  expect(given(section.replace("3", "57"), above)).toEqual(["numbers"]);
  expect(given(section.replace("retries: 3\n", `retries: 5\n${chatter}`), above)).toEqual(["place"]);
});

test("samples of Liquid and reStructuredText are code", () => {
  const kinds = (text: string): string[] => piecesOf(text).map(({ kind }) => kind);
  expect(kinds("{% highlight yaml %}\na: 1\n{% endhighlight %}\nWords.\n")).toEqual(["code", "prose"]);
  expect(kinds("Words.\n\n.. code-block:: python\n\n    call()\n\nWords.\n")).toEqual([
    "prose",
    "code",
    "prose",
  ]);
  expect(kinds("For example::\n\n    call()\n\nWords.\n")).toEqual(["prose", "code", "prose"]);
});

test("a version that stands nowhere yet is a risk, and any other number from nowhere is refused", () => {
  const versioned = check(fixed.replace("by default.", "by default since version 1.4."), { adds: true });
  expect(versioned.objections).toEqual([]);
  expect(versioned.risks).toMatchObject([{ what: "version" }]);
  expect(objections(fixed.replace("by default.", "by default, for 1.4 seconds."), { adds: true })).toEqual([
    "numbers",
  ]);
});

test("a line of a sample that differs from another line only in its numbers is no new line", () => {
  const twice = `${before}\n\`\`\`js\nsend({ retries: 3 });\n\`\`\`\n`;
  const after = twice.replace("retries: 3", "retries: 57");
  expect(objections(after, { before: twice })).toEqual(["numbers"]);
});
