import type { Region } from "../../../text/model/region.ts";
import { type BlockList, createBlockList } from "../block-list.ts";
import { leastIndent, readIndentedLines, withoutTrailingBlanks } from "../indented-lines.ts";
import { addGridTable, addListTable, addSimpleTable, isGridBorder, isSimpleBorder } from "./tables.ts";

/** What a directive points at, for the spans: its kind, and where its target is written. */
export type Pointer = {
  readonly kind: "link" | "image" | "reference";
  readonly block: number;
  readonly target: Region;
  readonly label?: string;
};

export type RstScan = { readonly list: BlockList; readonly pointers: Pointer[]; readonly tooDeep?: number };

const DEEPEST = 32;
const CODE =
  /^(?:code-block|code|sourcecode|highlight|parsed-literal|doctest|testcode|testoutput|prompt|console|ipython|jupyter-execute|math|graphviz|mermaid|uml|raw|click:run|click:example)$/;
/** Directives whose argument is the beginning of what they say, not a name. */
const SPEAKS =
  /^(?:note|tip|hint|important|warning|caution|danger|attention|error|seealso|admonition|topic|versionadded|versionchanged|deprecated|rubric|todo|title|epigraph)$/;
const ADORNMENT = /^([!-/:-@[-`{-~])\1*$/;

/** reStructuredText's blocks. Bodies are told by indentation, so each is read as a document of its own. */
export function scanRst(text: string, from: number): RstScan {
  const lines = readIndentedLines(text, from);
  const list = createBlockList();
  const pointers: Pointer[] = [];
  const styles: string[] = [];
  let tooDeep: number | undefined;
  readBody(0, lines.count, 0, undefined, 0);
  return { list, pointers, ...(tooDeep !== undefined && { tooDeep }) };

  function readBody(
    first: number,
    to: number,
    indent: number,
    parent: number | undefined,
    depth: number,
  ): void {
    if (depth > DEEPEST) {
      tooDeep ??= lines.start(first);
      addParagraph(first, withoutTrailingBlanks(lines, first, to), parent);
      return;
    }
    for (let line = first; line < to; ) line = readBlock(line, to, indent, parent, depth);
  }

  /** Reads what starts at `line` and gives the line after it. */
  function readBlock(
    line: number,
    to: number,
    indent: number,
    parent: number | undefined,
    depth: number,
  ): number {
    const columns = lines.indent(line);
    if (columns < 0) return line + 1;
    if (columns > indent) return readQuote(line, to, indent, parent, depth);
    const words = lines.words(line);
    return (
      readTitle(line, to, words, parent) ??
      readExplicit(line, to, words, columns, parent, depth) ??
      readTable(line, to, words, columns, parent) ??
      readDoctest(line, to, words, parent) ??
      readItem(line, to, words, columns, parent, depth) ??
      readParagraph(line, to, columns, parent, depth)
    );
  }

  function readQuote(
    line: number,
    to: number,
    indent: number,
    parent: number | undefined,
    depth: number,
  ): number {
    const end = withoutTrailingBlanks(lines, line, lines.endOfBody(line, to, indent));
    const quote = list.add("quote", region(line, end), parent);
    readBody(line, end, leastIndent(lines, line, end), quote, depth + 1);
    return end;
  }

  /** A title is underlined by its own length of punctuation, and may have the same above. */
  function readTitle(
    line: number,
    to: number,
    words: string,
    parent: number | undefined,
  ): number | undefined {
    const over = ADORNMENT.test(words) && line + 2 < to && lines.words(line + 2) === words;
    const title = over ? line + 1 : line;
    const under = lines.words(title + 1);
    if (title + 1 >= to || lines.indent(title) < 0 || !ADORNMENT.test(under)) return undefined;
    if (!over && (lines.indent(title + 1) !== 0 || lines.indent(title) !== 0 || isSimpleBorder(words)))
      return undefined;
    const named = lines.words(title);
    if (ADORNMENT.test(named) || under.length < Math.min(named.length, 4)) return undefined;
    const style = (over ? "over " : "") + under[0];
    if (!styles.includes(style)) styles.push(style);
    const start = lines.content(title);
    const heading = list.add("heading", { start: lines.content(line), end: endOf(title + 1) }, parent);
    list.blocks[heading]!.content = {
      start,
      end: start + lines.text.slice(start, lines.end(title)).trimEnd().length,
    };
    list.blocks[heading]!.depth = styles.indexOf(style) + 1;
    list.beginSection(heading);
    return title + 2;
  }

  /** `.. something`: a directive, a target, a note or, if nothing else, a comment. */
  function readExplicit(
    line: number,
    to: number,
    words: string,
    columns: number,
    parent: number | undefined,
    depth: number,
  ): number | undefined {
    if (words !== ".." && !words.startsWith(".. ") && !words.startsWith("__ ")) return undefined;
    const end = withoutTrailingBlanks(lines, line + 1, lines.endOfBody(line + 1, to, columns));
    const directive = /^\.\. +(?:\|[^|]+\| +)?([A-Za-z][\w:+.-]*?) ?::(?: +(.*))?$/.exec(words);
    if (directive) {
      readDirective(line, end, directive[1]!.toLowerCase(), directive[2] ?? "", parent, depth);
      return end;
    }
    const target = /^(?:\.\. +_(`[^`]+`|(?:[^:\\]|\\.)+):(?: +(.*))?|__ +(.*))$/.exec(words);
    if (target) {
      const block = list.add("definition", region(line, end), parent);
      const url = target[2] ?? target[3];
      if (url) {
        const start = lines.content(line) + words.length - url.length;
        const label = (target[1] ?? "").replaceAll("`", "").toLowerCase();
        pointers.push({ kind: "reference", block, target: { start, end: start + url.length }, label });
      }
      return end;
    }
    const note = /^\.\. +\[[^\]]+\](?: |$)/.test(words);
    if (note) addParagraph(line, end, parent);
    else {
      const comment = list.add("comment", region(line, end), parent);
      const start = Math.min(lines.content(line) + 2, lines.end(line));
      list.blocks[comment]!.content = { start, end: Math.max(start, endOf(end - 1)) };
    }
    return end;
  }

  function readDirective(
    line: number,
    end: number,
    name: string,
    args: string,
    parent: number | undefined,
    depth: number,
  ): void {
    const code = CODE.test(name);
    const table = /^(?:list|csv)-table$/.test(name);
    const block = list.add(code ? "code-fence" : "admonition", region(line, end), parent);
    const made = list.blocks[block]!;
    let body = line + 1;
    let header = false;
    for (; body < end && /^:[\w-]+:/.test(lines.words(body)); body++)
      header ||= /^:header-rows: *[1-9]/.test(lines.words(body));
    while (body < end && lines.indent(body) < 0) body++;
    const start = body < end ? lines.start(body) : endOf(end - 1);
    made.content = { start, end: Math.max(start, endOf(end - 1)) };
    if (code) {
      made.fence = "::";
      if (args) made.language = args.split(/\s/, 1)[0]!;
      return;
    }
    made.language = name;
    if (args) made.meta = args;
    if (args && /^(?:image|figure|include|literalinclude|download)$/.test(name)) {
      const at = lines.content(line) + lines.words(line).length - args.length;
      const kind = name === "image" || name === "figure" ? "image" : "link";
      pointers.push({ kind, block, target: { start: at, end: at + args.length } });
    }
    if (args && SPEAKS.test(name)) {
      const at = lines.content(line) + lines.words(line).length - args.length;
      made.content = { start: at, end: Math.max(at, endOf(end - 1)) };
      list.add("paragraph", { start: at, end: at + args.length }, block);
    }
    if (body >= end) return;
    if (table)
      addListTable(lines, list, { from: body, to: end, parent: block, commas: name === "csv-table", header });
    else readBody(body, end, leastIndent(lines, body, end), block, depth + 1);
  }

  function readTable(
    line: number,
    to: number,
    words: string,
    columns: number,
    parent: number | undefined,
  ): number | undefined {
    if (isGridBorder(words)) return addGridTable(lines, list, line, endOfRun(line, to, columns), parent);
    return isSimpleBorder(words) ? addSimpleTable(lines, list, line, to, parent) : undefined;
  }

  function readDoctest(
    line: number,
    to: number,
    words: string,
    parent: number | undefined,
  ): number | undefined {
    if (!words.startsWith(">>> ")) return undefined;
    const end = endOfRun(line, to, -1);
    const block = list.add("code-fence", region(line, end), parent);
    list.blocks[block]!.fence = "";
    list.blocks[block]!.language = "pycon";
    return end;
  }

  /** Bullets, numbers, fields and options: a marker, and a body aligned behind or below it. */
  function readItem(
    line: number,
    to: number,
    words: string,
    columns: number,
    parent: number | undefined,
    depth: number,
  ): number | undefined {
    const bullet =
      /^(?:[-*+•‣⁃]|(?:\d{1,9}|[A-Za-z]|[ivxlcdmIVXLCDM]{2,9}|#)[.)]|\((?:\d{1,9}|[A-Za-z]|#)\))(?: +|$)/.exec(
        words,
      );
    const field = bullet ? null : /^:(?!\s)((?:[^:\\`]|\\.|:(?=\S))+):(?: +|$)/.exec(words);
    const option =
      bullet || field
        ? null
        : /^(?:--?[\w?][\w-]*|\/\w)(?:[ =]<?[\w.-]+>?)?(?:, (?:--?[\w?][\w-]*)(?:[ =]<?[\w.-]+>?)?)*(?: {2,}|$)/.exec(
            words,
          );
    const marker = bullet ?? field ?? option;
    if (!marker) return undefined;
    const end = withoutTrailingBlanks(lines, line + 1, lines.endOfBody(line + 1, to, columns));
    const item = list.add("list-item", region(line, end), parent);
    const made = list.blocks[item]!;
    const at = Math.min(lines.content(line) + marker[0].length, lines.end(line));
    made.content = { start: at, end: Math.max(at, endOf(end - 1)) };
    made.depth = depthOfItem(item);
    if (field) made.meta = field[1]!;
    readItemBody(line, end, at, item, depth);
    return end;
  }

  // The first line of an item stands behind its marker, so its paragraph is cut out by hand.
  function readItemBody(line: number, end: number, at: number, item: number, depth: number): void {
    let last = line + 1;
    while (last < end && lines.indent(last) >= 0 && !/^(?:[-*+]|\d+\.) |^\.\. /.test(lines.words(last, 12)))
      last++;
    if (at < endOf(line)) {
      list.add("paragraph", { start: at, end: endOf(last - 1) }, item);
      last = readLiteral(last - 1, last, end, lines.indent(line), item) ?? last;
    } else last = line + 1;
    readBody(last, end, leastIndent(lines, last, end), item, depth + 1);
  }

  function depthOfItem(item: number): number {
    let depth = 1;
    for (let at = list.blocks[item]!.parent; at !== undefined; at = list.blocks[at]!.parent)
      if (list.blocks[at]!.kind === "list-item") depth++;
    return depth;
  }

  function readParagraph(
    line: number,
    to: number,
    columns: number,
    parent: number | undefined,
    depth: number,
  ): number {
    const end = endOfParagraph(line, to, columns);
    // A term with its definition indented right below it.
    if (end === line + 1 && end < to && lines.indent(end) > columns && !lines.words(line).endsWith("::")) {
      const stop = withoutTrailingBlanks(lines, end, lines.endOfBody(end, to, columns));
      const item = list.add("list-item", region(line, stop), parent);
      list.blocks[item]!.depth = depthOfItem(item);
      addParagraph(line, end, item);
      readBody(end, stop, leastIndent(lines, end, stop), item, depth + 1);
      return stop;
    }
    addParagraph(line, end, parent);
    return readLiteral(end - 1, end, to, columns, parent) ?? end;
  }

  /** Behind a line that ends in `::`, what is indented deeper is literal. */
  function readLiteral(
    last: number,
    from: number,
    to: number,
    columns: number,
    parent: number | undefined,
  ): number | undefined {
    if (!lines.words(last).endsWith("::")) return undefined;
    let first = from;
    while (first < to && lines.indent(first) < 0) first++;
    const end = withoutTrailingBlanks(lines, first, lines.endOfBody(first, to, columns));
    if (first >= end) return undefined;
    const block = list.add("code-fence", { start: lines.start(first), end: endOf(end - 1) }, parent);
    list.blocks[block]!.fence = "::";
    return end;
  }

  function endOfParagraph(line: number, to: number, columns: number): number {
    let end = line + 1;
    while (end < to && lines.indent(end) === columns && !lines.words(end, 3).startsWith(".. ")) {
      if (
        end > line &&
        ADORNMENT.test(lines.words(end + 1)) &&
        lines.words(end + 1).length >= 3 &&
        lines.indent(end + 1) === 0
      ) {
        if (lines.words(end + 1).length >= lines.words(end).length) break;
      }
      end++;
    }
    return end;
  }

  function endOfRun(line: number, to: number, columns: number): number {
    let end = line;
    while (end < to && lines.indent(end) >= Math.max(columns, 0)) end++;
    return end;
  }

  function addParagraph(line: number, end: number, parent: number | undefined): void {
    if (end > line) list.add("paragraph", region(line, end), parent);
  }

  function region(line: number, end: number): Region {
    return {
      start: lines.content(line),
      end: Math.max(endOf(Math.max(end, line + 1) - 1), lines.content(line)),
    };
  }

  function endOf(line: number): number {
    const start = lines.content(line);
    let end = lines.end(line);
    while (end > start && /\s/.test(text[end - 1]!)) end--;
    return end;
  }
}
