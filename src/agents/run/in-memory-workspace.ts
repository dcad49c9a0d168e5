import type { Edit } from "../../text/model/edit.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Committed, FileSnapshot, Reader, Workspace } from "../../workspace/workspace.ts";

/** One page that an agent's tools edit in memory: they read and commit as ever, and nothing is written. */
export type StagedPage = {
  readonly workspace: Workspace;
  text(): string;
  /** Every edit that went in, in order, each of the text that the ones before it left. */
  edits(): readonly Edit[];
};

export function stagePage(reader: Reader, path: string, text: string): StagedPage {
  let now = text;
  const edits: Edit[] = [];
  const version = (): string => `staged-${edits.length}`;

  const read: Reader["read"] = async (asked, how) => {
    if (asked !== path) return reader.read(asked, how);
    const bytes = new TextEncoder().encode(now);
    const page: FileSnapshot = { path, text: now, version: version(), bytes, mode: null, encoding: null };
    return accept(page);
  };
  const commit: Workspace["commit"] = async (plan, { author, base }) => {
    const [change, ...others] = plan.changes;
    if (!change || change.path !== path || change.after === null || others.length > 0)
      return refuse({ code: "not-allowed", path, detail: `only ${path} may be written here` });
    const expected = base?.[path] ?? change.before.version;
    if (expected !== version()) return refuse({ code: "stale", path, expected, actual: version() });
    now = change.after;
    edits.push(...plan.edits);
    return accept(entryFor(version(), author));
  };
  const elsewhere = async (): Promise<Outcome<never>> =>
    refuse({ code: "not-allowed", path, detail: "a page in memory has no past and no state" });

  return {
    workspace: {
      ...reader,
      read,
      commit,
      undo: elsewhere,
      redo: elsewhere,
      restore: elsewhere,
      writeState: elsewhere,
      finishRun: elsewhere,
      gc: elsewhere,
      doctor: async () => [],
    },
    text: () => now,
    edits: () => [...edits],
  };
}

/** What a tool reports as its entry: none that any journal knows. */
function entryFor(id: string, author: string): Committed {
  const durability = { level: "fast", limits: [] } as const;
  const nothing = { time: "", reason: "", edits: [], files: [], notices: [] } as const;
  return { id, kind: "edit", state: "committed", author, durability, ...nothing };
}
