import type { Region } from "../../text/model/region.ts";
import { scanJson } from "../data/json.ts";
import { parseToml } from "../data/toml.ts";
import { LARGEST_METADATA, parseYaml } from "../data/yaml.ts";
import { findFrontMatter } from "./front-matter-fence.ts";

/** A page's metadata. `value` is absent, and `trouble` says why, when it could not be read safely. */
export type FrontMatter = {
  readonly language: "yaml" | "toml" | "json" | "other";
  readonly region: Region;
  /** Between the fences, line endings included. */
  readonly content: Region;
  readonly value?: unknown;
  readonly trouble?: { readonly line: number; readonly why: string };
};

/** Front matter at the start of a page, read as data and never executed; nothing where a page has none. */
export function readFrontMatter(text: string): FrontMatter | undefined {
  const fence = findFrontMatter(text);
  if (!fence) return undefined;
  const words = text.slice(fence.content.start, fence.content.end);
  // Lines are counted in the page; the first of the content is its second.
  const lineOf = (offset: number) => 2 + (words.slice(0, offset).match(/\n/g)?.length ?? 0);
  switch (fence.language) {
    case "yaml": {
      const read = parseYaml(words);
      if ("value" in read) return { ...fence, value: read.value };
      return { ...fence, trouble: { line: lineOf(read.trouble.offset), why: read.trouble.why } };
    }
    case "toml": {
      const read = parseToml(words);
      if ("value" in read) return { ...fence, value: read.value };
      return { ...fence, trouble: { line: 1 + read.trouble.line, why: read.trouble.why } };
    }
    case "json": {
      const { trouble } = scanJson(words);
      if (!trouble && words.length <= LARGEST_METADATA) return { ...fence, value: JSON.parse(words) };
      return { ...fence, trouble: { line: lineOf(trouble?.offset ?? 0), why: trouble?.why ?? "too long" } };
    }
    default:
      return { ...fence, trouble: { line: 1, why: "in a language that is not read" } };
  }
}
