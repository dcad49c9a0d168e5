import { createMemoryDisk, type MemoryDisk } from "../workspace/files/memory-files.ts";
import { offer } from "./call.ts";
import { editingTools } from "./catalog.ts";
import { type ContextOptions, openContext } from "./context.ts";
import type { Context, Result } from "./tool.ts";

/** A folder in memory, and the tools over it, for tests. */
export type Desk = {
  readonly disk: MemoryDisk;
  readonly context: Context;
  call(tool: string, input: unknown): Promise<Result>;
  /** Text of a file as UTF-8; null where there is none. */
  text(path: string): string | null;
  /** Every file outside Suture's own state. */
  files(): string[];
};

export async function openDesk(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<ContextOptions> = {},
  disk: MemoryDisk = createMemoryDisk(),
): Promise<Desk> {
  for (const [path, content] of Object.entries(files)) disk.put(path, content);
  const opened = await openContext({ root: "/", files: disk.process(), ...options });
  if (!opened.ok) throw new Error(JSON.stringify(opened.refusal));
  const context = opened.value;
  return {
    disk,
    context,
    call: (tool, input) => offer(editingTools).callTool(context, tool, input),
    text: (path) => {
      const read = disk.read(path);
      return read === null ? null : new TextDecoder("utf-8", { ignoreBOM: true }).decode(read.bytes);
    },
    files: () => disk.tree().filter((path) => !path.startsWith(".suture") && !path.endsWith("/")),
  };
}
