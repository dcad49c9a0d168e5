import { describe, expect, test } from "vitest";
import { planEdits } from "../text/model/plan.ts";
import { versionOf } from "./files/content.ts";
import { faultFiles } from "./files/faulty-files.ts";
import type { Files } from "./files/files.ts";
import { createMemoryDisk } from "./files/memory-files.ts";
import {
  codeFrom,
  commitEdits,
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
} from "./testing.ts";
import { openReader, openWorkspace } from "./workspace.ts";

describe("reading", () => {
  test("reading returns bytes, mode, encoding and version; a missing file has no text", async () => {
    const { workspace } = await openTestBench({ "docs/a.md": "\ufeffone\r\n" });
    expect(value(await workspace.read("./docs//a.md"))).toMatchObject({
      path: "docs/a.md",
      text: "\ufeffone\r\n",
      mode: 0o644,
      encoding: "utf-8",
    });
    expect(value(await workspace.read("none.md"))).toMatchObject({
      text: null,
      version: "absent",
      bytes: null,
    });
  });

  test("a file that is not text is refused unless stray bytes are allowed", async () => {
    const { workspace } = await openTestBench({ "a.md": Uint8Array.of(0x61, 0xe9, 0x62) });
    expect(codeFrom(await workspace.read("a.md"))).toBe("not-text");
    expect(value(await workspace.read("a.md", { strayBytes: "keep" })).text).toBe("a\udce9b");
  });

  test("links, devices and directories are refused", async () => {
    const bench = await openTestBench({ "a.md": "x" });
    bench.disk.putLink("inside.md", "a.md");
    bench.disk.putLink("outside.md", "/etc/passwd");
    bench.disk.putLink("dangling.md", "nowhere.md");
    bench.disk.putSpecial("pipe");
    bench.disk.putDir("docs");
    const codes = await Promise.all(
      ["inside.md", "outside.md", "dangling.md", "pipe", "docs"].map(async (path) =>
        codeFrom(await bench.workspace.read(path)),
      ),
    );
    expect(codes).toEqual(["outside", "outside", "outside", "not-allowed", "not-allowed"]);
    for (const path of ["inside.md", "outside.md", "dangling.md", "pipe", "docs"])
      expect(
        codeFrom(
          await bench.workspace.commit(
            value(planEdits([create(path, "x")], [{ path, text: null, version: "absent" }])),
            { author: "me" },
          ),
        ),
      ).not.toBe("ok");
    expect(bench.text("a.md")).toBe("x");
    expect(bench.disk.read("nowhere.md")).toBeNull();
  });

  test("a link inside the root is followed if the policy allows it, and stays a link", async () => {
    const bench = await openTestBench({ "docs/real.md": "one" }, { links: "inside" });
    bench.disk.putLink("a.md", "docs/real.md");
    expect(value(await bench.workspace.read("a.md"))).toMatchObject({ path: "docs/real.md", text: "one" });
    const done = value(await bench.commit([quote("a.md", "one", "two")]));
    expect(done.files.map(({ path }) => path)).toEqual(["docs/real.md"]);
    expect(bench.text("docs/real.md")).toBe("two");
    expect((await bench.files.stat(await bench.files.openRoot("/"), "a.md"))?.kind).toBe("link");
  });

  test("the size is checked before anything is read", async () => {
    const { workspace } = await openTestBench({ "a.md": "12345" }, { sizeLimit: 4 });
    expect(await workspace.read("a.md")).toMatchObject({
      ok: false,
      refusal: { code: "too-large", size: 5, limit: 4 },
    });
  });

  test("a reader creates nothing, takes no lock and cannot write", async () => {
    const bench = await openTestBench({ "a.md": "x" });
    const { files, trace } = faultFiles(bench.disk.process());
    const reader = value(await openReader("/", { files }));
    await reader.read("a.md");
    await reader.list();
    expect(await reader.history()).toEqual([]);
    expect(trace).toEqual([]);
    expect("commit" in reader).toBe(false);
    expect(bench.disk.tree()).toEqual(["a.md"]);
  });

  test("a reader opened before the first commit sees it", async () => {
    const bench = await openTestBench({ "a.md": "x" });
    const reader = value(await openReader("/", { files: bench.disk.process() }));
    value(await bench.commit([quote("a.md", "x", "y")]));
    expect((await reader.history()).map(({ id }) => id)).toEqual(["1"]);
  });
});

