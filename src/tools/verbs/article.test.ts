import { describe, expect, test } from "vitest";
import { textOf } from "../../wording/report.ts";
import { offer } from "../call.ts";
import { editingTools, inputSchema } from "../catalog.ts";
import { SessionMemory } from "../session-memory.ts";
import { openDesk } from "../testing.ts";

const path = "docs/a.md";
const docs = (text: string | Uint8Array, options = {}) =>
  openDesk({ [path]: text }, { profile: "docs", ...options });
const edit = (old_string: string, new_string: string, reason = "the code changed") => ({
  old_string,
  new_string,
  reason,
});

describe("edit_article: arguments", () => {
  test("the advertised schema", () => {
    const tool = editingTools.find(({ name }) => name === "edit_article")!;
    expect(inputSchema(tool)).toMatchObject({
      type: "object",
      required: ["path", "edits"],
      properties: {
        path: {
          type: "string",
          description: "Path to the article",
        },
        edits: { type: "array", items: { type: "object", required: ["old_string", "new_string", "reason"] } },
      },
    });
  });

  const rows: [string, unknown, string][] = [
    ["a missing path", { edits: [edit("a", "b")] }, "Missing or invalid 'path' argument."],
    [
      "a path that is not a string",
      { path: 1, edits: [edit("a", "b")] },
      "Missing or invalid 'path' argument.",
    ],
    ["missing edits", { path }, "Missing or invalid 'edits' argument - must be an array."],
    [
      "edits that are not an array",
      { path, edits: "x" },
      "Missing or invalid 'edits' argument - must be an array.",
    ],
    ["an empty list", { path, edits: [] }, "'edits' is empty: there is nothing to apply."],
    [
      "a missing old_string",
      { path, edits: [{ new_string: "b", reason: "r" }] },
      "Edit 0: Missing or invalid 'old_string'.",
    ],
    [
      "a missing new_string",
      { path, edits: [edit("a", "b"), { old_string: "b", reason: "r" }] },
      "Edit 1: Missing or invalid 'new_string'.",
    ],
    [
      "a missing reason",
      { path, edits: [{ old_string: "a", new_string: "b" }] },
      "Edit 0: Missing or invalid 'reason'.",
    ],
    ["a blank reason", { path, edits: [edit("a", "b", " \n")] }, "Edit 0: Missing or invalid 'reason'."],
    ["an empty old_string", { path, edits: [edit("", "b")] }, "Edit 0: old_string is empty"],
    ["a missing file", { path: "docs/none.md", edits: [edit("a", "b")] }, "File not found: docs/none.md"],
  ];
  test.each(rows)("%s", async (_, input, error) => {
    const desk = await docs("a\n");
    expect(await desk.call("edit_article", input)).toMatchObject({ success: false, output: "", error });
    expect(desk.files()).toEqual([path]);
    expect(desk.text(path)).toBe("a\n");
  });

  test("all edits are validated before any is applied", async () => {
    const desk = await docs("a\nb\n");
    expect(
      await desk.call("edit_article", { path, edits: [edit("a", "x"), { old_string: 1 }] }),
    ).toMatchObject({ success: false });
    expect(desk.text(path)).toBe("a\nb\n");
  });

  test("only the bound article is accepted, in any spelling of its path", async () => {
    const desk = await docs("a b c d\n", { article: path });
    expect(await desk.call("edit_article", { path: "docs/other.md", edits: [edit("a", "x")] })).toMatchObject(
      { success: false, code: "not-allowed" },
    );
    for (const [spelling, letter] of [
      ["./docs/a.md", "a"],
      ["docs\\a.md", "b"],
      ["docs//x/../a.md", "c"],
    ] as const)
      expect(
        await desk.call("edit_article", { path: spelling, edits: [edit(letter, letter.toUpperCase())] }),
      ).toMatchObject({ success: true, path });
    expect(desk.text(path)).toBe("A B C d\n");
    const entries = await desk.context.reader.history();
    expect(new Set(entries.flatMap(({ files }) => files.map((file) => file.path)))).toEqual(new Set([path]));
  });

  test("the profile for documents changes comments of a source file, and never its code", async () => {
    const source = "// Waits 3 times.\nexport const retries = 3;\n";
    const desk = await openDesk({ "src/retry.ts": source }, { profile: "docs" });
    const code = { path: "src/retry.ts", edits: [edit("retries = 3", "retries = 5")] };
    expect(await desk.call("edit_article", code)).toMatchObject({ success: false, code: "not-allowed" });
    expect(desk.text("src/retry.ts")).toBe(source);
    const comment = { path: "src/retry.ts", edits: [edit("Waits 3 times.", "Tries 3 times.")] };
    expect(await desk.call("edit_article", comment)).toMatchObject({ success: true });
    expect(desk.text("src/retry.ts")).toBe(source.replace("Waits", "Tries"));
  });

  test("paths outside the root, links, null bytes and folders are refused", async () => {
    const desk = await docs("a\n");
    desk.disk.putLink("docs/out.md", "/etc/passwd");
    desk.disk.putSpecial("docs/pipe.md");
    for (const bad of ["../a.md", "/etc/passwd", "docs/a\0.md", "docs", "docs/out.md", "docs/pipe.md"])
      expect(await desk.call("edit_article", { path: bad, edits: [edit("a", "b")] })).toMatchObject({
        success: false,
      });
  });
});

