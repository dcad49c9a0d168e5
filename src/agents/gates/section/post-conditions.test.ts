import { describe, expect, test } from "vitest";
import { measureWork } from "../../../../test/work.ts";
import { piecesOf } from "./pieces.ts";
import { checkPostConditions, type NamedLines } from "./post-conditions.ts";

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
  more: {
    before?: string;
    knows?: string[];
    documents?: string[];
    path?: string;
    named?: NamedLines[];
    reasons?: string[];
  } = {},
) =>
  checkPostConditions({
    ...(more.named ? { named: more.named } : {}),
    ...(more.reasons ? { reasons: more.reasons } : {}),
    path: more.path ?? "docs/page.md",
    before: more.before ?? before,
    after,
    notices: [{ firstLine: 2, lastLine: 2, terms: ["repeated", "retries"] }],
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
    expect(objections(after)).toEqual(gates);
  });
});

test.each([
  ["rows of a table", "| a |\n"],
  ["open links", "]("],
  ["sentences", "The a is b. "],
  ["lines of a sample", "    a: 1\n"],
  ["lines of one sentence", "so a x\n"],
])("a section of 60 KB of %s is judged with little work", (_, unit) => {
  const large = `${before}\n${unit.repeat(Math.ceil(60_000 / unit.length))}`;
  const other = large.replaceAll("a", "c");
  expect(measureWork(() => check(other, { before: large }))).toBeLessThan(100);
  expect(measureWork(() => check(before, { before: large }))).toBeLessThan(100);
  expect(measureWork(() => check(large))).toBeLessThan(100);
});

test("objects to a name without a letter, whatever names begin like it", () => {
  const own = before.replace("by the system.", "by the system, in `__init`.");
  const after = own.replaceAll("3", "5").replace("by default.", "by default in `____`.");
  expect(objections(after, { before: own })).toEqual(["names"]);
});

test("objects to a list entry that goes although no notice is about it", () => {
  const listed = `${before}\n* ReadError\n* CloseError\n`;
  expect(objections(`${fixed}\n* ReadError\n`, { before: listed })).toEqual(["place"]);
});

describe("lists for a person", () => {
  const told = (after: string, more = {}) => {
    const { objections: gates, risks } = check(after, more);
    return [...gates!.map(({ gate }) => gate), ...risks!.map(({ what }) => what)];
  };
  const without = fixed.replace("Proxies are set by the system.\n\n", "");
  const reworded = fixed.replace("Proxies are", "Note that proxies are");
  const at = (line: number) => [{ firstLine: line, lastLine: line, reason: "it would contradict the rest" }];

  test.each([
    ["a sentence that goes, where the model names it", without, at(4), ["other sentence"]],
    ["one that is reworded, where the model names it", reworded, at(4), ["other sentence"]],
    ["and refuses it where the model names another line", without, at(2), ["place"]],
  ])("%s", (_, after, named, expected) => expect(told(after, { named })).toEqual(expected));

  test("and refuses more of them than a person would look at", () => {
    const entries = Array.from({ length: 21 }, (_, i) => `- entry ${"x".repeat(i + 1)} of it\n`).join("");
    const named = [{ firstLine: 0, lastLine: 99, reason: "they are old" }];
    expect(told(fixed, { before: `${before}\n${entries}`, named })).toEqual(["place"]);
  });

  test("a name that only other code has, where a reason names it, and no invented one", () => {
    const after = fixed.replace("by default.", "by default, see `resend`.");
    const reasons = ["`resend` is in src/client.ts"];
    expect(told(after, { knows: ["resend"], reasons })).toEqual(["name of other code"]);
    expect(told(after, { knows: ["resend"] })).toEqual(["names"]);
    expect(told(after, { reasons })).toEqual(["names"]);
  });

  test("a few new sentences that are about nothing of the code", () => {
    expect(told(`${before}\nGood defaults make life easier for everyone.\n`)).toEqual(["new sentence"]);
  });
});

