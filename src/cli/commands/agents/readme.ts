import { type Command, textOf } from "../../command.ts";
import { asking } from "../../with-models.ts";
import { documentation } from "./documentation.ts";

export const command: Command = {
  name: "readme",
  group: "documentation",
  summary: "update the README with a model, or write it where there is none",
  usage: [""],
  operands: [0, 0],
  options: [
    { name: "output", short: "o", value: "FILE", text: "the page; by default the README of the project" },
    { name: "force", short: "f", text: "write it anew" },
    { name: "dry-run", short: "n", text: "show the patch and write nothing" },
    {
      name: "base",
      value: "REF",
      text: "the revision to look from; by default where the page was last true",
    },
    { name: "max-tokens", value: "N", integer: true, text: "longest answer of the model (4000)" },
    { name: "no-review", text: "ask no second model what is wrong with the draft" },
    ...asking,
  ],
  examples: [["bring it up to date", "suture readme --model openai:gpt-5-mini"]],
  run: (call) => documentation(call, "readme", textOf(call.options, "output")),
};
