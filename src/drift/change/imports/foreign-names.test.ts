import { expect, test } from "vitest";
import type { DriftInput } from "../change.ts";
import { analyzeChange } from "../change-model.ts";
import { readForeignNames } from "./foreign-names.ts";

const TREE = [
  "src/harbour/__init__.py",
  "src/harbour/tides.py",
  "packages/tide-table/package.json",
  "internal/store/store.go",
  "examples/chalk/index.ts",
];

function foreignIn(path: string, before: string) {
  const input: DriftInput = {
    base: "base",
    head: "head",
    files: [{ path, before, after: "" }],
    tree: TREE,
    documents: [],
    repository: ["acme/harbour"],
    occurrences: async () => new Map(),
  };
  return readForeignNames(analyzeChange(input));
}

test.each<[string, string, string, string[], string[]]>([
  [
    "imports of JavaScript, own packages left out",
    "src/a.ts",
    `import chalk, { red as colour, type Level } from "chalk";\nimport { sound } from "./sound.ts";\nimport { table } from "@acme/tide-table";\nimport * as path from "node:path";\n`,
    ["chalk", "colour", "Level", "path"],
    ["red", "sound", "table"],
  ],
  [
    "require of JavaScript",
    "src/a.cjs",
    `const { join } = require("lodash");\nconst own = require("./own");\n`,
    ["join"],
    ["own"],
  ],
  [
    "imports of Python, over lines and with comments",
    "src/harbour/tides.py",
    "from werkzeug.urls import (\n    quote,  # for links\n    unquote as plain,\n)\nimport yaml\nfrom harbour.moon import phase\nfrom . import depth\n",
    ["quote", "plain", "yaml"],
    ["unquote", "phase", "depth"],
  ],
  [
    "imports of Go",
    "cmd/main.go",
    'import (\n\t"strings"\n\tlog "go.uber.org/zap"\n\t"github.com/spf13/pflag/v2"\n\t"github.com/acme/harbour/internal/store"\n)\n',
    ["strings", "log", "pflag"],
    ["store", "zap"],
  ],
  [
    "uses of Rust",
    "src/main.rs",
    "use serde::{Deserialize, Serialize as Ser};\nuse crate::tides::Tide;\n",
    ["Deserialize", "Ser"],
    ["Tide"],
  ],
])("%s", (_, path, before, theirs, ours) => {
  const { imports } = foreignIn(path, before);
  expect(theirs.filter((name) => !imports(name))).toEqual([]);
  expect(ours.filter((name) => imports(name))).toEqual([]);
});

test("a member of an imported module is the other project's, a member of our own is not", () => {
  const { owns } = foreignIn("cmd/main.go", 'import (\n\t"strings"\n)\n');
  expect(owns("Replace", ["\tname = strings.Replace(name, a, b, -1)"])).toBe(true);
  expect(owns("Replace", ["\tname = store.Replace(name)"])).toBe(false);
  expect(owns("Replace", ["func Replace(name string) string {"])).toBe(false);
});

test("a name made of the same name of another project is lent by it", () => {
  const { reexports } = foreignIn(
    "src/harbour/tides.py",
    "from moonlib import tides\nfrom harbour import moon\n",
  );
  expect(reexports("Spring", ['Spring = retired("Spring", tides.Spring)'])).toBe(true);
  expect(reexports("Spring", ["Spring = tides.Spring"])).toBe(true);
  expect(reexports("Spring", ["Spring = moon.Spring"])).toBe(false);
  expect(reexports("Spring", ["Spring = tides.Neap"])).toBe(false);
});
