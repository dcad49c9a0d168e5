import { isProductPath } from "../../drift/code-path.ts";
import { documentClass, isDocumentPath, isGenerated } from "../../drift/policies.ts";
import type { Outcome } from "../../text/outcome.ts";
import { accept } from "../../text/outcome.ts";
import type { Reader } from "../../workspace/workspace.ts";

/** What a folder holds, as far as setting it up is concerned. */
export type Survey = {
  readonly paths: ReadonlySet<string>;
  /** Pages that people wrote and the rules may speak about. */
  readonly pages: readonly { readonly path: string; readonly text: string }[];
  readonly sources: readonly string[];
  /** The text of a file; null where there is none that can be read as text. */
  read(path: string): Promise<string | null>;
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
