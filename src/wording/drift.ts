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

/** How many edits of a run there are, how many come out differently, and how many cannot be checked. */
export type VerifiedCounts = {
  readonly all: number;
  readonly wrong: number;
  readonly unsure: number;
  readonly whyUnsure: string | undefined;
};

/** Why `suture verify` does not confirm an edit. */
export const verifyWords = {
  different: "the rules give another edit, or none",
  noRepository: "there is no git repository",
  uncommitted: "the code was not committed when the edits were made",
  absent: "its revisions are not in this clone",
  elsewhere: "its code is in another repository; run `suture verify --docs DIR` there",
  /** The result for all edits of a run. */
  summary: (run: string, { all, wrong, unsure, whyUnsure }: VerifiedCounts): string => {
    const derived = all - wrong - unsure;
    if (derived === all)
      return `${run}: ${all === 1 ? "the edit follows" : `all ${all} edits follow`} from the code again`;
    const parts = [
      ...(derived > 0
        ? [`${derived} of ${plural(all, "edit")} ${derived === 1 ? "follows" : "follow"} from the code again`]
        : []),
      ...(wrong > 0 ? [`${plural(wrong, "edit")} ${wrong === 1 ? "does" : "do"} not follow from it`] : []),
      ...(unsure > 0
        ? [`${plural(unsure, "edit")} cannot be checked${whyUnsure ? `: ${whyUnsure}` : ""}`]
        : []),
    ];
    return `${run}: ${parts.join("; ")}`;
  },
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
    `there is no git repository at ${folder}, so there are no documents to check`,
  notAgreed: (folder: string): string =>
    `the configuration names ${folder} for the documents, and the configuration there does not name this repository, so nothing is written there; pass --docs ${folder} to write`,
  notAllowed: (code: string, docs: string): string =>
    `the configuration of ${docs} names ${code} for the code, and the configuration there does not name these documents; run the command there with --docs ${docs}, or answer its question in a terminal`,
  askCode: (code: string, docs: string): string =>
    `The configuration of ${docs} wants to read the code in ${code}. Allow it? [y/N]`,
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
