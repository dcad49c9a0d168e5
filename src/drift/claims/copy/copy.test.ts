import { describe, expect, test } from "vitest";
import { type Case, type ChangedFiles, fixed, reported } from "../../test-case.ts";

const before = [
  "function prepare() {",
  "  const reader = openReader(settings);",
  "  const first = reader.take(1);",
  "  return summarise(first);",
  "}",
  "",
].join("\n");
const after = before.replace("reader.take(1);", "reader.take(2);\n  audit(first);");
const FILES: ChangedFiles = { "src/prepare.ts": [before, after] };
const fence = (body: string, mark = ""): string => `# A\n\n${mark}\`\`\`ts\n${body}\`\`\`\n`;
const three =
  "const reader = openReader(settings);\nconst first = reader.take(1);\nreturn summarise(first);\n";

test("lines below a directive of reStructuredText are a copy too", async () => {
  const page = `A\n=\n\n.. code-block:: ts\n\n${three.replace(/^(?=.)/gm, "   ")}`;
  expect(await fixed({ files: FILES, docs: { "a.rst": page } }, "a.rst")).toBe(
    page.replace("reader.take(1);", "reader.take(2);\n   audit(first);"),
  );
});

describe("K embedded snippets", () => {
  const rows: [name: string, one: Case, after: string][] = [
    [
      "lines copied with another indentation",
      { files: FILES, docs: { "a.md": fence(three) } },
      fence(three.replace("reader.take(1);", "reader.take(2);\naudit(first);")),
    ],
    [
      "a whole file named by its first line",
      { files: FILES, docs: { "a.md": fence(`// src/prepare.ts\n${before}`) } },
      fence(`// src/prepare.ts\n${after}`),
    ],
    [
      "a whole file named by a comment",
      { files: FILES, docs: { "a.md": fence(before, "<!-- embed: src/prepare.ts -->\n") } },
      fence(after, "<!-- embed: src/prepare.ts -->\n"),
    ],
    [
      "CRLF pages get CRLF lines",
      { files: FILES, docs: { "a.md": fence(three).replaceAll("\n", "\r\n") } },
      fence(three.replace("reader.take(1);", "reader.take(2);\naudit(first);")).replaceAll("\n", "\r\n"),
    ],
  ];
  test.each(rows)("%s", async (_, one, text) => {
    expect(await fixed(one, "a.md")).toBe(text);
    expect((await reported({ ...one, docs: { "a.md": text } })).flatMap(({ edits }) => edits)).toEqual([]);
  });

  test("the fresh lines leave nothing false that they rename", async () => {
    const send = (name: string, limit: number): string =>
      `import { ${name} } from "../src/mail";\n\nconst box = open({ limit: ${limit} });\nbox.${name}(letter, "now");\nbox.close();\n`;
    const files: ChangedFiles = {
      "src/mail.ts": ["export function sendMail(a, b) {}\n", "export function deliver(a, b) {}\n"],
      "examples/send.ts": [send("sendMail", 1), send("deliver", 2)],
    };
    const page = fence(
      send("sendMail", 1).split("\n").slice(2).join("\n"),
      "<!-- embed: examples/send.ts -->\n",
    );
    const [copy] = (await reported({ files, docs: { "a.md": page } })).filter(({ kind }) => kind === "copy");
    expect(copy?.edits[0]).toMatchObject({ text: expect.stringContaining("box.deliver(") });
    expect(copy).toMatchObject({ says: expect.stringContaining("sendMail") });
    expect(copy?.left).toBeUndefined();
  });

  test("certain only where the page names the file", async () => {
    const tiers = async (text: string) =>
      (await reported({ files: FILES, docs: { "a.md": text } })).map(({ tier, kind }) => [kind, tier]);
    expect(await tiers(fence(three))).toEqual([["copy", "likely"]]);
    expect(await tiers(`# A\n\n\`\`\`ts file=src/prepare.ts\n${three}\`\`\`\n`)).toEqual([
      ["copy", "certain"],
    ]);
  });

  test("a manifest is copied by nobody: the sample is that of the reader", async () => {
    const pom = (version: string): string =>
      `<dependency>\n  <groupId>org.gull.boats</groupId>\n  <artifactId>gull-sails</artifactId>\n  <version>${version}</version>\n</dependency>\n`;
    const page = `# A\n\n\`\`\`xml\n${pom("2.14.0")}\`\`\`\n`;
    expect(
      await reported({ files: { "extras/pom.xml": [pom("2.14.0"), pom("2.14.1")] }, docs: { "a.md": page } }),
    ).toEqual([]);
  });

  test("a link to lines follows them where they hold a word of the passage", async () => {
    const found = async (words: string): Promise<string[]> => {
      const page = `# A\n\n${words} https://github.com/gull/boat/blob/main/src/prepare.ts#L3\n`;
      const moved: ChangedFiles = { "src/prepare.ts": [before, `import x from "x";\n${before}`] };
      return (await reported({ files: moved, docs: { "a.md": page } })).map(({ kind }) => kind);
    };
    expect(await found("How the reader takes one:")).toEqual(["copy"]);
    expect(await found("See more at")).toEqual([]);
  });

  test("a path starts from a folder of the page, not from any folder of the project", async () => {
    const tiersOf = async (path: string, page: string) =>
      (
        await reported({
          files: { [path]: [before, after] },
          docs: { [page]: `# A\n\n\`\`\`ts file=src/prepare.ts\n${three}\`\`\`\n` },
        })
      ).map(({ tier }) => tier);
    expect(await tiersOf("packages/deep/src/prepare.ts", "packages/deep/docs/a.md")).toEqual(["certain"]);
    expect(await tiersOf("templates/new/src/prepare.ts", "docs/a.md")).toEqual(["likely"]);
  });

  const refused: [name: string, one: Case][] = [
    ["a sample that was no copy at the base", { files: FILES, docs: { "a.md": fence(`// mine\n${three}`) } }],
    [
      "lines that stand twice in the code",
      {
        files: { "src/prepare.ts": [before + before, after + after] },
        docs: { "a.md": fence(three) },
      },
    ],
    [
      "a change that reaches over the edge of the copy",
      {
        files: {
          "src/prepare.ts": [before, before.replace(/ {2}const first.*\n.*\n}/, "  other();\n}\nmore();")],
        },
        docs: { "a.md": fence("const reader = openReader(settings);\nconst first = reader.take(1);\n") },
      },
    ],
    [
      "a change outside the copied lines",
      {
        files: { "src/prepare.ts": [before, before.replace("prepare", "arrange")] },
        docs: { "a.md": fence(three) },
      },
    ],
  ];
  test.each(refused)("no copy is taken: %s", async (_, one) => {
    expect((await reported(one)).filter(({ kind }) => kind === "copy")).toEqual([]);
  });
});
