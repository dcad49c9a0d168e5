// Replaces opencode's own edit tool: copy this file to .opencode/tools/edit.ts.
import { execFile } from "node:child_process";
import { relative, resolve } from "node:path";
import { tool } from "@opencode-ai/plugin";

export default tool({
  description: "Replaces a text in a file. The text must stand in the file exactly, and once unless replaceAll is set.",
  args: {
    filePath: tool.schema.string().describe("The file to edit"),
    oldString: tool.schema.string().describe("The text to replace"),
    newString: tool.schema.string().describe("The text to put in its place"),
    replaceAll: tool.schema.boolean().optional().describe("Replace every occurrence"),
  },
  async execute({ filePath, oldString, newString, replaceAll }, context) {
    const root = context.directory ?? process.cwd();
    const path = relative(root, resolve(root, filePath));
    return edit(root, path, [{ old: oldString, fresh: newString, ...(replaceAll ? { all: true } : {}) }]);
  },
});

/** Edits through Suture: exact, in the journal, undone with `suture undo`. A refusal changes nothing. */
async function edit(root: string, path: string, edits: { old: string; fresh: string; all?: boolean }[]): Promise<string> {
  const outputs: string[] = [];
  for (const { old, fresh, all } of edits) {
    const input = { path, old_content: old, new_content: fresh, ...(all ? { occurrence: -1 } : {}) };
    const { output, error, hint } = await runSuture(root, input);
    if (error) throw new Error([error, hint].filter(Boolean).join("\n"));
    outputs.push(output);
  }
  return outputs.join("\n");
}

function runSuture(root: string, input: unknown): Promise<{ output: string; error?: string; hint?: string }> {
  const words = ["-y", "suture", "tool", "edit_file", JSON.stringify(input), "--json", "--root", root];
  const [program, ...rest] = process.env.SUTURE_COMMAND ? [...process.env.SUTURE_COMMAND.split(" "), ...words.slice(2)] : ["npx", ...words];
  return new Promise((resolve, reject) => {
    execFile(program!, rest, { cwd: root, maxBuffer: 64 << 20 }, (failure, stdout) => {
      try {
        resolve(JSON.parse(stdout));
      } catch {
        reject(failure ?? new Error("suture gave no answer"));
      }
    });
  });
}
