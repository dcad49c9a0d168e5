import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { findPending } from "../../src/docs/fix/proposal.ts";
import { auditSchema } from "../../src/docs/record/audit-schema.ts";
import { openRecordSession } from "../../src/web/review/record-session.ts";
import type { ItemView } from "../../src/web/review/view.ts";
import { type Bench, finding, openBench, runId, value } from "./review-fixture.ts";

const open: Bench[] = [];
const bench: typeof openBench = async (...given) => {
  const one = await openBench(...given);
  open.push(one);
  return one;
};
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const page = "# Client\n\nCall `old()` first.\n\nIt waits 30 seconds.\n\n## End\n\nCall `older()` last.\n";
const three = () => [
  finding("docs/a.md", "Call `old()` first.", "Call `fresh()` first.", { startLine: 3, endLine: 3 }),
  finding("docs/a.md", "It waits 30 seconds.", "It waits 60 seconds.", {
    startLine: 5,
    endLine: 5,
    tier: "likely",
    kind: "default",
  }),
  finding("docs/a.md", "Call `older()` last.", "Call `newer()` last.", { startLine: 9, endLine: 9 }),
];
const viewOf = async ({ desk }: Bench, key: number): Promise<ItemView> => value(await desk.view(key));
const record = ({ root }: Bench) =>
  auditSchema.parse(JSON.parse(readFileSync(join(root, ".suture", "audit", `${runId}.json`), "utf8")));

