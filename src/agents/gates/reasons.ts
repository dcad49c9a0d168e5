import { gateText } from "../../wording/agents.ts";
import type { KnownFacts } from "./known-facts.ts";
import type { DraftedPage, GateVerdict, Objection } from "./objection.ts";

/** Every edit needs a reason, and the files and commits in it must exist. */
export function checkReasons(
  { path, reasons }: DraftedPage,
  facts: KnownFacts,
  commits: readonly string[],
): Partial<GateVerdict> {
  const objections: Objection[] = [];
  const object = (detail: string): void => void objections.push({ gate: "reasons", path, detail });
  for (const reason of reasons) {
    if (reason.trim() === "") object(gateText.noReason);
    for (const cited of citedPaths(reason)) if (!facts.hasPathEnd(cited)) object(gateText.unknownFile(cited));
    for (const cited of citedCommits(reason))
      if (!commits.some((commit) => commit.startsWith(cited))) object(gateText.unknownCommit(cited));
  }
  return { objections };
}

function citedPaths(reason: string): string[] {
  const paths = reason.matchAll(
    /(?<![\w:/.@-])((?:[\w.@-]+\/)+[\w.@-]*\w\.[A-Za-z][A-Za-z0-9]{0,8})(?![\w/])/g,
  );
  return Array.from(paths, ([, path]) => path!.replace(/^(?:\.\.?\/)+/, ""));
}

function citedCommits(reason: string): string[] {
  return Array.from(reason.matchAll(/\b(?:commit|revision)\s+`?([0-9a-f]{7,40})\b/gi), ([, commit]) =>
    commit!.toLowerCase(),
  );
}
