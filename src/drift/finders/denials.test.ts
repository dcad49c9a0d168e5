import { describe, expect, test } from "vitest";
import { type ChangedFiles, reported } from "../test-case.ts";

const FILES: ChangedFiles = {
  "src/message.ts": [
    "export interface Message {\n  to: string;\n}\n",
    "export interface Message {\n  to: string;\n  attachments?: Blob[];\n  replyTo?: string;\n}\n",
  ],
};

describe("L notes that something is not supported", () => {
  test.each([
    "Attachments are not supported yet.\n",
    "- `replyTo` isn't supported.\n",
    "Mail goes out. We do not support `replyTo` yet.\n",
  ])("pointed at, never edited: %s", async (text) => {
    expect(await reported({ files: FILES, docs: { "a.md": text } })).toMatchObject([
      { kind: "unsupported", tier: "likely", edits: [], evidence: [{ path: "src/message.ts" }] },
    ]);
  });

  test.each([
    "Attachments are sent as they are. Folders are not supported yet.\n",
    "Messages larger than 5 MB with attachments in old formats are not supported.\n",
    "Attachments are supported.\n",
    "```\nattachments are not supported yet\n```\n",
  ])("nothing likely is said: %s", async (text) => {
    expect(await reported({ files: FILES, docs: { "a.md": text } })).toEqual([]);
  });

  test("a name the code knew before is no news", async () => {
    const files: ChangedFiles = {
      "src/message.ts": [
        "const attachments = [];\n",
        "const attachments = [];\nlet b = { attachments: 1 };\n",
      ],
    };
    expect(await reported({ files, docs: { "a.md": "Attachments are not supported yet.\n" } })).toEqual([]);
  });
});
