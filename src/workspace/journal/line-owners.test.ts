import fc from "fast-check";
import { expect, test } from "vitest";
import { RUNS } from "../../../test/laws/generators.ts";
import { insert, move, openTestBench, quote, rewrite, type TestBench, value } from "../testing.ts";

const me = { author: "me" };
const start = "one\n  two {\nthree\n}\n";

/** The lines of `a.md` after some steps: the number of the entry that wrote each, or "-". */
test.each<[name: string, owners: string, steps: readonly ((bench: TestBench) => unknown)[], path?: string]>([
  ["lines that nobody recorded", "- - - -", []],
  ["a line that was replaced", "- - 1 -", [edit("three", "3")]],
  ["a quotation of which one line changed", "- - 1 -", [edit("one\n  two {\nthree", "one\n  two {\n3")]],
  ["lines that go down", "2 1 - - - -", [add(0, "first\n"), add(0, "zeroth\n")]],
  ["a line between the lines of another", "1 2 1 - - - -", [add(0, "a\nc\n"), add(1, "b\n")]],
  ["a line that equals its neighbour", "- - - 1 -", [add(3, "three\n")]],
  ["a line after one without an ending", "1 2", [whole("a"), edit("a", "a\nb")]],
  ["a file that moves", "- - 1 -", [edit("three", "3"), commit(move("a.md", "b.md"))], "b.md"],
  [
    "a file that another program moves and changes",
    "- - 1 3 - -",
    [
      edit("three", "3\nfour = 4;"),
      edit("3\n", ""),
      outside((text) => text.replace("  two {", "two {"), { to: "b.md" }),
      edit("four = 4;", "four = 4;\nfive = 5;", "b.md"),
      outside((text) => `${text}tail\n`, { from: "b.md", to: "c.md" }),
    ],
    "c.md",
  ],
  [
    "a file that another program copies",
    "- - - -",
    [edit("three", "const three = 3;"), outside((text) => text, { to: "b.md", copy: true })],
    "b.md",
  ],
  ["an undo gives a line back to its author", "- - 1 -", [edit("three", "3"), edit("3", "4"), undo("2")]],
  [
    "an undo beneath a later edit",
    "3 - - 1 -",
    [edit("three", "3"), edit("3", "4"), add(0, "top\n"), undo("2")],
  ],
  ["an undo and a redo", "- - 2 -", [edit("three", "3"), edit("3", "4"), undo("2"), redo()]],
  ["a line of nobody that comes back", "- - - -", [edit("three", "3"), undo("1")]],
  ["a change that nobody recorded", "- - 1 - -", [edit("three", "3"), outside((text) => `${text}tail\n`)]],
  [
    "a formatter that nobody recorded",
    "- - 1 -",
    [edit("three", "return three;"), outside((text) => text.replaceAll(/^ *(?=\S)/gm, "\t"))],
  ],
  [
    "a formatter that wraps a line",
    "- - 1 1 1 -",
    [
      edit("three", "f(alpha, beta);"),
      outside((text) => text.replace("f(alpha, beta);", "f(\n  alpha,\n  beta);")),
    ],
  ],
  [
    "a formatter that wraps lines of two authors and indents all others",
    "- - 1 1 2 2 -",
    [
      edit("three", "f(alpha, beta);\nthree"),
      edit("three", "g(gamma, delta);"),
      outside((text) => text.replaceAll(/^ *(?=\S)/gm, "\t").replaceAll(", ", ",\n\t\t")),
    ],
  ],
  [
    "a line that goes to another place",
    "1 - - -",
    [edit("three", "const three = 3;"), outside(() => "const three = 3;\none\n  two {\n}\n")],
  ],
  [
    "another branch, and back",
    "- - 1 -",
    [
      edit("three", "3"),
      outside(() => "elsewhere\n"),
      edit("elsewhere", "there"),
      outside(() => start.replace("three", "3")),
    ],
  ],
  ["a bracket of another program", "1 1 -", [whole("if (\n)\n"), outside(() => "if (\n)\n)\n")]],
])("%s: %s", async (_, owners, steps, path = "a.md") => {
  const bench = await openTestBench({ "a.md": start });
  for (const step of steps) await step(bench);
  const owned = value(await bench.workspace.lineOwners(path));
  expect(owned.owners.map((entry) => entry?.id ?? "-").join(" ")).toBe(owners);
  const another = await bench.another();
  expect(value(await another.workspace.lineOwners(path))).toEqual(owned);
});

