import type { Region } from "../../../text/model/region.ts";

/** What one entry of a doc comment says about the declaration below it. */
export type CommentEntry = {
  readonly of: "parameter" | "type" | "result" | "returns" | "error" | "default";
  /**
   * The parameter that it is about, or what is raised. "" for a result, for words that say that there is one, and for a
   * default of the declaration itself.
   */
  readonly name: string;
  /** The words that are true or false: a name, a type, a value. */
  readonly says: string;
  readonly region: Region;
};

/** A line of a doc comment without its marks. */
type DocLine = { readonly text: string; readonly at: number; readonly indent: number };

/** The entries of a doc comment in the styles of JSDoc and its relatives, Sphinx, Google, NumPy, C# and rustdoc. */
export function readEntries(text: string, doc: Region): CommentEntry[] {
  const lines = linesOf(text, doc);
  const tagged = lines.flatMap(readTags);
  return [
    ...(text.startsWith("<?") ? tagged.map(typedResult) : tagged),
    ...readSections(lines),
    ...readDefaults(lines),
  ].sort((a, b) => a.region.start - b.region.start);
}

function linesOf(text: string, { start, end }: Region): DocLine[] {
  const lines: DocLine[] = [];
  for (let at = start; at < end; ) {
    const next = text.indexOf("\n", at);
    const stop = next < 0 || next > end ? end : next;
    const mark = MARK.exec(text.slice(at, stop))![0].length;
    const words = text.slice(at + mark, stop).trimEnd();
    const indent = words.length - words.trimStart().length;
    lines.push({ text: words.slice(indent), at: at + mark + indent, indent: mark + indent });
    at = stop + 1;
  }
  return lines;
}

const MARK = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/[/!]?|#+(?=\s|$)|[rRuU]?(?:"""|''')|)/;

const NAME = String.raw`[\p{L}_$][\w$]*`;
// `@param {string} [name=1]`, `@param float $amount`, `\param[in] name`, `@param [String] name`, `@param name`.
const TAG = /^[@\\](?:param|arg|argument|property)(?:\[[a-z, ]+\])?\s+/;
const BRACED = /^\{([^{}]*)\}\s*/;
const SQUARE = /^\[([^\]]*)\]\s+(?=\w)/;
const NAMED = new RegExp(String.raw`^(\[?)(\$?)(${NAME})`, "u");
const PHP = new RegExp(String.raw`^([\\\w|?[\]<>, ]+?)\s+(?:\.\.\.|&)?\$(${NAME})`, "u");
const YARD_TYPE = /^\s+\[([^\]]*)\]/;
const RESULT = /^(?:[@\\]returns?\s+(?:\{([^{}]*)\}|\[([^\]]*)\]|(\S.*))|<returns>([^<]+))/;
const THROWS = /^[@\\](?:throws|exception|raise)\s+(?:\{([\w.]+)\}|\[([\w:]+)\]|([\\\w.]+))/;
const FIELD =
  /^:(param|parameter|arg|argument|key|keyword|type|raises?|except|exception|rtype)\b\s*(?!\s)([^:]*):\s*(.*)$/;
const XML = /<(param|paramref|exception)\s+(?:name|cref)="(?:T:)?([\w.]+)"/g;

function readTags(line: DocLine): CommentEntry[] {
  if (line.text.startsWith("@") || line.text.startsWith("\\")) return readTag(line);
  if (line.text.startsWith(":")) return readField(line);
  const named = Array.from(line.text.matchAll(XML), (match) => {
    const at = line.at + match.index + match[0].length - 1 - match[2]!.length;
    return entry(match[1] === "exception" ? "error" : "parameter", match[2]!, at);
  });
  return line.text.startsWith("<returns>") ? [...named, ...readOutcome(line.text, line.at)] : named;
}

