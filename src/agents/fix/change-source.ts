import type { CheckReport } from "../../docs/check/report.ts";
import type { ChangeSource } from "../context/change-context.ts";
import type { AgentRun } from "../run/agent-run.ts";

/** The change behind a report and its commits; `null` where the history cannot be read. */
export async function openChange(
  { repository, context }: Pick<AgentRun, "repository" | "context">,
  { base, head }: Pick<CheckReport, "base" | "head">,
): Promise<{ readonly change: ChangeSource | null; readonly commits: readonly string[] }> {
  const found = base === head ? null : await repository?.changeTo(base, head);
  if (!repository || !found?.ok) return { change: null, commits: [] };
  const { commits, files } = found.value;
  const read = async (path: string): Promise<string | null> => {
    const snapshot = await context.reader.read(path);
    return snapshot.ok ? snapshot.value.text : null;
  };
  return { change: { messages: await repository.messages(commits), files, read }, commits };
}
