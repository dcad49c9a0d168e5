import { countLines } from "../../text/diff/carry-marks.ts";
import { compareTexts } from "../../text/diff/compare.ts";
import { defined } from "../../text/model/defined.ts";
import { type OwnedRange, rangesOf } from "../../tools/verbs/blame.ts";
import { versionOf } from "../../workspace/files/content.ts";
import type { Git } from "../../workspace/git/git.ts";
import { sha256 } from "../../workspace/hash/sha256.ts";
import { decodeAny } from "../../workspace/journal/versions.ts";
import type { HistoryItem, Reader } from "../../workspace/workspace.ts";

/** The lines of a file that a commit adds and an agent wrote. */
export type AgentLines = { readonly path: string; readonly ranges: readonly AgentRange[] };

type AgentRange = OwnedRange & { readonly owner: NonNullable<OwnedRange["owner"]> };

const mostFiles = 500;
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** What agents wrote of the lines that a commit or a tree adds, by the journal. A merge adds no lines of its own. */
export async function agentLinesOf(
  { git, reader }: { readonly git: Git; readonly reader: Reader },
  { base, head }: { readonly base: string | null; readonly head: string },
): Promise<AgentLines[]> {
  const changes = await git.changes(base ?? emptyTree, head);
  const files = changes.filter(({ kind, after }) => kind === "file" && after !== null).slice(0, mostFiles);
  const ids = files.flatMap(({ before, after }) => [before, after].filter((id) => id !== null));
  const blobs = await git.blobs(ids);
  const found: AgentLines[] = [];
  for (const { path, before, after } of files) {
    const bytes = blobs.get(after!);
    const text = bytes && decodeAny(bytes)?.text;
    const old = before === null ? "" : decodeAny(blobs.get(before) ?? new Uint8Array())?.text;
    if (!bytes || text === undefined || old === undefined) continue;
    const owned = await reader.lineOwners(path, { text, version: versionOf(bytes) });
    if (!owned.ok) continue;
    const isNew = addedLines(old, text);
    const owners = owned.value.owners.map((owner, i) => (owner?.origin?.client && isNew[i] ? owner : null));
    const ranges = rangesOf(owners).filter((range): range is AgentRange => range.owner !== null);
    if (ranges.length > 0) found.push({ path, ranges });
  }
  return found;
}

function addedLines(before: string, after: string): boolean[] {
  const isNew = Array.from({ length: countLines(after) }, () => false);
  let shift = 0;
  for (const { region, text } of compareTexts(before, after)) {
    const start = countLines(after.slice(0, region.start + shift));
    isNew.fill(true, start, start + countLines(text));
    shift += text.length - (region.end - region.start);
  }
  return isNew;
}

/** The note of a commit by the standard of git-ai, version 3.0.0, which cannot spell a path of two lines. */
export function printGitAiNote(files: readonly AgentLines[], commit: string): string {
  const sessions: Record<string, unknown> = {};
  const named = files.filter(({ path }) => !path.includes("\n"));
  const attested = named.map(({ path, ranges }) => {
    const byKey = new Map<string, string[]>();
    for (const { startLine, endLine, owner } of ranges) {
      const { client = "", session = owner.task ?? owner.id, model = "unknown" } = owner.origin ?? {};
      const id = `s_${sha256(`${client}:${session}`).slice(0, 14)}`;
      sessions[id] = { agent_id: { tool: client, id: session, model } };
      const key = `${id}::t_${sha256(`${owner.time}:${owner.id}`).slice(0, 14)}`;
      byKey.set(key, [...(byKey.get(key) ?? []), rangeText(startLine, endLine)]);
    }
    const lines = [...byKey].map(([key, spans]) => `  ${key} ${spans.join()}\n`);
    return `${/\s|^---$/.test(path) ? `"${path}"` : path}\n${lines.join("")}`;
  });
  const data = { schema_version: "authorship/3.0.0", base_commit_sha: commit, prompts: {}, sessions };
  return `${attested.join("")}---\n${JSON.stringify(data, null, 2)}\n`;
}

function rangeText(start: number, end: number): string {
  return start === end ? `${start}` : `${start}-${end}`;
}

/** The agents of some lines as values of the trailer `Assisted-by`. */
export function assistants(files: readonly AgentLines[]): string[] {
  const origins = files.flatMap(({ ranges }) => ranges.map(({ owner }) => owner.origin ?? {}));
  return [...new Set(origins.map(({ client, model }) => (model ? `${client}:${model}` : `${client}`)))];
}

/** An entry as a record of Agent Trace 0.1.0: the lines that it left in each file, counted as they were then. */
export function agentTraceOf({ id, time, author, origin, reason, files }: HistoryItem) {
  const hash = sha256(`suture:${time}:${id}`).slice(0, 32);
  const contributor = {
    type: origin?.client ? "ai" : "unknown",
    ...defined({ model_id: origin?.model ? origin.model : undefined }),
  };
  return {
    version: "0.1.0",
    id: hash.replace(/(?<=^(?:.{8}|.{12}|.{16}|.{20}))/g, "-"),
    timestamp: time,
    tool: { name: origin?.client ?? author },
    files: files
      .filter(({ sibling }) => !sibling)
      .map(({ path, hunks }) => ({ path, conversations: [{ contributor, ranges: rangesLeft(hunks) }] })),
    metadata: { "dev.suture": { entry: id, author, reason, ...origin } },
  };
}

function rangesLeft(hunks: HistoryItem["files"][number]["hunks"]) {
  let shift = 0;
  return hunks.flatMap(({ startLine, endLine, after }) => {
    const start = startLine + shift;
    shift += after - (endLine - startLine + 1);
    return after === 0 ? [] : [{ start_line: start, end_line: start + after - 1 }];
  });
}