describe("deciding about a proposal", () => {
  test("what is approved is what was shown, byte for byte, and nothing else changes", async () => {
    const one = await bench({ "docs/a.md": page }, three());
    const view = await viewOf(one, 0);
    expect(view.excerpt).toMatchObject({ startLine: 1, markdown: true, cut: 0 });
    const decided = value(await one.desk.approve([0], view.hash!));
    expect(decided.lines[0]).toMatchObject({ key: 0, state: "accepted", entry: decided.entry });
    expect(one.text("docs/a.md")).toBe(page.replace("old()", "fresh()"));
    expect(record(one).articles[0]).toMatchObject({
      status: "updated",
      edits: [{ new_string: "Call `fresh()` first." }],
    });
    const shown = await viewOf(one, 0);
    expect(shown.excerpt!.after).toContain("fresh()");
  });

  test("the whole result is in the hash: any page, any edit, what was shown is what is written", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a", "b\r", "\u00e9", "\t x ", "", "- l", "```"), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.constantFrom("fresh", "fr\nesh", "", "$&", "fr\r\nesh"),
        async (lines, fresh) => {
          const text = `${lines.join("\n")}\nUNIQUE old\n`;
          const one = await openBench({ "a.md": text }, [finding("a.md", "UNIQUE old", `UNIQUE ${fresh}`)]);
          const view = await viewOf(one, 0);
          const { startLine, before, after } = view.excerpt!;
          if (view.hash !== null) {
            value(await one.desk.approve([0], view.hash));
            const start =
              text
                .split("\n")
                .slice(0, startLine - 1)
                .join("\n").length + (startLine > 1 ? 1 : 0);
            expect(text.slice(start, start + before.length)).toBe(before);
            expect(one.text("a.md")).toBe(text.slice(0, start) + after + text.slice(start + before.length));
          }
          await one.close();
        },
      ),
      { numRuns: 25 },
    ));

  test("a page that changed since it was shown is not written; the new view can be approved", async () => {
    const one = await bench({ "docs/a.md": page }, three());
    const view = await viewOf(one, 0);
    one.write("docs/a.md", page.replace("30", "31"));
    expect(await one.desk.approve([0], view.hash!)).toMatchObject({ ok: false, refusal: { code: "stale" } });
    expect(one.text("docs/a.md")).toBe(page.replace("30", "31"));
    const fresh = await viewOf(one, 0);
    expect(fresh.hash).not.toBe(view.hash);
    value(await one.desk.approve([0], fresh.hash!));
    expect(one.text("docs/a.md")).toBe(page.replace("30", "31").replace("old()", "fresh()"));
  });

  test("if any byte of the page changes after it was shown, nothing is written", async () => {
    const one = await bench({ "docs/a.md": page }, three());
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(page.length),
        fc.constantFrom("x", " ", "\n", "\r", "\u200b", "é"),
        fc.nat(2),
        async (at, inserted, key) => {
          one.write("docs/a.md", page);
          const { hash } = await viewOf(one, key);
          const changed = page.slice(0, at) + inserted + page.slice(at);
          one.write("docs/a.md", changed);
          expect(await one.desk.approve([key], hash!)).toMatchObject({ ok: false });
          expect(one.text("docs/a.md")).toBe(changed);
          tried++;
        },
      ),
      { numRuns: 300 },
    );
    console.log(`${tried} approvals of pages that had changed by one character: written 0`);
    expect(await one.review.context.reader.history()).toEqual([]);
  });

  test("a hash of another edit, time or proposal approves nothing", async () => {
    const one = await bench({ "docs/a.md": page }, three());
    const [first, second] = [await viewOf(one, 0), await viewOf(one, 1)];
    for (const [keys, hash] of [
      [[1], first.hash!],
      [[0, 1], first.hash!],
      [[0], "0".repeat(64)],
    ] as const)
      expect(await one.desk.approve(keys, hash)).toMatchObject({ ok: false, refusal: { code: "stale" } });
    value(await one.desk.approve([0], first.hash!));
    expect(await one.desk.approve([0], first.hash!)).toMatchObject({ ok: false });
    // The page has another version now, so what was shown of the second is out of date.
    expect(await one.desk.approve([1], second.hash!)).toMatchObject({
      ok: false,
      refusal: { code: "stale" },
    });
    expect(one.text("docs/a.md")).toBe(page.replace("old()", "fresh()"));
  });

  test("an edit's own wording is kept, shown again, written as the person's, with the proposed one beside it", async () => {
    const one = await bench({ "docs/a.md": page }, three());
    const proposed = await viewOf(one, 1);
    expect(proposed.passage).toBe("It waits 60 seconds.");
    value(await one.desk.reword(1, "It waits one minute."));
    const view = await viewOf(one, 1);
    expect(view).toMatchObject({ state: "reworded", by: "person", original: "It waits 60 seconds." });
    expect(view.hash).not.toBe(proposed.hash);
    expect(await one.desk.approve([1], proposed.hash!)).toMatchObject({
      ok: false,
      refusal: { code: "stale" },
    });
    value(await one.desk.approve([1], view.hash!));
    expect(one.text("docs/a.md")).toBe(page.replace("It waits 30 seconds.", "It waits one minute."));
    expect(record(one).articles[0]!.edits).toMatchObject([
      { by: "person", original: "It waits 60 seconds.", new_string: "It waits one minute." },
    ]);
    const [entry] = await one.review.context.reader.history({ limit: 1 });
    expect(entry).toMatchObject({ author: "person", task: "review", run: runId });
  });

  test("rejecting changes no page; with a dismissal the project remembers it, and taking back undoes that too", async () => {
    const one = await bench({ "docs/a.md": page }, three());
    value(await one.desk.reject(0, { reason: "on purpose" }));
    expect((await one.desk.run()).items[0]!.state).toBe("rejected");
    expect(existsSync(join(one.root, "suture.config.json"))).toBe(false);
    value(await one.desk.reject(1, { reason: "an example", dismiss: true }));
    expect(JSON.parse(one.text("suture.config.json")).dismissed).toMatchObject([{ reason: "an example" }]);
    value(await one.desk.revert(1));
    expect(existsSync(join(one.root, "suture.config.json"))).toBe(false);
    value(await one.desk.revert(0));
    expect((await one.desk.run()).items.map(({ state }) => state)).toEqual(["open", "open", "open"]);
    expect(one.text("docs/a.md")).toBe(page);
  });

  test("taking back an accepted edit restores the page; later edits elsewhere stay", async () => {
    const one = await bench({ "docs/a.md": page }, three());
    value(await one.desk.approve([0], (await viewOf(one, 0)).hash!));
    value(await one.desk.approve([1], (await viewOf(one, 1)).hash!));
    value(await one.desk.revert(0));
    expect(one.text("docs/a.md")).toBe(page.replace("30 seconds", "60 seconds"));
    expect((await one.desk.run()).items.map(({ state }) => state)).toEqual(["open", "accepted", "open"]);
    expect(record(one).articles[0]!.edits).toHaveLength(1);
  });

  test("a tier at once is one transaction under one hash, and one undo", async () => {
    const one = await bench(
      { "docs/a.md": page, "docs/b.md": "Call `old()` here.\n", "AGENTS.md": "Run `old`.\n" },
      [
        ...three(),
        finding("docs/b.md", "Call `old()` here.", "Call `fresh()` here."),
        finding("AGENTS.md", "Run `old`.", "Run `fresh`."),
        finding("docs/b.md", "", "", { tier: "possible" }),
      ],
    );
    const keys = [0, 2, 3, 4, 5];
    const together = value(await one.desk.previewBatch(keys));
    expect(together.keys).toEqual([0, 2, 3]);
    expect(together.left.map(({ key }) => key)).toEqual([4, 5]);
    const decided = value(await one.desk.approve(together.keys, together.hash));
    expect(decided.lines).toHaveLength(3);
    expect(one.text("docs/b.md")).toBe("Call `fresh()` here.\n");
    expect(one.text("docs/a.md")).toBe(page.replace("old()", "fresh()").replace("older()", "newer()"));
    expect(await one.review.context.reader.history()).toHaveLength(1);
    value(await one.desk.revert(2));
    expect(one.text("docs/a.md")).toBe(page);
    expect(one.text("docs/b.md")).toBe("Call `old()` here.\n");
    expect((await one.desk.run()).items.every(({ state }) => state === "open")).toBe(true);
  });

  test("a tier at once is refused as a whole when one page has changed since", async () => {
    const one = await bench({ "docs/a.md": page, "docs/b.md": "Call `old()` here.\n" }, [
      ...three(),
      finding("docs/b.md", "Call `old()` here.", "Call `fresh()` here."),
    ]);
    const together = value(await one.desk.previewBatch([0, 3]));
    one.write("docs/b.md", "Call `old()` here.\n\nAnd more.\n");
    expect(await one.desk.approve(together.keys, together.hash)).toMatchObject({
      ok: false,
      refusal: { code: "stale" },
    });
    expect(one.text("docs/a.md")).toBe(page);
  });

  test("edits of the same lines name each other; after one is made the other says why it cannot be", async () => {
    const rivals = [
      finding("docs/a.md", "Call `old()` first.", "Call `fresh()` first.", { startLine: 3, endLine: 3 }),
      finding("docs/a.md", "Call `old()` first.", "Call `young()` first.", { startLine: 3, endLine: 3 }),
    ];
    const one = await bench({ "docs/a.md": page }, rivals);
    const view = await viewOf(one, 0);
    expect(view.conflicts.map(({ key }) => key)).toEqual([1]);
    value(await one.desk.approve([0], view.hash!));
    expect(await viewOf(one, 1)).toMatchObject({
      hash: null,
      obstacle: expect.stringContaining("no longer there"),
    });
  });

  test("a page that instructs agents is written on a person's word for that page alone", async () => {
    const one = await bench({ "AGENTS.md": "Run `old`.\n" }, [
      finding("AGENTS.md", "Run `old`.", "Run `fresh`."),
    ]);
    const view = await viewOf(one, 0);
    expect(view.cautions).toEqual([expect.stringContaining("instructs agents")]);
    value(await one.desk.approve([0], view.hash!));
    expect(one.text("AGENTS.md")).toBe("Run `fresh`.\n");
  });

  test("an edit that adds hidden characters cannot be approved", async () => {
    const one = await bench({ "a.md": "pay alice\n" }, [finding("a.md", "pay alice", "pay \u202eecila")]);
    const view = await viewOf(one, 0);
    expect(view).toMatchObject({ hash: null, obstacle: expect.stringContaining("U+202E") });
  });

  test("a huge edit has no hash until all of it was requested, and is not approved with its tier", async () => {
    const many = Array.from({ length: 4000 }, (_, i) => `line ${i}`).join("\n");
    const one = await bench({ "a.md": "start\nOLD\nend\n" }, [finding("a.md", "OLD", many)]);
    const view = await viewOf(one, 0);
    expect(view).toMatchObject({ hash: null, obstacle: expect.stringContaining("beginning") });
    expect(view.excerpt!.cut).toBeGreaterThan(3000);
    expect(value(await one.desk.previewBatch([0])).keys).toEqual([]);
    const whole = value(await one.desk.view(0, { whole: true }));
    expect(whole.excerpt!.cut).toBe(0);
    value(await one.desk.approve([0], whole.hash!));
    expect(one.text("a.md")).toBe(`start\n${many}\nend\n`);
  });

  test("an edit that another program undoes is open again, and a proposal waits until every edit is decided", async () => {
    const one = await bench({ "docs/a.md": page }, three());
    const { workspace } = one.review.context;
    value(await one.desk.approve([0], (await viewOf(one, 0)).hash!));
    value(await workspace.undo({ last: true }, { author: "somebody" }));
    expect(await one.desk.refresh()).toBe(true);
    expect(await one.desk.refresh()).toBe(false);
    expect((await one.desk.run()).items[0]!.state).toBe("open");
    expect(value(await findPending(workspace))?.id).toBe(runId);
    for (const key of [0, 1, 2]) value(await one.desk.reject(key, {}));
    expect(value(await findPending(workspace))).toBeNull();
  });

  test("a run that has written is shown from its record and the journal, and can be taken back", async () => {
    const one = await bench({ "docs/a.md": page }, three());
    value(await one.desk.approve([0, 2], value(await one.desk.previewBatch([0, 2])).hash));
    const past = value(await openRecordSession({ context: one.review.context, run: runId, folder: "x" }));
    const run = await past.run();
    expect(run).toMatchObject({
      kind: "record",
      source: "fix",
      items: [{ line: 3, kind: "rename" }, { line: 9 }],
    });
    expect(value(await past.view(0)).excerpt!.after).toContain("fresh()");
    expect(await past.approve([0], "0".repeat(64))).toMatchObject({ ok: false });
    value(await past.revert(0));
    expect(one.text("docs/a.md")).toBe(page);
    expect((await past.run()).items.map(({ state }) => state)).toEqual(["undone", "undone"]);
  });

  test("a refused draft and the remarks of a reviewer are shown with the run, also where it has written", async () => {
    const one = await bench({ "docs/a.md": page }, three());
    value(await one.desk.approve([0], value(await one.desk.view(0)).hash!));
    const written = record(one);
    const [article] = written.articles;
    const remark = { path: "docs/a.md", what: "review", detail: "Line 5 contradicts line 3." };
    const left = {
      ...article!,
      status: "error" as const,
      error: "line 5: left for a person",
      draft: "-30\n+61\n",
    };
    one.write(
      `.suture/audit/${runId}.json`,
      JSON.stringify(auditSchema.parse({ ...written, articles: [{ ...left, risks: [remark] }] })),
    );
    const past = value(await openRecordSession({ context: one.review.context, run: runId, folder: "x" }));
    expect(await past.run()).toMatchObject({
      items: [{ line: 3 }],
      unknown: [{ path: "docs/a.md", why: "line 5: left for a person", draft: "-30\n+61\n" }],
      remarks: [remark],
    });
  });

  test("a run that is still writing is shown as far as it has come", async () => {
    const one = await bench({ "a.md": "one\n", "b.md": "two\n" }, []);
    const { applyEdits } = await import("../../src/tools/apply-edits.ts");
    const write = async (path: string, quote: string): Promise<void> => {
      const edit = { path, target: { quote }, text: "three", reason: `no ${quote}`, evidence: [] };
      value(await applyEdits({ ...one.review.context, run: "run-live" }, [edit]));
    };
    await write("a.md", "one");
    const live = value(
      await openRecordSession({ context: one.review.context, run: "run-live", folder: "x" }),
    );
    expect(await live.run()).toMatchObject({
      progress: { doing: expect.any(String) },
      items: [{ path: "a.md" }],
    });
    expect(await live.refresh()).toBe(false);
    await write("b.md", "two");
    expect(await live.refresh()).toBe(true);
    expect((await live.run()).items).toMatchObject([{ message: "no one" }, { message: "no two" }]);
  });

  test("a move or a mode change alone is shown in a run that has written", async () => {
    const one = await bench({ "docs/a.md": page, "run.sh": "x\n" }, three());
    const shared = { reason: "tidy", evidence: [] };
    const { applyEdits } = await import("../../src/tools/apply-edits.ts");
    value(
      await applyEdits({ ...one.review.context, run: "run-tidy" }, [
        { path: "docs/a.md", target: { file: "move" }, to: "docs/b.md", ...shared },
        { path: "run.sh", target: { file: "mode" }, mode: "executable", ...shared },
      ]),
    );
    const past = value(
      await openRecordSession({ context: one.review.context, run: "run-tidy", folder: "x" }),
    );
    const { items } = await past.run();
    const views = await Promise.all(items.map(async ({ key }) => value(await past.view(key))));
    const said = views.map(({ path, cautions }) => `${path}: ${cautions.join(" ")}`).join("\n");
    expect(said).toContain("docs/b.md: The file was moved here from docs/a.md.");
    expect(said).toContain("docs/a.md: The file was deleted.");
    expect(said).toMatch(/run\.sh: The file's mode changed from 644 to 755\./);
  });

  test("the audit record's patch is one that leads from the page before to the page after", async () => {
    const one = await bench({ "docs/a.md": page }, three());
    for (const key of [0, 1]) value(await one.desk.approve([key], (await viewOf(one, key)).hash!));
    const { patch, entries, edits } = record(one).articles[0]!;
    expect(entries).toHaveLength(2);
    expect(edits).toHaveLength(2);
    expect(patch).toContain("+Call `fresh()` first.");
    expect(patch).toContain("+It waits 60 seconds.");
    const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
    const [, after] = await one.review.context.reader.history();
    expect(after!.files[0]!.after!.size).toBe(Buffer.byteLength(page.replace("old()", "fresh()")));
    expect(hash(one.text("docs/a.md"))).toBe(hash(page.replace("old()", "fresh()").replace("30", "60")));
  });
});
