import fc from "fast-check";
import { expect, test } from "vitest";
import { readSurface } from "../read-surface.ts";
import { type Thing, thingId } from "../thing.ts";
import { compareSurfaces } from "./compare-surfaces.ts";
import type { Fact } from "./fact.ts";

type Files = Readonly<Record<string, string>>;

async function read(files: Files): Promise<Thing[]> {
  return (await Promise.all(Object.entries(files).map(([path, text]) => readSurface(path, text)))).flat();
}

function print({
  kind,
  id,
  before,
  after,
  parameter,
  newParameter,
  from,
  to,
  instead,
  elsewhere,
  cause,
}: Fact): string {
  return [
    kind,
    id,
    ...(kind === "renamed" || (kind === "moved" && after!.id !== before!.id) ? [`→ ${after!.id}`] : []),
    ...(kind === "moved" && after!.id === before!.id ? [`→ ${after!.path}`] : []),
    ...(parameter ? [parameter] : []),
    ...(newParameter ? [`→ ${newParameter}`] : []),
    ...(from !== undefined || to !== undefined ? [`${from ?? "none"} → ${to ?? "none"}`] : []),
    ...(instead ? [`instead ${instead}`] : []),
    ...(elsewhere ? [`still in ${elsewhere.join()}`] : []),
    ...(cause ? [`because of ${cause}`] : []),
  ].join(" ");
}

