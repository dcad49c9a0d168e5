import { expect, test } from "vitest";
import { findCandidates } from "../find-drift.ts";
import { type Case, toInput } from "../test-case.ts";

/** Lines of the page, counted from 1, on which a notice has a feature. */
async function linesWith(feature: string, one: Case, removed: readonly string[] = []): Promise<number[]> {
  const paths = { removed: removed.map((path) => ({ path, id: null })), added: [] };
  const candidates = await findCandidates({ ...toInput(one), paths });
  const open = candidates.filter(
    ({ features, suppressedBy }) => features[feature] === 1 && suppressedBy === null,
  );
  return [...new Set(open.map(({ notice }) => notice.line + 1))];
}

const LIMITS: Case["files"] = {
  "harbour/limits.py": [
    '"""Limits."""\n\n\nclass Limits:\n    def __init__(self, max_berths=None, max_idle_berths=None):\n        self.most = max_berths\n        self.idle = max_idle_berths\n',
    '"""Limits."""\n\n\nclass Limits:\n    def __init__(self, max_berths=None):\n        self.most = max_berths\n        self.idle = None\n',
  ],
};

test("a removed parameter on the page that names its class", async () => {
  const docs = {
    "docs/limits.md":
      "# Pools\n\nPass `harbour.Limits`:\n\n- `max_idle_berths`, how many stay open.\n- `max_berths`, how many there are.\n",
  };
  expect(await linesWith("parameter gone and marked", { files: LIMITS, docs })).toEqual([5]);
});

test("a removed parameter is not looked for on a page about something else", async () => {
  const docs = { "docs/other.md": "# Tides\n\n- `max_idle_berths`, a column of the report.\n" };
  expect(await linesWith("parameter gone and marked", { files: LIMITS, docs })).toEqual([]);
});

const INDENTS: Case["files"] = {
  "src/syntax.rs": [
    'pub fn load(language: &str) -> String {\n    read_runtime_file(language, "indents.toml")\n}\n',
    'pub fn load(language: &str) -> String {\n    read_runtime_file(language, "indents.scm")\n}\n',
  ],
};
const QUERIES = { "README.md": "Only some languages have it. Look for `indents.toml`.\n" };

test("a file name that no file has any more", async () => {
  const rest = { "runtime/queries/go/indents.scm": "" };
  expect(
    await linesWith("file of that name gone", { files: INDENTS, docs: QUERIES, rest }, [
      "runtime/queries/go/indents.toml",
    ]),
  ).toEqual([1]);
});

test("a file name that some other file still has is no lost file", async () => {
  const rest = { "runtime/queries/c/indents.toml": "" };
  expect(
    await linesWith("file of that name gone", { files: INDENTS, docs: QUERIES, rest }, [
      "runtime/queries/go/indents.toml",
    ]),
  ).toEqual([]);
});

/** A type whose declaration left the project; where it is imported from now. */
const timings = (module: string): Case => ({
  files: {
    "src/types.ts": [
      "export interface Timings {\n  firstByte: number;\n  lastByte: number;\n}\n\nexport type Port = number;\n",
      "export type Port = number;\n",
    ],
    "src/request.ts": [
      'import { Timings } from "./types.ts";\n\nexport const read = (timings: Timings) => timings;\n',
      `import { Timings } from "${module}";\n\nexport const read = (timings: Timings) => timings;\n`,
    ],
  },
  docs: { "README.md": "# Timings\n\n- `firstByte` - when the first byte came.\n" },
});

test("a member of a type that now comes from another package is not lost", async () => {
  expect(await linesWith("surface lost it", timings("dock-timer"))).toEqual([]);
});

test("a member of a type that now comes from another file of the project is lost", async () => {
  expect(await linesWith("surface lost it", timings("./timings.ts"))).toEqual([3]);
});