describe("tells of a risk", () => {
  test.each([
    ["a sentence that gains a negation", fixed.replace("is repeated", "is not repeated")],
    ["a new sentence with a negation", fixed.replace("by default.", "by default. Retries cannot fail.")],
  ])("%s", (_, after) => {
    expect(check(after).risks).toMatchObject([{ what: "negation" }]);
  });

  test("a sentence that denies something else than before", () => {
    const negative = before.replace("is repeated", "does not take a limit, but is repeated");
    const after = fixed.replace("is repeated", "takes a limit, and is not repeated");
    expect(check(after, { before: negative }).risks).toMatchObject([{ what: "negation" }]);
  });

  test("a sentence that keeps its negation is none", () => {
    const negative = before.replace("is repeated", "is not repeated");
    expect(check(negative.replaceAll("3", "5"), { before: negative }).risks).toEqual([]);
  });
});

test("the name that an entry is about must be one that was shown, wherever else it is used", () => {
  const more = { knows: ["beforeRetry", "retries"], documents: ["beforeRetry", "retries"] };
  for (const entry of [
    "- `beforeRetry`: how often retries happen.",
    "| `beforeRetry` | retries of it |",
    "`beforeRetry`: how often retries happen.",
  ])
    expect(objections(`${fixed}\n${entry}\n`, more), entry).toContain("names");
  expect(objections(`${fixed}\n- \`retries\`: how often \`beforeRetry\` is called.\n`, more)).toEqual([]);
});

