import type { HistoryItem, Reader } from "../../workspace/workspace.ts";
import type { EntryView } from "./view.ts";

/** The newest entries of the journal, for the timeline. */
export async function readHistory(
  reader: Reader,
  query: { readonly before?: string; readonly limit: number },
): Promise<EntryView[]> {
  return (await reader.history(query)).map(momentOf);
}

/** The timeline shows only the first edits of an entry. */
const mostEdits = 50;

function momentOf(entry: HistoryItem): EntryView {
  return {
    entry: entry.id,
    time: entry.time,
    kind: entry.kind,
    author: entry.author,
    task: entry.task ?? null,
    run: entry.run ?? null,
    reason: entry.reason,
    undone: entry.undone,
    aborted: entry.state === "aborted",
    undoes: entry.undoes ?? [],
    files: entry.files.filter(({ sibling }) => !sibling).map(({ path }) => path),
    edits: entry.edits
      .slice(0, mostEdits)
      .map(({ path, reason, evidence }) => ({ path, reason, evidence: evidence.slice(0, 3) })),
  };
}
