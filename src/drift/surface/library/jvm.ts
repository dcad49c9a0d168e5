import type { CodeText } from "../read/code-text.ts";
import type { OfferedDeclaration } from "../read/symbols.ts";
import type { Thing } from "../thing.ts";
import { type CallForm, readForms } from "./call-forms.ts";
import { createOwners, type OwnedRange } from "./command-owners.ts";

const FORMS: readonly CallForm[] = [
  {
    declares: "command",
    head: /@(?:CommandLine\.|picocli\.CommandLine\.)?Command\s*\(/g,
    facts: { names: ["name", "aliases"], description: ["description", "header"], hidden: ["hidden"] },
  },
  // picocli and JCommander.
  {
    declares: "flag",
    head: /@(?:field:|CommandLine\.|picocli\.CommandLine\.)?(?:Option|Parameter)\s*\(/g,
    marks: true,
    facts: {
      names: ["names", "name", 0],
      value: ["defaultValue"],
      description: ["description", "usage"],
      hidden: ["hidden"],
      negatable: ["negatable"],
    },
  },
  // commons-cli.
  {
    declares: "flag",
    head: /\.addOption\s*\((?=\s*")/g,
    facts: { names: [0, 1], description: [3] },
  },
  {
    declares: "flag",
    head: /\.longOpt\s*\(/g,
    facts: { names: [0] },
    links: { desc: "description" },
  },
  // clikt and kotlinx-cli.
  {
    declares: "flag",
    head: /\bval\s+(\w+)(?:\s*:\s*(?!\s)[\w<>?, ]*[\w<>?,])?(?<!\s)\s+by\s+(?:\w+\.)?option\s*\(/g,
    facts: {
      names: [0, 1, 2, "fullName", "shortName"],
      description: ["help", "description"],
      variable: ["envvar"],
      hidden: ["hidden"],
    },
    links: { default: "value", choice: "choices" },
  },
];

/** Commands and flags of picocli, JCommander, commons-cli, clikt and kotlinx-cli. */
export function readJvmFlags(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  if (
    !/@(?:CommandLine\.)?(?:Option|Parameter|Command)\b|\b(?:option|addOption|longOpt)\s*\(/.test(code.code)
  )
    return [];
  return readForms(code, FORMS, { ownerAt: createOwners(commandRanges(offered)), offered });
}

/** The class of each command, if the file has several. */
function commandRanges(offered: readonly OfferedDeclaration[]): OwnedRange[] {
  const classes = offered.flatMap(({ declaration: { kind, region }, preamble }) => {
    const name = /@(?:CommandLine\.)?Command\([^)]*?\bname\s*=\s*"([\w-]+)"/.exec(preamble)?.[1];
    return kind === "class" && name ? [{ ...region, owner: [name] }] : [];
  });
  return classes.length > 1 ? classes : [];
}
