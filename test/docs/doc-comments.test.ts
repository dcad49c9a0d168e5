import { expect, test } from "vitest";
import { createRepository } from "../drift/repository.ts";

const kite = (name: string): string =>
  `/**\n * Lets a kite rise.\n *\n * @param line - how much line it gets\n */\nexport function rise(${name}: number): number {\n  return ${name} * 0.8;\n}\n`;

test("a doc comment of a changed file is reported with its edit, although the file is no document", () => {
  const made = createRepository();
  made.commit({ "src/kite.ts": kite("line"), "README.md": "# Kites\n" });
  made.commit({ "src/kite.ts": kite("length") });
  const { findings } = made.suture("check", "--base", "HEAD~1", "--json").json();
  expect(findings).toMatchObject([{ path: "src/kite.ts", kind: "comment", startLine: 4, edits: [{}] }]);
  expect(findings[0].edits[0].new_string).toContain("@param length");
  made.remove();
});

test("with `docs.comments: true`, the doc comments of all sources are asked without a change", () => {
  const made = createRepository();
  made.commit({
    "src/kite.ts": kite("line"),
    "README.md": "# Kites\n",
    "suture.config.json": '{ "docs": { "comments": true } }',
  });
  made.commit({ "src/kite.ts": kite("length") });
  const { findings } = made.suture("check", "--all", "--json").json();
  expect(findings).toMatchObject([{ path: "src/kite.ts", kind: "comment", startLine: 4 }]);
  made.remove();
});
