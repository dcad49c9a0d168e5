import { configPath, parseConfig, type RepositorySettings } from "suture/service";
import type { Git } from "suture/workspace";
import {
  type ResolvedSettings,
  resolveSettings,
  type SourcedSettings,
  valuesOf,
} from "../settings/resolve.ts";
import { readSettings } from "../settings/stored-settings.ts";
import { approvedFindings } from "../store/decisions.ts";
import { listOpenRequests } from "../store/publications.ts";
import type { Repository } from "../store/repositories.ts";
import { explain } from "./explain.ts";
import { type JobDeps, PermanentError } from "./job-run.ts";

/** The settings that hold for a repository, with the place that set each. Without a clone, its own file is not read. */
export async function sourcedSettings(
  { query }: Pick<JobDeps, "query">,
  held: Pick<Repository, "id" | "organisation">,
  git: Git | null,
): Promise<SourcedSettings> {
  const layers = await readSettings(query, held);
  return resolveSettings({ ...layers, file: git === null ? {} : await readOwnSettings(git) });
}

export async function settingsFor(
  deps: Pick<JobDeps, "query">,
  held: Pick<Repository, "id" | "organisation">,
  git: Git,
): Promise<ResolvedSettings> {
  return valuesOf(await sourcedSettings(deps, held, git));
}

/** The settings in the file of the main branch: a pull request cannot bring its own. */
async function readOwnSettings(git: Git): Promise<RepositorySettings> {
  const head = await git.resolve("HEAD");
  const file = head && (await git.tree(head)).find(({ path }) => path === configPath);
  const bytes = file && (await git.blobs([file.id])).get(file.id);
  if (!bytes) return {};
  const parsed = parseConfig(new TextDecoder().decode(bytes));
  if (!parsed.ok) throw new PermanentError(explain(parsed.refusal));
  return parsed.value.config.fleet ?? {};
}

/**
 * The findings whose edits may be published; null if all may. In a dry run they are those that a person approved, and those
 * whose pull request is open already.
 */
export async function publishableFindings(
  { query }: Pick<JobDeps, "query">,
  held: Repository,
  { dryRun }: ResolvedSettings,
): Promise<ReadonlySet<string> | null> {
  if (!dryRun) return null;
  const approved = await approvedFindings(query, held.id);
  const open = (await listOpenRequests(query, held)).flatMap(({ findings }) => findings ?? []);
  return new Set([...approved, ...open]);
}