describe("committing", () => {
  test("the new text is written; mode, byte order mark, line endings and a missing final newline stay", async () => {
    const bench = await openTestBench();
    bench.disk.put("a.md", "\ufeffone\r\ntwo\nthree", 0o755);
    value(await bench.commit([quote("a.md", "two", "2")]));
    expect(bench.text("a.md")).toBe("\ufeffone\r\n2\nthree");
    expect(bench.disk.read("a.md")?.mode).toBe(0o755);
  });

  test("a stray byte far from the edit stays", async () => {
    const bench = await openTestBench({ "a.md": Uint8Array.of(0x61, 0x0a, 0xe9, 0x0a) });
    const snapshot = value(await bench.workspace.read("a.md", { strayBytes: "keep" }));
    const plan = value(planEdits([quote("a.md", "a", "b")], [snapshot]));
    value(await bench.workspace.commit(plan, { author: "me" }));
    expect(bench.disk.read("a.md")?.bytes).toEqual(Uint8Array.of(0x62, 0x0a, 0xe9, 0x0a));
  });

  test("edits, creations, deletions, moves, copies and modes are one entry", async () => {
    const bench = await openTestBench({ "a.md": "a", "b.md": "b", "c.md": "c", "run.sh": "#!" });
    const done = value(
      await bench.commit([
        quote("a.md", "a", "A"),
        create("new/x.md", "x"),
        remove("b.md"),
        move("c.md", "d.md"),
        copy("a.md", "e.md"),
        setMode("run.sh", "executable"),
      ]),
    );
    expect(bench.paths()).toEqual(["a.md", "d.md", "e.md", "new/x.md", "run.sh"]);
    expect(["a.md", "d.md", "e.md", "new/x.md"].map(bench.text)).toEqual(["A", "c", "A", "x"]);
    expect(bench.disk.read("run.sh")?.mode).toBe(0o755);
    expect((await bench.workspace.history()).map(({ id }) => id)).toEqual([done.id]);
  });

  test("a moved file keeps its bytes and mode", async () => {
    const bench = await openTestBench();
    bench.disk.put("a.sh", "x\r\n", 0o755);
    value(await bench.commit([move("a.sh", "bin/b.sh")]));
    expect(bench.disk.read("bin/b.sh")).toMatchObject({
      mode: 0o755,
      bytes: new TextEncoder().encode("x\r\n"),
    });
  });

  test("if one file cannot be written, no file is written", async () => {
    const bench = await openTestBench({ "a.md": "a", "b.md": "b" });
    bench.disk.putName("b.md", "also-b.md");
    expect(codeFrom(await bench.commit([quote("a.md", "a", "A"), quote("b.md", "b", "B")]))).toBe(
      "not-allowed",
    );
    expect(["a.md", "b.md"].map(bench.text)).toEqual(["a", "b"]);
    expect(bench.disk.tree().filter((path) => /stage\/.|pending/.test(path))).toEqual([]);
  });

  test("a file saved by another program since the read is refused, and its bytes stay", async () => {
    const bench = await openTestBench({ "a.md": "one\ntwo\n" });
    const plan = value(planEdits([quote("a.md", "two", "2")], [value(await bench.workspace.read("a.md"))]));
    bench.disk.put("a.md", "one, edited\ntwo\n");
    expect(codeFrom(await bench.workspace.commit(plan, { author: "me" }))).toBe("stale");
    expect(codeFrom(await bench.workspace.commit(plan, { author: "me", force: true }))).toBe("stale");
    expect(bench.text("a.md")).toBe("one, edited\ntwo\n");
  });

  test("saving the same content again, as touch and checkout do, is no change", async () => {
    const bench = await openTestBench({ "a.md": "one\ntwo\n" });
    const plan = value(planEdits([quote("a.md", "two", "2")], [value(await bench.workspace.read("a.md"))]));
    bench.disk.put("a.md", "one\ntwo\n", 0o600);
    value(await bench.workspace.commit(plan, { author: "me" }));
    expect(bench.text("a.md")).toBe("one\n2\n");
    expect(bench.disk.read("a.md")?.mode).toBe(0o600);
  });

  const moments: [string, RegExp, "overwrite" | "put"][] = [
    ["in place, before staging", /^create \.suture\/stage/, "overwrite"],
    ["in place, before the commit record", /^flushDir \.suture\/backups\/blobs/, "overwrite"],
    ["by renaming, before staging", /^create \.suture\/stage/, "put"],
    ["by renaming, before the old file is saved", /^link a\.md/, "put"],
    ["by renaming, before the commit record", /^flushDir \.suture\/backups\/blobs/, "put"],
  ];
  test.each(moments)("%s: conflict, and their bytes stay", async (_name, moment, how) => {
    const bench = await openTestBench({ "a.md": "mine", "b.md": "b" });
    value(await bench.commit([create("first.md", "")]));
    const other = await bench.another({
      files: meanwhile(bench, moment, () => bench.disk[how]("a.md", "theirs")),
    });
    expect(codeFrom(await other.commit([quote("a.md", "mine", "ours"), quote("b.md", "b", "B")]))).toBe(
      "conflict",
    );
    expect(["a.md", "b.md"].map(bench.text)).toEqual(["theirs", "b"]);
    expect(await bench.workspace.doctor()).toEqual([]);
    value(await bench.commit([quote("a.md", "theirs", "ours"), quote("b.md", "b", "B")]));
    expect(["a.md", "b.md"].map(bench.text)).toEqual(["ours", "B"]);
  });

  const windows: [string, RegExp, string][] = [
    ["in place, between the last check and the replacement", /^rename .*new a\.md$/, "a.md"],
    [
      "into the old file, after the replacement",
      /^flushDir $/,
      `.suture/backups/blobs/${versionOf(new TextEncoder().encode("mine"))}`,
    ],
  ];
  test.each(windows)(
    "%s: the bytes are kept and reported, and the saved copy is written anew",
    async (_name, moment, path) => {
      const bench = await openTestBench({ "a.md": "mine" });
      value(await bench.commit([create("first.md", "")]));
      const other = await bench.another({
        files: meanwhile(bench, moment, () => bench.disk.overwrite(path, "late")),
      });
      const done = value(await other.commit([quote("a.md", "mine", "ours")]));
      expect(bench.text("a.md")).toBe("ours");
      const notice = done.notices.find((each) => each.notice === "outside-change");
      expect(notice && "kept" in notice && bench.text(notice.kept)).toBe("late");
      expect(await bench.workspace.doctor()).toEqual([]);
      value(await bench.workspace.undo({ last: true }, { author: "me" }));
      expect(bench.text("a.md")).toBe("mine");
    },
  );

  test("of two files with the same bytes, a conflict about one keeps its old bytes", async () => {
    const bench = await openTestBench({ "a.md": "page", "b.md": "page" });
    value(await bench.commit([create("first.md", "")]));
    const files = meanwhile(bench, /^rename .*new a\.md$/, () => bench.disk.put("b.md", "theirs"));
    const other = await bench.another({ files });
    const edits = [quote("a.md", "page", "leaf"), quote("b.md", "page", "leaf")];
    expect(codeFrom(await other.commit(edits))).toBe("conflict");
    expect(["a.md", "b.md"].map(bench.text)).toEqual(["page", "theirs"]);
    const backup = ".suture/backups/2/b.md.bak";
    expect(bench.text(backup)).toBe("page");
    bench.disk.overwrite("a.md", "written in place");
    expect(bench.text(backup)).toBe("page");
  });

  test("a stopped process does not say yes to a transaction that was taken back meanwhile", async () => {
    const bench = await openTestBench({ "a.md": "mine", "b.md": "b" });
    value(await bench.commit([create("first.md", "")]));
    const inner = bench.disk.process();
    const files: Files = {
      ...inner,
      flushDir: async (dir) => {
        if (bench.text("b.md") === "B" && bench.text("a.md") === "ours") {
          bench.disk.put("b.md", "theirs");
          await bench.workspace.doctor({ breakLock: true, repair: true });
        }
        return inner.flushDir(dir);
      },
    };
    const other = await bench.another({ files });
    const answer = await other.commit([quote("a.md", "mine", "ours"), quote("b.md", "b", "B")]);
    expect(["a.md", "b.md"].map(bench.text)).toEqual(["mine", "theirs"]);
    expect(codeFrom(answer)).toBe("locked");
  });

  test("a file that another program brings to its new state meanwhile keeps its mode", async () => {
    const bench = await openTestBench({ "a.md": "page" });
    value(await bench.commit([create("first.md", "")]));
    const files = meanwhile(bench, /^link .*a\.md\.bak$/, () => bench.disk.overwrite("a.md", "leaf"));
    const other = await bench.another({ files });
    value(await other.commit([quote("a.md", "page", "leaf")]));
    expect(bench.disk.read("a.md")).toMatchObject({ mode: 0o644, links: 1 });
    value(await other.workspace.undo({ last: true }, { author: "me" }));
    expect(bench.text("a.md")).toBe("page");
  });

  test.each([{ replace: "move-aside" }, { strict: true }] as const)(
    "with %o a rename at the last moment is detected",
    async (option) => {
      const bench = await openTestBench({ "a.md": "mine" });
      value(await bench.commit([create("first.md", "")]));
      const files = meanwhile(bench, /^rename a\.md/, () => bench.disk.put("a.md", "theirs"));
      const other = await bench.another({ files, ...option });
      expect(codeFrom(await other.commit([quote("a.md", "mine", "ours")]))).toBe("conflict");
      expect(bench.text("a.md")).toBe("theirs");
    },
  );

  test("if a directory is renamed away during the commit, nothing is written elsewhere", async () => {
    const bench = await openTestBench({ "docs/a.md": "mine" });
    value(await bench.commit([create("first.md", "")]));
    const files = meanwhile(bench, /^flushDir \.suture\/backups\/blobs/, () => {
      bench.disk.remove("docs");
      bench.disk.put("docs/a.md", "theirs");
    });
    const other = await bench.another({ files });
    expect(codeFrom(await other.commit([quote("docs/a.md", "mine", "ours")]))).toBe("conflict");
    expect(bench.text("docs/a.md")).toBe("theirs");
  });

  test("if another program rewrites the file after the commit, the next edit on the old version is refused", async () => {
    const bench = await openTestBench({ "a.md": "one\n" });
    value(await bench.commit([quote("a.md", "one", "two")]));
    const stale = value(await bench.workspace.read("a.md"));
    bench.disk.put("a.md", "two;\n");
    const plan = value(planEdits([quote("a.md", "two", "three")], [stale]));
    expect(codeFrom(await bench.workspace.commit(plan, { author: "me" }))).toBe("stale");
  });

  test("of two edits from one reading, both are applied or the second is refused", async () => {
    const bench = await openTestBench({ "a.md": "one\ntwo\nthree\n" });
    const snapshot = value(await bench.workspace.read("a.md"));
    const plans = [
      quote("a.md", "one", "1"),
      quote("a.md", "three", "3"),
      quote("a.md", "one\ntwo", "x"),
    ].map((edit) => value(planEdits([edit], [snapshot])));
    const done = await Promise.all(plans.map((plan) => bench.workspace.commit(plan, { author: "me" })));
    expect(done.map(codeFrom)).toEqual(["ok", "ok", "conflict"]);
    expect(bench.text("a.md")).toBe("1\ntwo\n3\n");
    expect(value(done[1]!).notices).toContainEqual({ notice: "rebased", path: "a.md", over: ["1"] });
  });

  test("the same idempotency key gives one entry and the same answer, also in another process", async () => {
    const bench = await openTestBench({ "a.md": "one\n" });
    const snapshot = value(await bench.workspace.read("a.md"));
    const plan = value(planEdits([quote("a.md", "one", "one one")], [snapshot]));
    const first = value(await bench.workspace.commit(plan, { author: "me", idempotencyKey: "k" }));
    bench.disk.kill(bench.files);
    const other = await bench.another({ files: bench.disk.process() });
    const again = value(await other.workspace.commit(plan, { author: "me", idempotencyKey: "k" }));
    expect(again.id).toBe(first.id);
    expect(again.notices).toEqual([{ notice: "replayed" }]);
    expect(bench.text("a.md")).toBe("one one\n");
  });

  test("a cancel before the commit point changes nothing", async () => {
    const bench = await openTestBench({ "a.md": "one\n" });
    const plan = value(planEdits([quote("a.md", "one", "two")], [value(await bench.workspace.read("a.md"))]));
    expect(codeFrom(await bench.workspace.commit(plan, { author: "me", signal: AbortSignal.abort() }))).toBe(
      "aborted",
    );
    expect(bench.text("a.md")).toBe("one\n");
    expect(bench.disk.tree().filter((path) => /stage\/.|pending|blobs\/./.test(path))).toEqual([]);
  });

  test("moves onto itself, creations and moves over a file, and deletions of another version are refused", async () => {
    const bench = await openTestBench({ "a.md": "a", "b.md": "b" });
    expect(codeFrom(await bench.commit([move("a.md", "a.md")]))).toBe("no-change");
    expect(codeFrom(await bench.commit([create("a.md", "x")]))).toBe("exists");
    expect(codeFrom(await bench.commit([move("a.md", "b.md")]))).toBe("exists");
    const plan = value(planEdits([remove("a.md")], [value(await bench.workspace.read("a.md"))]));
    bench.disk.put("a.md", "changed");
    expect(codeFrom(await bench.workspace.commit(plan, { author: "me" }))).toBe("stale");
    expect(["a.md", "b.md"].map(bench.text)).toEqual(["changed", "b"]);
    const late = value(planEdits([create("n.md", "x")], [value(await bench.workspace.read("n.md"))]));
    bench.disk.put("n.md", "theirs");
    expect(codeFrom(await bench.workspace.commit(late, { author: "me" }))).toBe("exists");
    expect(bench.text("n.md")).toBe("theirs");
  });

  test("two spellings of one file in a plan are refused, and nothing is written", async () => {
    const bench = await openTestBench({ "a.md": "one\ntwo\n" });
    expect(codeFrom(await bench.commit([quote("a.md", "one", "1"), quote("./a.md", "two", "2")]))).toBe(
      "malformed",
    );
    expect(bench.text("a.md")).toBe("one\ntwo\n");
  });

  test("a file with two hard links is refused, or written in place if the policy allows it", async () => {
    const bench = await openTestBench({ "a.md": "one" });
    bench.disk.putName("a.md", "b.md");
    expect(codeFrom(await bench.commit([quote("a.md", "one", "two")]))).toBe("not-allowed");
    const other = await bench.another({ inPlace: true });
    value(await other.commit([quote("a.md", "one", "two")]));
    expect([bench.text("a.md"), bench.text("b.md"), bench.disk.read("a.md")?.links]).toEqual([
      "two",
      "two",
      2,
    ]);
  });

  test("a file with an access control list is written in place, and is neither deleted nor moved", async () => {
    const bench = await openTestBench({ "a.md": "one" });
    bench.disk.putAttributes("a.md", { extended: true, capability: false });
    value(await bench.commit([quote("a.md", "one", "two")]));
    expect(bench.text("a.md")).toBe("two");
    expect(await bench.commit([remove("a.md")])).toMatchObject({ refusal: { barrier: "attributes" } });
    expect(await bench.commit([move("a.md", "b.md")])).toMatchObject({ refusal: { barrier: "attributes" } });
    value(await bench.workspace.undo({ last: true }, { author: "me" }));
    expect(bench.text("a.md")).toBe("one");
    const now = await bench.another();
    expect(await now.commit([remove("a.md")])).toMatchObject({ refusal: { barrier: "attributes" } });
  });

  test("a file that an earlier process wrote is asked about its attributes again only after it changed", async () => {
    const bench = await openTestBench({ "a.md": "one" });
    const asked: string[] = [];
    const next = () => {
      const files = bench.disk.process();
      const attributes: Files["attributes"] = (dir, names) => {
        asked.push(...names);
        return files.attributes(dir, names);
      };
      return bench.another({ files: { ...files, attributes } });
    };
    value(await (await next()).commit([quote("a.md", "one", "two")]));
    expect(asked).toEqual(["a.md"]);
    value(await (await next()).commit([quote("a.md", "two", "three")]));
    expect(asked).toEqual(["a.md"]);
    bench.disk.putAttributes("a.md", { extended: true, capability: false });
    expect(await (await next()).commit([remove("a.md")])).toMatchObject({
      refusal: { barrier: "attributes" },
    });
    expect(asked).toEqual(["a.md", "a.md"]);
  });

  test("a file with capabilities is refused, because a write removes them", async () => {
    const bench = await openTestBench({ "a.sh": "one" });
    bench.disk.putAttributes("a.sh", { extended: true, capability: true });
    expect(await bench.commit([quote("a.sh", "one", "two")])).toMatchObject({
      refusal: { code: "not-allowed", barrier: "capability" },
    });
    expect(bench.text("a.sh")).toBe("one");
  });

  test("special permission bits are refused", async () => {
    const bench = await openTestBench();
    bench.disk.put("a.sh", "x", 0o4755);
    expect(codeFrom(await bench.commit([quote("a.sh", "x", "y")]))).toBe("not-allowed");
  });

  test("on a case-insensitive disk, creating another spelling of an existing file is refused", async () => {
    const bench = await openTestBench({ "readme.md": "x" }, {}, { foldsNames: true });
    value(await bench.commit([create("other.md", "x")]));
    const other = await bench.another();
    expect(value(await other.workspace.read("README.md")).text).toBeNull();
    expect(codeFrom(await other.commit([create("README.md", "y")]))).toBe("exists");
    expect(bench.text("readme.md")).toBe("x");
  });

  test("on a case-insensitive disk a file can change the case of its name, and only the spelling on disk is edited", async () => {
    const bench = await openTestBench({ "readme.md": "x", "other.md": "x" }, {}, { foldsNames: true });
    value(await bench.commit([quote("other.md", "x", "y")]));
    const other = await bench.another();
    value(await other.commit([move("readme.md", "README.md")]));
    expect(bench.paths()).toEqual(["README.md", "other.md"]);
    expect(bench.text("README.md")).toBe("x");
  });

  test("two spellings of one accented name are two files if the disk separates them", async () => {
    const bench = await openTestBench({ "caf\u00e9.md": "one", "cafe\u0301.md": "one" });
    value(await bench.commit([quote("cafe\u0301.md", "one", "two")]));
    expect([bench.text("caf\u00e9.md"), bench.text("cafe\u0301.md")]).toEqual(["one", "two"]);
  });

  test("a name that reorders text can be edited but not created", async () => {
    const bench = await openTestBench({ "a\u202eb.md": "one" });
    value(await bench.commit([quote("a\u202eb.md", "one", "two")]));
    expect(codeFrom(await bench.commit([create("c\u202ed.md", "x")]))).toBe("malformed");
  });

  test("another file system inside the root is written only by policy, and temporary files stay on it", async () => {
    const bench = await openTestBench({ "mnt/a.md": "one" }, {}, { mounts: ["mnt"] });
    expect(codeFrom(await bench.commit([quote("mnt/a.md", "one", "two")]))).toBe("not-allowed");
    const other = await bench.another({ mounts: true });
    value(await other.commit([quote("mnt/a.md", "one", "two"), create("mnt/b.md", "b")]));
    expect([bench.text("mnt/a.md"), bench.text("mnt/b.md")]).toEqual(["two", "b"]);
    value(await other.workspace.undo({ last: true }, { author: "me" }));
    expect(bench.paths()).toEqual(["mnt/a.md"]);
    expect(bench.text("mnt/a.md")).toBe("one");
  });

  test("protected, guarded and non-writable names are refused before reading", async () => {
    const bench = await openTestBench(
      { ".github/ci.yml": "x", "a.md": "x" },
      { policy: { writable: (path) => path !== "a.md" } },
    );
    const planned = (path: string) =>
      value(planEdits([rewrite(path, "y")], [{ path, text: "x", version: "v" }]));
    const codes = await Promise.all(
      [".git/config", ".github/ci.yml", "a.md", "../x"].map(async (path) =>
        codeFrom(await bench.workspace.commit(planned(path), { author: "me" })),
      ),
    );
    expect(codes).toEqual(["protected", "needs-consent", "not-allowed", "outside"]);
  });

  test("without directory flush or hard links, or on a network disk, the write succeeds with a note", async () => {
    const bench = await openTestBench(
      { "a.md": "x" },
      {},
      { flushesDirs: false, links: false, fileSystem: { network: true } },
    );
    const done = value(await bench.commit([quote("a.md", "x", "y")]));
    expect(done.notices).toEqual(
      ["directory-flush", "hard-links", "network"].map((limit) => ({ notice: "durability", limit })),
    );
    expect(bench.text("a.md")).toBe("y");
  });

  test("fast durability flushes nothing, and the entry records it", async () => {
    const bench = await openTestBench({ "a.md": "x" });
    value(await bench.commit([create("first.md", "")]));
    const { files, trace } = faultFiles(bench.disk.process());
    const other = await bench.another({ files, durability: "fast" });
    const done = value(await other.commit([quote("a.md", "x", "y")]));
    expect(trace.filter(({ name }) => name.startsWith("flush"))).toEqual([]);
    expect(done.durability.level).toBe("fast");
  });

  test("a reader that blocks the rename is waited for, and the file is never overwritten in place", async () => {
    const bench = await openTestBench({ "a.md": "x" }, {}, { fileSystem: { readersBlock: true } });
    const inner = bench.disk.process();
    let tries = 0;
    const blocked = (until: number): Files => ({
      ...inner,
      rename: (from, name, to, newName) =>
        newName === "a.md" && ++tries < until
          ? Promise.reject(Object.assign(new Error("EPERM"), { code: "EPERM" }))
          : inner.rename(from, name, to, newName),
    });
    value(await (await bench.another({ files: blocked(4) })).commit([quote("a.md", "x", "y")]));
    expect(bench.text("a.md")).toBe("y");
    tries = 0;
    const never = await bench.another({ files: blocked(1000) });
    expect(codeFrom(await never.commit([quote("a.md", "y", "z")]))).toBe("not-allowed");
    expect(bench.text("a.md")).toBe("y");
  });

  test("at its quota nothing is touched; at half of it there is a warning", async () => {
    const bench = await openTestBench({ "a.md": "x".repeat(2000) }, { quota: 5000 });
    const first = value(await bench.commit([insert("a.md", 0, "y")]));
    expect(first.notices).toContainEqual(expect.objectContaining({ notice: "quota", limit: 5000 }));
    expect(codeFrom(await bench.commit([insert("a.md", 0, "z")]))).toBe("too-large");
    expect(bench.text("a.md")?.startsWith("y")).toBe(true);
  });

  test("in-process callers queue: a hundred at once all land", async () => {
    const bench = await openTestBench({ "a.md": "0\n" });
    const done = await Promise.all(
      Array.from({ length: 100 }, (_, i) => bench.commit([insert("a.md", -1, `${i}`)]).then(codeFrom)),
    );
    const landed = done.filter((code) => code === "ok").length;
    expect(bench.text("a.md")!.trim().split("\n")).toHaveLength(1 + landed);
    expect(new Set(done).size).toBeLessThanOrEqual(2);
  });
});

