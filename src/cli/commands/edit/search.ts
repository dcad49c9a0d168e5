import { defined } from "../../../text/model/defined.ts";
import { searchFiles } from "../../../tools/verbs/search-files.ts";
import { type Call, type Command, isSet, numberOf, textOf } from "../../command.ts";
import { runTool } from "../../run-tool.ts";

export const command: Command = {
  name: "search",
  group: "edit",
  summary: "find every line that holds a text, taken literally",
  usage: ["TEXT [FOLDER]"],
  operands: [1, 2],
  options: [
    { name: "glob", short: "g", value: "GLOB", text: "only files that match" },
    { name: "ignore-case", short: "i", text: "ignore upper and lower case" },
    { name: "limit", value: "N", integer: true, text: "most lines to show (100)" },
  ],
  examples: [
    ["where a flag is mentioned", "suture search -- --no-cache docs"],
    ["in Markdown files only", "suture search 'Client.get' --glob '**/*.md'"],
  ],
  run,
};

async function run(call: Call): Promise<number> {
  const { operands, options } = call;
  const [query, path] = operands as [string, string?];
  const input = {
    query,
    ...defined({
      path,
      glob: isSet(options, "glob") ? textOf(options, "glob") : undefined,
      ignore_case: isSet(options, "ignore-case") || undefined,
      limit: isSet(options, "limit") ? numberOf(options, "limit") : undefined,
    }),
  };
  return runTool(call, "search_files", (context) => searchFiles(context, input), { readOnly: true });
}
