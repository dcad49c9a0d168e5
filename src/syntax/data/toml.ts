import { parse, TomlError } from "smol-toml";

const LARGEST = 128_000;
const DEEPEST = 100;

/** A TOML file's value, or the error in it and its line. Never throws. */
export function parseToml(
  text: string,
): { readonly value: unknown } | { readonly trouble: { readonly line: number; readonly why: string } } {
  if (text.length > LARGEST) return { trouble: { line: 1, why: `longer than ${LARGEST} characters` } };
  try {
    const value = parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, { maxDepth: DEEPEST });
    return isDeeper(value, DEEPEST) ? { trouble: { line: 1, why: "nested too deep" } } : { value };
  } catch (error) {
    if (error instanceof TomlError)
      return { trouble: { line: error.line, why: error.message.split("\n", 1)[0]! } };
    return { trouble: { line: 1, why: "nested too deep" } };
  }
}

/** Dotted keys nest without brackets, so the parser's own limit does not see them. */
function isDeeper(value: unknown, most: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}
