import type { Token } from "./tokens.ts";

/**
 * The role of a name in code: it declares something (`declared`), uses a thing that is declared elsewhere (`used`), or
 * is a word of a comment or a sentence (`text`).
 */
export type Role = "declared" | "used" | "text";

const KEYWORD =
  /^(def|class|function|fn|func|type|interface|enum|struct|trait|const|let|var|val|fun|object|module|macro_rules|static|pub|export|import|from|package|namespace|protected|private|public|async|attr_accessor|attr_reader|record|union|mod|sub|message|service|rpc)$/;

const COMMENT_LINE =
  /^\s*(\/\/|#(?!\[|!\[|include|define|ifdef|if |endif|pragma)|\*|\/\*|--\s|;|"""|'''|<!--|%|=begin)/;
const TRAILING_COMMENT = /(^|\s)(\/\/|#)\s.*$/;

/** The roles of the names of a line of code, by token index. */
export function rolesOf(line: string, tokens: readonly Token[]): Role[] {
  if (COMMENT_LINE.test(line) || isSentence(line, tokens)) return tokens.map(() => "text");
  const comment = TRAILING_COMMENT.exec(line);
  const codeEnd = comment ? comment.index : line.length;
  const strings = findStrings(line);
  let next = 0;
  let read: StringText | undefined;
  return tokens.map((token, index) => {
    if (token.start >= codeEnd) return "text";
    // Tokens and strings are in the order of the line, and each string is read once.
    while (next < strings.length && strings[next]!.end < token.end) {
      next++;
      read = undefined;
    }
    const inside = strings[next];
    if (!inside || inside.start > token.start) return roleInCode(line, tokens, index);
    read ??= readString(line.slice(inside.start, inside.end));
    return roleInString(read, token.text);
  });
}

/** Four words or more with nothing but a sentence's punctuation: the inside of a docstring or a block comment. */
function isSentence(line: string, tokens: readonly Token[]): boolean {
  return (
    tokens.filter((token) => token.kind === "name").length >= 4 &&
    !/[(){}[\]=;:"<>@&|+*/\\_]|\s--\w/.test(line)
  );
}

/** Regions between quotes on one line. */
function findStrings(line: string): { start: number; end: number; quote: string }[] {
  const regions: { start: number; end: number; quote: string }[] = [];
  const endOf = createEndFinder(line);
  for (let i = 0; i < line.length; i++) {
    const quote = line[i]!;
    if (quote !== '"' && quote !== "'" && quote !== "`") continue;
    if (quote === "'" && /\w/.test(line[i - 1] ?? "") && /\w/.test(line[i + 1] ?? "")) continue;
    const end = endOf(quote, i + 1);
    if (end === null) continue;
    regions.push({ start: i + 1, end, quote });
    i = end;
  }
  return regions;
}

/** Finds where a text between quotes ends. No place of a line is passed twice on the way to an end that is not there. */
function createEndFinder(line: string): (quote: string, from: number) => number | null {
  const endless = new Map<string, Set<number>>();
  return (quote, from) => {
    const known = endless.get(quote);
    const passed: number[] = [];
    for (let at = from; at < line.length && !known?.has(at); at += line[at] === "\\" ? 2 : 1) {
      if (line[at] === quote) return at;
      passed.push(at);
    }
    if (known) for (const at of passed) known.add(at);
    else endless.set(quote, new Set(passed));
    return null;
  };
}

/** The tag of a field in Go: `yaml:"name,omitempty" json:"name"`. */
const FIELD_TAG = /^[\w-]+:"[^"]*"(?:\s+[\w-]+:"[^"]*")*$/;

type StringText = { readonly text: string; readonly role: Role };

/** A string and the role of the names in it: a sentence uses none, a path or a command line does. */
function readString(text: string): StringText {
  if (FIELD_TAG.test(text)) return { text, role: "declared" };
  const words = text.trim();
  return { text, role: /\s/.test(words) && !/^-{1,2}[\w-]+|--[\w-]+/.test(words) ? "text" : "used" };
}

/** A string that is one name or one flag declares it. */
function roleInString({ text, role }: StringText, name: string): Role {
  const rest = text.length - name.length;
  if (rest >= 0 && rest <= 2 && text === `${"-".repeat(rest)}${name}`) return "declared";
  return role;
}

function roleInCode(line: string, tokens: readonly Token[], index: number): Role {
  const token = tokens[index]!;
  const before = tokens[index - 1];
  const after = tokens[index + 1]?.text;
  if (before && KEYWORD.test(before.text)) return "declared";
  const rest = line.slice(token.end, token.end + 80);
  const first = !before || /^[@|{,(&*.]$/.test(before.text);
  if (first && /^\s*(?:(\?|!)\s*)?(:(?!:)|=(?!=)|=>)/.test(rest)) return "declared";
  if (!before && (after === "(" || after === "," || after === undefined)) return "declared";
  if (before?.text === "|" && (after === "|" || after === undefined)) return "declared";
  return "used";
}
