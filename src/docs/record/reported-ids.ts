import { readCacheFile, writeCacheFile } from "../../workspace/files/cache-file.ts";
import { placeName } from "../../workspace/hash/place-name.ts";
import { idsOf } from "../apply-config.ts";
import { check } from "../check/check.ts";
import type { Range } from "../check/range.ts";
import type { CheckReport } from "../check/report.ts";
import type { Project } from "../project.ts";

const most = 5000;

/** Remembers the ids that a check has shown, newest first, so that one of them can be dismissed without another check. */
export function rememberReported(root: string, { findings }: CheckReport): void {
  if (findings.length === 0) return;
  const known = reportedIds(root);
  const ids = [...new Set([...findings.flatMap(idsOf), ...known])].slice(0, most);
  if (ids.join("\n") === known.join("\n")) return;
  writeCacheFile(nameOf(root), new TextEncoder().encode(ids.join("\n")));
}

/** The ids that checks of a repository have shown lately. */
function reportedIds(root: string): string[] {
  const bytes = readCacheFile(nameOf(root));
  return bytes === null ? [] : new TextDecoder().decode(bytes).split("\n").filter(Boolean);
}

/** Whether a finding has an id: one that was shown, or one that a check finds now. Else the ids that there are. */
export async function findReported(
  project: Project,
  id: string,
  range: Range | "all",
): Promise<{ readonly isKnown: boolean; readonly ids: readonly string[] }> {
  const shown = reportedIds(project.root);
  if (shown.includes(id)) return { isKnown: true, ids: shown };
  const ids = new Set(shown);
  for (const asked of new Set([range, "all"] as const)) {
    const checked = await check(project, asked);
    if (checked.ok) for (const known of checked.value.findings.flatMap(idsOf)) ids.add(known);
    if (ids.has(id)) return { isKnown: true, ids: [...ids] };
  }
  return { isKnown: false, ids: [...ids] };
}

function nameOf(root: string): string {
  return `reported/${placeName(root)}`;
}
