/** The part that both replacements share: `suture apply`, with its answer for the model. */
const callSuture = (
  author: string,
  call: string,
): string => `/** Edits through Suture: exact, all or none, in the journal, undone with \`suture undo\`. A refusal changes nothing. */
async function edit(root: string, path: string, edits: { old: string; fresh: string; all?: boolean }[]): Promise<string> {
  const wanted = edits.map(({ old, fresh, all }) => ({ path, old_string: old, new_string: fresh, ...(all ? { replace_all: true } : {}) }));
  const { output, error, hint } = await runSuture(root, JSON.stringify(wanted));
  if (error) throw new Error([error, hint].filter(Boolean).join("\\n"));
  return output;
}

function runSuture(root: string, input: string): Promise<{ output: string; error?: string; hint?: string }> {
  const [program, ...words] = (process.env.SUTURE_COMMAND ?? "${call}").split(" ");
  return new Promise((resolve, reject) => {
    const options = ["apply", "--json", "--author", "${author}", "--root", root];
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
`;

const opencode = (
  call: string,
): string => `// Replaces opencode's own edit tool: copy this file to .opencode/tools/edit.ts.
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

${callSuture("opencode", call)}`;

const pi = (
  call: string,
): string => `// Replaces Pi's own edit tool: copy this file to .pi/extensions/suture.ts.
import { execFile } from "node:child_process";
import { relative, resolve } from "node:path";

const text = (description: string) => ({ type: "string", description });
const replacement = {
  type: "object",
  properties: { oldText: text("The text to replace"), newText: text("The text to put in its place") },
  required: ["oldText", "newText"],
};

export default function (pi: { registerTool(tool: unknown): void }): void {
  pi.registerTool({
    name: "edit",
    label: "edit",
    description: "Replaces texts in a file. Each text must occur in the file exactly once.",
    parameters: {
      type: "object",
      properties: { path: text("The file to edit"), edits: { type: "array", items: replacement } },
      required: ["path", "edits"],
    },
    async execute(
      _id: string,
      { path, edits }: { path: string; edits: { oldText: string; newText: string }[] },
      _signal: unknown,
      _update: unknown,
      context?: { cwd?: string },
    ) {
      const root = context?.cwd ?? process.cwd();
      const inside = relative(root, resolve(root, path));
      const done = await edit(root, inside, edits.map(({ oldText, newText }) => ({ old: oldText, fresh: newText })));
      return { content: [{ type: "text", text: done }], details: {} };
    },
  });
}

${callSuture("pi", call)}`;

/** Clients that let an extension replace their edit tool get a real replacement. */
export function editToolSources(call: string): Readonly<Record<string, string>> {
  return { "plugin/opencode/tools/edit.ts": opencode(call), "plugin/pi/suture.ts": pi(call) };
}
