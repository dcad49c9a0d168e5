import { nearest } from "../text/match/nearest.ts";
import { defined } from "../text/model/defined.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import type { Option, Options } from "./command.ts";

export type Arguments = { readonly operands: readonly string[]; readonly options: Options };

/**
 * Sorts the words after a command's name into operands and options. A word that merely begins with a dash
 * (`-1`, `- item`, `-- text`) is an operand; one that looks like an option must be known. `--` ends the options. An
 * unknown option with the name of a command names that command.
 */
export function parseArguments(
  words: readonly string[],
  known: readonly Option[],
  commands: readonly string[] = [],
): Outcome<Arguments> {
  const operands: string[] = [];
  const options: Record<string, string | true> = {};
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === "--") {
      operands.push(...words.slice(i + 1));
      break;
    }
    const spelled = spelling.exec(word);
    if (!spelled) {
      operands.push(word);
      continue;
    }
    const option = findOption(known, spelled.groups!);
    if (!option) return unknown(word, known, commands);
    const inline = spelled.groups!.value;
    if (option.value === undefined) {
      if (inline !== undefined) return malformed(`${shown(option)} takes no value`);
      options[option.name] = true;
      continue;
    }
    const value = inline ?? words[++i];
    if (value === undefined || (inline === undefined && isKnown(value, known)))
      return malformed(`${shown(option)} needs a value: ${option.value}`);
    const flaw = flawOf(option, value);
    if (flaw) return malformed(flaw);
    options[option.name] = value;
  }
  return accept({ operands, options });
}

// A letter, or two dashes and a name: anything else that begins with a dash is text.
const spelling = /^(?:-(?<short>[a-zA-Z])|--(?<name>[a-zA-Z][a-zA-Z0-9-]*))(?:=(?<value>[\s\S]*))?$/;

function findOption(
  known: readonly Option[],
  { short, name }: Record<string, string | undefined>,
): Option | undefined {
  return known.find((option) => (short === undefined ? option.name === name : option.short === short));
}

function isKnown(word: string, known: readonly Option[]): boolean {
  const spelled = spelling.exec(word);
  return word === "--" || (spelled !== null && findOption(known, spelled.groups!) !== undefined);
}

function flawOf(option: Option, value: string): string | undefined {
  if (option.integer && !/^-?\d{1,15}$/.test(value))
    return `${shown(option)} takes a whole number, not ${JSON.stringify(value)}`;
  if (option.choices && !option.choices.includes(value)) {
    const meant = nearest(value, option.choices);
    return `${shown(option)} is one of ${option.choices.join(", ")}, not ${JSON.stringify(value)}${meant ? `; did you mean ${meant}?` : ""}`;
  }
  return undefined;
}

function unknown(word: string, known: readonly Option[], commands: readonly string[]): Outcome<never> {
  const spelled = word.split("=")[0]!;
  const command = commands.find((name) => spelled === `--${name}`);
  const meant = nearest(
    spelled,
    known.flatMap((option) => [`--${option.name}`, ...(option.short ? [`-${option.short}`] : [])]),
  );
  const hint = command ? `\`suture ${command}\` is a command of its own.` : meant && `Did you mean ${meant}?`;
  return refuse({
    code: "malformed",
    what: `unknown option ${spelled}`,
    ...defined({ hint: hint || undefined }),
  });
}

function malformed(what: string): Outcome<never> {
  return refuse({ code: "malformed", what });
}

function shown(option: Option): string {
  return `--${option.name}`;
}
