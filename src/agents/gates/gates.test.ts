import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureAsyncWork, measureWork } from "../../../test/work.ts";
import { type Checks, checkDraft } from "./check-draft.ts";
import { collectFacts, type FactFile } from "./known-facts.ts";
import type { GateName } from "./objection.ts";
import { sectionSizeLimits } from "./size.ts";

const code: FactFile[] = [
  {
    path: "src/cli.ts",
    text: 'option("dry-run"); const maxRetries = 3; process.env.ACME_TOKEN; const traces = ".acme/traces.jsonl"; class Client { get() {} }',
  },
  { path: "src/io/read-file.ts", text: "export function readFile() {} // see https://known.example.dev/api" },
  { path: "package.json", text: '{"name": "@acme/cli", "dependencies": {"zod": "1"}}' },
  { path: "client/package.json", text: '{"name": "acmeclient"}' },
  { path: "docs/guide.md", text: '# Guide\n\n## First steps\n\nWords. <a id="old-anchor"></a>\n' },
  { path: "docs/api/README.md", text: "# API\n" },
];

const checks: Checks = {
  facts: collectFacts(code),
  secrets: ["hunter2-hunter2"],
  commits: ["abcdef1234567890"],
};

const page = `# Page

Run \`acme --dry-run\` first. See [the guide](guide.md).

| Option | Default |
| ------ | ------- |
| a      | 1       |

\`\`\`json
{ "a": 1 }
\`\`\`

\`\`\`ts
const client = new Client();
\`\`\`

The end.
`;

async function objections(after: string, options: { before?: string | null; reasons?: string[] } = {}) {
  const before = options.before === undefined ? page : options.before;
  const verdict = await checkDraft(
    { path: "docs/page.md", before, after, reasons: options.reasons ?? ["It changed."] },
    checks,
  );
  return verdict.objections.map(({ gate, detail }) => `${gate}: ${detail}`);
}

const swap = (old: string, text: string): string => {
  expect(page.split(old)).toHaveLength(2);
  return page.split(old).join(text);
};
const add = (text: string): string => swap("The end.", `The end.\n\n${text}\n`);

describe("cross references of AsciiDoc", () => {
  const before = "= Page\n\n[[timeouts]]\nWords.\n";
  const gatesOf = async (line: string, path: string): Promise<string[]> => {
    const draft = { path, before, after: `${before}\n${line}\n`, reasons: ["It changed."] };
    return (await checkDraft(draft, checks)).objections.map(({ gate }) => gate);
  };

  test.each([
    "See <<timeouts>>.",
    "See <<timeouts,Preemptive Timeouts>>.",
    "<<timeouts, Timeouts of tests>>",
  ])("are no HTML: %s", async (line) => expect(await gatesOf(line, "docs/page.adoc")).toEqual([]));

  test.each([
    ["a script", "<<script,x y>>", "docs/page.adoc"],
    ["an event handler", "<<b, onclick=alert(1)>>", "docs/page.adoc"],
    ["a page of Markdown", "<<timeouts,Preemptive Timeouts>>", "docs/page.md"],
  ])("do not hide %s", async (_, line, path) => expect(await gatesOf(line, path)).toContain("safety"));
});

