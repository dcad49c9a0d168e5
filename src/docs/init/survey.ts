import { isProductPath } from "../../drift/change/code-path.ts";
import { documentClass, isDocumentPath, isGenerated } from "../../drift/pages/policies.ts";
import { isManifest } from "../../syntax/manifests/manifest.ts";
import { sourceLanguage } from "../../syntax/source/source.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { Reader } from "../../workspace/workspace.ts";

/** The content of a folder that matters for its setup. */
export type Survey = {
  readonly paths: ReadonlySet<string>;
  /** Pages that people wrote and the rules may speak about. */
  readonly pages: readonly { readonly path: string; readonly text: string }[];
  readonly sources: readonly string[];
  /** The text of a file; null where there is none that can be read as text. */
  read(path: string): Promise<string | null>;
};

/** The survey in a few figures, for a person to check. */
export type SurveyFigures = {
  readonly pages: Readonly<Record<string, number>>;
  readonly languages: Readonly<Record<string, number>>;
  readonly manifests: readonly string[];
};

const largestPage = 300_000;

export async function surveyFolder(reader: Reader): Promise<Outcome<Survey>> {
  const listed = await reader.list({});
  if (!listed.ok) return listed;
  const { paths } = listed.value;
  const read = async (path: string): Promise<string | null> => {
    const found = await reader.read(path);
    return found.ok ? found.value.text : null;
  };
  const pages: { path: string; text: string }[] = [];
  for (const path of paths.filter((one) => isDocumentPath(one) && documentClass(one) === "page")) {
    const text = await read(path);
    if (text !== null && text.length <= largestPage && !isGenerated(text)) pages.push({ path, text });
  }
  return accept({ paths: new Set(paths), pages, sources: paths.filter(isProductPath), read });
}

/** Pages by the folder they are in, sources by language, and the manifests nearest to the root. */
export function summarise({ paths, pages, sources }: Survey): SurveyFigures {
  const manifests = [...paths].filter((path) => isManifest(path) && !path.startsWith(".github/"));
  const depth = (path: string): number => path.split("/").length;
  return {
    pages: countBy(pages.map(({ path }) => (path.includes("/") ? path.slice(0, path.indexOf("/")) : "."))),
    languages: countBy(sources.map((path) => sourceLanguage(path) ?? "other")),
    manifests: manifests.sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1)).slice(0, 20),
  };
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}
