import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDirectorySink } from "./directory-sink.ts";

test("the folder for patches is created if it does not exist", async () => {
  const home = mkdtempSync(join(tmpdir(), "suture-sink-"));
  const repository = { host: "local", organisation: "acme", name: "postbox" };
  try {
    const sink = openDirectorySink(join(home, "new/patches"));
    const edits = { repository, commit: "abc", patch: "text\n" } as Parameters<typeof sink.publish>[0];
    const published = await sink.publish(edits, new AbortController().signal);
    expect(published.ok && readFileSync(published.value.url, "utf8")).toBe("text\n");
  } finally {
    rmSync(home, { recursive: true });
  }
});