describe("lets pass", () => {
  test.each([
    ["nothing at all", page],
    ["other words", swap("The end.", "The very end.")],
    ["a time and a pair of words", add("At 2020-01-02T10:22:33.782Z it wrote key:some.value.")],
    ["an address without a host", add("It listens on unix:///usr/acme.sock.")],
    ["a flag of the code, in any style", add("Pass `--max-retries 5` or `--dry-run`.")],
    ["names of the code", add("Call `Client.get()`, `readFile(path)` or set `ACME_TOKEN`.")],
    ["words of every language", add("Set it to `true`, `null` or `42`; the type is `string`.")],
    ["words that every reader knows", add("Send a `POST` with `JSON` to `localhost`; it goes to `stdout`.")],
    ["files of the reader's own", add("Put it in `config.yaml` or `README.md`.")],
    [
      "flags of other programs",
      add("```sh\ngit commit --amend\n$ docker run --rm -it x\nnpm install --save-dev zod\n```"),
    ],
    ["names that stand for the reader's own", add("```sh\nexport ACME_TOKEN=YOUR_SECRET_TOKEN\n```")],
    ["a file of the code", add("It lives in `src/io/read-file.ts`.")],
    ["a file that the code writes to", add("It is written to `.acme/traces.jsonl`.")],
    ["the built form of a file", add("Import `dist/io/read-file.js`.")],
    ["a file as the package's users import it", add("Import `acmeclient/src/cli.ts`.")],
    ["a file that stands for the reader's own", add("Import `path/to/client.ts` or `my-app/client.ts`.")],
    ["types of standard libraries", add("It takes a `PurePath`, a `CompletableFuture` or a `HashMap`.")],
    ["names of Node's own modules", add("It calls `fs.readFileSync()` with an `AbortSignal`.")],
    ["words of a package that is run", add("```sh\nnpx zod install\n```")],
    ["a search on a known host", add("[x](https://known.example.dev/option?q=Client+dry)")],
    ["words below a bare installation", add("```sh\nnpm install\n# rebuild it\nnpm install # and wait\n```")],
    ["a package of the manifest", add("```sh\nnpm install @acme/cli\n```")],
    [
      "a link to a page and to its heading",
      add("See [steps](guide.md#first-steps) and [old](./guide.md#old-anchor)."),
    ],
    [
      "a link to a folder, and without its extension",
      add("See [api](api/), [guide](guide) and [here](#page)."),
    ],
    ["an address on a known host", add("See [it](https://known.example.dev/other).")],
    [
      "an address set aside for examples",
      add("```sh\ncurl http://localhost:8080/x\ncurl https://api.example.com/y\n```"),
    ],
    ["a new row of the same shape", swap("| a      | 1       |", "| a      | 1       |\n| b | `2` |")],
    ["data that still parses", swap('{ "a": 1 }', '{ "a": 2 }')],
    ["a reason that cites what exists", page, ["src/cli.ts:12 dropped it in commit abcdef1"]],
  ] as [string, string, string[]?][])("%s", async (_, after, reasons) => {
    expect(await objections(after, reasons ? { reasons } : {})).toEqual([]);
  });
});

