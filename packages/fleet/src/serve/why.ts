import { findQuote, indexLines, lineAt } from "suture/text";
import type { Fleet } from "../fleet.ts";
import type { Repository } from "../store/repositories.ts";
import { findReasons, type Reason } from "../store/runs.ts";

/**
 * The reasons for a line: the edits whose text is on it now, newest first; where there is none, why the last check calls the
 * line false. Without a local clone, or if the text has changed since, the recorded line numbers are used.
 */
export async function explainLine(
  { query, mirrors }: Pick<Fleet, "query" | "mirrors">,
  repository: Repository,
  path: string,
  line: number,
): Promise<Reason[]> {
  const text = await readHead(mirrors, repository, path);
  for (const from of ["edits", "check"] as const) {
    const reasons = await findReasons(query, { repository: repository.id, path, from });
    const about = reasons.filter((said) => coversLine(said, text, line));
    if (about.length > 0) return about;
  }
  return [];
}

async function readHead(
  mirrors: Fleet["mirrors"],
  repository: Repository,
  path: string,
): Promise<string | null> {
  const git = await mirrors.open(repository);
  const head = await git?.resolve("HEAD");
  if (!git || !head) return null;
  const file = (await git.tree(head)).find((each) => each.path === path);
  const bytes = file && (await git.blobs([file.id])).get(file.id);
  return bytes ? new TextDecoder().decode(bytes) : null;
}

function coversLine({ edits, startLine, endLine }: Reason, text: string | null, line: number): boolean {
  if (text !== null) {
    const lines = indexLines(text);
    for (const { new_string, old_string } of edits)
      for (const quote of [new_string, old_string]) {
        if (quote === "") continue;
        const { regions } = findQuote(text, quote, { limit: 20 });
        if (
          regions.some(
            ({ start, end }) =>
              lineAt(lines, start) < line && line <= lineAt(lines, Math.max(start, end - 1)) + 1,
          )
        )
          return true;
      }
  }
  return startLine <= line && line <= endLine;
}
