import { z } from "zod";
import { defined } from "../../text/model/defined.ts";
import { parseJson } from "../../text/model/json.ts";
import { contentEnd, indexLines, lineAt } from "../../text/model/lines.ts";
import { accept, type Outcome, refuse } from "../../text/model/outcome.ts";
import type { Region } from "../../text/model/region.ts";
import type { Splice } from "../../text/model/splice.ts";
import { type QuotedEdit, quoteEdits } from "../../tools/quote-edits.ts";
import type { Reader } from "../../workspace/workspace.ts";
import type { CheckReport, ReportedFinding } from "../check/report.ts";

/**
 * Findings of another program, as a report that `fix` takes. Two forms are read: the JSON of `suture check --json`, of
 * which only `path` and `message` are needed, and SARIF 2.1.0 with fixes. The edits of SARIF are positions, so the pages
 * are read to turn them into quotations.
 */
export async function readFindings(reader: Reader, text: string): Promise<Outcome<CheckReport>> {
  const json = parseJson(text.replace(/^\ufeff/, ""));
  if (json === undefined)
    return refuse({
      code: "malformed",
      what: "the findings are not JSON",
      hint: "Use suture's own JSON, or SARIF 2.1.0.",
    });
  const sarif = sarifSchema.safeParse(json);
  if (sarif.success) return readSarif(reader, sarif.data);
  const own = ownSchema.safeParse(json);
  if (!own.success) return refuse(wordIssue(own.error));
  const stray = own.data.findings.findIndex(({ path, edits }) =>
    edits.some((edit) => (edit.path ?? path) !== path),
  );
  if (stray >= 0)
    return refuse({
      code: "malformed",
      what: `finding ${stray} has an edit of another file`,
      hint: "Give each file a finding of its own.",
    });
  const { base, head, unknown, findings } = own.data;
  return accept({ base, head, unknown, findings: findings.map(toFinding) });
}

const line = z.int().min(1);

const ownSchema = z.looseObject({
  base: z.string().default("unknown"),
  head: z.string().default("worktree"),
  unknown: z.array(z.object({ path: z.string(), why: z.string() })).default([]),
  findings: z.array(
    z.looseObject({
      id: z.string().optional(),
      path: z.string(),
      startLine: line.default(1),
      endLine: line.optional(),
      tier: z.enum(["certain", "likely", "possible"]).default("likely"),
      kind: z.string().default("external"),
      message: z.string(),
      evidence: z
        .array(z.object({ path: z.string(), revision: z.string(), startLine: line, endLine: line }))
        .default([]),
      edits: z
        .array(
          z.looseObject({
            path: z.string().optional(),
            old_string: z.string().min(1),
            new_string: z.string(),
            occurrence: z.int().positive().exactOptional(),
            reason: z.string().optional(),
          }),
        )
        .default([]),
    }),
  ),
});

type OwnFinding = z.infer<typeof ownSchema>["findings"][number];

function toFinding(finding: OwnFinding, index: number): ReportedFinding {
  const { path, message, kind, tier, evidence, startLine } = finding;
  return {
    id: finding.id ?? `${kind}-${index + 1}`,
    path,
    startLine,
    endLine: Math.max(startLine, finding.endLine ?? startLine),
    tier,
    kind,
    message,
    evidence,
    edits: finding.edits.map(({ old_string, new_string, occurrence, reason }) => ({
      path,
      old_string,
      new_string,
      ...defined({ occurrence }),
      reason: reason ?? message,
    })),
  };
}

function wordIssue(error: z.ZodError): Parameters<typeof refuse>[0] {
  const [issue] = error.issues;
  const where = issue?.path.join(".") ?? "";
  return {
    code: "malformed",
    what: `the findings have no valid ${where === "" ? "shape" : `'${where}'`}`,
    hint: 'The smallest form is { "findings": [{ "path", "message", "edits": [{ "old_string", "new_string" }] }] }.',
  };
}

const region = z.looseObject({
  startLine: line.optional(),
  startColumn: line.optional(),
  endLine: line.optional(),
  endColumn: line.optional(),
  charOffset: z.int().min(0).optional(),
  charLength: z.int().min(0).optional(),
});
const artifact = z.looseObject({ uri: z.string() });

const sarifSchema = z.looseObject({
  version: z.string().startsWith("2."),
  runs: z.array(
    z.looseObject({
      tool: z.looseObject({ driver: z.looseObject({ name: z.string() }) }),
      results: z
        .array(
          z.looseObject({
            ruleId: z.string().optional(),
            level: z.enum(["none", "note", "warning", "error"]).default("warning"),
            message: z.looseObject({ text: z.string().default("") }),
            locations: z
              .array(
                z.looseObject({
                  physicalLocation: z
                    .looseObject({ artifactLocation: artifact.optional(), region: region.optional() })
                    .optional(),
                }),
              )
              .default([]),
            fixes: z
              .array(
                z.looseObject({
                  artifactChanges: z.array(
                    z.looseObject({
                      artifactLocation: artifact,
                      replacements: z.array(
                        z.looseObject({
                          deletedRegion: region,
                          insertedContent: z.looseObject({ text: z.string() }).optional(),
                        }),
                      ),
                    }),
                  ),
                }),
              )
              .default([]),
          }),
        )
        .default([]),
    }),
  ),
});

