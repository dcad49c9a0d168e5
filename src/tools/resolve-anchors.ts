import { compareTexts } from "../text/diff/compare.ts";
import type { Edit } from "../text/model/edit.ts";
import type { Hunk } from "../text/model/hunk.ts";
import { indexLines } from "../text/model/lines.ts";
import { accept, type Outcome, type Refused, refuse } from "../text/model/outcome.ts";
import type { Snapshot } from "../text/model/snapshot.ts";
import { mapOffset } from "../text/model/splice.ts";
import { findAnchor, isAnchored, isLiteral, readAnchors } from "../text/patch/anchored-lines.ts";
import { readSnapshots } from "./read-snapshots.ts";
import type { Context } from "./tool.ts";

type ResolvedEdits = { readonly edits: readonly Edit[]; readonly madeFor: ReadonlyMap<string, Snapshot> };

/**
 * The edits with the lines that their anchors name: in a text that the session was shown, else in the present one. If a
 * session was shown several texts, and the anchors name other places in each, nothing tells which was meant.
 */
export async function resolveAnchors(
  context: Context,
  edits: readonly Edit[],
): Promise<Outcome<ResolvedEdits>> {
  const madeFor = new Map<string, Snapshot>();
  const resolved: Edit[] = [];
  for (const edit of edits) {
    if (!("hunks" in edit.target) || !isAnchored(edit.target)) {
      resolved.push(edit);
      continue;
    }
    const { path, target } = edit;
    const read = await readSnapshots(context, [path]);
    if (!read.ok) return read;
    const now = read.value.get(path)!;
    const served = context.memory?.served.anchoredTexts(path) ?? [];
    const texts = served.length > 0 ? served : [now];
    const readings = texts.flatMap((text) => {
      const hunks = readAnchors(target, text.text ?? "");
      return "line" in hunks ? [] : [{ text, hunks }];
    });
    const [newest, ...others] = readings;
    if (!newest && isLiteral(target, now.text ?? "")) {
      resolved.push(edit);
      continue;
    }
    const isOne = newest && others.every((other) => isSamePlace(other, newest));
    if (!newest || !isOne)
      return refuse({ ...staleAnchors(edit, texts[0]!, now), edit: edits.indexOf(edit) });
    const misplaced = refuseNewAnchors(edit, newest.text, edits.indexOf(edit));
    if (misplaced) return misplaced;
    madeFor.set(path, newest.text);
    resolved.push({ ...edit, target: { ...target, hunks: newest.hunks } });
  }
  return accept({ edits: resolved, madeFor });
}

/** A refusal where new lines begin with an anchor, as the lines that the caller was shown do, and the file has no such lines. */
export function refuseNewAnchors(edit: Edit, shown: Snapshot, index: number): Refused | null {
  const { target } = edit;
  const added =
    "hunks" in target
      ? target.hunks.flatMap(({ lines }) =>
          lines.flatMap(({ kind, text }) => (kind === "added" ? [text] : [])),
        )
      : "text" in edit
        ? edit.text.split("\n")
        : [];
  const anchored = findAnchor(added);
  if (anchored === undefined || findAnchor((shown.text ?? "").split("\n")) !== undefined) return null;
  const what = `a new line begins with an anchor: ${JSON.stringify(anchored.slice(0, 40))}`;
  const hint = "New lines are written as they are. Send them without anchors.";
  return refuse({ code: "malformed", path: edit.path, edit: index, what, hint });
}

type Reading = { readonly text: Snapshot; readonly hunks: readonly Hunk[] };

function isSamePlace(older: Reading, newer: Reading): boolean {
  const [from, to] = [older, newer].map(({ text }) => indexLines(text.text ?? ""));
  const splices = compareTexts(from!.text, to!.text);
  return older.hunks.every(({ line }, i) => {
    const start = from!.starts[(line ?? 1) - 1] ?? 0;
    return (
      line === undefined ||
      mapOffset(start, splices, "after") === (to!.starts[newer.hunks[i]!.line! - 1] ?? 0)
    );
  });
}

function staleAnchors({ path, target }: Edit, shown: Snapshot, now: Snapshot) {
  const lost = "hunks" in target ? readAnchors(target, now.text ?? "") : [];
  const detail =
    "line" in lost
      ? `Line ${lost.line} of ${path} is not the line of this anchor.`
      : `The anchors in ${path} are from different readings.`;
  return { code: "stale", path, expected: shown.version, actual: now.version, detail } as const;
}