describe("objects to", () => {
  test.each([
    ["an invented flag", "names", "--colour", add("Pass `--colour always`.")],
    ["an invented flag in prose", "names", "--colour", add("Pass --colour always.")],
    ["an invented flag in HTML", "names", "--colour", add("<dl>\n<dd>\nPass --colour.\n</dd>\n</dl>")],
    ["an invented flag in a fence", "names", "--colour", add("```sh\nacme --colour\n```")],
    ["an invented flag behind a runner", "names", "--colour", add("```sh\nnpx acme --colour\n```")],
    ["an invented function", "names", "getAll", add("Call `Client.getAll()`.")],
    ["an invented option", "names", "verbosity", add("Set `verbosity`.")],
    ["an invented variable", "names", "ACME_SECRET_MODE", add("```sh\nexport ACME_SECRET_MODE=1\n```")],
    ["an invented file", "names", "src/io/write-file.ts", add("It lives in `src/io/write-file.ts`.")],
    [
      "a file that the package has not",
      "names",
      "acmeclient/src/api.ts",
      add("Use `acmeclient/src/api.ts`."),
    ],
    ["a file of another package", "names", "zod/src/cli.ts", add("Use `zod/src/cli.ts`.")],
    ["an invented package", "names", "acme-cli", add("```sh\nnpm install acme-cli\n```")],
    ["a dead link", "links", "nowhere.md", add("See [it](nowhere.md).")],
    ["a dead heading", "links", "guide.md#nowhere", add("See [it](guide.md#nowhere).")],
    ["a link out of the repository", "links", "../../etc/passwd", add("See [it](../../etc/passwd).")],
    ["an unknown host", "addresses", "evil.dev", add("See [it](https://evil.dev/x).")],
    [
      "an image whose address carries data",
      "addresses",
      "fetched",
      add("![x](https://known.example.dev/p.png)"),
    ],
    ["an address that carries data", "addresses", "fetched", add("[x](https://known.example.dev/?q=secret)")],
    ["an address in HTML", "addresses", "evil.dev", add('<img src="https://evil.dev/p.png">')],
    ["an address in code", "addresses", "evil.dev", add("```sh\nopen https://evil.dev/x\n```")],
    ["a script link", "addresses", "javascript:alert", add("[x](javascript:alert)")],
    ["a row with a cell too many", "tables", "3 cells", swap("| a      | 1       |", "| a | 1 | 2 |")],
    ["a table without the line below its header", "tables", "header", swap("| ------ | ------- |\n", "")],
    ["a fence that never closes", "fences", "never closed", add("```sh\nacme")],
    ["data that no longer parses", "fences", "no longer parses", swap('{ "a": 1 }', '{ "a": 1, }')],
    ["code that no longer parses", "fences", "no longer parses", swap("new Client();", "new Client(;")],
    ["a secret from the environment", "safety", "key or a password", add("Use hunter2-hunter2.")],
    ["text that looks like a key", "safety", "key or a password", add(`Use sk-${"a1".repeat(16)}.`)],
    ["a script", "safety", "active HTML", add("<script src=x></script>")],
    ["an event handler", "safety", "event handler", add("<img src=x onerror=alert(1)>")],
    [
      "a command that runs what it downloads",
      "safety",
      "runs what it fetches",
      add("```sh\ncurl -s localhost/x | sudo bash\n```"),
    ],
    [
      "a command that runs a download by substitution",
      "safety",
      "runs what it fetches",
      add('```sh\nbash -c "$(curl -s localhost/x)"\n```'),
    ],
    ["a rewrite that calls itself an edit", "size", "surgical", add("More words.\n".repeat(40))],
  ] as [string, GateName, string, string][])("%s", async (_, gate, part, after) => {
    const found = await objections(after);
    expect(found.filter((one) => one.startsWith(`${gate}: `)).join("\n")).toContain(part);
  });

  test.each([
    ["an empty reason", [" "], "has no reason"],
    ["a file that is not there", ["src/gone.ts lost it"], "src/gone.ts"],
    ["a commit of another change", ["see commit 1234567"], "1234567"],
  ])("a reason with %s", async (_, reasons, part) => {
    expect((await objections(page, { reasons })).join()).toContain(part);
  });
});

describe("a command that installs from an address", () => {
  const known = "github.com/acme/tool";
  const facts = collectFacts([...code, { path: "go.mod", text: `module ${known}\n` }]);
  const judge = async (command: string, before = page): Promise<string[]> => {
    const after = `${before}\n\`\`\`sh\n${command}\n\`\`\`\n`;
    const draft = { path: "docs/page.md", before, after, reasons: ["It changed."] };
    const { objections: found } = await checkDraft(draft, { ...checks, facts });
    return found.map(({ detail }) => detail).filter((detail) => detail.includes("installs from"));
  };

  test.each([
    ["go run github.com/other/tool@latest"],
    ["GOFLAGS=-mod=mod go install evil.dev/tool@v1"],
    ["cargo install --git https://github.com/other/tool"],
    ["npm i https://github.com/other/tool/archive/main.tgz"],
    ["npm install --save-dev git+ssh://git@github.com/other/tool.git"],
    ["npx github:other/tool"],
    ["pnpm add -D \\\n  github:other/tool"],
    ["pip install 'tool @ git+https://github.com/other/tool@main'"],
    ["python -m pip install git+https://github.com/other/tool"],
    ["uvx --from git+https://github.com/other/tool tool"],
    ["brew tap other/tool https://github.com/other/tool"],
    ["nix profile install github:other/tool"],
  ])("is refused where nothing names it: %s", async (command) => {
    expect(await judge(command)).toHaveLength(1);
  });

  test.each([
    ["go install github.com/acme/tool/cmd/tool@latest"],
    ["cargo install --git https://github.com/acme/tool.git --tag v1"],
    ["pip install git+https://github.com/acme/tool@main"],
    ["npm install zod"],
    ["go run ./cmd/tool"],
  ])("passes where a manifest names it, or there is none: %s", async (command) => {
    expect(await judge(command)).toEqual([]);
  });

  test("passes where the page names it", async () => {
    const before = `${page}\n\`go get github.com/Other/tool\`\n`;
    expect(await judge("go install github.com/Other/tool@latest", before)).toEqual([]);
  });
});

