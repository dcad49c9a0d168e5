import type { Edit } from "../text/model/edit.ts";
import type { Outcome } from "../text/model/outcome.ts";
import { pathsOf, planEdits } from "../text/model/plan.ts";
import type { Files } from "./files/files.ts";
import { createMemoryDisk, type MemoryDisk, type MemoryDiskOptions } from "./files/memory-files.ts";
import {
  type CommitOptions,
  type Committed,
  openWorkspace,
  type Workspace,
  type WorkspaceOptions,
} from "./workspace.ts";

/** A workspace in memory with some files, for tests. */
export type TestBench = {
  readonly disk: MemoryDisk;
  readonly files: Files;
  readonly workspace: Workspace;
  /** Reads, plans and commits, as every command does. */
  commit(edits: readonly Edit[], options?: Partial<CommitOptions>): Promise<Outcome<Committed>>;
  /** Another process on the same disk. */
  another(options?: WorkspaceOptions): Promise<TestBench>;
  text(path: string): string | null;
  /** Every file that is not part of the state. */
  paths(): string[];
};

export async function openTestBench(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: WorkspaceOptions = {},
  disk: MemoryDisk | MemoryDiskOptions = {},
): Promise<TestBench> {
  const machine = "process" in disk ? disk : createMemoryDisk(disk);
  for (const [path, content] of Object.entries(files)) machine.put(path, content);
  const process = options.files ?? machine.process();
  const workspace = value(await openWorkspace("/", { patience: 200, ...options, files: process }));
  return {
    disk: machine,
    files: process,
    workspace,
    commit: (edits, more) => commitEdits(workspace, edits, more),
    another: (more = {}) => openTestBench({}, { ...options, files: machine.process(), ...more }, machine),
    text: (path) => {
      const read = machine.read(path);
      return read && new TextDecoder("utf-8", { ignoreBOM: true }).decode(read.bytes);
    },
    paths: () => machine.tree().filter((path) => !path.startsWith(".suture") && !path.endsWith("/")),
  };
}

export async function commitEdits(
  workspace: Workspace,
  edits: readonly Edit[],
  options: Partial<CommitOptions> = {},
): Promise<Outcome<Committed>> {
  const snapshots = [];
  for (const path of pathsOf(edits)) {
    const read = await workspace.read(path);
    if (!read.ok) return read;
    snapshots.push({ ...read.value, path });
  }
  const plan = planEdits(edits, snapshots);
  return plan.ok ? workspace.commit(plan.value, { author: "me", ...options }) : plan;
}

/** The value of an outcome that must be ok. */
export function value<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
  return outcome.value;
}

/** The code of a refusal, or `ok`. */
export function codeFrom(outcome: Outcome<unknown>): string {
  return outcome.ok ? "ok" : outcome.refusal.code;
}

const asked = { reason: "because", evidence: [] };

export const quote = (path: string, old: string, text: string): Edit => ({
  ...asked,
  path,
  target: { quote: old },
  text,
});
export const create = (path: string, text: string): Edit => ({
  ...asked,
  path,
  target: { file: "create" },
  text,
});
export const rewrite = (path: string, text: string): Edit => ({
  ...asked,
  path,
  target: { file: "rewrite" },
  text,
});
export const remove = (path: string): Edit => ({ ...asked, path, target: { file: "delete" } });
export const move = (path: string, to: string): Edit => ({ ...asked, path, target: { file: "move" }, to });
export const copy = (path: string, to: string): Edit => ({ ...asked, path, target: { file: "copy" }, to });
export const setMode = (path: string, mode: "regular" | "executable"): Edit => ({
  ...asked,
  path,
  target: { file: "mode" },
  mode,
});
export const insert = (path: string, line: number, text: string): Edit => ({
  ...asked,
  path,
  target: { line },
  text,
});
