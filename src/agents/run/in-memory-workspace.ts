import type { Edit } from "../../text/model/edit.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { agentText } from "../../wording/agents.ts";
import type { Committed, FileSnapshot, Reader, Workspace } from "../../workspace/workspace.ts";

/** A workspace that holds one page in memory. Tools read and commit as usual, and nothing is written. */
export class InMemoryWorkspace {
  readonly workspace: Workspace;
  readonly #path: string;
  readonly #edits: Edit[] = [];
  #text: string;

  constructor(reader: Reader, page: { readonly path: string; readonly text: string }) {
    this.#path = page.path;
    this.#text = page.text;
    const notHere = async (): Promise<Outcome<never>> =>
      refuse({ code: "not-allowed", path: page.path, detail: agentText.inMemoryOnly });
    this.workspace = {
      ...reader,
      read: async (path, options) =>
        path === page.path ? accept(this.#snapshot()) : reader.read(path, options),
      commit: async (plan, options) => this.#commit(plan, options),
      undo: notHere,
      redo: notHere,
      restore: notHere,
      writeState: notHere,
      finishRun: notHere,
      gc: notHere,
      doctor: async () => [],
    };
  }

  text(): string {
    return this.#text;
  }

  /** Every committed edit, in order. Each applies to the text that the previous ones left. */
  edits(): readonly Edit[] {
    return [...this.#edits];
  }

  #version(): string {
    return `staged-${this.#edits.length}`;
  }

  #snapshot(): FileSnapshot {
    const bytes = new TextEncoder().encode(this.#text);
    const version = this.#version();
    return { path: this.#path, text: this.#text, version, bytes, mode: null, encoding: null };
  }

  #commit(...[plan, { author, base }]: Parameters<Workspace["commit"]>): Outcome<Committed> {
    const path = this.#path;
    const [change, ...others] = plan.changes;
    if (!change || change.path !== path || change.after === null || others.length > 0)
      return refuse({ code: "not-allowed", path, detail: agentText.onlyPage(path) });
    const expected = base?.[path] ?? change.before.version;
    const actual = this.#version();
    if (expected !== actual) return refuse({ code: "stale", path, expected, actual });
    this.#text = change.after;
    this.#edits.push(...plan.edits);
    return accept(entryFor(this.#version(), author));
  }
}

/** The entry that a tool reports. No journal holds it. */
function entryFor(id: string, author: string): Committed {
  const durability = { level: "fast", limits: [] } as const;
  const empty = { time: "", reason: "", edits: [], files: [], notices: [] } as const;
  return { id, kind: "edit", state: "committed", author, durability, ...empty };
}
