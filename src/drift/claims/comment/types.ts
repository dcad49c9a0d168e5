import { splitAt } from "../../../syntax/source/brackets.ts";

/** Whether a comment and a declaration write the same type. */
export function sameType(said: string, declared: string): boolean {
  const [a, b] = [partsOf(said), partsOf(declared)];
  return a.size === b.size && [...a].every((part) => b.has(part));
}

/** Whether a type takes everything that another one takes, and more. */
export function widens(narrow: string, wide: string): boolean {
  const [a, b] = [partsOf(narrow), partsOf(wide)];
  return b.size > a.size && [...a].every((part) => b.has(part));
}

/** The type, or nothing. */
export function nullable(type: string): string {
  return partsOf(type).has("null") ? type : `${type}|null`;
}

const SPELLINGS: Readonly<Record<string, string>> = {
  integer: "int",
  boolean: "bool",
  double: "float",
  none: "null",
  undefined: "null",
};

/** Python's names for built-in types, which take parameters themselves now. */
const ALIAS = /(?<![\w.])(?:Dict|FrozenSet|List|Set|Tuple|Type)(?![\w.])/g;

/** The alternatives of a type, each in one spelling. */
function partsOf(type: string): ReadonlySet<string> {
  const plain = type
    .replace(/\s+/g, "")
    .replace(ALIAS, (alias) => alias.toLowerCase())
    .replace(/^(["'`])(.*)\1$/, "$2")
    .replace(/^(?:typing\.)?Optional\[(.*)\]$/, "$1|null")
    .replace(/^\?(.*)$/, "$1|null")
    .replace(/^(.+)\?$/, "$1|null")
    .replace(/=$/, "");
  return new Set(splitAt(plain, "|").map((part) => SPELLINGS[part.toLowerCase()] ?? part.replace(/^\\/, "")));
}
