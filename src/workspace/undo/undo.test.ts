import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  codeFrom,
  copy,
  create,
  insert,
  move,
  openTestBench,
  quote,
  remove,
  rewrite,
  setMode,
  type TestBench,
  value,
} from "../testing.ts";

const me = { author: "me" };
const lines = (...texts: string[]): string => texts.map((text) => `${text}\n`).join("");

describe("undo", () => {
  test("undo restores the exact bytes and mode, and is an entry of its own", async () => {
    const bench = await openTestBench();
    bench.disk.put("a.md", "\ufeffone\r\ntwo", 0o755);
    const edit = value(await bench.commit([quote("a.md", "two", "2")]));
    const undo = value(await bench.workspace.undo({ last: true }, me));
    expect(bench.text("a.md")).toBe("\ufeffone\r\ntwo");
    expect(bench.disk.read("a.md")?.mode).toBe(0o755);
    expect(undo).toMatchObject({ kind: "undo", undoes: [edit.id] });
    expect((await bench.workspace.history()).map(({ id, undone }) => [id, undone])).toEqual([
      ["2", false],
      ["1", true],
    ]);
  });

  test("creations, deletions, moves, copies and modes are undone too, with the directories they created", async () => {
    const bench = await openTestBench({ "a.md": "a", "b.md": "b", "c.md": "c", "run.sh": "#!" });
    const before = bench.disk.tree().filter((path) => !path.startsWith(".suture"));
    value(
      await bench.commit([
        quote("a.md", "a", "A"),
        create("x/y/new.md", "n"),
        remove("b.md"),
        move("c.md", "d/c.md"),
        copy("a.md", "e.md"),
        setMode("run.sh", "executable"),
      ]),
    );
    value(await bench.workspace.undo({ last: true }, me));
    expect(bench.disk.tree().filter((path) => !path.startsWith(".suture"))).toEqual(before);
    expect(["a.md", "b.md", "c.md"].map(bench.text)).toEqual(["a", "b", "c"]);
    expect(bench.disk.read("run.sh")?.mode).toBe(0o644);
    value(await bench.workspace.redo({ last: true }, me));
    expect(bench.paths()).toEqual(["a.md", "d/c.md", "e.md", "run.sh", "x/y/new.md"]);
  });

  test("several levels: undo, undo, redo, redo", async () => {
    const bench = await openTestBench({ "a.md": "0" });
    for (const n of [1, 2, 3]) value(await bench.commit([quote("a.md", `${n - 1}`, `${n}`)]));
    const seen: (string | null)[] = [];
    for (const verb of ["undo", "undo", "redo", "undo", "undo", "redo", "redo", "redo"] as const) {
      value(await bench.workspace[verb]({ last: true }, me));
      seen.push(bench.text("a.md"));
    }
    expect(seen).toEqual(["2", "1", "2", "1", "0", "1", "2", "3"]);
    expect(codeFrom(await bench.workspace.redo({ last: true }, me))).toBe("no-change");
  });

  test("undo, undo, redo and a new edit keep the whole history", async () => {
    const bench = await openTestBench({ "a.md": lines("a", "b", "c") });
    value(await bench.commit([quote("a.md", "a", "A")]));
    value(await bench.commit([quote("a.md", "b", "B")]));
    value(await bench.workspace.undo({ last: true }, me));
    value(await bench.workspace.undo({ last: true }, me));
    value(await bench.workspace.redo({ last: true }, me));
    value(await bench.commit([quote("a.md", "c", "C")]));
    expect(bench.text("a.md")).toBe(lines("A", "b", "C"));
    value(await bench.workspace.redo({ entry: "2" }, me));
    expect(bench.text("a.md")).toBe(lines("A", "B", "C"));
  });

  test("undoing the third of seven entries keeps the later ones", async () => {
    const bench = await openTestBench({ "a.md": lines("1", "2", "3", "4", "5", "6", "7") });
    for (const n of [1, 2, 3, 4, 5, 6, 7])
      value(await bench.commit([quote("a.md", `${n}\n`, `${n} changed\nand more\n`)]));
    value(await bench.workspace.undo({ entry: "3" }, me));
    const expected = [1, 2, 3, 4, 5, 6, 7].flatMap((n) => (n === 3 ? ["3"] : [`${n} changed`, "and more"]));
    expect(bench.text("a.md")).toBe(lines(...expected));
  });

  test("undo keeps outside changes elsewhere, and refuses outside changes to the same lines with both versions", async () => {
    const bench = await openTestBench({ "a.md": lines("one", "two", "three") });
    value(await bench.commit([quote("a.md", "two", "2")]));
    bench.disk.put("a.md", lines("zero", "one", "2", "three"));
    value(await bench.workspace.undo({ last: true }, me));
    expect(bench.text("a.md")).toBe(lines("zero", "one", "two", "three"));
    value(await bench.workspace.redo({ last: true }, me));
    bench.disk.put("a.md", lines("zero", "one", "2, better", "three"));
    const refused = await bench.workspace.undo({ last: true }, me);
    expect(refused).toMatchObject({
      ok: false,
      refusal: {
        code: "conflict",
        path: "a.md",
        versions: { theirs: lines("zero", "one", "2, better", "three") },
      },
    });
    expect(bench.text("a.md")).toBe(lines("zero", "one", "2, better", "three"));
  });

  test("undo does not delete a created file that was extended by hand", async () => {
    const bench = await openTestBench();
    value(await bench.commit([create("a.md", "ours\n")]));
    bench.disk.put("a.md", "ours\nand mine\n");
    expect(codeFrom(await bench.workspace.undo({ last: true }, me))).toBe("conflict");
    expect(bench.text("a.md")).toBe("ours\nand mine\n");
  });

  test("undo does not restore a deleted file over a new one", async () => {
    const bench = await openTestBench({ "a.md": "old" });
    value(await bench.commit([remove("a.md")]));
    bench.disk.put("a.md", "new");
    const refused = await bench.workspace.undo({ last: true }, me);
    expect(refused).toMatchObject({
      ok: false,
      refusal: { code: "conflict", versions: { ours: "old", theirs: "new" } },
    });
    expect(bench.text("a.md")).toBe("new");
    expect(value(await bench.workspace.readImage("1", "a.md", "before"))).toEqual(
      new TextEncoder().encode("old"),
    );
  });

  test("undoing an entry without changes, or an undone entry, changes nothing", async () => {
    const bench = await openTestBench({ "a.md": "one" });
    value(await bench.commit([quote("a.md", "one", "two")]));
    bench.disk.put("a.md", "one");
    const before = bench.disk.tree();
    expect(codeFrom(await bench.workspace.undo({ last: true }, me))).toBe("no-change");
    expect(bench.disk.tree().filter((path) => !path.includes("lock/"))).toEqual(
      before.filter((path) => !path.includes("lock/")),
    );
    value(await bench.commit([quote("a.md", "one", "three")]));
    value(await bench.workspace.undo({ entry: "2" }, me));
    expect(codeFrom(await bench.workspace.undo({ entry: "2" }, me))).toBe("no-change");
    expect(codeFrom(await bench.workspace.undo({ entry: "77" }, me))).toBe("not-found");
  });

  test("a whole run is undone at once, all or nothing, and redone", async () => {
    const bench = await openTestBench({ "a.md": lines("a", "b"), "b.md": "b" });
    value(await bench.commit([quote("a.md", "a", "A")], { run: "r" }));
    value(await bench.commit([quote("a.md", "b", "other")], { run: "other" }));
    value(await bench.commit([quote("b.md", "b", "B"), create("c.md", "c")], { run: "r" }));
    value(await bench.commit([quote("a.md", "A", "AA")], { run: "r" }));
    const undone = value(await bench.workspace.undo({ run: "r" }, me));
    expect(undone.undoes).toEqual(["4", "3", "1"]);
    expect([bench.text("a.md"), bench.text("b.md"), bench.text("c.md")]).toEqual([
      lines("a", "other"),
      "b",
      null,
    ]);
    value(await bench.workspace.redo({ run: "r" }, me));
    expect([bench.text("a.md"), bench.text("b.md"), bench.text("c.md")]).toEqual([
      lines("AA", "other"),
      "B",
      "c",
    ]);
    bench.disk.put("c.md", "mine");
    expect(codeFrom(await bench.workspace.undo({ run: "r" }, me))).toBe("conflict");
    expect(bench.text("b.md")).toBe("B");
  });

  test("a mode that was changed since is kept", async () => {
    const bench = await openTestBench({ "a.sh": "x" });
    value(await bench.commit([setMode("a.sh", "executable")]));
    bench.disk.put("a.sh", "x", 0o600);
    expect(codeFrom(await bench.workspace.undo({ last: true }, me))).toBe("conflict");
    expect(bench.disk.read("a.sh")?.mode).toBe(0o600);
    const other = await openTestBench({ "a.md": "x" });
    value(await other.commit([quote("a.md", "x", "y")]));
    other.disk.put("a.md", "y", 0o640);
    value(await other.workspace.undo({ last: true }, me));
    expect(other.disk.read("a.md")?.mode).toBe(0o640);
  });

  test("a saved copy that another program changed is rebuilt from the file and the journal", async () => {
    const bench = await openTestBench({ "a.md": "a", "b.md": "b" });
    const first = value(await bench.commit([quote("a.md", "a", "A")]));
    value(await bench.commit([quote("b.md", "b", "B")]));
    bench.disk.overwrite(`.suture/backups/blobs/${first.files[0]!.before!.version}`, "garbage");
    expect((await bench.workspace.doctor()).map(({ what, subject }) => [what, subject])).toEqual([
      ["image", "1 a.md"],
    ]);
    value(await bench.workspace.undo({ entry: "1" }, me));
    expect([bench.text("a.md"), bench.text("b.md")]).toEqual(["a", "B"]);
    expect((await bench.workspace.doctor({ repair: true })).every(({ repaired }) => repaired)).toBe(true);
    expect(await bench.workspace.doctor()).toEqual([]);
    const kept = bench.disk.tree().filter((path) => path.endsWith(".keep"));
    expect(kept.map((path) => bench.text(path.slice(0, -5)))).toEqual(["garbage"]);
  });

  const late = "late\n";
  test.each<[string, { first?: string; second?: string; spoil: (text: string) => string }]>([
    ["added a line to it", { first: "A\n", second: "B\n", spoil: (text) => text + late }],
    ["added to it, and the file has not changed since", { first: "A\n", spoil: (text) => text + late }],
    ["added to it, and the file had not changed before", { second: "B\n", spoil: (text) => text + late }],
    ["added to it twice", { first: "A\n", second: "B\n", spoil: (text) => text + late + late }],
    ["added the same text again", { first: "A\n", second: "B\n", spoil: (text) => text + text }],
    ["added a zero", { first: "A\n", second: "B\n", spoil: (text) => `${text}\0` }],
    ["wrote over its beginning", { second: "B\n", first: "A\n", spoil: (text) => `X${text.slice(1)}` }],
    ["cut it off", { first: "A\n", second: "B\n", spoil: (text) => text.slice(0, 2) }],
    ["emptied it", { first: "A\n", second: "B\n", spoil: () => "" }],
    ["wrote something shorter", { first: "A\n", second: "B\n", spoil: () => late }],
    ["wrote something longer", { first: "A\n", second: "B\n", spoil: (text) => late.repeat(9) + text }],
    ["moved everything", { first: "A\n", second: "B\n", spoil: (text) => late + text }],
  ])(
    "a saved copy comes back after a program that kept the file open %s",
    async (_, { first, second, spoil }) => {
      const bench = await openTestBench({ "a.md": "0\n" });
      value(await bench.commit([quote("a.md", "0", "1")]));
      const grow = (text = ""): void => bench.disk.overwrite("a.md", `${bench.text("a.md")}${text}`);
      grow(first);
      const before = bench.text("a.md")!;
      const edit = value(await bench.commit([quote("a.md", "1", "2")]));
      grow(second);
      value(await bench.commit([quote("a.md", "2", "3")]));
      bench.disk.overwrite(`.suture/backups/blobs/${edit.files[0]!.before!.version}`, spoil(before));
      const [problem] = await bench.workspace.doctor();
      expect(problem).toMatchObject({ what: "image", subject: "2 a.md", rebuildable: true });
      value(await bench.workspace.restore("a.md", "2", me));
      expect(bench.text("a.md")).toBe(before);
      value(await bench.workspace.undo({ last: true }, me));
      expect((await bench.workspace.doctor({ repair: true })).every(({ repaired }) => repaired)).toBe(true);
      expect(await bench.workspace.doctor()).toEqual([]);
      const kept = bench.disk.tree().filter((path) => path.endsWith(".keep"));
      expect(kept.map((path) => bench.text(path.slice(0, -5)))).toEqual([spoil(before)]);
      value(await bench.workspace.restore("a.md", "2", me));
      expect(bench.text("a.md")).toBe(before);
    },
  );

  test("the doctor shows what another program wrote after the copy was made", async () => {
    const bench = await openTestBench({ "a.md": "0\n" });
    const { files } = value(await bench.commit([quote("a.md", "0", "1")]));
    bench.disk.overwrite(`.suture/backups/blobs/${files[0]!.before!.version}`, "0\nlate\n");
    expect((await bench.workspace.doctor())[0]?.detail).toContain('another program wrote "late\\n"');
  });

  test("a saved copy that cannot be rebuilt blocks only its own undo", async () => {
    const bench = await openTestBench({ "a.md": "a", "b.md": "b" });
    const first = value(await bench.commit([remove("a.md")]));
    value(await bench.commit([quote("b.md", "b", "B")]));
    bench.disk.overwrite(`.suture/backups/blobs/${first.files[0]!.before!.version}`, "garbage");
    expect(codeFrom(await bench.workspace.undo({ entry: "1" }, me))).toBe("unavailable");
    value(await bench.workspace.undo({ entry: "2" }, me));
    expect([bench.text("a.md"), bench.text("b.md")]).toEqual([null, "b"]);
    expect((await bench.workspace.doctor()).map(({ what, subject }) => [what, subject])).toEqual([
      ["image", "1 a.md"],
    ]);
  });

  test("a preview shows what an undo would change", async () => {
    const bench = await openTestBench({ "a.md": lines("one", "two") });
    value(await bench.commit([quote("a.md", "two", "2"), create("b.md", "b")]));
    const plan = value(await bench.workspace.planUndo({ last: true }));
    expect(plan.changes.map(({ path, after }) => [path, after])).toEqual([
      ["b.md", null],
      ["a.md", lines("one", "two")],
    ]);
    expect(bench.text("a.md")).toBe(lines("one", "2"));
  });
});

