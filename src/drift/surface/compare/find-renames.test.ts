import fc from "fast-check";
import { expect, test } from "vitest";
import { readSurface } from "../read-surface.ts";
import { type Thing, thingId } from "../thing.ts";
import { findRenames } from "./find-renames.ts";
import type { RenamedPair } from "./pair-renamed.ts";

type Files = Readonly<Record<string, string>>;

async function read(files: Files): Promise<Thing[]> {
  return (await Promise.all(Object.entries(files).map(([path, text]) => readSurface(path, text)))).flat();
}

const print = ({ before, after }: RenamedPair): string => `${before.id} → ${after.id}`;

test.each<[string, Files, Files, string[]]>([
  [
    "a removed function",
    { "a.ts": "export function go(x: number) {}\nexport const b = 1;" },
    { "a.ts": "export const b = 1;" },
    [],
  ],
  [
    "a function in another file is moved",
    { "a.ts": "export function go() {}", "b.ts": "" },
    { "a.ts": "", "b.ts": "export function go() {}" },
    [],
  ],
  [
    "a renamed function with its body",
    { "a.ts": "export function fetchUser(id: string) {\n  const user = load(id);\n  return check(user);\n}" },
    {
      "a.ts": "export function loadPerson(id: string) {\n  const user = load(id);\n  return check(user);\n}",
    },
    ["symbol fetchUser → symbol loadPerson"],
  ],
  [
    "members go along with a renamed class",
    { "a.py": "class ClientSession:\n    def get(self, url): ...\n    def close(self): ...\n" },
    { "a.py": "class HttpSession:\n    def get(self, url, timeout): ...\n    def close(self): ...\n" },
    ["symbol ClientSession → symbol HttpSession"],
  ],
  [
    "neighbours without agreement are not renamed",
    {
      "a.ts":
        "export const first = 1;\nexport function parse(text: string): Tree { return read(text); }\nexport const last = 2;",
    },
    { "a.ts": "export const first = 1;\nexport class Wheel {}\nexport const last = 2;" },
    [],
  ],
  [
    "two candidates of the same strength are none",
    { "a.ts": "export interface RunOptions { oldName: string }" },
    { "a.ts": "export interface RunOptions { newName: string; lastName: string }" },
    [],
  ],
  [
    "a renamed flag with its help",
    { "a.py": 'p.add_argument("--colour", help="Use colour in output")' },
    { "a.py": 'p.add_argument("--color", help="Use color in output")' },
    ["flag --colour → flag --color"],
  ],
  [
    "a switch that does the reverse under its new name",
    {
      "a.py": `p.add_argument("--site")\np.add_argument("--reuse-env", action="store_true", help="Reuse the script environment")`,
    },
    {
      "a.py": `p.add_argument("--site")\np.add_argument("--recreate", action="store_true", help="Recreate the script environment")`,
    },
    [],
  ],
  [
    "a script",
    { "package.json": '{"scripts":{"build":"tsc","lint:all":"eslint ."}}' },
    { "package.json": '{"scripts":{"build":"tsc","lint":"eslint ."}}' },
    ["script lint:all → script lint"],
  ],
  [
    "a key that moved to another section",
    {
      "a.ts":
        "export interface AConfig {\n  /** How long to wait for an answer. */\n  waitTime: number;\n  x: 1;\n}\nexport interface BConfig { y: 1 }",
    },
    {
      "a.ts":
        "export interface AConfig { x: 1 }\nexport interface BConfig {\n  y: 1;\n  /** How long to wait for an answer. */\n  waitTime: number;\n}",
    },
    [],
  ],
  [
    "a module of Python under another name",
    { "app/response.py": "class Response: ...\nclass Reply: ...\n" },
    { "app/responses.py": "class Response: ...\nclass Reply: ...\n" },
    ["package app.response → package app.responses"],
  ],
  [
    "a constant does not become a class",
    { "a.py": "NOT_MODIFIED = 304\n" },
    { "a.py": "class NotModified: ...\n" },
    [],
  ],
  [
    "a member of a renamed class is renamed too",
    {
      "a.py":
        "class ClientSession:\n    def get_page(self, url): ...\n    def send(self): ...\n    def close(self): ...\n",
    },
    {
      "a.py":
        "class HttpSession:\n    def get_pages(self, url): ...\n    def send(self): ...\n    def close(self): ...\n",
    },
    [
      "symbol ClientSession → symbol HttpSession",
      "member ClientSession > get_page → member HttpSession > get_pages",
    ],
  ],
])("%s", async (_, before, after, expected) => {
  expect(findRenames(await read(before), await read(after)).map(print)).toEqual(expected);
});

test("a rename carries its agreements and their strength", async () => {
  const before = await read({ "a.ts": "export function fetchUser(id: string): User { return load(id); }" });
  const after = await read({ "a.ts": "export function fetchPerson(id: string): User { return load(id); }" });
  const [rename] = findRenames(before, after);
  expect(rename!.evidence).toEqual(["name", "declaration", "parameters", "type", "file"]);
  expect(rename!.score).toBeGreaterThan(0.5);
  expect(rename!.score).toBeLessThanOrEqual(1);
});

const things = fc
  .array(
    fc.record({
      path: fc.constantFrom("a.ts", "b.ts", "c.ts"),
      name: fc.constantFrom("alpha", "beta", "betaMax", "gamma", "gammaRay", "delta"),
      owner: fc.constantFrom([], ["Alpha"], ["Beta"]),
      parameters: fc.constantFrom(["x"], ["y"], ["x", "y"], []),
      value: fc.constantFrom("1", "2", "3"),
    }),
    { maxLength: 14 },
  )
  .map((rows) =>
    rows.map(
      ({ path, name, owner, parameters, value }, index): Thing => ({
        kind: owner.length > 0 ? "member" : "symbol",
        id: thingId(owner.length > 0 ? "member" : "symbol", owner, name),
        name,
        owner,
        path,
        line: index + 1,
        region: { start: index * 10, end: index * 10 + 5 },
        exported: "yes",
        declaration: `function ${name}(${parameters.join()})`,
        parameters: parameters.map((each) => ({ name: each })),
        value,
      }),
    ),
  );

test("a surface does not differ from itself", () => {
  fc.assert(
    fc.property(things, (all) => {
      expect(findRenames(all, all)).toEqual([]);
    }),
  );
});

test("the order in which files are read does not matter", () => {
  fc.assert(
    fc.property(things, things, (before, after) => {
      const renames = findRenames(before, after);
      expect(findRenames(before.toReversed(), after.toReversed())).toEqual(renames);
    }),
  );
});

test("no thing takes part in two renames", () => {
  fc.assert(
    fc.property(things, things, (before, after) => {
      const renames = findRenames(before, after);
      expect(new Set(renames.map(({ before: old }) => old.id)).size).toBe(renames.length);
      expect(new Set(renames.map(({ after: now }) => now.id)).size).toBe(renames.length);
    }),
  );
});