describe("the links of a site with rules of its own", () => {
  const before = page.replace(
    "The end.",
    "See [types](types#Client) and [steps](guide.md#First-Steps-here).",
  );
  test.each([
    ["a further route", "See [hooks](hooks#Handle).", 0],
    ["a further heading", "See [it](guide.md#Last-Steps-there).", 0],
    ["a file that is not there", "See [it](nowhere.md).", 1],
    ["a route out of the repository", "See [it](../../etc/passwd).", 1],
  ])("%s", async (_, text, count) => {
    const found = await objections(`${before}\n${text}\n`, { before });
    expect(found.filter((one) => one.startsWith("links: "))).toHaveLength(count);
  });
});

describe("the other pages of a site tell its rules too", () => {
  const judge = async (text: string, other: string): Promise<string[]> => {
    const files = [...code, { path: "docs/more/other.md", text: `# Other\n\n${other}\n` }];
    const facts = collectFacts(files);
    const draft = {
      path: "docs/page.md",
      before: page,
      after: `${page}\n${text}\n`,
      reasons: ["It changed."],
    };
    const { objections: found } = await checkDraft(draft, { ...checks, facts });
    return found.filter(({ gate }) => gate === "links").map(({ detail }) => detail);
  };
  const routes = "[a](types#Client) [b](hooks#Handle) [c](state#Form)";
  const headings = "[a](../guide.md#First-Steps-here) [b](../guide.md#Second) [c](../guide.md#Third)";

  test.each([
    ["routes", "See [it](errors#Shape).", routes],
    ["headings", "See [it](guide.md#Last-Steps-there).", headings],
  ])("%s", async (_, text, other) => {
    expect(await judge(text, other)).toEqual([]);
    expect(await judge(text, "Nothing.")).toHaveLength(1);
  });

  test("a few dead links among many that lead somewhere are no rule", async () => {
    const sound = "[x](../guide) [y](../api) [z](../guide.md#first-steps) ";
    const many = Array.from({ length: 9 }, (_one, at) => `[${at}](../guide?${at}#first-steps)`).join(" ");
    expect(await judge("See [it](errors#Shape).", `${sound}${many} ${routes}`)).toHaveLength(1);
  });
});

describe("elements that stay open", () => {
  const boxed = page.replace("The end.", '<div class="box">\n\nThe end.\n\n</div>\n\nMore.');
  test.each([
    ["one that loses its beginning", boxed.replace('<div class="box">\n\n', ""), 1],
    ["one that loses its end", boxed.replace("</div>\n\n", ""), 1],
    ["one that goes altogether", boxed.replace('<div class="box">\n\n', "").replace("</div>\n\n", ""), 0],
    ["one more of them", boxed.replace("More.", "<details>\n\nMore.\n\n</details>"), 0],
    ["one that is code", boxed.replace("More.", "More of `<div>`."), 0],
    ["one that is a sample", boxed.replace("More.", "```html\n<div>\n```"), 0],
  ])("%s", async (_, after, count) => {
    const found = await objections(after, { before: boxed });
    expect(found.filter((one) => one.startsWith("fences: "))).toHaveLength(count);
  });

  test("what was open before may stay open", async () => {
    const open = boxed.replace("</div>\n\n", "");
    expect(await objections(`${open}\nWords.\n`, { before: open })).toEqual([]);
  });
});

