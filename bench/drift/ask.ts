/** The only file of these benchmarks that calls the product. */
import { check, checkDrift } from "../../src/docs/check/check.ts";
import { openProject } from "../../src/docs/project.ts";
import { type Git, openGit, type RawChange } from "../../src/workspace/git/git.ts";
import type { Scratch } from "./mirror.ts";
import type { TreeChange, TreeEntry } from "./trees.ts";

export type AskedEdit = {
  readonly path?: string;
  readonly old_string: string;
  readonly new_string: string;
};

export type AskedEvidence = {
  readonly path: string;
  readonly startLine: number;
  readonly before?: string;
  readonly after?: string;
};

/** A finding as the product reports it. Fields that these benchmarks do not know are passed through. */
export type AskedFinding = {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly tier: string;
  readonly kind: string;
  readonly message: string;
  readonly evidence: readonly AskedEvidence[];
  readonly edits: readonly AskedEdit[];
  readonly cause?: string;
};

export type Asked = { readonly findings: readonly AskedFinding[]; readonly unknown: number };

/** The product's answer to `suture check --base BASE --head HEAD --json` in this repository. */
export async function ask(git: Git, base: string, head: string): Promise<Asked> {
  const report = await checkDrift(git, null, { base, head });
  if (!report.ok) throw new Error(JSON.stringify(report.refusal));
  return { findings: report.value.findings, unknown: report.value.unknown.length };
}

/** The product's answer to `suture check --all --json` in this repository, and the commit that it is about. */
export async function askWhole({ folder }: Scratch): Promise<Asked & { readonly commit: string }> {
  const git = await openGit(folder);
  if (git === null) throw new Error(`${folder} is no repository`);
  const project = await openProject({ git, reader: null, settings: "head" });
  if (!project.ok) throw new Error(JSON.stringify(project.refusal));
  const report = await check(project.value, "all");
  if (!report.ok) throw new Error(JSON.stringify(report.refusal));
  const { findings, unknown } = report.value;
  return { findings, unknown: unknown.length, commit: (await git.resolve("HEAD")) ?? "" };
}

/** The product's own access to the repository; trees, changes and blobs come from memory where they are there. */
export async function openProductGit(scratch: Scratch): Promise<Git> {
  const git = await openGit(scratch.folder);
  if (git === null) throw new Error(`${scratch.folder} is no repository`);
  const tip = await git.resolve("HEAD");
  return {
    ...git,
    resolve: async (revision) => {
      if (revision === "HEAD") return tip;
      if (/^[0-9a-f]{40,}~1$/.test(revision)) return scratch.parentOf(revision.slice(0, -2));
      return (await scratch.isCommit(revision)) ? revision : git.resolve(revision);
    },
    tree: async (revision) => {
      const listed = await scratch.trees.list(await scratch.treeOf(revision));
      return listed.flatMap(({ path, entry }) => (kindOf(entry) === "file" ? [{ path, id: entry.id }] : []));
    },
    changes: async (base, head) => (await scratch.compare(base, head)).map(toRawChange),
    blobs: (ids) => readBlobs(scratch, ids),
    eachBlob: async (ids, take) => {
      for (const [id, bytes] of await readBlobs(scratch, ids)) take(id, bytes);
    },
  };
}

async function readBlobs(scratch: Scratch, ids: readonly string[]): Promise<Map<string, Uint8Array>> {
  const wanted = [...new Set(ids)];
  const found = await Promise.all(wanted.map((id) => scratch.objects.read(id)));
  return new Map(
    wanted.flatMap((id, i) => (found[i]?.kind === "blob" ? [[id, found[i].bytes] as const] : [])),
  );
}

function toRawChange({ path, before, after }: TreeChange): RawChange {
  const status =
    before === null
      ? "added"
      : after === null
        ? "deleted"
        : kindOf(before) === kindOf(after)
          ? "modified"
          : "type";
  const kind = kindOf((after ?? before)!);
  return { path, before: before?.id ?? null, after: after?.id ?? null, status, kind };
}

function kindOf({ mode }: TreeEntry): RawChange["kind"] {
  return mode === "120000" ? "link" : mode === "160000" ? "submodule" : "file";
}
