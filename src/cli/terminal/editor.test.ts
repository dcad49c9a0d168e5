import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { editorCommand, editText, likeBefore } from "./editor.ts";

const folder = mkdtempSync(join(tmpdir(), "suture-editor-test-"));
const { GIT_EDITOR } = process.env;
afterEach(() => {
  if (GIT_EDITOR === undefined) delete process.env.GIT_EDITOR;
  else process.env.GIT_EDITOR = GIT_EDITOR;
});

/** An editor that runs this program with the file's name as its argument. */
function useEditor(program: string): void {
  const script = join(folder, "editor.mjs");
  writeFileSync(script, program);
  process.env.GIT_EDITOR = `"${process.execPath}" "${script}" --wait`;
}

test("the editor gets the text under the name of its page, and the changed text comes back", async () => {
  useEditor(`
    import { readFileSync, writeFileSync } from "node:fs";
    const file = process.argv.at(-1);
    writeFileSync(file, readFileSync(file, "utf8").replace("old", "new") + "|" + file);
  `);
  const changed = await editText({ text: "an old name", name: "docs/guide $(x).md" });
  const [text, file] = changed!.split("|");
  expect(text).toBe("an new name");
  expect(file).toMatch(/guide \$\(x\)\.md$/);
  expect(existsSync(file!)).toBe(false);
});

test("an editor that fails gives no text", async () => {
  useEditor("process.exit(1);");
  expect(await editText({ text: "kept", name: "a.md" })).toBeUndefined();
  rmSync(folder, { recursive: true });
});

test.each([
  ["git's own setting is first", { GIT_EDITOR: "a", VISUAL: "b", EDITOR: "c" }, "linux", "a"],
  ["then the visual editor", { VISUAL: "b", EDITOR: "c" }, "linux", "b"],
  ["an empty setting is none", { GIT_EDITOR: "", EDITOR: "c" }, "linux", "c"],
  ["without any there is vi", {}, "darwin", "vi"],
  ["or the editor of Windows", {}, "win32", "notepad"],
])("%s", (_, env, platform, command) => {
  expect(editorCommand(env, platform)).toBe(command);
});

test.each([
  ["the line ending that the editor adds is left out", "a", "b\n", "b"],
  ["a line ending that was there stays", "a\n", "b\n", "b\n"],
  ["line endings are those of before", "a\r\nb", "c\nd\n", "c\r\nd"],
  ["and not those of the editor", "a\nb\n", "c\r\nd\r\n", "c\nd\n"],
])("%s", (_, before, after, result) => {
  expect(likeBefore(before, after)).toBe(result);
});
