/**
 * A text with its HTML character references resolved, as a browser reads it. The result is for judging only and never
 * written.
 */
export function resolveReferences(text: string): string {
  return text
    .replace(/&#x0*([0-9a-f]{1,6});?/gi, (whole, digits: string) =>
      character(Number.parseInt(digits, 16), whole),
    )
    .replace(/&#0*([0-9]{1,7});?/g, (whole, digits: string) => character(Number(digits), whole))
    .replace(/&([A-Za-z]{2,10});/g, (whole, name: string) =>
      Object.hasOwn(NAMED, name) ? NAMED[name]! : whole,
    );
}

/** The same without the backslashes by which Markdown takes the meaning of a mark. */
export function resolveEscapes(text: string): string {
  return resolveReferences(text.replace(/\\([!-/:-@[-`{-~])/g, "$1"));
}

/** An address as a browser reads it: white space at its ends and line ends inside are dropped, `\` is `/`. */
export function asBrowserReads(address: string): string {
  return resolveReferences(address)
    .replace(/[\t\n\r]/g, "")
    .replace(EDGES, "")
    .replaceAll("\\", "/");
}

// Browsers drop these at the ends of an address.
const EDGES = /^[\u0000-\u0020]+|[\u0000-\u0020]+$/g;

function character(code: number, whole: string): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

/** The named references of ASCII characters: the ones that can be part of an address or a tag. */
const NAMED: Readonly<Record<string, string>> = {
  Tab: "\t",
  NewLine: "\n",
  excl: "!",
  quot: '"',
  QUOT: '"',
  num: "#",
  dollar: "$",
  percnt: "%",
  amp: "&",
  AMP: "&",
  apos: "'",
  lpar: "(",
  rpar: ")",
  ast: "*",
  midast: "*",
  plus: "+",
  comma: ",",
  period: ".",
  sol: "/",
  colon: ":",
  semi: ";",
  lt: "<",
  LT: "<",
  equals: "=",
  gt: ">",
  GT: ">",
  quest: "?",
  commat: "@",
  lsqb: "[",
  lbrack: "[",
  bsol: "\\",
  rsqb: "]",
  rbrack: "]",
  Hat: "^",
  lowbar: "_",
  grave: "`",
  lcub: "{",
  lbrace: "{",
  verbar: "|",
  vert: "|",
  rcub: "}",
  rbrace: "}",
  nbsp: "\u00a0",
};