describe("edit_article: matching", () => {
  const rows: [string, string, ReturnType<typeof edit>[], string | string[]][] = [
    ["text matches character for character", "a\n  b\n", [edit("a\n  b", "c")], "c\n"],
    ["one space too many is not found", "a b\n", [edit("a  b", "c")], ["Edit 0: Text not found in file."]],
    [
      "letter case counts and metacharacters are literal",
      "a.c\n",
      [edit("A.c", "x")],
      ["Edit 0: Text not found"],
    ],
    ["no match is an error", "a\n", [edit("z", "x")], ["Edit 0: Text not found"]],
    [
      "two matches are an error with a count and a hint",
      "a a\n",
      [edit("a", "x")],
      [
        "Edit 0: Text appears 2 times in file - include more surrounding context to make it unique",
        "Add a heading, preceding paragraph, or other unique text to old_string",
      ],
    ],
    ["overlapping matches are counted", "aaa", [edit("aa", "x")], ["Edit 0: Text appears 2 times"]],
    ["an empty new_string deletes", "a b\n", [edit(" b", "")], "a\n"],
    ["equal strings are no change", "a\n", [edit("a", "a")], ["Edit 0: No change"]],
    ["edits apply in order to the running text", "a\n", [edit("a", "b"), edit("b", "c")], "c\n"],
    [
      "text that an earlier edit removed is not found, under its own index",
      "a b\n",
      [edit("a", "x"), edit("a", "y"), edit("zzz", "q")],
      ["Edit 1: Text not found"],
    ],
    [
      "a match that an earlier edit made ambiguous is refused",
      "a b\n",
      [edit("a", "b"), edit("b", "c")],
      ["Edit 1: Text appears 2 times"],
    ],
  ];
  test.each(rows)("%s", async (_, before, edits, expected) => {
    const desk = await docs(before);
    const result = await desk.call("edit_article", { path, edits });
    if (typeof expected === "string") expect(desk.text(path)).toBe(expected);
    else {
      for (const part of expected) expect(textOf(result)).toContain(part);
      expect(desk.text(path)).toBe(before);
    }
  });

  test("a Bun shell template does not duplicate the document", async () => {
    const before = "# Phase\n\nIntro text.\n\nconst out = OLD;\n\nThe end.\n";
    const desk = await docs(before);
    const template = `await Bun.$\`git diff main\`.text()`;
    await desk.call("edit_article", { path, edits: [edit("OLD", template)] });
    expect(desk.text(path)).toBe(before.replace("OLD", () => template));
  });
});

