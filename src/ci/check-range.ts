import { type CheckReport, checkDrift } from "../docs/check.ts";
import { configPath, narrowReport, parseConfig } from "../docs/config.ts";
import { accept, type Outcome } from "../text/model/outcome.ts";
import type { Git } from "../workspace/git/git.ts";
import { type CommitRange, type Ends, locateRange } from "./range.ts";

export type Checked = { readonly report: CheckReport; readonly range: CommitRange };

/** The same check as `suture check`, between two commits and from git alone; the base's configuration holds. */
export async function checkRange(git: Git, ends: Ends): Promise<Outcome<Checked>> {
  const range = await locateRange(git, ends);
  if (!range.ok) return range;
  const { base, head, settings } = range.value;
  const checked = await checkDrift(git, null, { base, head });
  if (!checked.ok) return checked;
  const text = await readAt(git, settings, configPath);
  if (text === null) return accept({ report: checked.value, range: range.value });
  const config = parseConfig(text);
  if (!config.ok) return config;
  return accept({ report: narrowReport(checked.value, config.value), range: range.value });
}

async function readAt(git: Git, revision: string, path: string): Promise<string | null> {
  const file = (await git.tree(revision)).find((one) => one.path === path);
  const bytes = file && (await git.blobs([file.id])).get(file.id);
  return bytes ? new TextDecoder().decode(bytes) : null;
}
