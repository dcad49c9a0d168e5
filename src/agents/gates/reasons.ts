import type { KnownFacts } from "./known-facts.ts";
import type { DraftedPage, GateVerdict, Objection } from "./objection.ts";

/** Every reason says something, and the files and commits it cites exist. */
export function checkReasons(
  { path, reasons }: DraftedPage,
  facts: KnownFacts,
  commits: readonly string[],
): Partial<GateVerdict> {
  const objections: Objection[] = [];
  const object = (detail: string): void => void objections.push({ gate: "reasons", path, detail });
  for (const reason of reasons) {
    if (reason.trim() === "")
      object("an edit has no reason; say which change in the code makes it necessary");
    for (const cited of citedPaths(reason))
      if (!facts.endsSome(cited))
        object(`the reason cites ${JSON.stringify(cited)}, which is not a file here; cite what exists`);
    for (const cited of citedCommits(reason))
      if (!commits.some((commit) => commit.startsWith(cited)))
        object(`the reason cites commit ${cited}, which is not part of the change; cite what exists`);
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
