import { nearest } from "../../../text/match/nearest.ts";
import { type Call, type Command, exit, isSet } from "../../command.ts";
import { usageError } from "../../usage-error.ts";

export const command: Command = {
  name: "help",
  group: "serve",
  summary: "explain suture, or one command",
  usage: ["[COMMAND]"],
  operands: [0, 1],
  options: [{ name: "markdown", text: "print every command as one Markdown page" }],
  examples: [["a command", "suture help edit"]],
  run,
};

async function run({ operands, options, terminal }: Call): Promise<number> {
  const { describeAll, printHelp, printOverview, printPage } = await import("../../help.ts");
  const all = await describeAll();
  if (isSet(options, "markdown")) terminal.printExactly(`${printPage(all)}\n`);
  else if (operands[0] === undefined) terminal.printExactly(`${printOverview(all, terminal)}\n`);
  else {
    const found = all.find(({ name }) => name === operands[0]);
    if (!found) {
      const meant = nearest(
        operands[0],
        all.map(({ name }) => name),
      );
      return usageError(
        terminal,
        `unknown command ${operands[0]}`,
        meant ? `Did you mean ${meant}?` : "See `suture help`.",
      );
    }
    terminal.printExactly(`${printHelp(found, terminal)}\n`);
  }
  return exit.done;
}