type Sarif = z.infer<typeof sarifSchema>;
type SarifResult = NonNullable<Sarif["runs"][number]["results"]>[number];
type SarifRegion = z.infer<typeof region>;

const tiers = { error: "certain", warning: "likely", note: "possible", none: "possible" } as const;

/** A result becomes one finding for each file that its first fix changes, or one without an edit. */
async function readSarif(reader: Reader, { runs }: Sarif): Promise<Outcome<CheckReport>> {
  const findings: ReportedFinding[] = [];
  for (const { tool, results } of runs)
    for (const result of results) {
      const named = { kind: result.ruleId ?? tool.driver.name, number: findings.length + 1 };
      const read = await readResult(reader, result, named);
      if (!read.ok) return read;
      findings.push(...read.value);
    }
  return accept({ base: "unknown", head: "worktree", findings, unknown: [] });
}

async function readResult(
  reader: Reader,
  { level, message, locations, fixes }: SarifResult,
  { kind, number }: { readonly kind: string; readonly number: number },
): Promise<Outcome<ReportedFinding[]>> {
  const place = locations[0]?.physicalLocation;
  const startLine = place?.region?.startLine ?? 1;
  const shared = { tier: tiers[level], kind, message: message.text, evidence: [] };
  const changes = fixes[0]?.artifactChanges ?? [];
  const path = pathOf(place?.artifactLocation?.uri);
  if (changes.length === 0)
    return accept(
      path === undefined
        ? []
        : [{ ...shared, id: `${kind}-${number}`, path, startLine, endLine: startLine, edits: [] }],
    );
  const findings: ReportedFinding[] = [];
  for (const [i, change] of changes.entries()) {
    const file = pathOf(change.artifactLocation.uri) ?? "";
    const quoted = await quoteChange(reader, file, change.replacements);
    if (!quoted.ok) return quoted;
    const { line, lastLine } = quoted.value;
    const isHere = file === path && startLine >= line && startLine <= lastLine;
    const lines = isHere ? { startLine, endLine: startLine } : { startLine: line, endLine: lastLine };
    const edits = quoted.value.edits.map(({ splices: _, ...edit }) => ({
      path: file,
      ...edit,
      reason: message.text,
    }));
    findings.push({ ...shared, id: `${kind}-${number + i}`, path: file, ...lines, edits });
  }
  return accept(findings);
}

/** A path of the project. Programs also write file URLs and percent signs. */
function pathOf(uri: string | undefined): string | undefined {
  if (uri === undefined) return undefined;
  try {
    return decodeURIComponent(uri.replace(/^file:\/\//, "")).replace(/^\.\//, "");
  } catch {
    return uri;
  }
}

type Replacement = {
  readonly deletedRegion: SarifRegion;
  readonly insertedContent?: { readonly text: string } | undefined;
};

/** The replacements of a file as quotations, and the lines that they change. */
type QuotedChange = {
  readonly edits: readonly QuotedEdit[];
  readonly line: number;
  readonly lastLine: number;
};

async function quoteChange(
  reader: Reader,
  path: string,
  replacements: readonly Replacement[],
): Promise<Outcome<QuotedChange>> {
  const read = await reader.read(path);
  if (!read.ok) return read;
  const { text } = read.value;
  if (text === null) return refuse({ code: "not-found", what: "file", path });
  const splices: Splice[] = [];
  for (const { deletedRegion, insertedContent } of replacements) {
    const found = regionOf(text, deletedRegion);
    if (!found)
      return refuse({ code: "malformed", what: "a region of the fix is not part of the file", path });
    splices.push({ region: found, text: insertedContent?.text ?? "" });
  }
  splices.sort((a, b) => a.region.start - b.region.start);
  if (splices.some((splice, i) => i > 0 && splice.region.start < splices[i - 1]!.region.end))
    return refuse({ code: "malformed", what: "regions of one fix overlap", path });
  const lines = indexLines(text);
  const lineOf = (offset: number): number => lineAt(lines, offset) + 1;
  return accept({
    edits: quoteEdits(text, splices),
    line: lineOf(splices[0]?.region.start ?? 0),
    lastLine: lineOf(splices.at(-1)?.region.end ?? 0),
  });
}

/** SARIF counts lines and columns from 1; the end column is the one after the last character. */
function regionOf(text: string, at: SarifRegion): Region | null {
  const inside = (start: number, end: number): Region | null =>
    start >= 0 && start <= end && end <= text.length ? { start, end } : null;
  if (at.charOffset !== undefined) return inside(at.charOffset, at.charOffset + (at.charLength ?? 0));
  const lines = indexLines(text);
  const { startLine = 1, endLine = startLine } = at;
  const [first, last] = [lines.starts[startLine - 1], lines.starts[endLine - 1]];
  if (first === undefined || last === undefined) return null;
  const end = at.endColumn === undefined ? contentEnd(lines, endLine - 1) : last + at.endColumn - 1;
  return inside(first + (at.startColumn ?? 1) - 1, end);
}