function readTag({ text, at }: DocLine): CommentEntry[] {
  const tag = TAG.exec(text)?.[0].length;
  if (tag === undefined) return readOutcome(text, at);
  // JSDoc has members of other types below it; KDoc has the properties of the constructor, without their types.
  if (/^@property\s+(?:\{|\S+\s+\$)/.test(text)) return [];
  const php = PHP.exec(text.slice(tag));
  if (php) {
    const name = tag + php[0].length - php[2]!.length;
    return [typed(php[2]!, php[1]!, at + tag), entry("parameter", php[2]!, at + name)];
  }
  const type = BRACED.exec(text.slice(tag)) ?? SQUARE.exec(text.slice(tag));
  const from = tag + (type?.[0].length ?? 0);
  const named = NAMED.exec(text.slice(from));
  if (!named) return [];
  const [whole, bracket, , name] = named;
  const start = from + whole.length - name!.length;
  const behind = text.slice(from + whole.length);
  const after = YARD_TYPE.exec(behind);
  const value = bracket === "[" ? /^=([^\]]*)\]/.exec(behind) : null;
  return [
    ...(type ? [typed(name!, type[1]!, at + tag + 1)] : []),
    entry("parameter", name!, at + start),
    ...(after && !type
      ? [typed(name!, after[1]!, at + from + whole.length + after[0].indexOf("[") + 1)]
      : []),
    ...(value ? [{ ...entry("default", value[1]!, at + from + whole.length + 1), name: name! }] : []),
  ];
}

function readOutcome(text: string, at: number): CommentEntry[] {
  const result = RESULT.exec(text);
  const type = result?.[1] ?? result?.[2];
  const said = type ?? result?.[3] ?? result?.[4];
  if (said) return [{ ...entry(type ? "result" : "returns", said, at + text.indexOf(said, 7)), name: "" }];
  const thrown = THROWS.exec(text);
  const name = thrown?.[1] ?? thrown?.[2] ?? thrown?.[3];
  return name ? [entry("error", name, at + text.indexOf(name, 6))] : [];
}

/** PHP writes the type of a result without a mark. */
function typedResult(tag: CommentEntry): CommentEntry {
  const type = tag.of === "returns" ? /^[\\\w|?]+(?=\s|$)/.exec(tag.says)?.[0] : undefined;
  return type ? { ...entry("result", type, tag.region.start), name: "" } : tag;
}

function readField({ text, at }: DocLine): CommentEntry[] {
  const field = FIELD.exec(text);
  if (!field) return [];
  const [, kind, words, rest] = field;
  const name = words!.trim().split(/\s+/).at(-1)!.replace(/^\*+/, "");
  const start = at + text.indexOf(":", 1 + kind!.length) - (words!.length - words!.trimEnd().length);
  const said = at + text.length - rest!.length;
  if (kind === "rtype") return rest === "" ? [] : [{ ...entry("result", rest!, said), name: "" }];
  if (name === "") return [];
  if (kind === "type") return rest === "" ? [] : [typed(name, rest!, said)];
  if (/^(?:rais|exc)/.test(kind!)) return [entry("error", name, start - name.length)];
  const type = words!
    .trim()
    .slice(0, -name.length)
    .replace(/(?<!\*)\*+$/, "")
    .trim();
  return [
    ...(type ? [typed(name, type, at + text.indexOf(type, 1 + kind!.length))] : []),
    entry("parameter", name, start - name.length),
  ];
}

const HEADS: readonly (readonly [RegExp, "parameter" | "error" | "result"])[] = [
  [/^(?:Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments|Other Parameters)$/, "parameter"],
  [/^(?:Raises|Throws)$/, "error"],
  [/^(?:Returns?)$/, "result"],
];
const OWN_ENTRY = new RegExp(String.raw`^(\*{0,2})(${NAME})\s*(?:\(([^()]*)\))?\s*:(?!:)(?:\s|$)`, "u");
const RUST_ENTRY = new RegExp(String.raw`^[*-]\s+\x60(${NAME})\x60`, "u");
const NUMPY_ENTRY = new RegExp(String.raw`^(${NAME}(?:\s*,\s*${NAME})*)(?:\s*:\s*(.*))?$`, "u");

/** The entries below `Args:`, below `Parameters` with a line under it, and below `# Arguments`. */
function readSections(lines: readonly DocLine[]): CommentEntry[] {
  const found: CommentEntry[] = [];
  for (let at = 0; at < lines.length; at++) {
    const head = lines[at]!;
    const ruled = /^-{3,}$/.test(lines[at + 1]?.text ?? "");
    const marked = /^#+\s+/.exec(head.text)?.[0].length ?? 0;
    const words = head.text.slice(marked).replace(/:$/, "");
    const of = HEADS.find(([words_]) => words_.test(words))?.[1];
    if (!of || !(ruled || marked > 0 || head.text.endsWith(":"))) continue;
    const from = at + (ruled ? 2 : 1);
    const style = ruled ? "ruled" : marked > 0 ? "marked" : "indented";
    found.push(...readSection(lines.slice(from), { of, style, indent: head.indent }));
  }
  return found;
}

