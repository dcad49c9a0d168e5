import type { InitPlan } from "../docs/init/plan-init.ts";
import { plural } from "./sentences.ts";

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
  files: (count: number): string =>
    count === 0 ? "There is nothing to set up." : `${plural(count, "file")} to write.`,
  written: (entry: string): string => `Written. Take it back with: suture undo ${entry}`,
  notWritten: (dryRun: boolean): string =>
    dryRun ? "Nothing was written." : "Nothing was written; `--yes` writes it.",
};

function countsText(counts: Readonly<Record<string, number>>): string {
  const named = Object.entries(counts).map(([name, count]) => `${name} (${count})`);
  return named.slice(0, 5).join(", ") || "none";
}