describe("a sample of JSON", () => {
  const sample = (text: string): Promise<string[]> => objections(add(`\`\`\`json\n${text}\n\`\`\``));

  test.each([
    ["comments", '// config.json\n{ "a": 1 /* one */ }'],
    ["a comma at the end", '{ "a": 1, }'],
    ["members without braces", '"a": { "b": 1 },\n"c": 2'],
    ["an ellipsis", '{\n  ...\n  "a": 1,\n  ...\n}'],
    ["several values", '{ "a": 1 }\n{ "a": 2 }'],
  ])("may have %s", async (_, text) => expect(await sample(text)).toEqual([]));

  test("with many blank lines takes no time", async () => {
    const text = `{ "a": 1 }\n${"\n".repeat(200_000)}x`;
    expect(await measureAsyncWork(() => sample(text))).toBeLessThan(100);
  });

  test.each([
    ["a brace that is not closed", '{ "a": { "b": 1 }'],
    ["a value that is missing", '{ "a": , "b": 1 }'],
    ["a comma that is missing", '{ "a": 1 "b": 2 }'],
    ["a name without quotes", '{ "a": one }'],
  ])("may not have %s", async (_, text) => expect((await sample(text)).join()).toContain("fences: "));
});

describe("names that readers are to replace", () => {
  test.each(["Write `lib/foo/bar.ts`.", 'It is `"--foo-bar-baz"`.'])(
    "are no inventions: %s",
    async (words) => {
      expect(await objections(add(words))).toEqual([]);
    },
  );
  test.each(["Write `src/food/bar-list.ts`.", "Pass `--foo-retries`."])(
    "are inventions: %s",
    async (words) => {
      expect((await objections(add(words))).join()).toContain("names: ");
    },
  );
});

describe("an import of a page of MDX", () => {
  const before = 'import { A, B } from "icons/fa";\n\n# Page\n\n<A />\n';
  const judge = async (line: string): Promise<string[]> => {
    const after = before.replace('import { A, B } from "icons/fa";', line);
    const draft = { path: "docs/page.mdx", before, after, reasons: ["It changed."] };
    return (await checkDraft(draft, checks)).objections.map(({ gate }) => gate);
  };

  test("may name more of a module that the page imports from", async () => {
    expect(await judge('import { A, B, C } from "icons/fa";')).toEqual([]);
  });
  test.each([
    'import { A, B } from "icons/fb";',
    'import C from "icons/fa";',
    'import "icons/fa";',
    'import { A, B, C } from "icons/fa"; alert(1)',
  ])("may not be another: %s", async (line) => expect(await judge(line)).toEqual(["safety"]));
});

test("a link of reStructuredText with a fragment of text is no HTML", async () => {
  const before = "Page\n====\n\nSee https://known.example.dev/a.\n";
  const judge = async (line: string): Promise<string[]> => {
    const draft = { path: "docs/page.rst", before, after: `${before}\n${line}\n`, reasons: ["It changed."] };
    return (await checkDraft(draft, checks)).objections.map(({ gate }) => gate);
  };
  expect(await judge("See `this <https://known.example.dev/a#b:~:text=Setting%20it>`__.")).toEqual([]);
  expect(await judge('See `this <https://known.example.dev/a#b onclick="alert(1)">`__.')).toContain("safety");
});

test("links to standards lead to their owners alone", async () => {
  expect(
    await objections(
      add(
        "See [it](https://fetch.spec.whatwg.org/#http) and [it](https://datatracker.ietf.org/doc/html/rfc9110).",
      ),
    ),
  ).toEqual([]);
});

test("a literal block may end a page of reStructuredText", async () => {
  const before = "Page\n====\n\nWords::\n\n    a\n\nThe end.\n";
  const draft = {
    path: "docs/page.rst",
    before,
    after: `${before}\nMore::\n\n    b\n`,
    reasons: ["It changed."],
  };
  expect((await checkDraft(draft, checks)).objections).toEqual([]);
});

test("a shortcode may end, also by itself, and take in no file from elsewhere", async () => {
  expect(await objections(add("{{< new-in 1.2.0 />}}\n\n{{% alert %}}\nWords.\n{{% /alert %}}"))).toEqual([]);
  expect((await objections(add('{{< show "/etc/passwd" />}}'))).join()).toContain("safety: ");
  expect((await objections(add("{{< show ../a />}}"))).join()).toContain("safety: ");
});

