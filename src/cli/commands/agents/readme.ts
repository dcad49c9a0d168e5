import { type Command, textOf } from "../../command.ts";
import { modelOptions } from "../../with-models.ts";
import { documentation } from "./documentation.ts";

export const command: Command = {
  name: "readme",
  group: "documentation",
  summary: "update the README with a model, or write it where there is none",
  usage: [""],
  operands: [0, 0],
  options: [
    { name: "output", short: "o", value: "FILE", text: "the page; by default the README of the project" },
    { name: "force", short: "f", text: "write the page from scratch" },
    { name: "dry-run", short: "n", text: "show the patch and write nothing" },
    {
      name: "base",
      value: "REF",
      text: "compare from this revision (where the page was last true)",
    },
    { name: "max-tokens", value: "N", integer: true, text: "longest answer of the model (4000)" },
    { name: "no-review", text: "do not ask a second model to review the draft" },
    ...modelOptions,
  ],
  examples: [["bring it up to date", "suture readme --model openai:gpt-5-mini"]],
  run: (call) => documentation(call, "readme", textOf(call.options, "output")),
};