describe("lets pass", () => {
  test("a value of the language in inline code", () => {
    expect(objections(fixed.replace("by default.", "by default, retries can be `Infinity`."))).toEqual([]);
  });

  test("a name in inline code that is a value of a sample beside it", () => {
    const sample = '```xml\n<retries name="org.example.OwnTest" />\n```';
    const after = `${fixed}\nThe retries of \`org.example.OwnTest\`:\n\n${sample}\n`;
    expect(objections(after)).toEqual([]);
  });

  test("a name in inline code that the code and another page use", () => {
    const after = fixed.replace("by default.", "by default. `beforeRetry` hears of retries.");
    const more = { knows: ["beforeRetry"] };
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
    objections(fixed.replace("by default.", `by default. ${sentence}`));

  test("a word of a command line or a path in inline code may be named beside it", () => {
    expect(told("With `tool sdist upload --retries 5` the retries of `upload` count.")).toEqual([]);
    expect(told("The retries of `books` are read from `my_dir/_books`.")).toEqual([]);
  });

  test("a quoted value of a call in inline code may be named beside it", () => {
    expect(told('Add `retries("next_version")` with the right `next_version`.')).toEqual([]);
    expect(told('Add `retries("next_version")` with the right `last_version`.')).toEqual(["names"]);
    expect(told('Add `resend("next_version")` for retries with `resend`.')).toEqual(["names"]);
  });

  test("the name of a call in it is a name of the code", () => {
    expect(told("With `await resend(url)` the retries of `resend` count.")).toEqual(["names"]);
  });
});

test("a class name does not tie a notice to every sentence with the plain word", () => {
  const page = "# Cookies\n\n`Response` has a body.\n\nA response may set many cookies at once.\n";
  const notices = [{ firstLine: 2, lastLine: 2, terms: ["Response"] }];
  const after = "# Cookies\n\n`Response` has a body.\n";
  const given = { path: "a.md", before: page, after, notices, sources: [], knows: () => true };
  expect(checkPostConditions(given).objections).toMatchObject([{ gate: "place" }]);
});

test("the numbers of an added sample are free", () => {
  const sample = "\n```js\nconst delays = retries([10, 20, 40]);\n```\n";
  expect(objections(`${fixed}${sample}`)).toEqual([]);
});

describe("sentences that share no name with a notice", () => {
  const signature = "Call `send(url, body)` to send a request.";
  const page = `## Send\n\n${signature}\n\nProxies are set by the system.\n`;
  const given = (after: string, was = page) => ({
    path: "a.md",
    before: was,
    after,
    notices: [{ firstLine: 4, lastLine: 4, terms: ["retries"] }],
    sources: ["export function send(url, body, retries) {}"],
    knows: () => true,
  });
  const gatesOf = (after: string, was = page): string[] =>
    checkPostConditions(given(after, was)).objections!.map(({ gate }) => gate);

  test("one that gets the name passes, and one that is only restyled does not", () => {
    expect(gatesOf(page.replace("body)", "body, retries)"))).toEqual([]);
    expect(gatesOf(page.replace("to send", "in order to send"))).toEqual(["place"]);
  });

  test("one that puts the name in the place of other words passes if it keeps most of its words", () => {
    const was = `${page}\nThe example here caches the answers by the old store module:\n`;
    const swapped = was.replace("old store module", "`retries` library");
    expect(gatesOf(swapped, was)).toEqual([]);
    expect(gatesOf(was.replace(/The example .*/, "The example uses `retries` for everything:"), was)).toEqual(
      ["place"],
    );
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
    const risks = checkPostConditions(given(added("Advice"))).risks!;
    expect(risks.map(({ what }) => what)).toContain("new sentence");
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
      sources: ["retries = 5"],
      knows: () => true,
    }).objections!.map(({ gate }) => gate);
  const above = "# Page\n\n```yaml\nname: x\n";
  expect(given(section.replace("3", "5"), above)).toEqual([]);
  expect(given(section.replace("3", "57"), above)).toEqual(["numbers"]);
  expect(given(section.replace("retries: 3\n", `retries: 5\n${chatter}`), above)).toEqual(["place"]);
});

test("a section has the lines that other parts of a page count, whatever ends them", () => {
  const lines = (text: string, above = ""): number[] => piecesOf(text, { above }).map(({ line }) => line);
  expect(lines("One.\r\n\r\nTwo.\r\n")).toEqual([0, 2]);
  expect(lines("One a\rb.\n\nTwo.\n", "# Page\n\n")).toEqual([0, 2]);
  expect(lines("", "# Page\n")).toEqual([]);
});

test("samples of Liquid and reStructuredText are code", () => {
  const kinds = (text: string): string[] => piecesOf(text).map(({ kind }) => kind);
  expect(kinds("{% highlight yaml %}\na: 1\n{% endhighlight %}\nWords.\n")).toEqual([
    "code",
    "code",
    "prose",
  ]);
  expect(kinds("Words.\n\n.. code-block:: python\n\n    call()\n\nWords.\n")).toEqual([
    "prose",
    "prose",
    "code",
    "prose",
  ]);
  expect(kinds("For example::\n\n    call()\n\nWords.\n")).toEqual(["prose", "code", "prose"]);
});

describe("samples by the format of the page", () => {
  const kinds = (path: string, text: string): string[] => piecesOf(text, { path }).map(({ kind }) => kind);

  test.each<[string, string, string, string[]]>([
    [
      "an indented block of Markdown",
      "a.md",
      "Words:\n\n    call()\n\n    next()\n\nWords.\n",
      ["prose", "code", "code", "prose"],
    ],
    [
      "a listing of AsciiDoc",
      "a.adoc",
      "Words\n\n[source,xml]\n----\n<a/>\n----\n\nWords.\n",
      ["prose", "prose", "code", "prose"],
    ],
    [
      "one below words",
      "a.adoc",
      "Example of a response:\n----\n{}\n----\nWords.\n",
      ["prose", "code", "prose"],
    ],
    ["a literal block of AsciiDoc", "a.adoc", "....\n----\n....\nWords.\n", ["code", "prose"]],
  ])("%s is code", (_, path, text, expected) => {
    expect(kinds(path, text)).toEqual(expected);
  });

  test.each<[string, string, string]>([
    ["a paragraph of a list entry", "a.md", "- An entry.\n\n    More of it.\n"],
    ["a paragraph of an entry whose words go on", "a.md", "1. An entry\n   goes on.\n\n    More of it.\n"],
    ["a paragraph of an entry right below words", "a.md", "Words:\n- An entry.\n\n    More of it.\n"],
    ["a paragraph of an admonition", "a.md", "!!! note\n\n    More words.\n\n    And more.\n"],
    ["a line that goes on", "a.md", "Words\n    go on.\n"],
    ["an indented paragraph of reStructuredText", "a.rst", "Words.\n\n    A quotation.\n"],
    ["the line below a title of AsciiDoc", "a.adoc", "Title\n-----\n\nWords.\n"],
    ["a line below a title of Markdown", "a.md", "Example of a response\n----\nWords.\n"],
  ])("%s is not", (_, path, text) => {
    expect(new Set(kinds(path, text))).toEqual(new Set(["prose"]));
  });

  test("a section may begin inside a listing", () => {
    const pieces = piecesOf("b: 2\n----\nWords.\n", { path: "a.adoc", above: "Words\n\n----\na: 1\n" });
    expect(pieces.map(({ kind }) => kind)).toEqual(["code", "prose"]);
  });

  test("numbers of a new indented sample are the author's", () => {
    const after = `${fixed}\nTo split the retries:\n\n    ./run --retries=0/9\n`;
    expect(objections(after)).toEqual([]);
    expect(objections(after.replace("    ./run", "Run"))).toContain("numbers");
  });
});

test("a version that stands nowhere yet is a risk, and any other number from nowhere is refused", () => {
  const versioned = check(fixed.replace("by default.", "by default since version 1.4."));
  expect(versioned.objections).toEqual([]);
  expect(versioned.risks).toMatchObject([{ what: "version" }]);
  expect(objections(fixed.replace("by default.", "by default, for 1.4 seconds."))).toEqual(["numbers"]);
});

test("a line of a sample that differs from another line only in its numbers is no new line", () => {
  const twice = `${before}\n\`\`\`js\nsend({ retries: 3 });\n\`\`\`\n`;
  const after = twice.replace("retries: 3", "retries: 57");
  expect(objections(after, { before: twice })).toEqual(["numbers"]);
  const parts = twice.replaceAll("retries: 3", "retries: 3.0");
  expect(objections(parts.replace("retries: 3.0", "retries: 57"), { before: parts })).toEqual(["numbers"]);
});

describe("numbers that state nothing", () => {
  const added = (sentence: string): string[] =>
    objections(fixed.replace("by default.", `by default. ${sentence}`));

  test.each([
    ["in an address", "See https://example.org/en/14/retries%2Dlist for retries."],
    ["a switch in inline code", "Set `retries` to `0` to have no retries."],
    ["that number a heading", "Proxies are set by the system.\n\n### Method 2\n\nSet `retries`."],
    ["in a tag of the site's builder", "Set `retries`.\n\n{* docs/retries.py hl[37] *}"],
    ["in the attributes of a component", "Set `retries`.\n\n<Story retries frame={{ width: 600 }} />"],
  ])("%s", (_, sentence) => {
    expect(added(sentence)).toEqual([]);
  });

  test("a sentence may repeat the number of the sample that it explains, and no other", () => {
    const sample = "\n\n```js\nconst delays = retries(10);\n```\n";
    expect(added(`\`retries(10)\` makes retries.${sample}`)).toEqual([]);
    expect(added(`\`retries(17)\` makes retries.${sample}`)).toEqual(["numbers"]);
  });

  test.each([
    ["a number in inline code", "Set `retries` to `7`."],
    ["a number beside an address", "See https://example.org/a for 14 retries."],
  ])("but not %s", (_, sentence) => {
    expect(added(sentence)).toEqual(["numbers"]);
  });
});

describe("names of a sample", () => {
  const sample = (code: string): string[] => objections(`${fixed}\n\`\`\`python\n${code}\n\`\`\`\n`);

  test("fields of a class that the sample declares and uses are its own", () => {
    const code = "class Job:\n    username: str\n\nsend(retries, Job(username='a'))";
    expect(sample(code)).toEqual([]);
    expect(sample(code.replace("username: str", "usernamed: str"))).toEqual(["names"]);
  });

  test("methods of standard libraries are known", () => {
    expect(sample("retries = str(5).upper()\nprint(retries.startswith('5'))")).toEqual([]);
    expect(sample("retries = str(5).upperMost()")).toEqual(["names"]);
  });

  test("a name of the change counts although the question left it out", () => {
    const given = {
      path: "a.md",
      before,
      after: fixed.replace("by default.", "by default, and `maxDelay` limits the retries."),
      notices: [{ firstLine: 2, lastLine: 2, terms: ["repeated", "retries"] }],
      sources: ["export const retries = 5;"],
      knows: () => true,
    };
    expect(checkPostConditions(given).objections).toMatchObject([{ gate: "names" }]);
    expect(checkPostConditions({ ...given, change: ["+  maxDelay: 10,"] }).objections).toEqual([]);
  });

  test("the label that a reference leads to is a name of the documents", () => {
    const after = fixed.replace("by default.", "by default, see :ref:`retry_limits` of retries.");
    expect(objections(after, { documents: ["retry_limits"] })).toEqual([]);
    expect(objections(after)).toEqual(["names"]);
  });
});

describe("the line that opens a sample", () => {
  const own = before.replace("```js", '```js {1} title="5"');
  const included = own.replace("send({ retries: 3 });", "<<< ./send.js");
  const set = (text: string): string => text.replaceAll("3", "5");

  test.each([
    ["other lines are highlighted", set(included).replace("{1}", "{7}")],
    ["it names another language", set(included).replace("```js", "```ruby")],
  ])("stays where the sample stays: %s", (_, after) => {
    expect(objections(after, { before: included })).toContain("place");
  });

  test("may change together with its sample", () => {
    expect(objections(set(own).replace("{1}", "{2}"), { before: own })).toEqual([]);
  });

  test("may be one of several samples that are alike", () => {
    const twice = `${included}\n\`\`\`ts\n<<< ./send.js\n\`\`\`\n`;
    expect(objections(set(twice), { before: twice })).toEqual([]);
  });
});

describe("headings and tables", () => {
  const judge = (page: string, after: string, path = "a.rst"): string[] =>
    checkPostConditions({
      path,
      before: page,
      after,
      notices: [{ firstLine: 3, lastLine: 3, terms: ["retries"] }],
      sources: ["retries = 5"],
      knows: () => true,
    }).objections!.map(({ gate }) => gate);

  test.each([
    ["underlined", "Options\n-------\n"],
    ["AsciiDoc", "=== All Options\n"],
    ["Markdown", "## Options\n"],
    ["with sentences in it", "## send(url: String, timeout: Number)\n"],
  ])("a heading that is %s may not go", (_, heading) => {
    const page = `${heading}\nThe number of retries is 3.\n\nProxies are set.\n`;
    expect(judge(page, page.replace("3", "5"))).toEqual([]);
    expect(judge(page, page.replace(heading, "").replace("3", "5"))).toContain("place");
  });

  test("a heading may not go because a sentence repeats its words, and a directive may not go", () => {
    const page =
      "Local files\n-----------\n\n.. versionadded:: 2.2\n\nThe local files are stored with 3 retries in a folder.\n";
    const notices = [{ firstLine: 5, lastLine: 5, terms: ["retries"] }];
    const judged = (after: string): string[] =>
      checkPostConditions({
        path: "a.rst",
        before: page,
        after,
        notices,
        sources: ["5"],
        knows: () => true,
      }).objections!.map(({ gate }) => gate);
    const fresh = page.replace("3", "5");
    expect(judged(fresh)).toEqual([]);
    expect(judged(fresh.replace("Local files\n-----------\n", ""))).toEqual(["place"]);
    expect(judged(fresh.replace(".. versionadded:: 2.2\n", ""))).toEqual(["place"]);
  });

  test("a section is empty where only a heading of several sentences is left", () => {
    const page = "## send(url: [Url], more: [More])\n\nSet `retries`.\n";
    expect(judge(page, page.split("\n", 1)[0]!)).toEqual(["place"]);
  });
});

describe("near words", () => {
  const judge = (term: string, old: string, fresh: string): string[] =>
    checkPostConditions({
      path: "a.md",
      before: `# Page\n\nThe \`${term}\` is 3.\n\n${old}\n`,
      after: `# Page\n\nThe \`${term}\` is 5.\n\n${fresh}\n`,
      notices: [{ firstLine: 2, lastLine: 2, terms: [term] }],
      sources: ["5"],
      knows: () => true,
    }).objections!.map(({ gate }) => gate);

  test.each([
    ["another form of a name", "cache", "Caching is fast.", "Caching is quick."],
    ["a link to a file with the name", "target", "See [here](a/target.py).", "Look [here](a/target.py)."],
  ])("%s ties a sentence to a notice", (_, term, old, fresh) => {
    expect(judge(term, old, fresh)).toEqual([]);
  });

  test.each([
    ["another name with the same beginning", "http2", "HTTPX has a client.", "HTTPX does have a client."],
    [
      "a part of a file name in a link",
      "target",
      "See [here](my_target_dag.py).",
      "Look [here](my_target_dag.py).",
    ],
  ])("%s does not", (_, term, old, fresh) => {
    expect(judge(term, old, fresh)).toEqual(["place"]);
  });
});

test("lines of a notice may go together with the line that has its name", () => {
  const page = "# Page\n\n- Set `retries`.\n- Close the file then.\n\nProxies are set.\n";
  const notices = [{ firstLine: 2, lastLine: 3, terms: ["retries"] }];
  const judge = (after: string): string[] =>
    checkPostConditions({
      path: "a.md",
      before: page,
      after,
      notices,
      sources: [],
      knows: () => true,
    }).objections!.map(({ gate }) => gate);
  expect(judge("# Page\n\nProxies are set.\n")).toEqual([]);
  expect(judge("# Page\n\n- Set `retries`.\n\nProxies are set.\n")).toEqual(["place"]);
});

test("the words before a sample may not go or be restyled where lines of the sample are only reworded", () => {
  const sample = (words: string, name: string): string =>
    `# Page\n\n${words}\n\n\`\`\`go\n${name}.Flags().StringVar("a")\n${name}.Bind("a")\n\`\`\`\n`;
  const judge = (words: string): string[] =>
    checkPostConditions({
      path: "a.md",
      before: sample("You can also bind flags with viper:", "RootCmd"),
      after: sample(words, "rootCmd"),
      notices: [{ firstLine: 5, lastLine: 6, terms: ["RootCmd", "rootCmd"] }],
      sources: ["rootCmd"],
      knows: () => true,
    }).objections!.map(({ gate }) => gate);
  expect(judge("You can also bind flags with viper:")).toEqual([]);
  expect(judge("Please note that you can also bind flags with viper:")).toEqual(["place"]);
  expect(judge("")).toEqual(["place"]);
});

describe("the language of a page", () => {
  const page = `${before}\nThis is the page of the client, and it tells you what you can do with it.\n`;
  const judge = (sentence: string): string[] =>
    checkPostConditions({
      path: "a.md",
      before: page,
      after: page.replace("A request is repeated 3 times by default.", sentence),
      notices: [{ firstLine: 2, lastLine: 2, terms: ["repeated", "retries"] }],
      sources: ["retries = 5"],
      knows: () => true,
    }).objections!.flatMap(({ gate, detail }) => (gate === "talk" ? [detail] : []));

  test.each([
    "Die Zahl der `retries` ist 5, und eine Anfrage wird wiederholt.",
    "Le nombre des `retries` est 5, et une requête est répétée pour vous.",
    "默认情况下，请求会重复5次（`retries`）。",
    "Запрос повторяется 5 раз (`retries`).",
  ])("%j is another one", (sentence) => {
    expect(judge(sentence)).toMatchObject([expect.stringContaining("another language")]);
  });

  test.each([
    "A request is repeated 5 times by default.",
    "The `retries` of a request are 5 (see the article “Die Wahl der Wiederholung”).",
    "Retries: 5.",
    "Retries (www.one.com, www.two.com, https://www.three.com/retries, https://four.com): 5.",
  ])("%j is not", (sentence) => {
    expect(judge(sentence)).toEqual([]);
  });
});

describe("a number of the whole change", () => {
  const judge = (line: string): string[] =>
    checkPostConditions({
      path: "a.md",
      before,
      after: fixed.replace("by default.", "by default. Its `status` of retries is 403."),
      notices: [{ firstLine: 2, lastLine: 2, terms: ["repeated", "retries"] }],
      sources: ["export const retries = 5;", "status"],
      change: [`src/a.ts\n${line}`],
      knows: (name) => name !== "status 403",
    }).objections!.map(({ gate }) => gate);

  test("counts where its line has a name that the sentence has as code", () => {
    expect(judge("+ expect(response.status).toBe(403);")).toEqual([]);
  });
  test("does not count beside other names", () => {
    expect(judge("+ const retries = 403;\n+ status = 4;")).toEqual(["numbers"]);
    expect(judge("+ const limit = 403;\n+ status = 4;")).toEqual(["numbers"]);
  });
});

describe("samples of HTML", () => {
  const kinds = (text: string): string[] => piecesOf(text, { path: "a.md" }).map(({ kind }) => kind);
  test.each<[string, string, string[]]>([
    ["lines of an element", "<pre>\na: 1\n</pre>\nWords.\n", ["code", "code", "code", "prose"]],
    [
      "code that begins and ends within a line",
      "<p><code>f(1,\n2)</code></p>\nWords.\n",
      ["code", "code", "prose"],
    ],
    ["code on one line is a part of its sentence", "Set <code>a</code> to 1.\n", ["prose"]],
  ])("%s", (_, text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });
});

test("the line of a place in a stack trace is a number like others", () => {
  const trace = `${before}\n\`\`\`\n  File "retries.py", line 12, in repeated\n\`\`\`\n`;
  const after = trace.replaceAll("3 times", "5 times").replace("line 12", "line 99");
  expect(objections(after, { before: trace })).toEqual(["numbers"]);
});

test("the port of an address in a line of a sample is a number", () => {
  const address = `${before}\n\`\`\`\nretries = "https://store.example:8200/a"\n\`\`\`\n`;
  expect(objections(address.replace("8200", "8999"), { before: address })).toEqual(["numbers"]);
});

test("a name that is written as a call must be one somewhere", () => {
  const judge = (name: string, calls: readonly string[]): string[] =>
    checkPostConditions({
      path: "a.md",
      before,
      after: fixed.replace("by default.", `by default with \`${name}\`.`),
      notices: [{ firstLine: 2, lastLine: 2, terms: ["repeated", "retries"] }],
      sources: ["export const retries = 5;"],
      knows: () => true,
      documents: () => true,
      calls: (one) => calls.includes(one),
    }).objections!.map(({ gate }) => gate);
  expect(judge("node_modules", [])).toEqual([]);
  expect(judge("node_modules()", [])).toEqual(["names"]);
  expect(judge("findModules()", ["findModules"])).toEqual([]);
});

test("a copy below a new heading is no new wording of a sentence that stood elsewhere", () => {
  const old =
    "## Retry\n\nYou can easily apply it to any promise, given an existing instance.\n\nRetries are few.\n";
  const added =
    "\n## Timeout\n\nYou can easily apply `timeout` to any promise, given an existing instance.\n";
  const judge = (after: string): string[] =>
    checkPostConditions({
      path: "a.md",
      before: old,
      after,
      notices: [{ firstLine: 4, lastLine: 4, terms: ["timeout"], adds: true }],
      sources: ["function timeout() {}"],
      knows: () => true,
    }).objections!.map(({ gate }) => gate);
  expect(judge(old + added)).toEqual([]);
  expect(judge(old.replace(/You can.*\n\n/, "") + added)).toEqual(["place"]);
  expect(judge(old.replace("apply it", "apply it soon") + added)).toEqual(["place"]);
  expect(judge(old.replace("apply it", "apply `timeout`"))).toEqual([]);
});

describe("numbers that belong to a name", () => {
  const judge = (sentence: string, more = {}) =>
    check(fixed.replace("by default.", `by default. ${sentence}`), more);
  const gatesOf = (sentence: string, more = {}): string[] =>
    judge(sentence, more).objections!.map(({ gate }) => gate);

  test("a number may be set apart from the name that it was a part of", () => {
    const old = before.replace("by default.", "by default on Linux96.");
    const after = old.replaceAll("3", "5");
    expect(objections(after.replace("Linux96", "Linux 96"), { before: old })).toEqual([]);
    expect(objections(after.replace("Linux96", "Linux 967"), { before: old })).toEqual(["numbers"]);
  });

  test.each([
    ["a manifest", { knows: ["Python 3.9"] }],
    ["another page", { documents: ["Python 3.9"] }],
  ])("a version of other software may be one that %s has beside its name", (_, more) => {
    expect(gatesOf("The retries need Python 2.7 or >= 3.9.", more)).toEqual(["numbers"]);
    expect(gatesOf("The retries need Python >= 3.9.", more)).toEqual([]);
    expect(
      gatesOf("The retries of Python take much longer than those of all others that there are: 3.9.", more),
    ).toEqual(["numbers"]);
    expect(gatesOf("The retries need Ruby >= 3.9.", more)).toEqual(["numbers"]);
  });

  test("the version of a product that stands nowhere is a risk", () => {
    const { objections, risks } = judge("The retries differ on Windows 10 and later.");
    expect(objections).toEqual([]);
    expect(risks).toMatchObject([{ what: "version" }]);
  });

  test.each([
    ["a large one", "The retries differ on Windows 107."],
    ["a count", "The retries of Windows 10 times a day."],
    ["the first word of a sentence", "Retries 10."],
  ])("but not %s", (_, sentence) => {
    expect(gatesOf(sentence)).toEqual(["numbers"]);
  });

  test("the first elements of a list in inline code state nothing", () => {
    expect(gatesOf("The retries are `process.argv[1]`.")).toEqual([]);
    expect(gatesOf("The retries are `process.argv[17]`.")).toEqual(["numbers"]);
  });
});

test("a name of the page above may be used, and an entry may not be about it", () => {
  const judge = (text: string): string[] =>
    checkPostConditions({
      path: "a.md",
      before,
      after: `${fixed}\n${text}\n`,
      above: "# Page\n\nMake a `backoff` of your own.\n\n",
      notices: [{ firstLine: 2, lastLine: 2, terms: ["repeated", "retries"] }],
      sources: ["export const retries = 5;"],
      knows: () => false,
    }).objections!.map(({ gate }) => gate);
  expect(judge("The retries of `backoff` differ.")).toEqual([]);
  expect(judge("The retries of `backon` differ.")).toEqual(["names"]);
  expect(judge("```js\nretries({ backoff: true });\n```")).toEqual([]);
  expect(judge("- `backoff`: how often retries happen.")).toEqual(["names"]);
});

test("a row of several lines in a table of reStructuredText is whole", () => {
  const table = "+------+-------+\n| Name | Value |\n+======+=======+\n| a    | 3     |\n+------+-------+\n";
  const page = `Retries\n-------\n\nThe retries:\n\n${table}`;
  const row = "| more | the   |\n|      | retries |\n+------+-------+\n";
  expect(objections(page + row, { before: page, path: "a.rst" })).toEqual([]);
});

test("a title of reStructuredText that is underlined with tildes opens no sample", () => {
  const kinds = (path: string): string[] =>
    piecesOf("Title\n~~~~~\n\nWords.\n", { path }).map(({ kind }) => kind);
  expect(kinds("a.rst")).toEqual(["prose", "prose"]);
  expect(kinds("a.adoc")).toEqual(["prose", "prose"]);
  expect(kinds("a.md")).toEqual(["prose", "code"]);
});

describe("an edit is judged in linear work when", () => {
  const judge = (after: string, change: readonly string[]): unknown =>
    checkPostConditions({
      path: "a.md",
      before,
      after: `${fixed}${after}`,
      notices: [{ firstLine: 2, lastLine: 2, terms: ["repeated", "retries"] }],
      sources: ["export const retries = 5;"],
      change,
      knows: () => true,
    });

  test.each<[name: string, after: string, change: string[]]>([
    ["one word of it is long", `The \`send\` ${"a".repeat(100_000)}\n`, []],
    ["a line has many elements of code", "<code></code>".repeat(40_000), []],
    [
      "many lines of the change have a number of many new sentences",
      Array.from({ length: 1500 }, (_, at) => `The \`limit${at}\` is 4711.`).join("\n\n"),
      [Array.from({ length: 20_000 }, (_, at) => `let a${at} = 4711 + b${at};`).join("\n")],
    ],
    [
      "a line of the change has many numbers and many names",
      "The `limit` is 4711.",
      [Array.from({ length: 10_000 }, (_, at) => `a${at}:${at + 5000}`).join(",")],
    ],
    [
      "a long word may be made by a template",
      `\`\`\`js\nx.${"timeout".repeat(3000)}_();\n\`\`\``,
      ["#{a}timeout#{b}timeout#{c}"],
    ],
    ["a sentence has many numbers after names", `The ${"Windows 10 `limit` 4711 ".repeat(10_000)}\n`, []],
    ["many links lose their addresses", "[a][] `a`_ a_ ".repeat(10_000), []],
    ["many tags are open", "<a ".repeat(60_000), []],
    ["many names are members", `The ${"`a.b` ".repeat(20_000)}\n`, []],
    ["an index is never closed", "`a".repeat(50_000) + "[".repeat(50_000), []],
  ])("%s", (_, after, change) => {
    expect(measureWork(() => judge(after, change))).toBeLessThan(150);
  });
});
