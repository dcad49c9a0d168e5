import { expect, test } from "vitest";
import { findCandidates } from "../find-drift.ts";
import { type Case, toInput } from "../test-case.ts";

/** Old values that a page is said to have still. */
async function staleValues(before: string, after: string, page: string): Promise<(string | undefined)[]> {
  const one: Case = { files: { "src/run.ts": [before, after] }, docs: { "README.md": page } };
  const candidates = await findCandidates(toInput(one));
  return candidates.filter(({ notice }) => notice.kind === "default").map(({ notice }) => notice.message.old);
}

test("a message names the thing as the code spells it", async () => {
  const code = (value: boolean): string => `export const options = {\n  strictContentLength: ${value},\n};\n`;
  const page = "### `strictContentLength`\n\n**Default: `false`**\n";
  const one: Case = { files: { "src/run.ts": [code(false), code(true)] }, docs: { "README.md": page } };
  const notices = (await findCandidates(toInput(one))).map(({ notice }) => notice);
  expect(notices.map(({ message }) => message.owner)).toContain("strictContentLength");
});

const printed = (text: string): string => `export const title = ${text};\n`;

test("a text that the code prints otherwise now", async () => {
  const page = "It prints `Running tasks for staged files...` first.\n";
  const [before, after] = [printed('"Running tasks for staged files..."'), printed('"Running the tasks..."')];
  expect(await staleValues(before, after, page)).toEqual(["Running tasks for staged files..."]);
});

test("a template that can print the old text takes nothing back", async () => {
  const page = "It prints `Running tasks for staged files...` first.\n";
  const before = printed('"Running tasks for staged files..."');
  const after = printed('"Running tasks for %s files..."');
  expect(await staleValues(before, after, page)).toEqual([]);
});

test("words that moved to the next line of a long text are the same text", async () => {
  const page = "See the section about mitigation steps.\n";
  const before = printed('"about " +\n  "mitigation steps."');
  const after = printed('"the section " +\n  "about mitigation steps."');
  expect(await staleValues(before, after, page)).toEqual([]);
});

test("a default that moved into the body of the function is still the default", async () => {
  const page = "# Fit\n\n`maxWidth` is the widest column. The default is 1790 pixels.\n";
  const before = "export function fit(maxWidth = 1790) {\n  return maxWidth;\n}\n";
  const after =
    "const widest = 1790;\n\nexport function fit(maxWidth = null) {\n  return maxWidth ?? widest;\n}\n";
  expect(await staleValues(before, after, page)).toEqual([]);
});

test("a default that is gone is no default any more", async () => {
  const page = "# Fit\n\n`maxWidth` is the widest column. The default is 1790 pixels.\n";
  const before = "export function fit(maxWidth = 1790) {\n  return maxWidth;\n}\n";
  const after = "export function fit(maxWidth = null) {\n  return maxWidth;\n}\n";
  expect(await staleValues(before, after, page)).toEqual(["1790"]);
});
