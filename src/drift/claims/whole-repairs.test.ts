import { expect, test } from "vitest";
import { findDrift } from "../find-drift.ts";
import { toInput } from "../test-case.ts";

const drift = async (...given: Parameters<typeof toInput>) => findDrift(toInput(...given));

test("all that a change made false in a sentence is repaired at once, whatever its kind", async () => {
  const { findings } = await drift({
    files: {
      "package.json": ['{ "name": "net", "main": "src/a.ts" }', '{ "name": "net", "main": "src/a.ts" }'],
      "src/a.ts": [
        "export function openSocket(host: string, port: number) {}\nexport const defaults = { timeout: 30 };\n",
        "export function openLink(host: string, port: number) {}\nexport const defaults = { timeout: 60 };\n",
      ],
    },
    docs: { "README.md": "# Net\n\nCall `openSocket()`. The default of `timeout` is `30`.\n" },
  });
  const texts = findings.flatMap(({ edits }) => edits.map((edit) => ("text" in edit ? edit.text : null)));
  expect(texts).toEqual(["openLink", "60"]);
});

test("a heading that is repaired takes the links to it along, on every page", async () => {
  const { findings } = await drift({
    files: {
      "package.json": ['{ "name": "net", "main": "src/a.ts" }', '{ "name": "net", "main": "src/a.ts" }'],
      "src/a.ts": [
        "export function openLink(host: string) {}\n",
        "export function openChannel(host: string) {}\n",
      ],
    },
    docs: {
      "docs/api.md": "# Net\n\nSee [it](#openlink).\n\n## `openLink`\n\nOpens.\n",
      "README.md": "# Net\n\nSee [open](docs/api.md#openlink).\n",
    },
  });
  const edits = findings.flatMap((finding) => finding.edits);
  expect(edits.map((edit) => [edit.path, "text" in edit ? edit.text : null])).toEqual([
    ["docs/api.md", "openChannel"],
    ["docs/api.md", "openchannel"],
    ["README.md", "openchannel"],
  ]);
});

test("lines that a program writes are reported and not edited; the rest of the page is", async () => {
  const { findings } = await drift({
    files: { "action.yml": ["inputs:\n  depth:\n    default: 4\n", "inputs:\n  depth:\n    default: 8\n"] },
    docs: {
      "README.md":
        "# A\n\n`depth`: how deep, 4 by default.\n\n<!-- [[[cog x ]]] -->\n\n`depth`: how deep, 4 by default.\n\n<!-- [[[end]]] -->\n",
    },
  });
  expect(findings.map(({ startLine, edits, generator }) => [startLine, edits.length, generator])).toEqual([
    [3, 1, undefined],
    [7, 0, "cog"],
  ]);
});

test("two equal passages have ids of their own", async () => {
  const { findings } = await drift({
    files: { "action.yml": ["inputs:\n  depth:\n    default: 4\n", "inputs:\n  depth:\n    default: 8\n"] },
    docs: { "README.md": "# A\n\n`depth`: 4 by default.\n\n## B\n\n`depth`: 4 by default.\n" },
  });
  expect(findings).toHaveLength(2);
  expect(new Set(findings.map(({ id }) => id)).size).toBe(2);
});

test("a section about the past claims nothing unless the configuration calls the page current", async () => {
  const input = toInput({
    files: { "action.yml": ["inputs:\n  depth:\n    default: 4\n", "inputs:\n  depth:\n    default: 8\n"] },
    docs: { "README.md": "# A\n\n## Changelog\n\n`depth`: 4 by default.\n" },
  });
  expect((await findDrift(input)).findings).toEqual([]);
  const current = input.documents.map((document) => ({ ...document, isCurrent: true as const }));
  expect((await findDrift({ ...input, documents: current })).findings).toHaveLength(1);
});

test("the claims that a change concerns are counted", async () => {
  const { asked } = await drift({
    files: { "action.yml": ["inputs:\n  depth:\n    default: 4\n", "inputs:\n  depth:\n    default: 8\n"] },
    docs: { "README.md": "# A\n\n`depth`: 4 by default.\n" },
  });
  expect(asked.claims).toBeGreaterThan(0);
});
