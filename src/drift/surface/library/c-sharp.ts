import type { CodeText } from "../read/code-text.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import type { Thing } from "../thing.ts";
import { type CallForm, readForms } from "./call-forms.ts";
import { createOwners, type OwnedRange } from "./command-owners.ts";

const FORMS: readonly CallForm[] = [
  // System.CommandLine.
  {
    declares: "flag",
    head: /\bnew\s+(?:\w+\.)?Option(?:<(?:[^<>()]|<[^<>()]*>)*>)?\s*\(/g,
    dashed: true,
    facts: {
      names: ["name", "aliases", 0, 1, 2],
      value: ["getDefaultValue", "DefaultValueFactory"],
      description: ["description", "Description"],
      hidden: ["Hidden", "IsHidden"],
    },
    links: { FromAmong: "choices", AcceptOnlyFromAmong: "choices", AddAlias: "names" },
  },
  {
    declares: "flag",
    head: /\bnew\s+(?:\w+\.)?Option(?:<[^<>()]*>)?\s*\((?=[^()]*,\s*(?:\(\)|_)\s*=>)/g,
    dashed: true,
    facts: { names: [0], value: [1], description: [2] },
  },
  {
    declares: "command",
    head: /\bnew\s+(?:\w+\.)?(?:Command|CliCommand)\s*\(/g,
    facts: { names: ["name", 0], description: ["description", 1] },
  },
  // CommandLineParser.
  {
    declares: "flag",
    head: /(?<=\[[^[\]\n]{0,200})\bOption\s*\(/g,
    marks: true,
    facts: { names: ["LongName", 0, 1], value: ["Default"], description: ["HelpText"], hidden: ["Hidden"] },
  },
  {
    declares: "command",
    head: /(?<=\[[^[\]\n]{0,200})\bVerb\s*\(/g,
    facts: { names: [0], description: ["HelpText"], hidden: ["Hidden"] },
  },
  // Spectre.Console.
  { declares: "flag", head: /\bCommandOption\s*\(/g, marks: true, facts: { names: [0] } },
];

/** Commands and flags of System.CommandLine, CommandLineParser and Spectre.Console. */
export function readCSharpFlags(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  if (!/\bOption\b|\bCommandOption\b/.test(code.code)) return [];
  return readForms(code, FORMS, { ownerAt: createOwners(verbRanges(offered)), offered });
}

/** The class that holds the options of each verb. */
function verbRanges(offered: readonly OfferedDeclaration[]): OwnedRange[] {
  return offered.flatMap(({ declaration: { kind, region }, preamble }) => {
    const name = /\bVerb\(\s*"([\w-]+)"/.exec(preamble)?.[1];
    return kind === "class" && name ? [{ ...region, owner: [name] }] : [];
  });
}
