// Anthropic's text editor tool, executed by a session: absolute paths and folders too.
import { openSession, unwrap } from "suture";

await using session = unwrap(await openSession({ root: "." }));
const editor = session.tools.textEditor();
const block = { type: "tool_use", id: "1", name: "str_replace_based_edit_tool", input: { command: "view", path: `${process.cwd()}/docs` } } as const;
console.log((await editor.run(block)).content.includes("docs/cli.md")); // prints: true
