/** A command as a person, an agent or a runner calls it in a folder that it does not know. */
export type AttackedCommand = { readonly args: readonly string[]; readonly input?: string };

const edit = { path: "docs/page.md", old_content: "a limit", new_content: "the limit" };
const hook = {
  session_id: "s",
  cwd: ".",
  hook_event_name: "Stop",
  tool_name: "Edit",
  tool_input: { file_path: "docs/page.md", old_string: "a", new_string: "b" },
};

const unified = "--- a/docs/page.md\n+++ b/docs/page.md\n@@ -1 +1 @@\n-# Page\n+# The page\n";

export const attackedCommands: readonly AttackedCommand[] = [
  ...[
    "check",
    "check --json",
    "check --staged",
    "check --base HEAD~1",
    "check --all",
    "check --github --base HEAD~1",
    "check --base --output=x",
    "check --base HEAD~1 docs",
    "fix --dry-run --base HEAD~1",
    "fix --yes --base HEAD~1",
    "fix --propose --base HEAD~1",
    "fix --all --dry-run",
    "verify",
    "init --dry-run",
    "init --yes --replay 2",
    "ci --mode check --base HEAD~1",
    "ci --artefact ../out",
    "log",
    "show 1",
    "diff 1",
    "undo",
    "redo",
    "stats",
    "gc",
    "doctor",
    "doctor --repair",
    "read docs/page.md",
    "search loadThing",
    "edit README.md --old Tool --new Tools",
    "agent status",
    "agent install --target claude",
    "agent uninstall --target claude",
    "impact extract --base HEAD~1",
    "impact search --base HEAD~1",
    "impact agent --base HEAD~1 -y",
    "documentation --dry-run",
    "readme --dry-run",
    "run document-everything --plan",
    "completion bash",
    "--version",
    "tool find_drift {}",
    "tool list_files {}",
    'tool read_file {"path":"docs/page.md"}',
    "tool history {}",
    "review --no-open",
    "review --all --no-open",
    "claims",
    "claims --json docs",
    "claims --undecidable",
    "claims --html ../out/claims.html",
    "claims --at docs/page.md:3",
    "claims --at ../elsewhere/page.md:3",
    "claims --join package.json",
    "merge package.json README.md docs/page.md --print",
    "merge package.json README.md docs/page.md src/a.js",
    "merge --install",
    "merge --uninstall",
    "blame README.md",
    "blame --install --trailer",
    "blame --uninstall",
    "blame --note HEAD",
    "blame --sign README.md",
    "init --yes --from ../elsewhere/suture.tgz",
    "ci --mode check --base HEAD~1 --badge ../out/badge.json",
    "check --base HEAD~1 --sarif",
    "fleet add .",
    "dismiss 1",
    "restore docs/page.md --entry 1 --before",
    "insert README.md --line 0 --text x",
    "fix --findings package.json --yes",
    "check --baseline package.json",
    "impact agent --base HEAD~1 --dry-run",
    "fleet status",
    "fleet run --once --no-workers",
    "check --docs ../elsewhere --base HEAD~1",
    "claims --docs ../elsewhere",
    "fix --docs ../elsewhere --yes --base HEAD~1",
    "fix --all --yes",
    "ci --mode commit --base HEAD~1",
    "ci --mode suggest --base HEAD~1 --sarif ../out/suture.sarif",
    "ci publish docs --mode suggest",
    "agent install",
    "agent install --user --target claude",
    "agent status --json",
    "impact agent --base HEAD~1 --docs docs -y",
    "documentation -y",
    "readme -y",
    "run document-everything",
    "blame docs/page.md --json",
    "blame --note",
    'tool search_files {"query":"loadThing"}',
    'tool retry_edit {"handle":"r1"}',
    'tool edit_symbol {"path":"src/a.js","symbol":"readThing","action":"replace","content":"export function b() {}"}',
    'tool write_file {"path":"new.md","content":"x"}',
    'tool insert_at {"path":"README.md","line":0,"content":"x"}',
    "tool undo {}",
  ].map((line) => ({ args: line.split(" ") })),
  { args: ["tool", "edit_file", JSON.stringify(edit)] },
  { args: ["tool", "apply_patch", JSON.stringify({ patch: unified })] },
  { args: ["patch", "docs/page.md"], input: unified },
  { args: ["apply", "--json"], input: JSON.stringify({ edits: [edit] }) },
  ...["start", "stop --record", "stop --fix", "before", "after"].map((event) => ({
    args: ["agent", ...event.split(" "), "--target", "claude"],
    input: JSON.stringify(hook),
  })),
  { args: ["mcp"], input: mcpLines() },
  { args: ["lsp"], input: lspFrames() },
];

function mcpLines(): string {
  const clientInfo = { name: "attack", version: "1" };
  const calls = [
    ["initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }],
    ["tools/list", {}],
    ["tools/call", { name: "find_drift", arguments: { base: "HEAD~1" } }],
    ["tools/call", { name: "read_file", arguments: { path: "docs/page.md" } }],
    ["tools/call", { name: "edit_file", arguments: { ...edit, reason: "It changed." } }],
    ["tools/call", { name: "edit_file", arguments: { ...edit, old_content: "a limitt" } }],
    ["tools/call", { name: "retry_edit", arguments: { handle: "r1" } }],
    ["tools/call", { name: "search_files", arguments: { query: "loadThing" } }],
    ["tools/call", { name: "apply_patch", arguments: { patch: unified } }],
    ["tools/call", { name: "fix_docs", arguments: { base: "HEAD~1" } }],
    ["tools/call", { name: "undo", arguments: {} }],
    ["resources/list", {}],
    ["prompts/list", {}],
    ["tools/call", { name: "history", arguments: {} }],
  ];
  return calls
    .map(([method, params], id) => `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
    .join("");
}

function lspFrames(): string {
  const text = "# Page\n\nCall `loadThing()`.\n";
  const messages = [
    { id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } },
    { method: "initialized", params: {} },
    {
      method: "textDocument/didOpen",
      params: {
        textDocument: { uri: "file:///ROOT/docs/page.md", languageId: "markdown", version: 1, text },
      },
    },
    { id: 2, method: "shutdown" },
    { method: "exit" },
  ];
  return messages
    .map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }))
    .map((body) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    .join("");
}
