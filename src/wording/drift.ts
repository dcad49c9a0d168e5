import type { ReportedFinding, Unknown } from "../docs/check/report.ts";
import { plural } from "./sentences.ts";

/** What `find_drift` answers a model: each passage with its tier, and the edit where there is one. */
export function driftOutput(findings: readonly ReportedFinding[], unknown: readonly Unknown[]): string {
  const lead =
    findings.length === 0 ? "No drift found." : `${plural(findings.length, "passage")} no longer true:`;
  const rest = unknown.length === 0 ? [] : [`${plural(unknown.length, "file")} could not be looked at.`];
  return [lead, ...findings.map(findingLines), ...rest].join("\n");
}

function findingLines({ path, startLine, tier, message, edits }: ReportedFinding): string {
  const proposed = edits.map(
    ({ old_string, new_string }) =>
      `  replace: ${JSON.stringify(old_string)}\n  with:    ${JSON.stringify(new_string)}`,
  );
  return [`${path}:${startLine} [${tier}] ${message}`, ...proposed].join("\n");
}

/** Why `suture verify` does not confirm an edit. */
export const verifyWords = {
  different: "the rules give another edit, or none",
  noRepository: "there is no git repository",
  uncommitted: "the run was made on uncommitted code",
  absent: "its revisions are not in this clone",
  elsewhere: "its code is in another repository; run `suture verify --docs DIR` there",
  rewritten: (model: string): string => `${model} wrote it; no rule gives such an edit`,
};

/** Why a page is shown whose declared or recorded sources changed. */
export function subjectText(changed: readonly string[], by: "attention" | "lineage"): string {
  const files = changed.slice(0, 3).map((file) => `\`${file}\``);
  const more = changed.length > 3 ? ` and ${changed.length - 3} more` : "";
  const tie = by === "attention" ? "which this page says it is about" : "from which this page was written";
  return `${files.join(", ")}${more}, ${tie}, changed.`;
}

/** Sentences about documents in another repository. */
export const docsWords = {
  noClone: (folder: string): string =>
    `${folder} is in no git repository, so there are no documents to check`,
  notAgreed: (folder: string): string =>
    `the configuration names ${folder} for the documents, and the configuration there does not name this repository, so nothing is written there; pass --docs ${folder} to write`,
  noSuchPath: (path: string): string => `there is no ${path} in this repository`,
  rulesOnly: "--docs and --model exclude each other: a model would read the code of the wrong repository",
};

/** Sentences of `suture dismiss`. */
export const dismissWords = {
  unknown: (id: string): string => `no finding has the id ${id}`,
  hint: (near: string | undefined): string =>
    near === undefined
      ? "`suture check --verbose` shows the id of each finding; name the same --base here."
      : `Did you mean ${near}?`,
};
