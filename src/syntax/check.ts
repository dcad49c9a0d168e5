import { lineNumber } from "../text/model/lines.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { scanJson } from "./data/json.ts";
import { parseToml } from "./data/toml.ts";
import { scanYaml } from "./data/yaml.ts";
import { readFrontMatter } from "./formats/front-matter.ts";
import { formatOf, outlineDocument } from "./formats/outline.ts";
import { outlineSource, sourceLanguage } from "./source/source.ts";

/** The first thing wrong with a text, as far as its format can tell. */
type LineTrouble = { readonly line: number; readonly why: string };

/**
 * A file that parsed before must parse after: source code, JSON, YAML, TOML, a page's front matter and its fences. A
 * file that did not parse before, or whose format is not known, may become anything.
 */
export async function stillParses(path: string, before: string, after: string): Promise<Outcome<true>> {
  const find = finderOf(path, before);
  if (!find || before === after) return accept(true);
  const trouble = await find(after);
  if (!trouble || (await find(before))) return accept(true);
  return refuse({ code: "unparsable", path, line: trouble.line, detail: trouble.why });
}

/** Whether a text parses as its name says it should; a format that is not known parses always. */
export async function parses(path: string, text: string): Promise<boolean> {
  return (await finderOf(path, text)?.(text)) === undefined;
}

type Finder = (text: string) => Promise<LineTrouble | undefined> | LineTrouble | undefined;

function finderOf(path: string, text: string): Finder | undefined {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  if (extension === "json" || extension === "jsonc" || extension === "ipynb") return inJson;
  if (extension === "yaml" || extension === "yml") return inYaml;
  if (extension === "toml") return inToml;
  if (formatOf(path) !== "plain") return (page) => inDocument(path, page);
  return sourceLanguage(path, text) ? (source) => inSource(path, source) : undefined;
}

/** Comments are allowed in every `.json` file, because many are configuration. */
function inJson(text: string): LineTrouble | undefined {
  const { trouble } = scanJson(text, { comments: true });
  return trouble && { line: lineNumber(text, trouble.offset), why: trouble.why };
}

function inYaml(text: string): LineTrouble | undefined {
  const { trouble } = scanYaml(text);
  return trouble && { line: lineNumber(text, trouble.offset), why: trouble.why };
}

function inToml(text: string): LineTrouble | undefined {
  const read = parseToml(text);
  return "trouble" in read ? read.trouble : undefined;
}

/** Unreadable metadata, and a fence or admonition that is opened and never closed. */
function inDocument(path: string, text: string): LineTrouble | undefined {
  return readFrontMatter(text)?.trouble ?? outlineDocument(path, text).trouble[0];
}

async function inSource(path: string, text: string): Promise<LineTrouble | undefined> {
  const { brokenAt, trouble } = await outlineSource(path, text);
  if (brokenAt !== undefined) return { line: brokenAt, why: "does not parse" };
  return trouble === undefined ? undefined : { line: 1, why: trouble };
}
