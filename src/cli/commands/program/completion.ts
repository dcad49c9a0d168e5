import { type Call, type Command, exit } from "../../command.ts";
import { usageError } from "../../usage-error.ts";

export const command: Command = {
  name: "completion",
  group: "serve",
  summary: "print a completion script for a shell",
  usage: ["bash | zsh | fish"],
  operands: [1, 1],
  options: [],
  examples: [
    ["bash", "suture completion bash > ~/.local/share/bash-completion/completions/suture"],
    ["zsh", "suture completion zsh > ~/.zfunc/_suture"],
    ["fish", "suture completion fish > ~/.config/fish/completions/suture.fish"],
  ],
  run,
};

async function run({ operands, terminal }: Call): Promise<number> {
  const { printCompletion, shells } = await import("../../completion.ts");
  const shell = shells.find((name) => name === operands[0]);
  if (!shell)
    return usageError(terminal, `no completion for ${operands[0]}`, `There is one for ${shells.join(", ")}.`);
  terminal.printExactly(await printCompletion(shell));
  return exit.done;
}
