import { z } from "zod";
import type { CheckReport } from "../docs/check/report.ts";
import type { FixedPages } from "../docs/fix/fix-commit.ts";
import { printDiff } from "../text/diff/diff.ts";
import { accept, type Outcome, refuse } from "../text/model/outcome.ts";
import { gate } from "../workspace/paths/paths.ts";
import type { Reader } from "../workspace/workspace.ts";

/** The one file that crosses from the job that saw untrusted code to the one that may write. */
export const artefactName = "suture.json";

/** The largest artefact, in bytes. */
export const largestArtefact = 2 << 20;

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
  /** A unified diff of pages, empty where there is nothing to edit. */
  patch: z.string().max(1 << 20),
});

/** What the untrusted half claims. Nothing in it is believed: the trusted half derives all of it again. */
export type Artefact = z.infer<typeof shape>;

export function printArtefact(
  { repository, request }: { readonly repository: string; readonly request: number },
  { base, head, findings }: CheckReport,
  { pages }: FixedPages,
): string {
  const artefact: Artefact = {
    version: 1,
    repository,
    request,
    base,
    head,
    findings: findings.map(({ id, path }) => ({ id, path })),
    patch: pages.map(({ change }) => printDiff({ ...change, before: change.before.text })).join(""),
  };
  return `${JSON.stringify(artefact, null, 2)}\n`;
}

/** Reads an artefact from a folder that holds it and nothing else. Links are not followed, and sizes are bounded. */
export async function readArtefact(reader: Reader): Promise<Outcome<Artefact>> {
  const listed = await reader.list({});
  if (!listed.ok) return listed;
  const others = listed.value.paths.filter((path) => path !== artefactName);
  if (others.length > 0)
    return refuse({ code: "not-allowed", detail: `the artefact holds ${others.length} more files` });
  const read = await reader.read(artefactName);
  if (!read.ok) return read;
  if (read.value.text === null) return refuse({ code: "not-found", what: "file", path: artefactName });
  return parseArtefact(read.value.text);
}

function parseArtefact(text: string): Outcome<Artefact> {
  const value = parseJson(text);
  const parsed = shape.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const what = `the artefact is not one of ours: ${issue?.path.join(".") || "its top"}: ${issue?.code}`;
    return refuse({ code: "malformed", what });
  }
  for (const { path } of parsed.data.findings) {
    const gated = gate(path, "read");
    if (!gated.ok) return gated;
    // Doc comments are documents where the project says so; the patch may still edit pages alone.
    if (gated.value.path !== path)
      return refuse({
        code: "not-allowed",
        path,
        detail: "its name is not spelt as the repository spells it",
      });
  }
  return accept(parsed.data);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
