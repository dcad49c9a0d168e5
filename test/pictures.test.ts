import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeExample } from "../scripts/example.ts";
import { drawRecording } from "../scripts/recorded-session.ts";
import { drawTerminal } from "../scripts/terminal-picture.ts";

const folder = mkdtempSync(join(tmpdir(), "suture-pictures-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the drawings of the documents show what the commands print; `npm run pictures` draws them again", () => {
  const root = join(folder, "postbox");
  makeExample(root);
  for (const [name, drawing] of Object.entries(drawRecording({ root, suture: resolve("src/cli/main.ts") })))
    expect(drawing, name).toBe(readFileSync(join("docs/images", name), "utf8"));
});

test("a drawn line keeps its colour behind a marked word", () => {
  const printed = ["\u001b[31m-\u001b[7mold\u001b[27m word\u001b[39m end"];
  const drawing = drawTerminal({ command: "suture diff", printed, most: 1 });
  expect(drawing).toContain('<tspan fill="#ff7b72"> word</tspan> end');
});
