import { defined } from "../../text/model/defined.ts";
/** A file that differs between two trees. `null` ids: there is no file on that side, or its content is on disk only. */
export type RawChange = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly status: "added" | "deleted" | "modified" | "type";
  /** Links and submodules are named, never read. */
  readonly kind: "file" | "link" | "submodule";
  /** The file's mode differs; its content may differ too. */
  readonly isModeChange?: true;
};

export type TreeFile = { readonly path: string; readonly id: string };

export type LogEntry = { readonly id: string; readonly paths: readonly string[] };

/** One movement of HEAD: the commit it came to, and git's word for the action (`commit`, `checkout: moving …`). */
export type HeadMove = { readonly to: string; readonly action: string };

export function parseRaw(output: Uint8Array): RawChange[] {
  const fields = splitNul(output);
  const changes: RawChange[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [modeBefore, modeAfter, before, after, status] = fields[i]!.replace(/^:/, "").split(" ");
    const mode = status === "D" ? modeBefore! : modeAfter!;
    changes.push({
      path: fields[i + 1]!,
      before: status === "A" ? null : idOf(before!),
      after: status === "D" ? null : idOf(after!),
      status: statuses[status!.charAt(0)] ?? "modified",
      kind: mode === "120000" ? "link" : mode === "160000" ? "submodule" : "file",
      ...defined({ isModeChange: (status === "M" && modeBefore !== modeAfter) || undefined }),
    });
  }
  return changes;
}

const statuses: Readonly<Record<string, RawChange["status"]>> = {
  A: "added",
  D: "deleted",
  M: "modified",
  T: "type",
};

function idOf(id: string): string | null {
  return /^0+$/.test(id) ? null : id;
}

/** The files of a tree; `detours`: its links and submodules. */
export function parseTree(output: Uint8Array): {
  readonly files: readonly TreeFile[];
  readonly detours: readonly string[];
} {
  const files: TreeFile[] = [];
  const detours: string[] = [];
  for (const line of splitNul(output)) {
    const tab = line.indexOf("\t");
    const [mode, kind, id] = line.slice(0, tab).split(" ");
    if (mode === "120000" || mode === "160000") detours.push(line.slice(tab + 1));
    else if (kind === "blob") files.push({ path: line.slice(tab + 1), id: id! });
  }
  return { files, detours };
}

export function parseLog(output: Uint8Array): LogEntry[] {
  return decode(output)
    .split("\u0001")
    .slice(1)
    .map((record) => {
      const [id, ...paths] = record.split("\0").map((field) => field.replace(/^\n/, ""));
      return { id: id!, paths: paths.filter((path) => path !== "") };
    });
}

export function parseMoves(output: Uint8Array | null): HeadMove[] {
  const moves = splitNul(output ?? new Uint8Array()).map((row) => ({
    to: row.slice(0, row.indexOf(" ")),
    action: row.slice(row.indexOf(" ") + 1),
  }));
  return moves.reverse();
}

export function parseWorkTrees(output: Uint8Array | null): string[] {
  return splitNul(output ?? new Uint8Array()).flatMap((field) =>
    field.startsWith("worktree ") ? [field.slice("worktree ".length)] : [],
  );
}

/** Fields that git ends with a NUL. */
export function splitNul(output: Uint8Array): string[] {
  const fields = decode(output).split("\0");
  if (fields.at(-1) === "") fields.pop();
  return fields;
}

export function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