describe("restore", () => {
  test("a file as it was before or after an entry, as an entry that can be undone", async () => {
    const bench = await openTestBench({ "a.md": "0" });
    for (const n of [1, 2, 3]) value(await bench.commit([quote("a.md", `${n - 1}`, `${n}`)]));
    value(await bench.workspace.restore("a.md", "2", me));
    expect(bench.text("a.md")).toBe("1");
    value(await bench.workspace.restore("a.md", "3", { ...me, side: "after" }));
    expect(bench.text("a.md")).toBe("3");
    value(await bench.workspace.undo({ last: true }, me));
    expect(bench.text("a.md")).toBe("1");
    expect(codeFrom(await bench.workspace.restore("b.md", "2", me))).toBe("not-found");
  });

  test("a restore saves outside changes first", async () => {
    const bench = await openTestBench({ "a.md": "old" });
    value(await bench.commit([quote("a.md", "old", "new")]));
    bench.disk.put("a.md", "something else entirely");
    const plan = value(await bench.workspace.planRestore("a.md", "1"));
    expect(plan.changes[0]).toMatchObject({ before: { text: "something else entirely" }, after: "old" });
    value(await bench.workspace.restore("a.md", "1", me));
    expect(bench.text("a.md")).toBe("old");
    value(await bench.workspace.undo({ last: true }, me));
    expect(bench.text("a.md")).toBe("something else entirely");
  });
});

