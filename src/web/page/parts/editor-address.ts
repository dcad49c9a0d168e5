/** A line of a file on this machine. */
export type EditorPlace = { readonly path: string; readonly line: number };

type EditorAddress = (file: string, line: number) => string;

const byColon =
  (scheme: string): EditorAddress =>
  (file, line) =>
    `${scheme}://file${file}:${line}`;
const byQuery =
  (start: string): EditorAddress =>
  (file, line) =>
    `${start}${encodeURIComponent(decodeURIComponent(file))}&line=${line}`;

/** The editors that open a file by an address, and the addresses that they know. */
export const editors = {
  "VS Code": byColon("vscode"),
  Cursor: byColon("cursor"),
  Windsurf: byColon("windsurf"),
  Zed: byColon("zed"),
  JetBrains: byQuery("idea://open?file="),
  "Sublime Text": byQuery("subl://open?url=file://"),
  TextMate: byQuery("txmt://open?url=file://"),
} as const satisfies Readonly<Record<string, EditorAddress>>;

export type EditorName = keyof typeof editors;

/** The address that opens a line in an editor. The path is absolute, with slashes of any system. */
export function editorAddress(editor: EditorName, { path, line }: EditorPlace): string {
  const file = path.replaceAll("\\", "/").replace(/^\/*/, "/").split("/").map(encodeURIComponent).join("/");
  return editors[editor](file, line);
}
