import { parseJson } from "../../../text/model/json.ts";
import { accept } from "../../../text/model/outcome.ts";
import type { Tool } from "../../../tools/catalog.ts";
import { modes, profiles } from "../../../tools/tool.ts";
import { type Call, type Command, exit, isSet, writing } from "../../command.ts";
import { runTool } from "../../run-tool.ts";
import { readInput } from "../../terminal/input.ts";
import { explainUsageError, usageError } from "../../usage-error.ts";

export const command: Command = {
  name: "tool",
  group: "serve",
  summary: "call a tool with JSON, and print its answer as JSON",
  usage: ["NAME JSON", "NAME -"],
  operands: [1, 2],
  onlyJson: true,
  options: [
    { name: "profile", value: "P", choices: profiles, text: "the set of tools to offer" },
    { name: "mode", value: "M", choices: modes, text: "what the task is for; it decides which tools exist" },
    { name: "article", value: "PATH", text: "the only article that edit_article may change" },
    { name: "strict", text: "edit_file refuses more than one match" },
    ...writing.filter(({ name }) => ["consent", "force", "task", "run", "author"].includes(name)),
  ],
  examples: [
    ["read some lines", `suture tool read_file '{"path": "README.md", "start_line": 1, "end_line": 20}'`],
    [
      "edit for a task",
      `suture tool edit_file '{"path": "a.md", "old_content": "x", "new_content": "y"}' --task docs`,
    ],
    ["arguments from standard input", "suture tool apply_patch - < call.json"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const { operands, terminal } = call;
  const [name, json = "-"] = operands as [string, string?];
  const text = json === "-" ? await readInput("-") : accept(json);
  if (!text.ok) return explainUsageError(terminal, text.refusal);
  const input = parseJson(text.value);
  if (input === undefined) return usageError(terminal, `the arguments of ${name} are not valid JSON`);
  const { callTool, catalog } = await import("../../../docs/catalog.ts");
  const code = await runTool(withProfile(call, catalog, name), name, (context) =>
    callTool(context, name, input),
  );
  return catalog.some((tool) => tool.name === name) ? code : exit.misused;
}

/** Without `--profile`, a tool that only one set has is called in that set. */
function withProfile(call: Call, catalog: readonly Tool[], name: string): Call {
  const { profiles: own = [] } = catalog.find((tool) => tool.name === name) ?? {};
  if (isSet(call.options, "profile") || own.includes("files") || own[0] === undefined) return call;
  return { ...call, options: { ...call.options, profile: own[0] } };
}
