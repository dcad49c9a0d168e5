/** The first paragraph of a doc comment or docstring, as one line without its marks and tags. */
export function describe(doc: string): string | undefined {
  const lines = plainLines(doc);
  const first = lines.findIndex((line) => line !== "");
  if (first < 0) return undefined;
  const paragraph: string[] = [];
  for (const line of lines.slice(first)) {
    if (line === "" || /^(?:@\w|\.\. \w|:param|:return|Args:|Parameters$|# Examples?\b|```)/.test(line))
      break;
    paragraph.push(line);
  }
  const words = paragraph.join(" ").replace(XML_TAG, "").trim();
  return words === "" ? undefined : words.slice(0, LONGEST);
}

/** The text of the deprecation mark in a doc comment; "" for a mark without text. */
export function deprecation(doc: string): string | undefined {
  const lines = plainLines(doc);
  const isOwn = ownLines(doc);
  const at = lines.findIndex(
    (line, index) => DOC_MARK.test(line) && (!line.startsWith("..") || isOwn(index)),
  );
  if (at < 0) return undefined;
  const words = [lines[at]!.replace(DOC_MARK, "")];
  for (const line of lines.slice(at + 1)) {
    if (line === "" || line.startsWith("@")) break;
    words.push(line);
  }
  return words.join(" ").trim().slice(0, LONGEST);
}

/** Whether a line of a docstring is about the whole: one that is indented further belongs to a parameter. */
function ownLines(doc: string): (index: number) => boolean {
  const indents = doc
    .split(/\r?\n/)
    .map((line) => (line.trim() === "" ? Number.POSITIVE_INFINITY : line.search(/\S/)));
  const base = indents.slice(1).reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY);
  return (index) => index === 0 || indents[index]! <= base;
}

/** The text of a deprecating attribute or annotation in the preamble of a declaration. */
export function deprecatingAttribute(preamble: string): string | undefined {
  const mark =
    /#\[deprecated\b([^\]]*)\]|\[\[deprecated\b([^\]]*)\]\]|\[(?:System\.)?Obsolete\b([^\]]*)\]|@(?:Deprecated|(?:\w+\.)*deprecated|deprecate_\w+)\b(\((?:[^()]|\([^()]*\))*\))?|@available\([^)]*deprecated([^)]*)\)/.exec(
      preamble,
    );
  if (!mark) return undefined;
  const inside = mark.slice(1).find((part) => part !== undefined) ?? "";
  const strings = [...inside.matchAll(/"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'/g)];
  const texts = strings.map((match) => match[1] ?? match[2] ?? "");
  return (texts.sort((a, b) => b.length - a.length)[0] ?? "").slice(0, LONGEST);
}

/** Whether a doc comment says that its owner is not for users. */
export function isInternal(doc: string): boolean {
  return /(?:^|[\s*])@(?:internal|private|hidden|api private)\b|:meta private:|:nodoc:/.test(doc);
}

/** The tags of documentation comments in C#. */
const XML_TAG = /<\/?(?:summary|remarks|para|c|code|value|returns)>\s*/g;
const LONGEST = 600;
const DOC_MARK = /^(?:@deprecated\b:?|Deprecated:|\.\. deprecated::(?:\s*v?[\d.]+)?|DEPRECATED\b[:.]?)\s*/;

function plainLines(doc: string): string[] {
  return doc
    .slice(0, 4000)
    .split(/\r?\n/)
    .map((line) =>
      line
        .replace(/^\s*(?:\/\*[*!]?|\*\/|\*(?!\*)|\/\/[/!]?|#:?(?=\s|$)|[rRuUbB]{0,2}(?:"""|'''))\s?/, "")
        .replace(/(?<!\s)\s*(?:\*\/|"""|''')\s*$/, "")
        .replace(/^["'](?=\S)|(?<=\S)["']$/g, "")
        .trim(),
    );
}