describe("edit_article: results", () => {
  test("a success reports the number of edits and their reasons", async () => {
    const desk = await docs("a\nb\n");
    const one = await desk.call("edit_article", { path, edits: [edit("a", "x", "first")] });
    expect(one.output.split("\n")[0]).toBe("Applied 1 edit to docs/a.md");
    const two = await desk.call("edit_article", {
      path,
      edits: [edit("x", "y", "second"), edit("b", "c", "third")],
    });
    expect(two.output.split("\n")[0]).toBe("Applied 2 edits to docs/a.md");
    expect(two.appliedEdits).toEqual([
      { index: 0, reason: "second" },
      { index: 1, reason: "third" },
    ]);
    expect(JSON.parse(JSON.stringify(two))).toEqual(two);
    expect(desk.text(path)).toBe("y\nc\n");
  });

  test("if one edit fails, nothing is written and the preview shows the file on disk", async () => {
    const desk = await docs("alpha\nbeta\n");
    const result = await desk.call("edit_article", {
      path,
      edits: [edit("alpha", "CHANGED"), edit("nope", "x")],
    });
    expect(result).toMatchObject({ success: false, output: "" });
    expect(result.error).toBe(
      "Edit 1: Text not found in file. The old_string you provided does not exist in the file.\n\nActual file content:\n```\nalpha\nbeta\n\n```\n\nPlease use exact text from the file above.",
    );
    expect(desk.text(path)).toBe("alpha\nbeta\n");
  });

  test("the refusal of a misquoted edit carries all edits of the call, corrected", async () => {
    const desk = await docs("alpha beta\ngamma delta\nepsilon\n", { memory: new SessionMemory() });
    const edits = [edit("epsilon", "EPSILON"), edit("alpha bta\ngamma delta", "alpha bta\ngamma DELTA")];
    const refused = await desk.call("edit_article", { path, edits });
    expect(refused).toMatchObject({ success: false, retry: { tool: "retry_edit" } });
    expect(await desk.call("retry_edit", refused.retry?.arguments)).toMatchObject({ success: true });
    expect(desk.text(path)).toBe("alpha beta\ngamma DELTA\nEPSILON\n");
  });

  test("the preview holds 500 characters and never half a character", async () => {
    const exactly = "x".repeat(500);
    const whole = await (await docs(exactly)).call("edit_article", { path, edits: [edit("z", "y")] });
    expect(whole.error).toContain(`\`\`\`\n${exactly}\n\`\`\``);
    const long = `${"x".repeat(499)}😀${"y".repeat(100)}`;
    const cut = await (await docs(long)).call("edit_article", { path, edits: [edit("z", "y")] });
    expect(cut.error).toContain(`${"x".repeat(499)}...\n\n[File truncated - ${long.length} chars total]`);
    expect(cut.error!.isWellFormed()).toBe(true);
  });

  test("code fences in the file do not close the fence of the preview", async () => {
    const result = await (await docs("```js\nx\n```\n")).call("edit_article", {
      path,
      edits: [edit("z", "y")],
    });
    expect(result.error).toContain("````\n```js\nx\n```\n\n````");
  });

  test("a miss far from the start shows the nearest lines to the model", async () => {
    const text = `${"filler line\n".repeat(200)}The timeout is 30 seconds.\n`;
    const result = await (await docs(text)).call("edit_article", {
      path,
      edits: [edit("The timeout is 60 seconds.", "x")],
    });
    expect(textOf(result)).toContain("line 201");
    expect(textOf(result)).toContain("The timeout is 30 seconds.");
  });

  test("CRLF, byte order mark, missing final newline and mode stay", async () => {
    const desk = await docs("\uFEFFa\r\nb\r\nc");
    desk.disk.put(path, "\uFEFFa\r\nb\r\nc", 0o755);
    await desk.call("edit_article", { path, edits: [edit("a\nb", "a\nB\nB2")] });
    expect(desk.text(path)).toBe("\uFEFFa\r\nB\r\nB2\r\nc");
    expect(desk.disk.read(path)!.mode & 0o777).toBe(0o755);
  });

  test("a file that is not UTF-8 is refused unchanged", async () => {
    const bytes = Uint8Array.of(0x61, 0xe9, 0x0a);
    const desk = await docs(bytes);
    expect(await desk.call("edit_article", { path, edits: [edit("a", "b")] })).toMatchObject({
      success: false,
      code: "not-text",
      offset: 1,
    });
    expect(desk.disk.read(path)!.bytes).toEqual(bytes);
  });

  test("two concurrent calls lose no edit", async () => {
    const desk = await docs("a\nb\n");
    const results = await Promise.all([
      desk.call("edit_article", { path, edits: [edit("a", "x")] }),
      desk.call("edit_article", { path, edits: [edit("b", "y")] }),
    ]);
    expect(results.map(({ success }) => success)).toEqual([true, true]);
    expect(desk.text(path)).toBe("x\ny\n");
  });

  test("bytes are never encoded twice", async () => {
    const desk = await docs("naïve — “quoted”\nold\n");
    await desk.call("edit_article", { path, edits: [edit("old", "neu — ü")] });
    expect(desk.text(path)).toBe("naïve — “quoted”\nneu — ü\n");
  });
});

