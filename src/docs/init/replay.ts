import { accept, type Outcome } from "../../text/model/outcome.ts";
import type { Git } from "../../workspace/git/git.ts";
import { check } from "../check/check.ts";
import { CheckMemory } from "../check/memory.ts";
import { openProject } from "../project.ts";

/** A commit that a check would have failed on. */
export type FlaggedCommit = {
  readonly commit: string;
  readonly subject: string;
  /** How many passages it made false. */
  readonly passages: number;
  /** The first of them, in one sentence. */
  readonly first: string;
};

/** The results that `check` would have had for the newest commits. */
export type Replay = {
  /** How many commits were checked; fewer than asked for in a short history, or when the time was over. */
  readonly commits: number;
  readonly flagged: readonly FlaggedCommit[];
  /** How many commits could not be checked. */
  readonly failed: number;
};

export type ReplayOptions = {
  readonly most: number;
  /** After this time, in milliseconds, no other commit is begun. */
  readonly patience: number;
  readonly now?: () => number;
  readonly onProgress?: (done: number, total: number) => void;
};

/** Checks the newest commits, each against the one before it, with today's configuration. Nothing is written. */
export async function replayHistory(git: Git, options: ReplayOptions): Promise<Outcome<Replay>> {
  const { most, patience, now = () => performance.now(), onProgress } = options;
  const opened = await openProject({ git, settings: "head" });
  if (!opened.ok) return opened;
  const head = await git.resolve("HEAD");
  const log = head === null ? [] : await git.log(head, most);
  const memory = new CheckMemory();
  const flagged: FlaggedCommit[] = [];
  const started = now();
  let [commits, failed] = [0, 0];
  for (const { id: commit } of log) {
    const [base] = await git.parents(commit);
    if (base === undefined || now() - started > patience) break;
    onProgress?.(commits, log.length);
    const checked = await check(opened.value, { base, head: commit }, { memory });
    commits++;
    if (!checked.ok) failed++;
    const open = checked.ok ? checked.value.findings.filter(({ tier }) => tier !== "possible") : [];
    if (open.length === 0) continue;
    const [subject = ""] = ((await git.message(commit)) ?? "").split("\n");
    flagged.push({ commit, subject, passages: open.length, first: open[0]!.message });
  }
  return accept({ commits, flagged, failed });
}