describe("backups", () => {
  test("before every write the old bytes go to .suture/backups, private to the owner", async () => {
    const bench = await openTestBench({ "docs/a.md": "one" });
    const done = value(await bench.commit([quote("docs/a.md", "one", "two")]));
    expect(done.files[0]?.backup).toBe(".suture/backups/1/docs/a.md.bak");
    expect(bench.text(".suture/backups/1/docs/a.md.bak")).toBe("one");
    const state = bench.disk.tree().filter((path) => path.startsWith(".suture/") && !path.endsWith("/"));
    expect(state.filter((path) => (bench.disk.read(path)!.mode & 0o077) !== 0)).toEqual([]);
  });

  test("a call that writes nothing makes no backup, and a second edit keeps the first backup", async () => {
    const bench = await openTestBench({ "a.md": "one" });
    await bench.commit([quote("a.md", "nowhere", "x")]);
    expect(bench.disk.tree()).toEqual(["a.md"]);
    value(await bench.commit([quote("a.md", "one", "two")]));
    value(await bench.commit([quote("a.md", "two", "three")]));
    expect([1, 2].map((id) => bench.text(`.suture/backups/${id}/a.md.bak`))).toEqual(["one", "two"]);
  });

  test("the first sibling backup of a run stays, disappears after success, and is not listed", async () => {
    const bench = await openTestBench({ "a.md": "one" }, { backup: "sibling" });
    value(await bench.commit([quote("a.md", "one", "two")], { run: "r" }));
    value(await bench.commit([quote("a.md", "two", "three")], { run: "r" }));
    expect(bench.text("a.md.bak")).toBe("one");
    expect(value(await bench.workspace.list()).paths).toEqual(["a.md"]);
    expect(value(await bench.workspace.finishRun("r", { succeeded: true }))).toEqual(["a.md.bak"]);
    expect(bench.paths()).toEqual(["a.md"]);
    expect(value(await bench.workspace.finishRun("r", { succeeded: true }))).toEqual([]);
  });

  test("backups stay after a failure; a foreign file of that name stops the edit", async () => {
    const bench = await openTestBench(
      { "a.md": "one", "b.md": "b", "b.md.bak": "precious" },
      { backup: "sibling" },
    );
    value(await bench.commit([quote("a.md", "one", "two")], { run: "r" }));
    expect(value(await bench.workspace.finishRun("r", { succeeded: false }))).toEqual([]);
    expect(bench.text("a.md.bak")).toBe("one");
    expect(await bench.commit([quote("b.md", "b", "B")], { run: "r" })).toMatchObject({
      ok: false,
      refusal: { code: "exists", path: "b.md.bak" },
    });
    expect([bench.text("b.md"), bench.text("b.md.bak")]).toEqual(["b", "precious"]);
  });

  test("a sibling backup that was changed is not removed", async () => {
    const bench = await openTestBench({ "a.md": "one" }, { backup: "sibling" });
    value(await bench.commit([quote("a.md", "one", "two")], { run: "r" }));
    bench.disk.put("a.md.bak", "mine now");
    expect(value(await bench.workspace.finishRun("r", { succeeded: true }))).toEqual([]);
    expect(bench.text("a.md.bak")).toBe("mine now");
  });
});

