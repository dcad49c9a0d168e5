import { isProductPath } from "../../drift/change/code-path.ts";
import { isDocumentPath, maySpeakOfNow } from "../../drift/pages/policies.ts";
import { formatAt } from "../../syntax/formats/registry.ts";
import { accept, type Outcome } from "../../text/model/outcome.ts";
import { cutPassages, type Ranking, rankPassages } from "../context/ranking.ts";
import type { Sources } from "../context/source-context.ts";
import { collectFacts, type FactFile, type KnownFacts } from "../gates/known-facts.ts";
import type { AgentRun } from "../run/agent-run.ts";

/** A repository, read once for a whole run: the sources for writers and the facts for gates. */
export type RepositoryIndex = Sources & {
  /** Pages for readers, without history, translations, fixtures and generated pages. */
  readonly documents: readonly string[];
  readonly code: readonly string[];
  readonly facts: KnownFacts;
  /** Finds the code nearest to a query, best first. */
  findPassages: Ranking;
};

const largestFile = 1024 * 1024;
const maxBytes = 64 * 1024 * 1024;

export type IndexOptions = {
  /** The revision that a change is compared with; without one, the usual base. */
  readonly base?: string | null | undefined;
};

/** Reads all files that are text and not secret. `facts.complete` says whether nothing was too large. */
export async function indexRepository(
  run: Pick<AgentRun, "context" | "repository" | "signal">,
  options: IndexOptions = {},
): Promise<Outcome<RepositoryIndex>> {
  const { reader } = run.context;
  const listed = await reader.list();
  if (!listed.ok) return listed;
  const { paths } = listed.value;
  const files: FactFile[] = [];
  let bytes = 0;
  let complete = true;
  for (const path of paths) {
    run.signal?.throwIfAborted();
    if (bytes > maxBytes) {
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
    documents: paths.filter((path) => isDocumentPath(path) && maySpeakOfNow(path) && isWritten(path)),
    code,
    facts: collectFacts(files, {
      paths,
      complete,
      trusted: await filesAtBase(run, texts, options),
    }),
    findPassages: (words, most) => {
      ranking ??= rankPassages(code.flatMap((path) => cutPassages(path, texts.get(path)!)));
      return ranking(words, most);
    },
  });
}

/**
 * The files as they were before the change that is looked at: an attacker who controls a change also controls the
 * addresses in its code. Without a history, the files as they are.
 */
async function filesAtBase(
  { repository }: Pick<AgentRun, "repository">,
  texts: ReadonlyMap<string, string>,
  { base }: IndexOptions,
): Promise<FactFile[] | undefined> {
  if (!repository) return undefined;
  const usual = base ?? (await repository.findBase(undefined));
  const revision = typeof usual === "string" ? usual : usual.ok ? usual.value : "HEAD";
  const old = (await repository.textsAt(revision, texts)) ?? (await repository.textsAt("HEAD", texts));
  return old ? [...old].map(([path, text]) => ({ path, text })) : undefined;
}

/** Whether a page is written as text; a notebook is JSON, which a model must not write. */
function isWritten(path: string): boolean {
  return formatAt(path).name !== "notebook";
}
