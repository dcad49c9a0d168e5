import type { ClaimsReport } from "../docs/claims/report.ts";
import type { InitPlan } from "../docs/init/plan-init.ts";
import type { Replay } from "../docs/init/replay.ts";
import { cheapestWays, countsText as countsOfClaims } from "./claims.ts";
import { plural } from "./sentences.ts";

/** How much of the documents is false before anything is set up. */
export type FalseToday = {
  readonly passages: number;
  readonly pages: number;
  /** How many of the passages a rule can fix. */
  readonly fixable: number;
  /** Pages that were read. */
  readonly read: number;
  /** What the pages say about the project, and how much of it can be checked. */
  readonly coverage?: ClaimsReport["totals"];
};

/** What `suture init` says. */
export const initWords = {
  needsWorkTree: "init needs a work tree to write to",
  question: "Write this? [y/N]",
  found: ({ pages, languages, manifests, ci }: InitPlan["found"]): string => {
    const parts = [
      `pages in ${countsText(pages)}`,
      `sources in ${countsText(languages)}`,
      ...(manifests.length > 0 ? [manifests.slice(0, 3).join(", ")] : []),
      ...(ci === "none" ? [] : [ci]),
    ];
    return `Found: ${parts.join("; ")}.`;
  },
  replaying: (done: number, most: number): string => `checking commit ${done + 1} of at most ${most}`,
  auditing: "checking all documents",
  /** What is false today, before anything is set up. */
  today: ({ passages, pages, fixable, read }: FalseToday): string => {
    if (passages === 0) return `Nothing in the ${plural(read, "page")} is known to be false today.`;
    const fix = fixable === 0 ? "no rule can fix them" : `\`suture fix --all\` fixes ${fixable}`;
    return `False today: ${plural(passages, "passage")} in ${plural(pages, "page")}; \`suture check --all\` shows them, ${fix}.`;
  },
  /** How much of the pages can be checked, and what raises it. */
  coverage: (totals: ClaimsReport["totals"]): string[] => {
    const ways = cheapestWays(totals);
    return [
      `The pages make ${countsOfClaims(totals)}; \`suture claims\` shows them.`,
      ...(ways.length > 0 ? ["The cheapest ways to have more of them checked:", ...ways] : []),
    ];
  },
  noSource:
    "No file that runs Suture is proposed: npm has no package of it yet, and it is not known where a runner gets this one. Name it: `suture init --from git+https://…`, or a tarball, by its address or its path in this repository.",
  oddSource: (from: string): string =>
    `--from takes a version, a git address, or a tarball by its address or path, not ${JSON.stringify(from)}`,
  /** What a gate would have done, before one is proposed. */
  replayed: ({ commits, flagged, failed }: Replay): string[] => {
    if (commits === 0) return [];
    const passages = flagged.reduce((sum, one) => sum + one.passages, 0);
    const unsure = failed === 0 ? "" : ` ${plural(failed, "commit")} could not be checked.`;
    if (passages === 0)
      return [
        `Over the last ${plural(commits, "commit")}, \`suture check\` would have failed on none.${unsure}`,
      ];
    const share = ((100 * flagged.length) / commits).toFixed(1);
    return [
      `Over the last ${plural(commits, "commit")}, \`suture check\` would have failed on ${flagged.length} (${share} %), for ${plural(passages, "passage")}:${unsure}`,
      ...flagged
        .slice(0, mostShown)
        .map(
          ({ commit, subject, passages: count, first }) =>
            `  ${commit.slice(0, 9)} ${onOneLine(subject)}: ${count === 1 ? "" : `${count} passages, first `}${onOneLine(first)}`,
        ),
      ...(flagged.length > mostShown ? [`  … and ${flagged.length - mostShown} more`] : []),
    ];
  },
  files: (count: number): string =>
    count === 0 ? "There is nothing to set up." : `${plural(count, "file")} to write.`,
  written: (entry: string): string => `Written. Take it back with: suture undo ${entry}`,
  notWritten: (dryRun: boolean): string =>
    dryRun ? "Nothing was written." : "Nothing was written; `--yes` writes it.",
};

const mostShown = 10;

function onOneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 100 ? `${line.slice(0, 99).toWellFormed()}…` : line;
}

function countsText(counts: Readonly<Record<string, number>>): string {
  const named = Object.entries(counts).map(
    ([name, count]) => `${name === "." ? "the root" : name} (${count})`,
  );
  return named.slice(0, 5).join(", ") || "none";
}
