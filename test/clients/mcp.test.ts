import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { pluginLoadings } from "./plugin-loadings.ts";
import type { Order } from "./run-inside.ts";
import type { Step } from "./scripted-model.ts";
import { ClientTrial, reasonToSkip } from "./session.ts";

// On a busy machine a server starts later than the 5 to 30 s that some clients wait for it, so they are told to wait longer.
const patience = "startup_timeout_sec = 300\n";

type Call = (verb: string, input: Readonly<Record<string, unknown>>) => Step;
type Options = Partial<Pick<Order, "words" | "prepare" | "settings">>;

/** The set-up of a client as the document has it. */
function documented(title: string): string {
  const page = readFileSync("docs/mcp-clients.md", "utf8");
  const [, section = ""] = page.split(`## ${title}\n`);
  return /```(?:json|toml)\n(.*?)```/s.exec(section)![1]!;
}

const named =
  (prefix: string): Call =>
  (verb, input) => ({ tool: prefix + verb, input });
const inNamespace =
  (namespace: string): Call =>
  (tool, input) => ({ namespace, tool, input });

/** How each client is given the server: files of the project, options of the run, and its names for our tools. */
const setUps: readonly {
  readonly client: "claude" | "codex" | "gemini" | "opencode";
  readonly how: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Options;
  readonly call: Call;
}[] = [
  {
    client: "claude",
    how: "as documented",
    files: { ".mcp.json": documented("Claude Code") },
    options: { words: ["mcp__suture"] },
    call: named("mcp__suture__"),
  },
  {
    client: "claude",
    how: "with the plugin",
    options: { words: ["mcp__plugin_suture_suture", ...pluginLoadings.claude.words!] },
    call: named("mcp__plugin_suture_suture__"),
  },
  {
    client: "codex",
    how: "as documented",
    options: { settings: documented("Codex") + patience },
    call: inNamespace("mcp__suture"),
  },
  {
    client: "codex",
    how: "with the plugin",
    options: pluginLoadings.codex,
    call: inNamespace("mcp__suture"),
  },
  {
    client: "gemini",
    how: "as documented",
    files: { ".gemini/settings.json": documented("Gemini CLI") },
    call: named("mcp_suture_"),
  },
  { client: "gemini", how: "with the extension", options: pluginLoadings.gemini, call: named("mcp_suture_") },
  {
    client: "opencode",
    how: "as documented",
    files: { "opencode.json": documented("opencode").replace('"local",', '"local", "timeout": 300000,') },
    call: named("suture_"),
  },
];

describe.each(setUps)(
  "tools over MCP in real $client, $how",
  ({ client, files = {}, options = {}, call }) => {
    const why = reasonToSkip(client);
    if (why !== null) console.log(`skipped: ${client}: ${why}`);
    test.skipIf(why !== null)("the model reads, edits, is refused, retries by a handle and undoes", () => {
      using trial = new ClientTrial(client);
      for (const [path, text] of Object.entries(files)) trial.write(path, text);
      const path = "docs/guide.md";
      const before = trial.read(path);
      const edit = (old_content: string): Step =>
        call("edit_file", { path, old_content, new_content: "# Manual" });
      trial.write("slip.py", "def f():\n    if a:\n        b()\n");
      trial.write("long.md", `${"One line of a long page, with 50 characters in it.\n".repeat(100)}`);
      const slip = { path: "slip.py", old_content: "if a:\n    b()", new_content: "if a:\n    c()\n    b()" };
      const steps = [
        call("read_file", { path }),
        edit("# Guide"),
        edit("# Nowhere"),
        call("undo", { entry: "1" }),
        call("edit_file", slip),
        call("retry_edit", { handle: "r1" }),
        call("read_file", { path: "long.md" }),
      ];
      const requests = trial.run([...steps, { say: "Done." }], options);
      expect(requests).toHaveLength(steps.length + 1);
      const told = [
        /1\\+t# Guide/,
        /Edited docs\/guide\.md/,
        /Content not found in docs\/guide\.md/,
        /Undid entry 1/,
        /If you mean the change below, call retry_edit/,
        /Applied 1 edit to 1 file/,
        /One line of a long page/,
      ];
      const grown = (at: number): number => requests[at + 1]!.body.length - requests[at]!.body.length;
      console.log(
        `${client}: characters in the next request after reading 5,000: ${grown(6)}, after a success: ${grown(1)}, after a retry: ${grown(5)}`,
      );
      // The page itself, its line numbers and its escapes in JSON, once.
      expect(grown(6)).toBeLessThan(8000);
      for (const [at, message] of told.entries()) {
        const isTold = requests.slice(at, at + 2).map(({ body }) => message.test(body));
        expect(isTold, String(message)).toEqual([false, true]);
      }
      expect(trial.read(path)).toBe(before);
      expect(trial.read("slip.py")).toBe("def f():\n    if a:\n        c()\n        b()\n");
      expect(trial.suture("log")).toContain(path);
    });
  },
);