type SectionHead = {
  readonly of: "parameter" | "error" | "result";
  readonly style: "ruled" | "marked" | "indented";
  readonly indent: number;
};

function readSection(lines: readonly DocLine[], { of, style, indent }: SectionHead): CommentEntry[] {
  const found: CommentEntry[] = [];
  let own = style === "indented" ? -1 : indent;
  for (const [at, line] of lines.entries()) {
    if (line.text === "" || /^(?:"""|'''|\*\/)$/.test(line.text)) continue;
    if (own < 0) own = line.indent;
    const ends =
      style === "indented"
        ? line.indent <= indent
        : style === "marked"
          ? line.text.startsWith("#")
          : line.indent < indent || /^-{3,}$/.test(lines[at + 1]?.text ?? "");
    if (ends) break;
    if (line.indent !== own) continue;
    found.push(...readSectionEntry(line, of, style));
  }
  return found;
}

function readSectionEntry(
  { text, at }: DocLine,
  of: SectionHead["of"],
  style: SectionHead["style"],
): CommentEntry[] {
  if (style === "marked") {
    const name = of === "parameter" ? RUST_ENTRY.exec(text)?.[1] : undefined;
    return name ? [entry(of, name, at + text.indexOf(name))] : [];
  }
  if (style === "indented") {
    const own = OWN_ENTRY.exec(text);
    if (!own || of === "result") return [];
    const [, stars, name, type] = own;
    const [said] = (type ?? "").split(",").map((part) => part.trim());
    return [
      entry(of, name!, at + stars!.length),
      ...(said && of === "parameter" ? [typed(name!, said, at + text.indexOf("(") + 1)] : []),
    ];
  }
  const ruled = NUMPY_ENTRY.exec(text);
  if (!ruled || of === "result") return [];
  let from = 0;
  return ruled[1]!.split(",").map((part) => {
    const name = part.trim();
    const start = text.indexOf(name, from);
    from = start + name.length;
    return entry(of, name, at + start);
  });
}

const DEFAULT =
  /(?:@default(?:[vV]alue)?\s+|\b[Dd]efaults?(?:\s+value)?(?:\s+(?:is|to|are|=)|:|=)?\s*|<default>)(`+|"|')?/g;
const VALUE = /^-?[\w.][\w.%/:+-]*/;

/** "Defaults to 60s.", "(default: 3)", `@default 10`: the default of the entry that it stands in, or of the declaration. */
function readDefaults(lines: readonly DocLine[]): CommentEntry[] {
  let owner: { readonly name: string; readonly indent: number } | null = null;
  return lines.flatMap((line) => {
    const named = ownerOf(line);
    if (named !== null) owner = { name: named, indent: line.indent };
    else if (owner && (line.text === "" || line.indent < owner.indent)) owner = null;
    return Array.from(line.text.matchAll(DEFAULT)).flatMap((match) => {
      const from = match.index + match[0].length;
      const quote = match[1];
      const close = quote ? line.text.indexOf(quote, from) : -1;
      const value = quote
        ? close > from
          ? line.text.slice(from, close)
          : ""
        : (VALUE.exec(line.text.slice(from))?.[0] ?? "").replace(/[.:]+$/, "");
      if (value === "" || (!quote && !/^(?:-?[\d.]|true$|false$|none$|null$|nil$)/i.test(value))) return [];
      return [{ ...entry("default", value, line.at + from), name: owner?.name ?? "" }];
    });
  });
}

/** The parameter that a line opens an entry of. */
function ownerOf(line: DocLine): string | null {
  const [first] = [...readTags(line), ...readSectionEntry(line, "parameter", "indented")];
  return first?.of === "parameter" || first?.of === "type" ? first.name : null;
}

function entry(of: CommentEntry["of"], says: string, start: number): CommentEntry {
  return { of, name: says, says, region: { start, end: start + says.length } };
}

function typed(name: string, says: string, start: number): CommentEntry {
  return { of: "type", name, says, region: { start, end: start + says.length } };
}
