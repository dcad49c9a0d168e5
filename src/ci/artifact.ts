import { z } from "zod";
import type { CheckReport } from "../docs/check/report.ts";
import type { FixedPages } from "../docs/fix/fix-commit.ts";
import { printDiff } from "../text/diff/diff.ts";
import { parseJson } from "../text/model/json.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { gate } from "../workspace/paths/paths.ts";
import type { Reader } from "../workspace/workspace.ts";

/** The only file that the untrusted job passes to the job that may write. */
export const artifactName = "suture.json";

/** The largest artifact, in bytes. */
export const largestArtifact = 2 << 20;

const commit = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);

const shape = z.strictObject({
  version: z.literal(1),
  repository: z
    .string()
    .max(200)
    .regex(/^[\w.-]+\/[\w.-]+$/),
  request: z.int().min(1).max(1_000_000_000),
  base: commit,
  head: commit,
  findings: z
    .array(
      z.strictObject({
        id: z
          .string()
          .max(80)
          .regex(/^[a-z]+-[0-9a-f]+$/),
        path: z.string().min(1).max(1000),
      }),
    )
    .max(5000),
  /** A unified diff of pages; empty if there is nothing to edit. */
  patch: z.string().max(1 << 20),
});

/** The claims of the untrusted job. The trusted job derives all of them again before it uses them. */
export type Artifact = z.infer<typeof shape>;

export function printArtifact(
  { repository, request }: { readonly repository: string; readonly request: number },
  { base, head, findings }: CheckReport,
  { pages }: FixedPages,
): string {
  const artifact: Artifact = {
    version: 1,
    repository,
    request,
    base,
    head,
    findings: findings.map(({ id, path }) => ({ id, path })),
    patch: pages.map(({ change }) => printDiff({ ...change, before: change.before.text })).join(""),
  };
  return `${JSON.stringify(artifact, null, 2)}\n`;
}

/** Reads an artifact from a folder that holds no other file. Links are not followed, and sizes are limited. */
export async function readArtifact(reader: Reader): Promise<Outcome<Artifact>> {
  const listed = await reader.list({});
  if (!listed.ok) return listed;
  const others = listed.value.paths.filter((path) => path !== artifactName);
  if (others.length > 0)
    return refuse({ code: "not-allowed", detail: `the artifact holds ${others.length} more files` });
  const read = await reader.read(artifactName);
  if (!read.ok) return read;
  if (read.value.text === null) return refuse({ code: "not-found", what: "file", path: artifactName });
  return parseArtifact(read.value.text);
}

function parseArtifact(text: string): Outcome<Artifact> {
  const value = parseJson(text);
  const parsed = shape.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const what = `the artifact is not one of ours: ${issue?.path.join(".") || "its top"}: ${issue?.code}`;
    return refuse({ code: "malformed", what });
  }
  for (const { path } of parsed.data.findings) {
    const gated = gate(path, "read");
    if (!gated.ok) return gated;
    // A finding may be in a doc comment, so any path is allowed here. The patch may only edit pages: `checkPatch`.
    if (gated.value.path !== path)
      return refuse({
        code: "not-allowed",
        path,
        detail: "its name is not spelt as the repository spells it",
      });
  }
  return accept(parsed.data);
}
