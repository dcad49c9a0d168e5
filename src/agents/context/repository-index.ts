import { isProductPath } from "../../drift/change/code-path.ts";
import { documentClass, isDocumentPath } from "../../drift/pages/policies.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { Reader } from "../../workspace/workspace.ts";
import { cutPassages, type Ranking, rankPassages } from "../context/ranking.ts";
import type { Sources } from "../context/source-context.ts";
import { collectFacts, type FactFile, type KnownFacts } from "../gates/known-facts.ts";

/** A repository read once for a whole run: what there is to write from, and what gates go by. */
export type RepositoryIndex = Sources & {
  /** Pages people read: neither history, nor translations, nor fixtures, nor what a program wrote. */
  readonly documents: readonly string[];
  readonly code: readonly string[];
  readonly facts: KnownFacts;
  /** The passages of code nearest to some words, best first. */
  findPassages: Ranking;
};

const largestFile = 1024 * 1024;
const mostBytes = 64 * 1024 * 1024;

/** Reads what is text and not secret; the rest is as if it were not there. `complete` says whether all was read. */
export async function indexRepository(
  reader: Reader,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Outcome<RepositoryIndex>> {
  const listed = await reader.list();
  if (!listed.ok) return listed;
  const { paths } = listed.value;
  const files: FactFile[] = [];
  let bytes = 0;
  let complete = true;
  for (const path of paths) {
    options.signal?.throwIfAborted();
    if (bytes > mostBytes) {
      complete = false;
      break;
    }
    const read = await reader.read(path);
    if (!read.ok || read.value.text === null) continue;
    const { text } = read.value;
    if (text.length > largestFile) {
      complete &&= !isProductPath(path);
      continue;
    }
    bytes += text.length;
    files.push({ path, text });
  }
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const code = paths.filter((path) => texts.has(path) && isProductPath(path));
  let ranking: Ranking | undefined;
  return accept({
    paths,
    read: async (path) => texts.get(path) ?? null,
    documents: paths.filter((path) => isDocumentPath(path) && documentClass(path) === "page"),
    code,
    facts: collectFacts(files, { paths, complete }),
    findPassages: (words, most) => {
      ranking ??= rankPassages(code.flatMap((path) => cutPassages(path, texts.get(path)!)));
      return ranking(words, most);
    },
  });
}
