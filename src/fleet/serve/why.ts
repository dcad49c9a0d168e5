import { findQuote } from "../../text/match/quote.ts";
import { indexLines, lineAt } from "../../text/model/lines.ts";
import type { Fleet } from "../fleet.ts";
import type { Repository } from "../store/repositories.ts";
import { findReasons, type Said } from "../store/runs.ts";

/**
 * Why a line says what it says: the edits whose text stands on it now, newest first. Without a clone here, or where the
 * text has changed since, the lines that were recorded count.
 */
export async function whyLine(
  { ask, mirrors }: Pick<Fleet, "ask" | "mirrors">,
  repository: Repository,
  path: string,
  line: number,
): Promise<Said[]> {
  const reasons = await findReasons(ask, repository.id, path);
  const text = await readNow(mirrors, repository, path);
  return reasons.filter((said) => isOn(said, text, line));
}

async function readNow(
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

function isOn({ edits, startLine, endLine }: Said, text: string | null, line: number): boolean {
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
