import { expect, test } from "vitest";
import { type EditorName, editorAddress } from "./editor-address.ts";

const rows: [EditorName, string, string][] = [
  ["VS Code", "/home/a b/c#.md", "vscode://file/home/a%20b/c%23.md:7"],
  ["VS Code", "C:\\docs\\a.md", "vscode://file/C%3A/docs/a.md:7"],
  ["Cursor", "/a.md", "cursor://file/a.md:7"],
  ["Windsurf", "/a.md", "windsurf://file/a.md:7"],
  ["Zed", "/a.md", "zed://file/a.md:7"],
  ["JetBrains", "/a b&c.md", "idea://open?file=%2Fa%20b%26c.md&line=7"],
  ["Sublime Text", "/a.md", "subl://open?url=file://%2Fa.md&line=7"],
  ["TextMate", "/a.md", "txmt://open?url=file://%2Fa.md&line=7"],
];
test.each(rows)("%s opens %s", (editor, path, address) => {
  expect(editorAddress(editor, { path, line: 7 })).toBe(address);
});
