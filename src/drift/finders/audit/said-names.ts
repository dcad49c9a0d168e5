import { createWordFinder } from "../../../syntax/words/words.ts";
import type { SoughtKeys, WholeInput } from "../../change/change.ts";
import type { DocumentPage } from "../../change/change-model.ts";
import { fileKind } from "../../change/file-kind.ts";
import { inStyle, isCommon, partsOf, type Style } from "../../change/names.ts";
import { tokenise } from "../../change/tokens.ts";

const STYLES: readonly Style[] = ["camel", "pascal", "snake", "kebab", "constant"];

/** Names that pages write as code and that no source at the head has in any of their spellings. */
export async function findUnknownNames(
  pages: readonly DocumentPage[],
  { occurrences }: Pick<WholeInput, "occurrences">,
): Promise<SoughtKeys> {
  const spellings = collectNames(pages);
  const found = await occurrences([...new Set([...spellings.values()].flat())]);
  const unknown = new Map(
    [...spellings].filter(([, names]) => !names.some((name) => found.get(name)?.length)),
  );
  return seekWords(unknown);
}

export function nameKey(name: string): string {
  return `name ${name}`;
}

/** Looks for names in the sources of the product, in each of their spellings. */
function seekWords(spellings: ReadonlyMap<string, readonly string[]>): SoughtKeys {
  const keyOf = new Map(
    [...spellings].flatMap(([key, names]) => names.map((name) => [name, nameKey(key)] as const)),
  );
  const find = createWordFinder(keyOf.keys());
  return {
    keys: [...spellings.keys()].map(nameKey),
    mayHold: (path) => ["product", "manifest"].includes(fileKind(path)),
    keysOf: (_, text) => find(text).map(({ name }) => keyOf.get(name)!),
  };
}

/** The names in inline code and samples. A flag may be declared under its name in any style. */
function collectNames(pages: readonly DocumentPage[]): Map<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const page of pages)
    page.read().lines.forEach(({ text, place, spans }) => {
      if ((place !== "code" && spans.length === 0) || text.length > 2000) return;
      for (const { kind, text: name, start, end } of tokenise(text)) {
        const isCode = place === "code" || spans.some((span) => span.start <= start && end <= span.end);
        if (!isCode || kind !== "name" || name.length < 4 || isCommon(name)) continue;
        const isFlag = text.slice(0, start).endsWith("--");
        if (isFlag) names.set(name, spell(name));
        else if (!names.has(name)) names.set(name, [name]);
      }
    });
  return names;
}

function spell(flag: string): string[] {
  const plain = flag.replace(/^no-/, "");
  return [
    ...new Set(
      [flag, plain, ...STYLES.map((style) => inStyle(partsOf(plain), style))].filter((one) => one !== ""),
    ),
  ];
}
