import { defined } from "../../../text/model/defined.ts";
import type { Region } from "../../../text/model/region.ts";
import { BlockList } from "../block-list.ts";
import {
  type IndentedLines,
  leastIndent,
  readIndentedLines,
  withoutTrailingBlanks,
} from "../indented-lines.ts";
import { addGridTable, addListTable, addSimpleTable, isGridBorder, isSimpleBorder } from "./tables.ts";

/** The target of a directive, for the spans: its kind, and where it is written. */
export type DirectiveTarget = {
  readonly kind: "link" | "image" | "reference";
  readonly block: number;
  readonly target: Region;
  readonly label?: string;
};

export type RstScan = {
  readonly list: BlockList;
  readonly targets: DirectiveTarget[];
  readonly tooDeep?: number;
};

const DEEPEST = 32;
const CODE =
  /^(?:code-block|code|sourcecode|highlight|parsed-literal|doctest|testcode|testoutput|prompt|console|ipython|jupyter-execute|math|graphviz|mermaid|uml|raw|click:run|click:example)$/;
/** Directives whose argument is the beginning of their text, not a name. */
const HAS_TEXT_ARGUMENT =
  /^(?:note|tip|hint|important|warning|caution|danger|attention|error|seealso|admonition|topic|versionadded|versionchanged|deprecated|rubric|todo|title|epigraph)$/;
