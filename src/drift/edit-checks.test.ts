import { expect, test } from "vitest";
import { openPage } from "./change/change-model.ts";
import { dropBreakingEdits } from "./edit-checks.ts";
import type { Notice } from "./findings.ts";

function edit(text: string, old: string, fresh: string, rule = "signature"): Notice {
  const page = openPage("README.md", text);
  const start = text.indexOf(old);
  const line = text.slice(0, start).split("\n").length - 1;
  return {
    page,
    line,
    endLine: line,
    tier: "likely",
    kind: "exists",
    rule,
    message: { what: "rewritten", old, new: fresh },
    evidence: [],
    splice: { region: { start, end: start + old.length }, text: fresh },
  };
}

/** A function `want(m, x)` got another name and other parameters; the page calls it. */
function renamedCall(after: string, call: string): Notice {
  return {
    ...edit(`Then \`${call}\` is called.\n`, "want", "wanted", "rename"),
    evidence: [
      { path: "a.c", revision: "b", startLine: 1, endLine: 1, before: "int want(struct m *m, int x)", after },
    ],
  };
}

/** The code calls `load` where it called `read`; the page calls `read`. */
function otherCall(after: string, call: string): Notice {
  return {
    ...edit(`\`\`\`js\n${call}\n\`\`\`\n`, "read", "load", "rename"),
    evidence: [
      { path: "a.js", revision: "b", startLine: 1, endLine: 1, before: "const text = read(path);", after },
    ],
  };
}

test.each<[name: string, notice: Notice, isKept: boolean]>([
  ["an edit that keeps brackets even", edit("`run(a, b)`\n", "(a, b)", "(a)"), true],
  ["an edit that loses a bracket", edit("`run(a, b)`\n", "(a, b)", "(a"), false],
  ["an edit that loses a quote", edit('`run("a")`\n', '"a"', '"a'), false],
  [
    "an edit after which a sample does not parse",
    edit("```js\nconst a = run(1);\n```\n", "const a =", "const a = const"),
    false,
  ],
  ["an edit after which a sample parses", edit("```js\nconst a = run(1);\n```\n", "run", "start"), true],
  ["a sample that did not parse before", edit("```js\nconst = run(…\n```\n", "run", "start"), true],
  [
    "the new name of a function that takes fewer arguments",
    renamedCall("int wanted(m)", "want(a->c, b)"),
    false,
  ],
  ["the new name of a function that takes more", renamedCall("int wanted(m, x, y)", "want(a, b)"), false],
  ["more that may be left out", renamedCall("def wanted(m, x, y=1)", "want(a, b)"), true],
  ["a mention without arguments", renamedCall("int wanted(struct m *m)", "want()"), true],
  ["as many arguments", renamedCall("int wanted(p, q)", "want(a, b)"), true],
  [
    "a call that has to be awaited now",
    otherCall("const text = await load(path);", "print(read(path));"),
    false,
  ],
  [
    "a call that the page awaits",
    otherCall("const text = await load(path);", "print(await read(path));"),
    true,
  ],
  ["a call that need not be awaited", otherCall("const text = load(path);", "print(read(path));"), true],
  ["arguments on later lines", renamedCall("int wanted(p,", "want(a, b)"), true],
])("%s", async (_, notice, isKept) => {
  const [checked] = await dropBreakingEdits([notice]);
  expect(checked!.splice !== undefined).toBe(isKept);
});
