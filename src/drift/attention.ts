import { readFrontMatter } from "../syntax/front-matter.ts";
import { matcher } from "../text/glob.ts";
import type { DocumentText } from "./change.ts";

/** A file the change touched, whatever it did to it: its name now, and its old one if it moved. */
export type TouchedFile = { readonly path: string; readonly from?: string };

/** A page that asks to be looked at when a file changes, and why this change concerns it. */
export type Attention = {
  readonly path: string;
  /** The page's own id, where it has one. */
  readonly jrn?: string;
  readonly evidence: readonly AttentionEvidence[];
};

export type AttentionEvidence = {
  readonly file: string;
  readonly pattern: string;
  readonly match: "exact" | "glob";
  readonly by: "attention" | "lineage";
};

/** Which sources each page was written from, as the committed lineage file lists them. */
export type Lineage = Readonly<Record<string, readonly string[]>>;

type Rule = { readonly pattern: string; readonly by: "attention" | "lineage"; readonly source?: string };

/**
 * Pages whose `attention` rules or lineage name a touched file, by its old name or its new one. A rule that names a
 * `source` speaks of another repository unless it is this one. Pages whose front matter cannot be read come back in
 * `unknown`, never as unconcerned.
 */
export function findAttention(
  pages: readonly DocumentText[],
  touched: readonly TouchedFile[],
  options: { lineage?: Lineage; source?: string } = {},
): { selected: Attention[]; unknown: { path: string; why: string }[] } {
  const selected: Attention[] = [];
  const unknown: { path: string; why: string }[] = [];
  for (const page of pages) {
    const { rules, jrn, trouble } = readRules(page, options.lineage ?? {});
    if (trouble) unknown.push({ path: page.path, why: trouble });
    const evidence = rules
      .filter((rule) => isOurs(rule, options.source))
      .flatMap((rule) => findEvidence(rule, touched));
    if (evidence.length) selected.push({ path: page.path, ...(jrn === undefined ? {} : { jrn }), evidence });
  }
  return { selected, unknown };
}

function readRules(page: DocumentText, lineage: Lineage): { rules: Rule[]; jrn?: string; trouble?: string } {
  const written: Rule[] = (lineage[page.path] ?? []).map((pattern) => ({ pattern, by: "lineage" }));
  const matter = readFrontMatter(page.text);
  if (!matter) return { rules: written };
  if (matter.trouble) return { rules: written, trouble: matter.trouble.why };
  const value = isRecord(matter.value) ? matter.value : {};
  const listed = Array.isArray(value.attention) ? value.attention.flatMap(readRule) : [];
  return { rules: [...written, ...listed], ...(typeof value.jrn === "string" ? { jrn: value.jrn } : {}) };
}

function readRule(entry: unknown): Rule[] {
  if (typeof entry === "string") return [{ pattern: entry, by: "attention" }];
  if (!isRecord(entry) || typeof entry.path !== "string") return [];
  if (entry.op !== undefined && entry.op !== "file") return [];
  const source = typeof entry.source === "string" ? { source: entry.source } : {};
  return [{ pattern: entry.path, by: "attention", ...source }];
}

function isOurs(rule: Rule, source: string | undefined): boolean {
  return rule.source === undefined || source === undefined || rule.source === source;
}

function findEvidence({ pattern, by }: Rule, touched: readonly TouchedFile[]): AttentionEvidence[] {
  const plain = pattern.replace(/^\.?\//, "");
  const fits = matcher(plain);
  const names = [
    ...new Set(touched.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]))),
  ];
  return names
    .filter((name) => name === plain || (isGlob(plain) && fits(name)))
    .map((file) => ({ file, pattern, match: file === plain ? "exact" : "glob", by }));
}

function isGlob(pattern: string): boolean {
  return /[*?{]/.test(pattern);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
