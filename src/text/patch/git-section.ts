import { defined } from "../model/defined.ts";
import type { FileMode } from "../model/edit.ts";
import { accept, type Outcome } from "../model/outcome.ts";
import { type Names, parseGitNames, unquote } from "./git-names.ts";
import { malformed } from "./malformed.ts";
import type { PatchLines } from "./patch-lines.ts";

/** The header of a file in a git patch. Names are as written, with their prefixes. */
export type GitHeader = {
  readonly names: { readonly old: string; readonly new: string } | null;
  readonly created?: FileMode;
  readonly deleted?: true;
  readonly mode?: FileMode;
  readonly transfer?: { readonly how: "move" | "copy"; readonly from: string; readonly to: string };
  /** The blob ids of the `index` line, as far as they are spelled out. */
  readonly ids?: Names;
};

/** The extended header that begins with `diff --git` at a line, and the line behind it. */
export function parseGitHeader(
  lines: PatchLines,
  from: number,
): Outcome<{ header: GitHeader; next: number }> {
  const fields = new Map<string, string>();
  let at = from + 1;
  for (; at < lines.length; at++) {
    const line = lines.at(at)!.trimEnd();
    const field = fieldNames.find((name) => line.startsWith(`${name} `));
    if (!field) break;
    const key = aliases.get(field) ?? field;
    if (fields.has(key) && fields.get(key) !== line.slice(field.length + 1))
      return malformed(`two different ${field} lines`, at + 1);
    fields.set(key, line.slice(field.length + 1));
    const bad = /mode$|^index$/.test(field) && unusableMode(field, line);
    if (bad) return malformed(bad, at + 1);
  }
  const header = headerOf(lines.at(from)!.slice("diff --git ".length).trimEnd(), fields);
  return typeof header === "string" ? malformed(header, from + 1) : accept({ header, next: at });
}

const fieldNames = [
  "old mode",
  "new mode",
  "deleted file mode",
  "new file mode",
  "copy from",
  "copy to",
  "rename from",
  "rename to",
  "rename old",
  "rename new",
  "similarity index",
  "dissimilarity index",
  "index",
];
const aliases = new Map([
  ["rename old", "rename from"],
  ["rename new", "rename to"],
]);

/** Why a mode cannot be honoured: links, submodules and special bits are not text. */
function unusableMode(field: string, line: string): string | null {
  const mode = /^index [^ ]+$/.test(line) ? "100644" : line.slice(line.lastIndexOf(" ") + 1);
  if (/^120000$/.test(mode)) return "a symbolic link";
  if (/^160000$/.test(mode)) return "a submodule";
  if (/^100[0-7]{3}$/.test(mode)) return null;
  return /^[0-7]{6}$/.test(mode) ? `special mode ${mode}` : `a ${field} line that cannot be read`;
}

function headerOf(rest: string, fields: ReadonlyMap<string, string>): GitHeader | string {
  const transfer = transferOf(fields);
  if (typeof transfer === "string") return transfer;
  const created = fields.get("new file mode");
  const deleted = fields.has("deleted file mode");
  const mode = fields.get("new mode");
  if ([created !== undefined, deleted, transfer !== undefined].filter(Boolean).length > 1)
    return "header lines that contradict each other";
  if ((mode !== undefined) !== fields.has("old mode"))
    return "a mode change without `old mode` or `new mode`";
  const ids = /^([0-9a-f]+)\.\.([0-9a-f]+)/.exec(fields.get("index") ?? "");
  return {
    names: parseGitNames(rest),
    ...defined({
      created: created === undefined ? undefined : modeOf(created),
      deleted: deleted || undefined,
    }),
    ...(mode === undefined || mode === fields.get("old mode") ? {} : { mode: modeOf(mode) }),
    ...defined({ transfer, ids: ids ? { old: ids[1]!, new: ids[2]! } : undefined }),
  };
}

function transferOf(fields: ReadonlyMap<string, string>): GitHeader["transfer"] | string {
  for (const [how, word] of [
    ["move", "rename"],
    ["copy", "copy"],
  ] as const) {
    const from = fields.get(`${word} from`);
    const to = fields.get(`${word} to`);
    if (from === undefined && to === undefined) continue;
    const names = [from, to].map((name) => (name?.startsWith('"') ? unquote(name)?.name : name));
    return names[0] && names[1]
      ? { how, from: names[0], to: names[1] }
      : `a ${word} without its \`from\` or its \`to\``;
  }
  return undefined;
}

function modeOf(mode: string): FileMode {
  return (Number.parseInt(mode, 8) & 0o100) === 0 ? "regular" : "executable";
}