describe("laws of undo", () => {
  const paths = ["a.md", "b.md", "d/c.md"];
  const step = fc.oneof(
    fc.record({
      do: fc.constant("edit" as const),
      path: fc.constantFrom(...paths),
      line: fc.nat(6),
      text: fc.string({ maxLength: 5 }),
    }),
    fc.record({
      do: fc.constant("insert" as const),
      path: fc.constantFrom(...paths),
      line: fc.nat(6),
      text: fc.string({ maxLength: 5 }),
    }),
    fc.record({ do: fc.constantFrom("remove" as const, "mode" as const), path: fc.constantFrom(...paths) }),
    fc.record({
      do: fc.constant("move" as const),
      path: fc.constantFrom(...paths),
      to: fc.constantFrom(...paths),
    }),
    fc.record({ do: fc.constant("undo" as const), back: fc.nat(4) }),
    fc.record({ do: fc.constant("redo" as const), back: fc.nat(4) }),
    fc.record({
      do: fc.constant("outside" as const),
      path: fc.constantFrom(...paths),
      line: fc.nat(6),
      text: fc.string({ maxLength: 5 }),
    }),
  );

  test("in any history a refusal changes nothing, and undo with redo restores the exact bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const bench = await openTestBench(
          Object.fromEntries(paths.map((path) => [path, lines("1", "2", "3", "4", "5")])),
        );
        for (const each of steps) await take(bench, each);
        await undoAndRedo(bench);
        expect(await bench.workspace.doctor()).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  /** One step, with what must be true of every step. */
  async function take(
    bench: TestBench,
    each: typeof step extends fc.Arbitrary<infer T> ? T : never,
  ): Promise<void> {
    const before = everything(bench);
    if (each.do === "outside") {
      const text = bench.text(each.path);
      if (text !== null) bench.disk.put(each.path, spliceLine(text, each.line, each.text), 0o644);
      return;
    }
    const outcome =
      each.do === "undo" || each.do === "redo"
        ? await bench.workspace[each.do](
            { entry: String((await bench.workspace.history()).length - each.back) },
            me,
          )
        : await bench.commit([editOf(bench, each)]);
    if (!outcome.ok) expect(everything(bench)).toEqual(before);
    else if (each.do === "undo" || each.do === "redo") {
      // An undo of an undo, and of that: always back to the same bytes.
      value(await bench.workspace.undo({ entry: outcome.value.id }, me));
      expect(everything(bench)).toEqual(before);
    }
  }

  async function undoAndRedo(bench: TestBench): Promise<void> {
    const seen = [everything(bench)];
    for (
      let outcome = await bench.workspace.undo({ last: true }, me);
      outcome.ok;
      outcome = await bench.workspace.undo({ last: true }, me)
    )
      seen.push(everything(bench));
    while (seen.length > 0) {
      expect(everything(bench)).toEqual(seen.pop());
      if (seen.length > 0) value(await bench.workspace.redo({ last: true }, me));
    }
  }

  function everything(bench: TestBench): unknown {
    return bench.paths().map((path) => [path, bench.text(path), bench.disk.read(path)!.mode]);
  }

  function editOf(
    bench: TestBench,
    each: { do: string; path: string; line?: number; text?: string; to?: string },
  ) {
    const text = bench.text(each.path) ?? "";
    if (each.do === "remove") return remove(each.path);
    if (each.do === "mode")
      return setMode(
        each.path,
        ((bench.disk.read(each.path)?.mode ?? 0) & 0o100) === 0 ? "executable" : "regular",
      );
    if (each.do === "move") return move(each.path, each.to!);
    if (each.do === "insert")
      return insert(each.path, Math.min(each.line!, text.split("\n").length - 1), each.text!);
    return rewrite(each.path, spliceLine(text, each.line!, each.text!));
  }

  function spliceLine(text: string, line: number, replacement: string): string {
    const all = text.split("\n");
    all[line % all.length] = replacement;
    return all.join("\n");
  }
});

test("the newest entry of one author and task can be undone and redone after the commits of others", async () => {
  const bench = await openTestBench({ "a.md": "1\n", "b.md": "1\n" });
  const [ann, bob] = [
    { author: "ann", task: "t1" },
    { author: "bob", task: "t2" },
  ];
  value(await bench.commit([quote("a.md", "1", "2")], ann));
  value(await bench.commit([quote("b.md", "1", "2")], bob));
  expect(value(await bench.workspace.undo({ last: true, ...ann }, ann)).undoes).toEqual(["1"]);
  expect([bench.text("a.md"), bench.text("b.md")]).toEqual(["1\n", "2\n"]);
  expect(codeFrom(await bench.workspace.undo({ last: true, ...ann }, ann))).toBe("no-change");
  value(await bench.workspace.undo({ last: true, ...bob }, bob));
  expect(value(await bench.workspace.redo({ last: true, ...ann }, ann)).undoes).toEqual(["3"]);
  expect([bench.text("a.md"), bench.text("b.md")]).toEqual(["2\n", "1\n"]);
});
