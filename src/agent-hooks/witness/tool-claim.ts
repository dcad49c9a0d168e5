import type { Payload, ToolCall } from "../clients/client.ts";

/** One replacement that a tool says it makes. */
export type ClaimedEdit = { readonly old: string; readonly fresh: string; readonly all: boolean };

/** The action that a tool announces: edits of one file, the whole content of one, or reading one. */
export type ToolClaim =
  | { readonly does: "edit"; readonly path: string; readonly edits: readonly ClaimedEdit[] }
  | { readonly does: "write"; readonly path: string; readonly content: string }
  | { readonly does: "read"; readonly path: string }
  /** A patch of several files, or a tool whose input says no more than the files. */
  | { readonly does: "patch"; readonly paths: readonly string[] };

const readers = /^(read|view|read_file|readfile)$/i;

/** Reads what a tool is about to do from its input, by the fields that clients use; `null` where it names no file. */
export function readClaim({ name, input }: ToolCall): ToolClaim | null {
  const patch = patchText(input);
  if (patch !== null) return { does: "patch", paths: patchPaths(patch) };
  const path = field(input, "file_path", "filePath", "path", "notebook_path", "absolute_path");
  if (path === null) {
    const files = Array.isArray(input.files) ? input.files.filter((one) => typeof one === "string") : [];
    return files.length > 0 ? { does: "patch", paths: files } : null;
  }
  if (readers.test(name)) return { does: "read", path };
  const edits = readEdits(input);
  if (edits.length > 0) return { does: "edit", path, edits };
  const content = field(input, "content", "file_text", "contents");
  return content === null ? { does: "patch", paths: [path] } : { does: "write", path, content };
}

function readEdits(input: Payload): ClaimedEdit[] {
  const list = Array.isArray(input.edits) ? (input.edits as unknown[]) : [input];
  return list.flatMap((one) => {
    if (typeof one !== "object" || one === null) return [];
    const map = one as Payload;
    const old = field(map, "old_string", "oldString", "old_str", "old_text");
    const fresh = text(map, "new_string", "newString", "new_str", "new_text");
    if (old === null || fresh === null) return [];
    const all = map.replace_all === true || map.replaceAll === true || map.allow_multiple === true;
    return [{ old, fresh, all }];
  });
}

function patchText(input: Payload): string | null {
  const found = field(input, "input", "patch", "command");
  return found?.includes("*** Begin Patch") ? found : null;
}

/** The files that a patch in the envelope form names. */
function patchPaths(patch: string): string[] {
  const names = patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm);
  return [...new Set(Array.from(names, ([, file, to]) => (file ?? to ?? "").trim()))];
}

function field(map: Payload, ...names: readonly string[]): string | null {
  const found = text(map, ...names);
  return found === "" ? null : found;
}

function text(map: Payload, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = map[name];
    if (typeof value === "string") return value;
  }
  return null;
}
