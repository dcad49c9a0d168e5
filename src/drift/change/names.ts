/** The lower-case parts of a name. `maxRetries`, `max_retries` and `--max-retries` have the same parts. */
export function partsOf(name: string): string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(?<!\p{Lu})(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((part) => part.toLowerCase());
}

/** One key for all styles of a name. */
export function fold(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** How a name's parts are joined. */
export type Style = "camel" | "pascal" | "snake" | "kebab" | "constant" | "flat";

export function inStyle(parts: readonly string[], style: Style): string {
  const capital = (part: string): string => part.slice(0, 1).toUpperCase() + part.slice(1);
  switch (style) {
    case "camel":
      return parts.map((part, index) => (index ? capital(part) : part)).join("");
    case "pascal":
      return parts.map(capital).join("");
    case "snake":
      return parts.join("_");
    case "kebab":
      return parts.join("-");
    case "constant":
      return parts.join("_").toUpperCase();
    case "flat":
      return parts.join("");
  }
}

/** Whether a name is hardly ever an ordinary word: it has two parts or more, or a digit inside. */
export function isDistinct(name: string): boolean {
  return /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}|.[_-]./u.test(name) || /^\p{L}+\d/u.test(name);
}

const COMMON = new Set(
  "self cls args kwargs this const let var new await async return string str int number bool boolean any void function func fn def class if else elif in for of from import export default null none true false undefined not and or is the a an to with as type interface struct enum pub public private static end do then use let mut err error ok value key name data result options opts config context ctx req res".split(
    " ",
  ),
);

/** A word of a language or of most programs: it does not identify a line. */
export function isCommon(name: string): boolean {
  return COMMON.has(name.toLowerCase());
}

/** A keyword of a language: no name is ever renamed to it. */
export function isKeyword(name: string): boolean {
  return /^(?:const|let|var|function|func|fn|def|class|return|await|async|new|if|else|for|while|import|from|export|mut|pub|static|throw|raise|yield)$/.test(
    name,
  );
}

const NEGATION =
  /^(no|not|non|dis|disable|disabled|without|skip|ignore|un|exclude|hide|deny|missing|absent)$/;

/** Whether a rename turned a yes into a no (`no-color` to `color`), so that values beside it flip too. */
export function flipsMeaning(oldParts: readonly string[], newParts: readonly string[]): boolean {
  const count = (parts: readonly string[]): number => parts.filter((part) => NEGATION.test(part)).length;
  return count(oldParts) % 2 !== count(newParts) % 2;
}