test("a constant of JavaScript is no invented variable", async () => {
  expect(await objections(add("Up to `Number.MAX_SAFE_INTEGER`, or `MAX_SAFE_INTEGER`."))).toEqual([]);
  expect((await objections(add("Up to `MAX_SANE_INTEGER`."))).join()).toContain("MAX_SANE_INTEGER");
});

test("what stood on the page before may stay and move, however wrong it is", async () => {
  const old =
    "# Old\n\nUse `--gone` of `lostThing()` at [x](nowhere.md), [y](https://odd.dev/?a=1).\n\n| a |\n| - |\n| 1 | 2 |\n\n```json\n{,}\n```\n";
  expect(await objections(`${old}\nUse \`--gone\` again.\n`, { before: old })).toEqual([]);
});

test("a large edit of a section is listed, and a rewrite refused", async () => {
  const judge = async (lines: number) => {
    const draft = {
      path: "docs/page.md",
      before: page,
      after: add("More words.\n".repeat(lines)),
      reasons: [],
    };
    const { objections: found, risks } = await checkDraft(draft, { ...checks, limits: sectionSizeLimits });
    return [...found.map(({ gate }) => gate), ...risks.map(({ what }) => what)];
  };
  expect(await judge(20)).toEqual([]);
  expect(await judge(50)).toEqual(["large edit"]);
  expect(await judge(100)).toEqual(["size"]);
});

test("a new page is judged whole", async () => {
  expect(await objections("# New\n\nCall `readFile()` with `--dry-run`.\n", { before: null })).toEqual([]);
  expect((await objections("# New\n\nCall `inventedCall()`.\n", { before: null })).join()).toContain(
    "inventedCall",
  );
  expect((await objections("x".repeat(60_001), { before: null })).join()).toContain("60001 characters");
});

test("where there was too much to read, an unknown name is a risk and no objection", async () => {
  const partial = { ...checks, facts: collectFacts(code, { complete: false }) };
  const verdict = await checkDraft(
    { path: "docs/page.md", before: page, after: add("Pass `--colour`."), reasons: [] },
    partial,
  );
  expect(verdict.objections).toEqual([]);
  expect(verdict.risks).toMatchObject([{ what: "unknown name" }]);
});

test("new commands and addresses that pass are listed for the reviewer", async () => {
  const after = add("```sh\ndocker run acme\n```\n\nSee [it](https://known.example.dev/z).");
  const { risks } = await checkDraft({ path: "docs/page.md", before: page, after, reasons: [] }, checks);
  expect(risks.map(({ what, detail }) => `${what}: ${detail}`).sort()).toEqual([
    "new address: https://known.example.dev/z",
    "new command: docker run acme",
  ]);
});