test("an older text of the file has the owners of its time, and a part of it those of the whole", async () => {
  const bench = await openTestBench({ "a.md": start });
  await bench.commit([quote("a.md", "one", "1")]);
  const { text, version } = value(await bench.workspace.read("a.md"));
  await bench.commit([quote("a.md", "three", "3")]);
  const at = async (text: string, version = "") =>
    value(await bench.workspace.lineOwners("a.md", { text, version })).owners.map((each) => each?.id ?? "-");
  expect(await at(text!, version)).toEqual(["1", "-", "-", "-"]);
  expect(await at("1\n3\n")).toEqual(["1", "2"]);
});

test("what made an entry is kept with it, without secrets and within limits", async () => {
  const bench = await openTestBench({ "a.md": start });
  const origin = { client: "claude", session: "s-1", model: "m".repeat(500), tool: "" };
  const entry = value(await bench.commit([quote("a.md", "one", "1")], { origin }));
  expect(entry.origin).toEqual({ client: "claude", session: "s-1", model: "m".repeat(200) });
  const [first] = value(await bench.workspace.lineOwners("a.md")).owners;
  expect(first?.origin?.session).toBe("s-1");
});

test("in random histories no line has a wrong owner, and recorded ones have none unknown", async () => {
  const step = fc.record({
    at: fc.nat(30),
    take: fc.nat(3),
    give: fc.nat(3),
    kind: fc.constantFrom("edit", "outside", "undo"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const bench = await openTestBench({ "a.md": "x0\nx1\nx2\nx3\n" });
      let hasOutside = false;
      for (const [turn, { at, take, give, kind }] of steps.entries()) {
        const lines = bench.text("a.md")!.split("\n").slice(0, -1);
        const entries = await bench.workspace.history();
        const number = Number(entries[0]?.id ?? 0) + 1;
        const fresh = Array.from({ length: give }, (_, i) => `${kind} of ${number} line ${turn}.${i}`);
        lines.splice(at % (lines.length + 1), take, ...fresh);
        const text = lines.map((line) => `${line}\n`).join("");
        if (kind === "edit") await bench.commit([rewrite("a.md", text)]);
        else if (kind === "undo") await bench.workspace.undo({ last: true }, me);
        else {
          bench.disk.put("a.md", text);
          hasOutside = true;
        }
      }
      const owned = value(await bench.workspace.lineOwners("a.md"));
      const lines = owned.text.split("\n").slice(0, -1);
      for (const [i, line] of lines.entries()) {
        const [, writer] = /^edit of (\d+)/.exec(line) ?? [];
        const owner = owned.owners[i]?.id;
        if (owner !== undefined || !hasOutside) expect({ line, owner }).toEqual({ line, owner: writer });
      }
    }),
    { numRuns: RUNS / 50 },
  );
});

function commit(edit: Parameters<TestBench["commit"]>[0][number]) {
  return async (bench: TestBench) => value(await bench.commit([edit]));
}

function edit(old: string, fresh: string, path = "a.md") {
  return commit(quote(path, old, fresh));
}

function add(line: number, text: string) {
  return commit(insert("a.md", line, text));
}

function whole(text: string) {
  return commit(rewrite("a.md", text));
}

function undo(entry: string) {
  return async ({ workspace }: TestBench) => value(await workspace.undo({ entry }, me));
}

function redo() {
  return async ({ workspace }: TestBench) => value(await workspace.redo({ last: true }, me));
}

function outside(change: (text: string) => string, { from = "a.md", to = "a.md", copy = false } = {}) {
  return ({ disk, text }: TestBench): void => {
    disk.put(to, change(text(from)!));
    if (to !== from && !copy) disk.remove(from);
  };
}
