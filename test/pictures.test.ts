import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeExample } from "../scripts/example.ts";
import { drawRecording } from "../scripts/recorded-session.ts";

const folder = mkdtempSync(join(tmpdir(), "suture-pictures-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the drawings of the documents show what the commands print; `npm run pictures` draws them again", () => {
  const root = join(folder, "postbox");
  makeExample(root);
  for (const [name, drawing] of Object.entries(drawRecording({ root, suture: resolve("src/cli/main.ts") })))
    expect(drawing, name).toBe(readFileSync(join("docs/images", name), "utf8"));
});