describe("the state directory", () => {
  test("the state folder ignores itself except for committed files, and is private under any umask", async () => {
    const bench = await openTestBench({ "a.md": "x" });
    value(await bench.commit([quote("a.md", "x", "y")]));
    expect(bench.text(".suture/.gitignore")).toContain("*\n!/lineage.json\n");
    const root = await bench.files.openRoot("/");
    expect((await bench.files.stat(root, ".suture"))?.mode).toBe(0o700);
  });

  test("a state folder that is a link, or that others may write to, is not used", async () => {
    const linked = await openTestBench({ "a.md": "x", "elsewhere/x": "" });
    linked.disk.putLink(".suture", "elsewhere");
    expect(codeFrom(await linked.commit([quote("a.md", "x", "y")]))).toBe("not-allowed");
    const shared = await openTestBench({ "a.md": "x" });
    value(await shared.commit([quote("a.md", "x", "y")]));
    const dir = await shared.files.openDir(await shared.files.openRoot("/"), ".suture");
    await shared.files.setMode(dir, 0o770);
    expect(codeFrom(await openWorkspace("/", { files: shared.disk.process() }))).toBe("not-allowed");
  });

  test("a clone brings only lineage.json: the rest is made around it", async () => {
    const cloned = { ".suture/lineage.json": "{}", ".suture/audit/run-1.json": "{}" };
    const bench = await openTestBench({ "a.md": "x", ...cloned });
    expect(value(await bench.workspace.readState("audit/run-1.json"))).toBeNull();
    expect(new TextDecoder().decode(value(await bench.workspace.readState("lineage.json"))!)).toBe("{}");
    expect(value(await bench.workspace.readState("sources.json"))).toBeNull();
    value(await bench.commit([quote("a.md", "x", "y")]));
    expect(new TextDecoder().decode(value(await bench.workspace.readState("lineage.json"))!)).toBe("{}");
  });

  test.each(["stage", "lock", "audit"])(
    "a reader sees the entries although a copy has lost the empty folder %s",
    async (folder) => {
      const bench = await openTestBench({ "a.md": "x" });
      value(await bench.commit([quote("a.md", "x", "y")]));
      bench.disk.remove(`.suture/${folder}`);
      const reader = value(await openReader("/", { files: bench.disk.process() }));
      expect((await reader.history()).map(({ id }) => id)).toEqual(["1"]);
    },
  );

  test("a reader that cannot create a lost folder says so instead of showing no entries", async () => {
    const bench = await openTestBench({ "a.md": "x" });
    value(await bench.commit([quote("a.md", "x", "y")]));
    bench.disk.remove(".suture/stage");
    const { files } = faultFiles(bench.disk.process(), () => ({ fault: "error", code: "EROFS" }));
    expect(await openReader("/", { files })).toMatchObject({
      ok: false,
      refusal: {
        code: "unavailable",
        path: ".suture/stage",
        detail: "the folder is missing and cannot be created: EROFS",
      },
    });
  });

  test.each([
    ["EROFS", "not-allowed"],
    ["ENOSPC", "unavailable"],
  ])("a first edit on a disk that answers %s is refused with that error", async (errno, code) => {
    const bench = createMemoryDisk();
    bench.put("a.md", "x");
    const { files } = faultFiles(bench.process(), () => ({ fault: "error", code: errno }));
    const workspace = value(await openWorkspace("/", { files }));
    const refused = await commitEdits(workspace, [quote("a.md", "x", "y")]);
    expect(refused).toMatchObject({ refusal: { code, errno, path: ".suture" } });
  });

  test("a state of a newer version is not touched", async () => {
    const bench = await openTestBench({ "a.md": "x" });
    value(await bench.commit([quote("a.md", "x", "y")]));
    bench.disk.put(
      ".suture/state.json",
      bench.text(".suture/state.json")!.replace('"format":1', '"format":2'),
      0o600,
    );
    const before = bench.disk.tree();
    expect(codeFrom(await openWorkspace("/", { files: bench.disk.process() }))).toBe("unavailable");
    expect(bench.disk.tree()).toEqual(before);
  });

  test("if the state is removed during a session, the next commit begins a new one", async () => {
    const bench = await openTestBench({ "a.md": "x" });
    value(await bench.commit([quote("a.md", "x", "y")]));
    bench.disk.remove(".suture");
    expect(await bench.workspace.history()).toEqual([]);
    value(await bench.commit([quote("a.md", "y", "z")]));
    value(await bench.commit([quote("a.md", "z", "end")]));
    expect((await bench.workspace.history()).map(({ id }) => id)).toEqual(["2", "1"]);
    value(await bench.workspace.undo({ last: true }, { author: "me" }));
    expect(bench.text("a.md")).toBe("z");
    await bench.workspace.close();
  });

  test("other rooms may keep lineage, audits and proposals in the state, and nothing else", async () => {
    const { workspace } = await openTestBench();
    expect(value(await workspace.listState("proposals"))).toEqual([]);
    value(await workspace.writeState("proposals/run-2.json", new TextEncoder().encode("[]")));
    value(await workspace.writeState("proposals/run-1.json", new TextEncoder().encode("[1]")));
    expect(value(await workspace.readState("proposals/run-2.json"))).toEqual(new TextEncoder().encode("[]"));
    expect(value(await workspace.readState("proposals/run-3.json"))).toBeNull();
    expect(value(await workspace.listState("proposals"))).toEqual(["run-1", "run-2"]);
    expect(value(await workspace.listState("audit"))).toEqual([]);
    value(await workspace.writeState("audit/run-1.json", new TextEncoder().encode("{}")));
    expect(value(await workspace.readState("audit/run-1.json"))).toEqual(new TextEncoder().encode("{}"));
    for (const name of [
      "state.json",
      "journal/index",
      "audit/../x.json",
      "audit/.x.json",
      "proposals/../x.json",
      "../x",
    ])
      expect(codeFrom(await workspace.writeState(name, new Uint8Array()))).toBe("not-allowed");
  });

  test("a reason with line breaks and colours is one escaped record", async () => {
    const bench = await openTestBench({ "a.md": "x" });
    value(await bench.commit([quote("a.md", "x", "y")], { reason: "one\ntwo \u001b[31mred" }));
    const journal = bench.text(".suture/journal/000001.journal")!;
    expect(journal.split("\n")).toHaveLength(9);
    expect(journal).not.toContain("\u001b");
  });
});

/** Files that run an action right before the first operation that matches. */
function meanwhile({ disk }: TestBench, moment: RegExp, act: () => void): Files {
  let done = false;
  return faultFiles(disk.process(), (_index, { name, path, to }) => {
    if (
      !done &&
      moment.test(
        [name, path, to]
          .join(" ")
          .trimEnd()
          .concat(path === "" ? " " : ""),
      )
    ) {
      done = true;
      act();
    }
    return null;
  }).files;
}

test("a secret in a reason or an author does not reach the journal", async () => {
  const bench = await openTestBench({ "a.md": "old\n" });
  process.env.HOLD_TEST_TOKEN = "canary-value-0123456789";
  const key = `sk-${"a1".repeat(20)}`;
  try {
    const edit = { ...quote("a.md", "old", "new"), reason: `because ${key} and canary-value-0123456789` };
    value(await bench.commit([edit], { author: `me ${key}` }));
  } finally {
    delete process.env.HOLD_TEST_TOKEN;
  }
  const journal = bench.text(".suture/journal/000001.journal")!;
  expect(journal).toContain("because [secret] and [secret]");
  expect(journal).not.toContain(key);
  expect(journal).not.toContain("canary-value");
});
