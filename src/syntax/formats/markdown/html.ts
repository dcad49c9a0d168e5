import { isDigit, isGap, isLetter, isSpace, skipGap } from "../characters.ts";

const BLOCK_TAGS = new Set(
  (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt " +
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link " +
    "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead " +
    "title tr track ul"
  ).split(" "),
);
const RAW_TAGS = new Set(["script", "pre", "style", "textarea"]);

/** Which of CommonMark's seven kinds of HTML block starts at `at`; 0 for none. */
export function htmlBlockStart(text: string, at: number, lineEnd: number): number {
  if (text.startsWith("<!--", at)) return 2;
  const next = text.charCodeAt(at + 1);
  if (next === 63) return 3;
  if (next === 33) return text.startsWith("<![CDATA[", at) ? 5 : isLetter(text.charCodeAt(at + 2)) ? 4 : 0;
  const closing = next === 47;
  const nameStart = at + (closing ? 2 : 1);
  const nameEnd = tagNameEnd(text, nameStart);
  if (nameEnd === nameStart) return 0;
  const name = text.slice(nameStart, nameEnd).toLowerCase();
  const after = text.charCodeAt(nameEnd);
  const bounded = nameEnd >= lineEnd || isGap(after) || after === 62;
  if (!closing && RAW_TAGS.has(name) && bounded) return 1;
  if (BLOCK_TAGS.has(name) && (bounded || text.startsWith("/>", nameEnd))) return 6;
  const end = tagEnd(text, at, lineEnd);
  if (end < 0) return 0;
  for (let i = end; i < lineEnd; i++) if (!isSpace(text.charCodeAt(i))) return 0;
  return 7;
}

/** Whether an HTML block of kind 1 to 5 ends on the line between `start` and `end`. */
export function htmlBlockEnds(text: string, type: number, start: number, end: number): boolean {
  const line = text.slice(start, end);
  if (type === 1) return /<\/(?:script|pre|style|textarea)>/i.test(line);
  return line.includes(type === 2 ? "-->" : type === 3 ? "?>" : type === 4 ? ">" : "]]>");
}

/** The end of the open or closing tag that begins at `at`, not beyond `limit`; -1 where there is none. */
export function tagEnd(text: string, at: number, limit: number): number {
  const closing = text.charCodeAt(at + 1) === 47;
  let i = tagNameEnd(text, at + (closing ? 2 : 1));
  if (i === at + (closing ? 2 : 1)) return -1;
  if (closing) {
    i = skipGap(text, i, limit);
    return i < limit && text.charCodeAt(i) === 62 ? i + 1 : -1;
  }
  for (;;) {
    const gap = skipGap(text, i, limit);
    if (gap >= limit) return -1;
    const code = text.charCodeAt(gap);
    if (code === 62) return gap + 1;
    if (code === 47) return text.charCodeAt(gap + 1) === 62 && gap + 1 < limit ? gap + 2 : -1;
    if (gap === i) return -1;
    i = attributeEnd(text, gap, limit);
    if (i < 0) return -1;
  }
}

function attributeEnd(text: string, at: number, limit: number): number {
  let i = at;
  while (i < limit && isAttributeName(text.charCodeAt(i))) i++;
  if (i === at) return -1;
  const equals = skipGap(text, i, limit);
  if (text.charCodeAt(equals) !== 61 || equals >= limit) return i;
  i = skipGap(text, equals + 1, limit);
  const quote = text.charCodeAt(i);
  if (quote === 34 || quote === 39) {
    let close = i + 1;
    while (close < limit && text.charCodeAt(close) !== quote) close++;
    return close < limit ? close + 1 : -1;
  }
  const start = i;
  while (i < limit && !isGap(text.charCodeAt(i)) && !"\"'=<>`".includes(text[i]!)) i++;
  return i === start ? -1 : i;
}

/**
 * The end of the JSX tag or the braced expression that begins at `at`. -1: there is none; -2: it is not closed
 * before `limit`.
 */
export function jsxTagEnd(text: string, at: number, limit: number): number {
  if (text.charCodeAt(at) === 123) return bracesEnd(text, at, limit);
  if (text.startsWith("<!--", at)) {
    const end = text.slice(at, limit).indexOf("-->");
    return end < 0 ? -2 : at + end + 3;
  }
  let i = at + 1;
  if (text.charCodeAt(i) === 47) i++;
  if (text.charCodeAt(i) === 62) return i + 1;
  if (!isNameStart(text.charCodeAt(i))) return -1;
  while (i < limit) {
    const code = text.charCodeAt(i);
    if (code === 62) return i + 1;
    if (code === 60) return -1;
    if (code === 34 || code === 39) {
      const close = text.slice(i + 1, limit).indexOf(text[i]!);
      if (close < 0) return -2;
      i += close + 2;
    } else if (code === 123) {
      i = bracesEnd(text, i, limit);
      if (i < 0) return i;
    } else i++;
  }
  return -2;
}

function bracesEnd(text: string, at: number, limit: number): number {
  let depth = 0;
  for (let i = at; i < limit; i++) {
    const code = text.charCodeAt(i);
    if (code === 123) depth++;
    else if (code === 125 && --depth === 0) return i + 1;
  }
  return -2;
}

function tagNameEnd(text: string, at: number): number {
  if (!isLetter(text.charCodeAt(at))) return at;
  let i = at + 1;
  while (isLetter(text.charCodeAt(i)) || isDigit(text.charCodeAt(i)) || text.charCodeAt(i) === 45) i++;
  return i;
}

function isAttributeName(code: number): boolean {
  return (
    isLetter(code) ||
    isDigit(code) ||
    code === 95 ||
    code === 58 ||
    code === 46 ||
    code === 45 ||
    code === 64 ||
    code === 35
  );
}

function isNameStart(code: number): boolean {
  return isLetter(code) || code === 95 || code === 36;
}