test("no text of any kind makes the gates throw", async () => {
  const piece = fc.constantFrom(
    "`",
    "```",
    "--x",
    "[a](b)",
    "|",
    "\n",
    "http://",
    "<img ",
    "../",
    "=",
    "eyJ",
    "$(",
    "a.b/",
    "# ",
  );
  const hostile = fc
    .array(fc.oneof(piece, fc.string({ unit: "grapheme", maxLength: 8 })), { maxLength: 60 })
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (before, after) => {
      await checkDraft({ path: "docs/page.md", before, after, reasons: [after] }, checks);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ["dots", "../".repeat(120_000)],
  ["folders", "`a/".repeat(100_000)],
  ["half tokens", "-eyJaaaaaaaaaaaa".repeat(20_000)],
  ["back-ticks", "`".repeat(300_000)],
  ["dots of a host", `http://${".".repeat(300_000)}a`],
  ["pipes", "|".repeat(300_000)],
  ["curl", "curl ".repeat(60_000)],
  ["openings of a comment", "<!--".repeat(75_000)],
])("300 KB of %s are judged in linear work", async (_, text) => {
  const draft = { path: "docs/page.md", before: "", after: text, reasons: [text.slice(0, 1000)] };
  expect(await measureAsyncWork(() => checkDraft(draft, checks))).toBeLessThan(400);
});

test.each([
  ["comments", (at: number) => `<!-- note${at} word${at} -->\n`],
  ["links to headings of the page", (at: number) => `[link${at}](#nowhere${at})\n`],
  ["samples with a comment each", (at: number) => `\`\`\`html\n<!-- ${at} -->\n\`\`\`\n`],
])("an edit of a page with thousands of %s is judged in linear work", async (_, write) => {
  const before = Array.from({ length: 4000 }, (_one, at) => write(at)).join("\n");
  const after = `${before}\nMore.\n${write(5000)}`;
  const draft = { path: "docs/page.md", before, after, reasons: ["It changed."] };
  expect(await measureAsyncWork(() => checkDraft(draft, checks))).toBeLessThan(100);
});

test("tags without an end are judged with little work, and each of their addresses once", async () => {
  const after = "<a href=".repeat(8000);
  const draft = { path: "docs/page.md", before: "# Page\n", after, reasons: ["It changed."] };
  expect(await measureAsyncWork(() => checkDraft(draft, checks))).toBeLessThan(100);
  const { objections } = await checkDraft(draft, checks);
  expect(objections.filter(({ gate }) => gate === "links")).toHaveLength(1);
});

test("many new links to other hosts beside many old ones are judged in linear work", async () => {
  const link = (at: number): string => `[more](https://h${at}.dev/)\n`;
  const write = (from: number): string =>
    Array.from({ length: 3000 }, (_one, at) => link(from + at)).join("\n");
  const draft = {
    path: "docs/page.md",
    before: write(0),
    after: write(0) + write(3000),
    reasons: ["It changed."],
  };
  expect(await measureAsyncWork(() => checkDraft(draft, checks))).toBeLessThan(300);
});

test("a row of several lines in a table of reStructuredText has as many cells as its header", async () => {
  const rule = "+------+-------+\n";
  const before = `${rule}| Name | Value |\n+======+=======+\n| a    | 3     |\n${rule}`;
  const after = `${before}| b    | long  |\n|      | text  |\n${rule}`;
  const draft = { path: "docs/page.rst", before, after, reasons: ["It changed."] };
  expect((await checkDraft(draft, checks)).objections).toEqual([]);
});

describe("pairs of names", () => {
  const facts = collectFacts([
    { path: "setup.py", text: "Python :: 3.9\nsqlalchemy==1.4.42\nself.types.Checker(a->next)" },
    { path: "docs/a.md", text: "It needs Windows 10 and `Client::get`." },
  ]);
  test.each([
    "Python 3.9",
    "SQLAlchemy 1.4.42",
    "SQLAlchemy 1.4",
    "types.Checker",
    "types::Checker",
    "a.next",
  ])("the code has %s", (pair) => {
    expect(facts.knows(pair)).toBe(true);
    expect(facts.documents(pair)).toBe(false);
  });
  test.each(["Windows 10", "Client.get"])("a document has %s", (pair) => {
    expect(facts.documents(pair)).toBe(true);
    expect(facts.knows(pair)).toBe(false);
  });
  test.each(["Python 3.97", "SQLAlchemy 1.42", "types.checker", "Checker.types", "self.Checker", "next 1"])(
    "nothing has %s",
    (pair) => {
      expect(facts.documents(pair) || facts.knows(pair)).toBe(false);
    },
  );

  test.each([
    ["dots", "a.".repeat(50_000)],
    ["one word", "a".repeat(100_000)],
    ["short lines of dots", `${"a.".repeat(900)}\n`.repeat(60)],
    ["marks", `a${"-".repeat(900)}\n`.repeat(100)],
  ])("are looked up in linear work in a file of %s", (_, text) => {
    const own = collectFacts([{ path: "a.js", text }]);
    expect(measureWork(() => own.knows("a.b"))).toBeLessThan(50);
  });
});

test("calls are looked up in linear work in a repository with a file that is one long word", () => {
  const facts = collectFacts([{ path: "a.js", text: "a".repeat(100_000) }]);
  expect(measureWork(() => facts.calls("send"))).toBeLessThan(50);
});
