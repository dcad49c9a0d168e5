import { isAbsolute, relative, resolve } from "node:path";
import { z } from "zod";
import { local } from "../../drift/pages/attention.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { openReader } from "../../workspace/workspace.ts";
import { type Bench, readStateText } from "../run/agent-run.ts";
import { openRepository, type RepositoryChange } from "../run/repository.ts";

/** Repositories that documents watch, by the names their rules use. */
export type SourceMap = Readonly<Record<string, string>>;

const schema = z.object({
  version: z.literal(1),
  sources: z.record(z.string(), z.object({ type: z.literal("git"), path: z.string().min(1) })),
});

/** `.suture/sources.json`, or `.jolli/sources.json` as other tools keep it; folders are relative to the root. */
export async function readSources(bench: Bench): Promise<Outcome<SourceMap>> {
  const own = await readStateText(bench, "sources.json");
  const text = own ?? (await readText(bench, ".jolli/sources.json"));
  if (text === null) return accept({});
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    if (parsed.success)
      return accept(
        Object.fromEntries(Object.entries(parsed.data.sources).map(([name, { path }]) => [name, path])),
      );
  } catch {}
  return refuse({ code: "malformed", what: "the list of sources cannot be read" });
}

async function readText(bench: Bench, path: string): Promise<string | null> {
  const read = await bench.context.reader.read(path);
  return read.ok ? read.value.text : null;
}

/** The change of one watched repository, or why it could not be looked at. */
export type SourceChange =
  | { readonly source: string; readonly change: RepositoryChange }
  | { readonly source: string; readonly why: string };

export type ChangeQuestion = {
  readonly base?: string | undefined;
  readonly uncommitted?: boolean | undefined;
};

/**
 * What changed in each source. The list of sources lies in the repository, so a folder outside it is read only when
 * the person has named that source: a list must not be able to send other folders' code to a model.
 */
export async function readChanges(
  bench: Bench,
  names: readonly string[],
  given: {
    readonly sources: SourceMap;
    readonly named: string | undefined;
    readonly question: ChangeQuestion;
  },
): Promise<SourceChange[]> {
  const changes: SourceChange[] = [];
  for (const source of names) {
    const change = await readSource(bench, source, given);
    changes.push(change.ok ? { source, change: change.value } : { source, why: wordsOf(change.refusal) });
  }
  return changes;
}

async function readSource(
  bench: Bench,
  source: string,
  { sources, named, question }: Parameters<typeof readChanges>[2],
): Promise<Outcome<RepositoryChange>> {
  if (source === local) {
    if (!bench.repository)
      return refuse({ code: "unavailable", detail: "this folder is in no git repository" });
    return ask(bench.repository, question);
  }
  const folder = Object.hasOwn(sources, source) ? sources[source]! : undefined;
  if (folder === undefined)
    return refuse({ code: "unavailable", detail: `no source is called ${JSON.stringify(source)}` });
  const { root } = bench.context.reader;
  const path = resolve(root, folder);
  const between = relative(root, path);
  const outside = between.startsWith("..") || isAbsolute(between);
  if (outside && named !== source)
    return refuse({
      code: "unavailable",
      detail: `it lies outside this folder; pass --source ${source} to have it read`,
    });
  const reader = await openReader(path);
  if (!reader.ok) return reader;
  try {
    const repository = await openRepository(path, reader.value);
    if (!repository) return refuse({ code: "unavailable", detail: "it is no git repository" });
    return await ask(repository, question);
  } finally {
    await reader.value.close();
  }
}

async function ask(
  repository: NonNullable<Bench["repository"]>,
  { base, uncommitted }: ChangeQuestion,
): Promise<Outcome<RepositoryChange>> {
  if (uncommitted) return repository.uncommitted();
  const found = await repository.findBase(base);
  return found.ok ? repository.changeSince(found.value) : found;
}

function wordsOf(refusal: { readonly code: string; readonly detail?: string }): string {
  return refusal.detail ?? refusal.code;
}
