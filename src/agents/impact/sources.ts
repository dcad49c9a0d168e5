import { resolve } from "node:path";
import { z } from "zod";
import { local } from "../../drift/pages/attention.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import { impactText } from "../../wording/agents.ts";
import { liesInside } from "../../workspace/paths/real-path.ts";
import { openReader } from "../../workspace/workspace.ts";
import { type AgentRun, readStateText } from "../run/agent-run.ts";
import { openGitRepository, type RepositoryChange } from "../run/repository.ts";

/** The repositories that documents watch, by the names in their rules. */
export type SourceMap = Readonly<Record<string, string>>;

const schema = z.object({
  version: z.literal(1),
  sources: z.record(z.string(), z.object({ type: z.literal("git"), path: z.string().min(1) })),
});

/** The listed sources. `inTree`: the list that holds them, if it is a part of the repository and so anyone's. */
export type ListedSources = { readonly sources: SourceMap; readonly inTree: string | null };

const ownList = "sources.json";
const foreignList = ".jolli/sources.json";

/** `.suture/sources.json`, or `.jolli/sources.json` as other tools keep it; folders are relative to the root. */
export async function readSources(run: AgentRun): Promise<Outcome<ListedSources>> {
  const own = await readStateText(run, ownList);
  const text = own ?? (await readText(run, foreignList));
  if (text === null) return accept({ sources: {}, inTree: null });
  const isCommitted = (await run.repository?.isCommitted(`.suture/${ownList}`)) ?? false;
  const inTree = own === null ? foreignList : isCommitted ? `.suture/${ownList}` : null;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    if (!parsed.success) return refuse({ code: "malformed", what: impactText.unreadableSources });
    const listed = Object.entries(parsed.data.sources).map(([name, { path }]) => [name, path]);
    return accept({ sources: Object.fromEntries(listed), inTree });
  } catch {
    return refuse({ code: "malformed", what: impactText.unreadableSources });
  }
}

/** Asks a person once about sources that the repository itself lists, and keeps the answer "yes" in the state. */
export async function trustSources(
  run: AgentRun,
  { sources, inTree }: ListedSources,
  { watched, ask }: { readonly watched: readonly string[]; readonly ask: AskSources | undefined },
): Promise<boolean> {
  const asked = watched.filter((name) => Object.hasOwn(sources, name));
  if (inTree === null || asked.length === 0) return true;
  const isTrusted =
    (await ask?.(inTree, Object.fromEntries(asked.map((name) => [name, sources[name]!])))) ?? false;
  if (isTrusted && inTree === foreignList) await keepSources(run, sources);
  return isTrusted;
}

/** Asks whether the repositories of a list, by name, may be read. */
export type AskSources = (list: string, sources: SourceMap) => Promise<boolean>;

async function keepSources(run: AgentRun, sources: SourceMap): Promise<void> {
  const listed = Object.entries(sources).map(([name, path]) => [name, { type: "git", path }]);
  const text = `${JSON.stringify({ version: 1, sources: Object.fromEntries(listed) }, null, 2)}\n`;
  await run.context.workspace?.writeState(ownList, new TextEncoder().encode(text));
}

async function readText(run: AgentRun, path: string): Promise<string | null> {
  const read = await run.context.reader.read(path);
  return read.ok ? read.value.text : null;
}

/** The change of one watched repository, or why it could not be read. */
export type SourceChange =
  | { readonly source: string; readonly change: RepositoryChange }
  | { readonly source: string; readonly why: string };

export type ChangeQuestion = {
  readonly base?: string | undefined;
  readonly uncommitted?: boolean | undefined;
};

/**
 * The change of each source. The list of sources is part of the repository, so a folder outside is read only if the
 * person named that source: a list must not be able to send the code of other folders to a model.
 */
export async function readChanges(
  run: AgentRun,
  names: readonly string[],
  given: {
    readonly sources: SourceMap;
    readonly named: string | undefined;
    /** The list that the person does not trust: only a named source of it is read. */
    readonly untrusted?: string | null;
    readonly question: ChangeQuestion;
  },
): Promise<SourceChange[]> {
  const changes: SourceChange[] = [];
  for (const source of names) {
    const change = await readSource(run, source, given);
    changes.push(change.ok ? { source, change: change.value } : { source, why: detailOf(change.refusal) });
  }
  return changes;
}

async function readSource(
  run: AgentRun,
  source: string,
  { sources, named, untrusted, question }: Parameters<typeof readChanges>[2],
): Promise<Outcome<RepositoryChange>> {
  if (source === local) {
    if (!run.repository) return refuse({ code: "unavailable", detail: impactText.noRepository });
    return ask(run.repository, question);
  }
  const folder = Object.hasOwn(sources, source) ? sources[source] : undefined;
  if (folder === undefined) return refuse({ code: "unavailable", detail: impactText.unknownSource(source) });
  if (untrusted && named !== source)
    return refuse({ code: "unavailable", detail: impactText.untrustedSource(source, untrusted) });
  const { root } = run.context.reader;
  const path = resolve(root, folder);
  if (named !== source && !liesInside(path, root))
    return refuse({ code: "unavailable", detail: impactText.outsideFolder(source) });
  const reader = await openReader(path);
  if (!reader.ok) return reader;
  try {
    const repository = await openGitRepository(path, reader.value);
    if (!repository) return refuse({ code: "unavailable", detail: impactText.notARepository });
    return await ask(repository, question);
  } finally {
    await reader.value.close();
  }
}

async function ask(
  repository: NonNullable<AgentRun["repository"]>,
  { base, uncommitted }: ChangeQuestion,
): Promise<Outcome<RepositoryChange>> {
  if (uncommitted) return repository.uncommitted();
  const found = await repository.findBase(base);
  if (!found.ok) return found;
  // Nothing is committed since, so the change is what is not committed yet.
  const isTip = base === undefined && found.value === (await repository.head());
  return isTip ? repository.uncommitted() : repository.changeSince(found.value);
}

function detailOf(refusal: { readonly code: string; readonly detail?: string }): string {
  return refusal.detail ?? refusal.code;
}
