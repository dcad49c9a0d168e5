import { nearest } from "../text/match/nearest.ts";
import { parseArguments } from "./arguments.ts";
import { type Command, exit, globalOptions, isSet, type Options, textOf } from "./command.ts";
import { commands } from "./commands.ts";
import { openTerminal, type Terminal, type TerminalOptions } from "./terminal/terminal.ts";
import { explainUsageError, usageError } from "./usage-error.ts";

const interrupted = 130;

// No top-level await: commands are loaded later, and their modules must not wait for this one.
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});

/** Finds the command, parses its arguments, runs it, and returns the exit code. */
async function main(words: readonly string[]): Promise<number> {
  const { name, rest } = splitCommand(words);
  if (name === undefined) return withoutCommand(rest, openTerminal(outputOptionsIn(rest)));
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) return unknownCommand(name, openTerminal(outputOptionsIn(rest)));
  const { command } = await load();
  const parsed = parseArguments(rest, [...command.options, ...globalOptions], Object.keys(commands));
  const output = parsed.ok ? outputOptionsOf(parsed.value.options) : outputOptionsIn(rest);
  const terminal = openTerminal({ ...output, json: output.json || command.onlyJson === true });
  const help = `See \`suture help ${name}\`.`;
  const dash = "Put `--` before text that begins with a dash and looks like an option.";
  if (!parsed.ok)
    return explainUsageError(terminal, parsed.refusal, command.group === "edit" ? `${dash} ${help}` : help);
  const { operands, options } = parsed.value;
  if (isSet(options, "help")) return showHelp(command, terminal);
  const root = textOf(options, "root");
  if (root !== undefined) {
    const { explainFolder } = await import("./explain-folder.ts");
    const problem = explainFolder(root);
    if (problem !== null) return usageError(terminal, problem);
  }
  const [fewest, most] = command.operands;
  if (operands.length < fewest || operands.length > most)
    return usageError(terminal, `usage: suture ${name} ${command.usage[0]}`, help);
  try {
    const code = await command.run({ operands, options, terminal });
    return process.exitCode === interrupted ? interrupted : code;
  } catch (error) {
    return explainFailure(error, terminal);
  }
}

/** The common options may also precede the name of the command. */
function splitCommand(words: readonly string[]): { name: string | undefined; rest: readonly string[] } {
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (!word.startsWith("-")) return { name: word, rest: words.toSpliced(i, 1) };
    const option = globalOptions.find(({ name, short }) => word === `--${name}` || word === `-${short}`);
    if (option?.value !== undefined) i++;
  }
  return { name: undefined, rest: words };
}

function outputOptionsOf(options: Options): TerminalOptions {
  return {
    json: isSet(options, "json"),
    quiet: isSet(options, "quiet"),
    verbose: isSet(options, "verbose"),
  };
}

/** The output options of a command line that cannot be parsed. */
function outputOptionsIn(words: readonly string[]): TerminalOptions {
  const before = words.slice(0, words.includes("--") ? words.indexOf("--") : words.length);
  const has = (...spellings: string[]): boolean => before.some((word) => spellings.includes(word));
  return { json: has("--json"), quiet: has("--quiet", "-q"), verbose: has("--verbose", "-v") };
}

async function withoutCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  if (words.includes("--version") || words.includes("-V")) {
    const { version } = await import("./version.ts");
    terminal.printExactly(`${version}\n`);
    return exit.done;
  }
  const parsed = parseArguments(words, globalOptions);
  if (!parsed.ok) return explainUsageError(terminal, parsed.refusal, "See `suture help`.");
  const { options } = parsed.value;
  if (!isSet(options, "help") && !terminal.json) {
    const { showWayIn } = await import("./way-in.ts");
    if (await showWayIn(textOf(options, "root") ?? ".", terminal)) return exit.done;
  }
  const { describeAll, printOverview } = await import("./help.ts");
  terminal.printExactly(`${printOverview(await describeAll(), terminal)}\n`);
  return isSet(options, "help") ? exit.done : exit.misused;
}

async function showHelp(command: Command, terminal: Terminal): Promise<number> {
  const { printHelp } = await import("./help.ts");
  terminal.printExactly(`${printHelp(command, terminal)}\n`);
  return exit.done;
}

function unknownCommand(name: string, terminal: Terminal): number {
  const meant = nearest(name, Object.keys(commands));
  return usageError(
    terminal,
    `unknown command ${name}`,
    meant ? `Did you mean ${meant}?` : "See `suture help`.",
  );
}

/** Prints an error that a command threw: a bug of ours, or a failure of the machine. */
function explainFailure(error: unknown, terminal: Terminal): number {
  const { message = String(error), stack } = (error ?? {}) as Partial<Error>;
  if ((error as { name?: string } | null)?.name === "Interrupted") {
    terminal.remark("suture: interrupted; nothing was changed");
    return interrupted;
  }
  if (terminal.json) terminal.printJson({ success: false, output: "", error: message, code: "error" });
  else terminal.complain(`suture: ${message}`);
  if (terminal.verbose) terminal.complain(stack ?? "");
  else terminal.remark("Pass --verbose to see where.");
  return exit.failed;
}
