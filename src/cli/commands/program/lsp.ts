import { type Call, type Command, exit } from "../../command.ts";
import { version } from "../../version.ts";

export const command: Command = {
  name: "lsp",
  group: "serve",
  summary: "show findings and quick fixes in an editor (language server on standard input)",
  usage: [""],
  operands: [0, 0],
  options: [{ name: "stdio", text: "use standard input and output (the only transport)" }],
  examples: [["what an editor starts", "suture lsp"]],
  run,
};

async function run(_call: Call): Promise<number> {
  const { serveLsp } = await import("../../../lsp/index.ts");
  await serveLsp({ version });
  return exit.done;
}
