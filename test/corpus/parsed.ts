import type { Edit } from "../../src/text/model/edit.ts";
import type { Hunk } from "../../src/text/model/hunk.ts";

/** Our edits in the shape in which a peer's parser reports the same patch. */
export function inPeersShape(peer: string, edits: readonly Edit[]): unknown {
  if (peer === "aider") return edits.map(asBlock);
  return asOperations(edits).map(peer === "codex-apply-patch" ? asCodex : asRoo);
}

function asBlock(edit: Edit): unknown {
  const [hunk] = "hunks" in edit.target ? edit.target.hunks : [];
  return { path: edit.path, search: joined(hunk, "added"), replace: joined(hunk, "removed") };
}

function joined(hunk: Hunk | undefined, without: string): string {
  return linesOf(hunk, without)
    .map((line) => `${line}\n`)
    .join("");
}

function linesOf(hunk: Hunk | undefined, without: string): string[] {
  return (hunk?.lines ?? []).filter(({ kind }) => kind !== without).map(({ text }) => text);
}

type Operation = { path: string; text?: string; hunks?: readonly Hunk[]; to?: string };

/** An update and the move behind it are one operation of an envelope. */
function asOperations(edits: readonly Edit[]): Operation[] {
  const operations: Operation[] = [];
  for (const edit of edits) {
    const { path, target } = edit;
    if ("hunks" in target) operations.push({ path, hunks: target.hunks });
    else if ("to" in edit) operations.at(-1)!.to = edit.to;
    else operations.push("text" in edit ? { path, text: edit.text } : { path });
  }
  return operations;
}

function asCodex({ path, text, hunks, to }: Operation): unknown {
  if (text !== undefined) return { add: path, contents: text };
  if (!hunks) return { delete: path };
  const chunks = hunks.map((hunk) => ({
    ...(hunk.anchors ? { context: hunk.anchors.join("\n") } : {}),
    old: linesOf(hunk, "added"),
    new: linesOf(hunk, "removed"),
  }));
  return { update: path, ...(to === undefined ? {} : { move_to: to }), chunks };
}

function asRoo({ path, text, hunks, to }: Operation): unknown {
  if (text !== undefined) return { type: "AddFile", path, contents: text };
  if (!hunks) return { type: "DeleteFile", path };
  const chunks = hunks.map((hunk) => ({
    changeContext: hunk.anchors?.join("\n") ?? null,
    oldLines: linesOf(hunk, "added"),
    newLines: linesOf(hunk, "removed"),
    isEndOfFile: hunk.atEnd ?? false,
  }));
  return { type: "UpdateFile", path, movePath: to ?? null, chunks };
}

/** A peer's parse result without what we cannot compare: lines with no context go to the end, marked or not. */
export function comparable(parsed: unknown): unknown {
  return JSON.parse(JSON.stringify(parsed), (_, value) => {
    if (value?.changeContext === null && value.oldLines?.length === 0) delete value.isEndOfFile;
    return value;
  });
}
