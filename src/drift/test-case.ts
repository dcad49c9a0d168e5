import { applySplices } from "../text/model/splice.ts";
import type { ChangedFile, DriftInput } from "./change/change.ts";
import { judgeChange } from "./find-drift.ts";
import { type Finding, joinNotices } from "./findings.ts";

/** Files of a change by path; null where there is none on that side. */
export type ChangedFiles = Record<string, [before: string | null, after: string | null]>;

/** A change, the pages, and what the rest of the tree holds. */
export type Case = {
  files: ChangedFiles;
  docs: Record<string, string>;
  rest?: Record<string, string>;
  /** Documents as they were before the change, where they were otherwise; null where there was none. */
  was?: Record<string, string | null>;
};

export function toInput({ files, docs, rest = {}, was = {} }: Case): DriftInput {
  const changed: ChangedFile[] = Object.entries(files).map(([path, [before, after]]) => ({
    path,
    before,
    after,
  }));
  const code = { ...rest };
  for (const { path, after } of changed) if (after !== null) code[path] = after;
  return {
    base: "base",
    head: "head",
    files: changed,
    pages: Object.entries(was).map(([path, before]) => ({ path, before, after: docs[path] ?? null })),
    tree: [...Object.keys(code), ...Object.keys(docs)],
    documents: Object.entries(docs).map(([path, text]) => ({ path, text })),
    read: async (path) => code[path] ?? null,
    occurrences: async (names) =>
      new Map(names.map((name) => [name, Object.keys(code).filter((path) => holds(code[path]!, name))])),
  };
}

function holds(text: string, name: string): boolean {
  const literal = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${literal}(?![\\w-])`).test(text);
}

/** The findings of a case, without those that are only possible. */
export async function reported(one: Case): Promise<Finding[]> {
  return joinNotices(await judgeChange(toInput(one))).filter(({ tier }) => tier !== "possible");
}

/** The page after every edit. */
export async function fixed(one: Case, page: string): Promise<string> {
  const splices = (await reported(one))
    .filter(({ path }) => path === page)
    .flatMap(({ edits }) => edits)
    .flatMap((edit) =>
      "region" in edit.target && "text" in edit ? [{ region: edit.target.region, text: edit.text }] : [],
    )
    .sort((a, b) => a.region.start - b.region.start);
  return applySplices(one.docs[page]!, splices);
}