describe("front matter", () => {
  const page = "---\njrn: a\nattention:\n  - op: file\n    path: src/a.ts\n---\n# A\n\nbody\n";
  test("managed keys stay, and the front matter stays valid", async () => {
    const desk = await docs(page);
    for (const edits of [
      [edit("jrn: a", "jrn: b")],
      [edit("path: src/a.ts", "path: src/b.ts")],
      [edit("attention:", "attention: [")],
      [edit("---\n# A", "# A")],
    ])
      expect(await desk.call("edit_article", { path, edits })).toMatchObject({ success: false });
    expect(desk.text(path)).toBe(page);
  });

  test("a page without the optional fields stays editable", async () => {
    const desk = await docs(page);
    expect(await desk.call("edit_article", { path, edits: [edit("body", "text")] })).toMatchObject({
      success: true,
    });
    const plain = await docs("---\ntitle: x\n---\nbody\n");
    expect(await plain.call("edit_article", { path, edits: [edit("title: x", "title: y")] })).toMatchObject({
      success: true,
    });
  });
});

describe("the seeds' examples", () => {
  const example = [
    edit(
      "## Authentication\n\nThe login endpoint accepts username and password.",
      "## Authentication\n\nThe login endpoint accepts username, password, and an optional MFA token.",
      "Code change added MFA token parameter to login function",
    ),
    edit(
      "## Parameters\n\n| Name | Type | Required |\n|------|------|----------|",
      "## Parameters\n\n| Name | Type | Required |\n|------|------|----------|\n| mfaToken | string | No |",
      "Document new optional mfaToken parameter",
    ),
  ];
  const table =
    "## Parameters\n\n| Name | Type | Required |\n|------|------|----------|\n| user | string | Yes |\n";
  const page = `# Login\n\n## Authentication\n\nThe login endpoint accepts username and password.\n\n${table}`;

  test("one batch changes a sentence and inserts a table row", async () => {
    const desk = await docs(page);
    expect(await desk.call("edit_article", { path, edits: example })).toMatchObject({ success: true });
    expect(desk.text(path)).toBe(
      page
        .replace("username and password", "username, password, and an optional MFA token")
        .replace("| user |", "| mfaToken | string | No |\n| user |"),
    );
  });

  test("two equal tables are refused with count 2, and the page stays unchanged", async () => {
    const desk = await docs(`${page}\n${table}`);
    const result = await desk.call("edit_article", { path, edits: example });
    expect(result.error).toContain("Edit 1: Text appears 2 times");
    expect(desk.text(path)).toBe(`${page}\n${table}`);
  });

  test("the example sentence of patch_file is replaced", async () => {
    const { patchSnippet } = await import("./snippet.ts");
    const old =
      "The CLI option --skip-ai maps to the internal noAI option when calling the command implementation.";
    const text =
      "The CLI option --skip-ai maps to the internal `noAI` option when calling the command implementation. Use `--no-skip-ai` to explicitly disable the flag in environments that support implicit negation.";
    const file = { content: `# CLI\n\n${old}\n`, path };
    const reason = "Clarify internal mapping and negation behavior after recent CLI changes";
    expect(patchSnippet(file, { original_text_snippet: old, new_text_snippet: text, reason })).toContain(
      reason,
    );
    expect(file.content).toBe(`# CLI\n\n${text}\n`);
  });
});

test("the docs profile offers reading, edit_article, and write_file for new files", () => {
  expect(
    offer(editingTools)
      .toolsFor("docs")
      .map(({ name }) => name),
  ).toEqual([
    "read_file",
    "list_files",
    "search_files",
    "write_file",
    "edit_article",
    "retry_edit",
    "history",
  ]);
});

test("write_file refuses an existing article unless a rewrite is requested", async () => {
  const desk = await docs("a\n");
  expect(await desk.call("write_file", { path, content: "b" })).toMatchObject({
    success: false,
    code: "exists",
  });
});