const ADORNMENT = /^([!-/:-@[-`{-~])\1*$/;

/** reStructuredText's blocks. Indentation marks the body of a block, and each body is read as a document of its own. */
export function scanRst(text: string, from: number): RstScan {
  return new RstScanner(text, from).scan();
}

/** The lines of a document or of a body inside it: up to which line, how far indented, in which block, how deep. */
type RstBody = {
  readonly to: number;
  readonly indent: number;
  readonly parent: number | undefined;
  readonly depth: number;
};

type Directive = Pick<RstBody, "parent" | "depth"> & {
  readonly end: number;
  readonly name: string;
  readonly args: string;
};

/** Up to which line an item reaches, and where the words behind its marker begin. */
type ItemBody = { readonly end: number; readonly at: number; readonly item: number; readonly depth: number };

class RstScanner {
  readonly #text: string;
  readonly #lines: IndentedLines;
  readonly #list = new BlockList();
  readonly #targets: DirectiveTarget[] = [];
  /** How titles are underlined, in the order in which the page uses them. */
  readonly #styles: string[] = [];
  #tooDeep: number | undefined;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#lines = readIndentedLines(text, from);
  }

  scan(): RstScan {
    this.#readBody(0, { to: this.#lines.count, indent: 0, parent: undefined, depth: 0 });
    return {
      list: this.#list,
      targets: this.#targets,
      ...defined({ tooDeep: this.#tooDeep }),
    };
  }

  #readBody(first: number, body: RstBody): void {
    const { to, parent, depth } = body;
    if (depth > DEEPEST) {
      this.#tooDeep ??= this.#lines.start(first);
      this.#addParagraph(first, withoutTrailingBlanks(this.#lines, first, to), parent);
      return;
    }
    for (let line = first; line < to; ) line = this.#readBlock(line, body);
  }

  /** Reads what starts at `line` and gives the line after it. */
  #readBlock(line: number, body: RstBody): number {
    const columns = this.#lines.indent(line);
    if (columns < 0) return line + 1;
    if (columns > body.indent) return this.#readQuote(line, body);
    const words = this.#lines.words(line);
    return (
      this.#readTitle(line, words, body) ??
      this.#readExplicit(line, words, body) ??
      this.#readTable(line, words, body) ??
      this.#readDoctest(line, words, body) ??
      this.#readItem(line, words, body) ??
      this.#readParagraph(line, body)
    );
  }

  #readQuote(line: number, { to, indent, parent, depth }: RstBody): number {
    const end = withoutTrailingBlanks(this.#lines, line, this.#lines.endOfBody(line, to, indent));
    const quote = this.#list.add("quote", this.#region(line, end), parent);
    this.#readInside(quote, line, end, depth);
    return end;
  }

  /** A title is underlined by its own length of punctuation, and may have the same above. */
  #readTitle(line: number, words: string, { to, parent }: RstBody): number | undefined {
    const over = ADORNMENT.test(words) && line + 2 < to && this.#lines.words(line + 2) === words;
    const title = over ? line + 1 : line;
    const under = this.#lines.words(title + 1);
    if (title + 1 >= to || this.#lines.indent(title) < 0 || !ADORNMENT.test(under)) return undefined;
    if (
      !over &&
      (this.#lines.indent(title + 1) !== 0 || this.#lines.indent(title) !== 0 || isSimpleBorder(words))
    )
      return undefined;
    const named = this.#lines.words(title);
    if (ADORNMENT.test(named) || under.length < Math.min(named.length, 4)) return undefined;
    const style = (over ? "over " : "") + under[0];
    if (!this.#styles.includes(style)) this.#styles.push(style);
    const start = this.#lines.content(title);
    const heading = this.#list.add(
      "heading",
      { start: this.#lines.content(line), end: this.#endOf(title + 1) },
      parent,
    );
    this.#list.blocks[heading]!.content = {
      start,
      end: start + this.#lines.text.slice(start, this.#lines.end(title)).trimEnd().length,
    };
    this.#list.blocks[heading]!.depth = this.#styles.indexOf(style) + 1;
    this.#list.beginSection(heading);
    return title + 2;
  }

  /** `.. something`: a directive, a target, a note or, if nothing else, a comment. */
  #readExplicit(line: number, words: string, { to, parent, depth }: RstBody): number | undefined {
    if (words !== ".." && !words.startsWith(".. ") && !words.startsWith("__ ")) return undefined;
    const end = this.#endOfBody(line, to);
    const directive = /^\.\. +(?:\|[^|]+\| +)?([A-Za-z][\w:+.-]*?) ?::(?: +(.*))?$/.exec(words);
    if (directive) {
      const [, name, args = ""] = directive;
      this.#readDirective(line, { end, name: name!.toLowerCase(), args, parent, depth });
      return end;
    }
    const target = /^(?:\.\. +_(`[^`]+`|(?:[^:\\]|\\.)+):(?: +(.*))?|__ +(.*))$/.exec(words);
    if (target) {
      const block = this.#list.add("definition", this.#region(line, end), parent);
      const url = target[2] ?? target[3];
      if (url) {
        const start = this.#lines.content(line) + words.length - url.length;
        const label = (target[1] ?? "").replaceAll("`", "").toLowerCase();
        this.#targets.push({ kind: "reference", block, target: { start, end: start + url.length }, label });
      }
      return end;
    }
    const note = /^\.\. +\[[^\]]+\](?: |$)/.test(words);
    if (note) this.#addParagraph(line, end, parent);
    else {
      const comment = this.#list.add("comment", this.#region(line, end), parent);
      const start = Math.min(this.#lines.content(line) + 2, this.#lines.end(line));
      this.#list.blocks[comment]!.content = { start, end: Math.max(start, this.#endOf(end - 1)) };
    }
    return end;
  }

  #readDirective(line: number, { end, name, args, parent, depth }: Directive): void {
    const code = CODE.test(name);
    const table = /^(?:list|csv)-table$/.test(name);
    const block = this.#list.add(code ? "code-fence" : "admonition", this.#region(line, end), parent);
    const made = this.#list.blocks[block]!;
    let body = line + 1;
    let header = false;
    for (; body < end && /^:[\w-]+:/.test(this.#lines.words(body)); body++)
      header ||= /^:header-rows: *[1-9]/.test(this.#lines.words(body));
    while (body < end && this.#lines.indent(body) < 0) body++;
    const start = body < end ? this.#lines.start(body) : this.#endOf(end - 1);
    made.content = { start, end: Math.max(start, this.#endOf(end - 1)) };
    if (code) {
      made.fence = "::";
      if (args) made.language = args.split(/\s/, 1)[0]!;
      return;
    }
    made.language = name;
    if (args) made.meta = args;
    if (args && /^(?:image|figure|include|literalinclude|download)$/.test(name)) {
      const at = this.#lines.content(line) + this.#lines.words(line).length - args.length;
      const kind = name === "image" || name === "figure" ? "image" : "link";
      this.#targets.push({ kind, block, target: { start: at, end: at + args.length } });
    }
    if (args && HAS_TEXT_ARGUMENT.test(name)) {
      const at = this.#lines.content(line) + this.#lines.words(line).length - args.length;
      made.content = { start: at, end: Math.max(at, this.#endOf(end - 1)) };
      this.#list.add("paragraph", { start: at, end: at + args.length }, block);
    }
    if (body >= end) return;
    if (table)
      addListTable(this.#lines, this.#list, {
        from: body,
        to: end,
        parent: block,
        commas: name === "csv-table",
        header,
      });
    else this.#readInside(block, body, end, depth);
  }

  #readTable(line: number, words: string, { to, parent }: RstBody): number | undefined {
    if (isGridBorder(words)) {
      const end = this.#endOfRun(line, to, this.#lines.indent(line));
      return addGridTable(this.#lines, this.#list, { from: line, to: end, parent });
    }
    return isSimpleBorder(words)
      ? addSimpleTable(this.#lines, this.#list, { from: line, to, parent })
      : undefined;
  }

  #readDoctest(line: number, words: string, { to, parent }: RstBody): number | undefined {
    if (!words.startsWith(">>> ")) return undefined;
    const end = this.#endOfRun(line, to, -1);
    const block = this.#list.add("code-fence", this.#region(line, end), parent);
    this.#list.blocks[block]!.fence = "";
    this.#list.blocks[block]!.language = "pycon";
    return end;
  }

  /** Bullets, numbers, fields and options: a marker, and a body aligned behind or below it. */
  #readItem(line: number, words: string, { to, parent, depth }: RstBody): number | undefined {
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
    const end = this.#endOfBody(line, to);
    const item = this.#list.add("list-item", this.#region(line, end), parent);
    const made = this.#list.blocks[item]!;
    const at = Math.min(this.#lines.content(line) + marker[0].length, this.#lines.end(line));
    made.content = { start: at, end: Math.max(at, this.#endOf(end - 1)) };
    made.depth = this.#depthOfItem(item);
    if (field) made.meta = field[1]!;
    this.#readItemBody(line, { end, at, item, depth });
    return end;
  }

  // The first line of an item is after its marker, so its paragraph is built separately.
  #readItemBody(line: number, { end, at, item, depth }: ItemBody): void {
    let last = line + 1;
    while (
      last < end &&
      this.#lines.indent(last) >= 0 &&
      !/^(?:[-*+]|\d+\.) |^\.\. /.test(this.#lines.words(last, 12))
    )
      last++;
    if (at < this.#endOf(line)) {
      this.#list.add("paragraph", { start: at, end: this.#endOf(last - 1) }, item);
      last =
        this.#readLiteral(last, { to: end, indent: this.#lines.indent(line), parent: item, depth }) ?? last;
    } else last = line + 1;
    this.#readInside(item, last, end, depth);
  }

  #depthOfItem(item: number): number {
    let depth = 1;
    for (let at = this.#list.blocks[item]!.parent; at !== undefined; at = this.#list.blocks[at]!.parent)
      if (this.#list.blocks[at]!.kind === "list-item") depth++;
    return depth;
  }

  #readParagraph(line: number, body: RstBody): number {
    const { to, parent, depth } = body;
    const columns = this.#lines.indent(line);
    const end = this.#endOfParagraph(line, to, columns);
    // A term with its definition indented right below it.
    if (
      end === line + 1 &&
      end < to &&
      this.#lines.indent(end) > columns &&
      !this.#lines.words(line).endsWith("::")
    ) {
      const stop = withoutTrailingBlanks(this.#lines, end, this.#lines.endOfBody(end, to, columns));
      const item = this.#list.add("list-item", this.#region(line, stop), parent);
      this.#list.blocks[item]!.depth = this.#depthOfItem(item);
      this.#addParagraph(line, end, item);
      this.#readInside(item, end, stop, depth);
      return stop;
    }
    this.#addParagraph(line, end, parent);
    return this.#readLiteral(end, { ...body, indent: columns }) ?? end;
  }

  /** Behind a line that ends in `::`, lines that are indented deeper are literal. */
  #readLiteral(from: number, { to, indent, parent }: RstBody): number | undefined {
    if (!this.#lines.words(from - 1).endsWith("::")) return undefined;
    let first = from;
    while (first < to && this.#lines.indent(first) < 0) first++;
    const end = withoutTrailingBlanks(this.#lines, first, this.#lines.endOfBody(first, to, indent));
    if (first >= end) return undefined;
    const block = this.#list.add(
      "code-fence",
      { start: this.#lines.start(first), end: this.#endOf(end - 1) },
      parent,
    );
    this.#list.blocks[block]!.fence = "::";
    return end;
  }

  /** Reads the lines that a block holds as a document of their own. */
  #readInside(parent: number, first: number, to: number, depth: number): void {
    const indent = leastIndent(this.#lines, first, to);
    this.#readBody(first, { to, indent, parent, depth: depth + 1 });
  }

  /** The end of the lines below `line` that are indented further than it. */
  #endOfBody(line: number, to: number): number {
    const end = this.#lines.endOfBody(line + 1, to, this.#lines.indent(line));
    return withoutTrailingBlanks(this.#lines, line + 1, end);
  }

  #endOfParagraph(line: number, to: number, columns: number): number {
    let end = line + 1;
    while (end < to && this.#lines.indent(end) === columns && !this.#lines.words(end, 3).startsWith(".. ")) {
      if (
        end > line &&
        ADORNMENT.test(this.#lines.words(end + 1)) &&
        this.#lines.words(end + 1).length >= 3 &&
        this.#lines.indent(end + 1) === 0
      ) {
        if (this.#lines.words(end + 1).length >= this.#lines.words(end).length) break;
      }
      end++;
    }
    return end;
  }

  #endOfRun(line: number, to: number, columns: number): number {
    let end = line;
    while (end < to && this.#lines.indent(end) >= Math.max(columns, 0)) end++;
    return end;
  }

  #addParagraph(line: number, end: number, parent: number | undefined): void {
    if (end > line) this.#list.add("paragraph", this.#region(line, end), parent);
  }

  #region(line: number, end: number): Region {
    return {
      start: this.#lines.content(line),
      end: Math.max(this.#endOf(Math.max(end, line + 1) - 1), this.#lines.content(line)),
    };
  }

  #endOf(line: number): number {
    const start = this.#lines.content(line);
    let end = this.#lines.end(line);
    while (end > start && /\s/.test(this.#text[end - 1]!)) end--;
    return end;
  }
}
