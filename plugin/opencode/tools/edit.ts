// Replaces opencode's own edit tool: copy this file to .opencode/tools/edit.ts.
import { execFile } from "node:child_process";
import { relative, resolve } from "node:path";
import { tool } from "@opencode-ai/plugin";

export default tool({
  description: "Replaces a text in a file. The text must occur in the file exactly, and once unless replaceAll is set.",
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

/** Edits through Suture: exact, all or none, in the journal, undone with `suture undo`. A refusal changes nothing. */
async function edit(root: string, path: string, edits: { old: string; fresh: string; all?: boolean }[]): Promise<string> {
  const wanted = edits.map(({ old, fresh, all }) => ({ path, old_string: old, new_string: fresh, ...(all ? { replace_all: true } : {}) }));
  const { output, error, hint } = await runSuture(root, JSON.stringify(wanted));
  if (error) throw new Error([error, hint].filter(Boolean).join("\n"));
  return output;
}

function runSuture(root: string, input: string): Promise<{ output: string; error?: string; hint?: string }> {
  const [program, ...words] = (process.env.SUTURE_COMMAND ?? "npx -y --prefix ~/ --package git+https://github.com/OWNER/suture.git#v0.1.0 -- suture").split(" ");
  return new Promise((resolve, reject) => {
    const options = ["apply", "--json", "--author", "opencode", "--root", root];
    const child = execFile(program!, [...words, ...options], { cwd: root, maxBuffer: 64 << 20 }, (failure, stdout) => {
      try {
        resolve(JSON.parse(stdout));
      } catch {
        reject(failure ?? new Error("suture gave no answer"));
      }
    });
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}