test.each<[string, Files, Files, string[]]>([
  [
    "a removed function",
    { "a.ts": "export function go(x: number) {}\nexport const b = 1;" },
    { "a.ts": "export const b = 1;" },
    ["removed symbol go"],
  ],
  [
    "a function that is no longer exported",
    { "a.ts": "export function go() {}\nexport const b = 1;" },
    { "a.ts": "function go() {}\nexport const b = 1;" },
    ["removed symbol go"],
  ],
  [
    "a local name is no fact",
    { "a.ts": "export function go() { const b = 1; return b; }" },
    { "a.ts": "export function go() { const bytes = 1; return bytes; }" },
    [],
  ],
  [
    "a function in another file is moved",
    { "a.ts": "export function go() {}", "b.ts": "" },
    { "a.ts": "", "b.ts": "export function go() {}" },
    ["moved symbol go → b.ts"],
  ],
  [
    "of two copies one is gone",
    { "a.ts": "export function go() {}", "b.ts": "export function go() {}" },
    { "b.ts": "export function go() {}" },
    ["removed symbol go still in b.ts"],
  ],
  [
    "a renamed function with its body",
    { "a.ts": "export function fetchUser(id: string) {\n  const user = load(id);\n  return check(user);\n}" },
    {
      "a.ts": "export function loadPerson(id: string) {\n  const user = load(id);\n  return check(user);\n}",
    },
    ["renamed symbol fetchUser → symbol loadPerson"],
  ],
  [
    "members go along with a renamed class",
    { "a.py": "class ClientSession:\n    def get(self, url): ...\n    def close(self): ...\n" },
    { "a.py": "class HttpSession:\n    def get(self, url, timeout): ...\n    def close(self): ...\n" },
    [
      "renamed symbol ClientSession → symbol HttpSession",
      "parameter-added member ClientSession > get timeout",
    ],
  ],
  [
    "members name the class that was removed with them",
    { "a.py": "class A:\n    def get(self): ...\n" },
    { "a.py": "" },
    ["removed symbol A", "removed member A > get because of symbol A"],
  ],
  [
    "neighbours without agreement are not renamed",
    {
      "a.ts":
        "export const first = 1;\nexport function parse(text: string): Tree { return read(text); }\nexport const last = 2;",
    },
    { "a.ts": "export const first = 1;\nexport class Wheel {}\nexport const last = 2;" },
    ["removed symbol parse", "added symbol Wheel"],
  ],
  [
    "two candidates of the same strength are none",
    { "a.ts": "export interface RunOptions { oldName: string }" },
    { "a.ts": "export interface RunOptions { newName: string; lastName: string }" },
    [
      "removed setting RunOptions > oldName",
      "added setting RunOptions > newName",
      "added setting RunOptions > lastName",
    ],
  ],
  [
    "a renamed flag with its help",
    { "a.py": 'p.add_argument("--colour", help="Use colour in output")' },
    { "a.py": 'p.add_argument("--color", help="Use color in output")' },
    [
      "renamed flag --colour → flag --color",
      "description-changed flag --colour Use colour in output → Use color in output",
    ],
  ],
  [
    "a default of a parameter",
    { "a.py": "def go(retries=3): ..." },
    { "a.py": "def go(retries=5): ..." },
    ["default-changed symbol go retries 3 → 5"],
  ],
  [
    "a default of a setting",
    { "default_settings.py": "DELAY = 0" },
    { "default_settings.py": "DELAY = 1" },
    ["default-changed setting DELAY 0 → 1"],
  ],
  [
    "quotes and layout are no change",
    { "a.ts": "export const defaults = { mode: 'a' };\nexport function f(a: {\n  b: 1;\n}) {}" },
    { "a.ts": 'export const defaults = { mode: "a" };\nexport function f(a: { b: 1 }) {}' },
    [],
  ],
  [
    "parameters renamed, removed, reordered",
    {
      "a.go":
        "package a\nfunc Go(name string, size int) {}\nfunc Run(a int, b string) {}\nfunc Two(a int, b string) {}",
    },
    {
      "a.go":
        "package a\nfunc Go(title string, size int) {}\nfunc Run(b string) {}\nfunc Two(b string, a int) {}",
    },
    [
      "parameter-renamed symbol Go name → title string → string",
      "parameter-removed symbol Run a int → none",
      "parameters-reordered symbol Two",
    ],
  ],
  [
    "a type that changed",
    { "a.ts": "export function go(): string { return x; }" },
    { "a.ts": "export function go(): number { return x; }" },
    ["type-changed symbol go string → number"],
  ],
  [
    "values of an enumeration",
    { "a.ts": 'export type Mode = "fast" | "slow" | "none";' },
    { "a.ts": 'export type Mode = "fast" | "none" | "automatic";' },
    [
      'type-changed symbol Mode "fast" | "slow" | "none" → "fast" | "none" | "automatic"',
      "value-removed enum-value Mode > slow",
      "value-added enum-value Mode > automatic",
    ],
  ],
  [
    "a new mark of deprecation, once, with the replacement",
    { "a.ts": "/** @deprecated old */\nexport function a() {}\nexport function b() {}" },
    {
      "a.ts":
        "/** @deprecated older */\nexport function a() {}\n/** @deprecated Use {@link c} instead. */\nexport function b() {}",
    },
    ["deprecated symbol b none → Use {@link c} instead. instead c"],
  ],
  [
    "a script",
    { "package.json": '{"scripts":{"build":"tsc","lint:all":"eslint ."}}' },
    { "package.json": '{"scripts":{"build":"tsc","lint":"eslint ."}}' },
    ["renamed script lint:all → script lint"],
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
    ["moved setting AConfig > waitTime → setting BConfig > waitTime"],
  ],
  [
    "a variable that another file reads now is no fact",
    { "a.ts": "export const a = process.env.APP_A;" },
    { "a.ts": "export const a = 1;", "b.ts": "process.env.APP_A;" },
    [],
  ],
  [
    "a module of Python under another name",
    { "app/response.py": "class Response: ...\nclass Reply: ...\n" },
    { "app/responses.py": "class Response: ...\nclass Reply: ...\n" },
    [
      "moved symbol Response → app/responses.py",
      "moved symbol Reply → app/responses.py",
      "renamed package app.response → package app.responses",
    ],
  ],
  [
    "a constant does not become a class",
    { "a.py": "NOT_MODIFIED = 304\n" },
    { "a.py": "class NotModified: ...\n" },
    ["removed symbol NOT_MODIFIED", "added symbol NotModified"],
  ],
])("%s", async (_, before, after, expected) => {
  expect(compareSurfaces(await read(before), await read(after)).map(print)).toEqual(expected);
});

test("a rename carries its agreements and their strength", async () => {
  const before = await read({ "a.ts": "export function fetchUser(id: string): User { return load(id); }" });
  const after = await read({ "a.ts": "export function fetchPerson(id: string): User { return load(id); }" });
  const [fact] = compareSurfaces(before, after);
  expect(fact!.evidence).toEqual(["name", "declaration", "parameters", "type", "file"]);
  expect(fact!.score).toBeGreaterThan(0.5);
  expect(fact!.score).toBeLessThanOrEqual(1);
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
      expect(compareSurfaces(all, all)).toEqual([]);
    }),
  );
});

test("the order in which files are read does not matter", () => {
  fc.assert(
    fc.property(things, things, (before, after) => {
      const facts = compareSurfaces(before, after);
      expect(compareSurfaces(before.toReversed(), after.toReversed())).toEqual(facts);
    }),
  );
});

test("no thing takes part in two renames", () => {
  fc.assert(
    fc.property(things, things, (before, after) => {
      const renames = compareSurfaces(before, after).filter(({ kind }) => kind === "renamed");
      expect(new Set(renames.map(({ before: old }) => old!.id)).size).toBe(renames.length);
      expect(new Set(renames.map(({ after: now }) => now!.id)).size).toBe(renames.length);
    }),
  );
});
