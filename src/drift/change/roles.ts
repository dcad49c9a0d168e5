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
  return tokens.map((token, index) => {
    if (token.start >= codeEnd) return "text";
    const inside = strings.find((region) => region.start <= token.start && token.end <= region.end);
    if (inside) return roleInString(line.slice(inside.start, inside.end), token.text);
    return roleInCode(line, tokens, index);
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
export function findStrings(line: string): { start: number; end: number; quote: string }[] {
  const regions: { start: number; end: number; quote: string }[] = [];
  for (let i = 0; i < line.length; i++) {
    const quote = line[i]!;
    if (quote !== '"' && quote !== "'" && quote !== "`") continue;
    if (quote === "'" && /\w/.test(line[i - 1] ?? "") && /\w/.test(line[i + 1] ?? "")) continue;
    let end = i + 1;
    while (end < line.length && line[end] !== quote) end += line[end] === "\\" ? 2 : 1;
    if (end >= line.length) continue;
    regions.push({ start: i + 1, end, quote });
    i = end;
  }
  return regions;
}

/** The tag of a field in Go: `yaml:"name,omitempty" json:"name"`. */
const FIELD_TAG = /^[\w-]+:"[^"]*"(?:\s+[\w-]+:"[^"]*")*$/;

/** Whether a string is one name, flag, key or path, and so a use of it. A sentence is none. */
function roleInString(text: string, name: string): Role {
  if (text === name || text === `--${name}` || text === `-${name}`) return "declared";
  if (FIELD_TAG.test(text)) return "declared";
  if (/\s/.test(text.trim()) && !/^-{1,2}[\w-]+|--[\w-]+/.test(text.trim())) return "text";
  return "used";
}

function roleInCode(line: string, tokens: readonly Token[], index: number): Role {
  const token = tokens[index]!;
  const before = tokens[index - 1];
  const after = tokens[index + 1]?.text;
  if (before && KEYWORD.test(before.text)) return "declared";
  const rest = line.slice(token.end, token.end + 80);
  const first = !before || /^[@|{,(&*.]$/.test(before.text);
  if (first && /^\s*(\?|!)?\s*(:(?!:)|=(?!=)|=>)/.test(rest)) return "declared";
  if (!before && (after === "(" || after === "," || after === undefined)) return "declared";
  if (before?.text === "|" && (after === "|" || after === undefined)) return "declared";
  return "used";
}
