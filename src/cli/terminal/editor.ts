/** A text for a person to change, and the name of the page that it is from. */
export type EditorText = { readonly text: string; readonly name: string };

/** Opens a text in the editor that git would open, and returns the changed text; undefined if the editor fails. */
export async function editText({ text, name }: EditorText): Promise<string | undefined> {
  const { mkdtemp, writeFile, readFile, rm } = process.getBuiltinModule("node:fs/promises");
  const { join, basename } = process.getBuiltinModule("node:path");
  const folder = await mkdtemp(join(process.getBuiltinModule("node:os").tmpdir(), "suture-edit-"));
  const file = join(folder, basename(name));
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
    return (await runEditor(file)) ? likeBefore(text, await readFile(file, "utf8")) : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The editor's command line may have options of its own, so a shell reads it. The file's name is not part of it. */
function runEditor(file: string): Promise<boolean> {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const command = editorCommand(process.env, process.platform);
  const child =
    process.platform === "win32"
      ? spawn(`${command} "${file}"`, { stdio: "inherit", shell: true })
      : spawn("sh", ["-c", `${command} "$1"`, "sh", file], { stdio: "inherit" });
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("close", (code) => resolve(code === 0));
  });
}

export function editorCommand(
  { GIT_EDITOR, VISUAL, EDITOR }: Readonly<Record<string, string | undefined>>,
  platform: string,
): string {
  return GIT_EDITOR || VISUAL || EDITOR || (platform === "win32" ? "notepad" : "vi");
}

/** Editors end a text with a line ending and may write their own: the text keeps those that it had. */
export function likeBefore(before: string, after: string): string {
  const plain = after.replaceAll("\r\n", "\n");
  const ended = plain.endsWith("\n") && !before.endsWith("\n") ? plain.slice(0, -1) : plain;
  return before.includes("\r\n") ? ended.replaceAll("\n", "\r\n") : ended;
}
