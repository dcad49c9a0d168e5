import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { measureMatrix, whyNotHere } from "../../bench/metadata/matrix.ts";
import { diskFiles } from "../../src/workspace/files/disk-files.ts";
import { commitEdits, quote, value } from "../../src/workspace/testing.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";

test("access rights are kept, written in place or refused as the documents say, and never widened", ({
  skip,
}) => {
  const why = whyNotHere();
  if (why !== null) skip(why);
  const document = readFileSync(new URL("../../docs/reliability.md", import.meta.url), "utf8");
  const rows = measureMatrix().map(
    ({ what, edit, undo, remove }) => `| ${what} | ${edit} | ${undo} | ${remove} |`,
  );
  for (const row of rows) expect(document).toContain(row);
  expect(rows.join("\n")).not.toContain("CHANGED");
});

test("a second user of a root can read, and learns whose the history is and how to go on", async () => {
  const root = mkdtempSync(join(tmpdir(), "suture-two-users-"));
  chmodSync(root, 0o755);
  writeFileSync(join(root, "a.md"), "one\n");
  const owner = value(await openWorkspace(root));
  value(await commitEdits(owner, [quote("a.md", "one", "two")]));
  await owner.close();
  const second = value(await openWorkspace(root, { files: { ...diskFiles(), user: () => 54_321 } }));
  try {
    expect(value(await second.read("a.md")).text).toBe("two\n");
    expect(value(await second.list()).paths).toEqual(["a.md"]);
    expect((await second.readState("lineage.json")).ok).toBe(true);
    const refused = await commitEdits(second, [quote("a.md", "two", "three")]);
    expect(refused).toMatchObject({
      refusal: { code: "not-allowed", path: ".suture", barrier: "other-user" },
    });
    await expect(second.history()).rejects.toThrow();
    expect(readFileSync(join(root, "a.md"), "utf8")).toBe("two\n");
  } finally {
    await second.close();
    rmSync(root, { recursive: true });
  }
});
