import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChangeSource } from "../../src/agents/context/change-context.ts";
import { checkDrift } from "../../src/docs/check/check.ts";
import type { ReportedFinding } from "../../src/docs/check/report.ts";
import { isAboutPage } from "../../src/docs/fix/choose.ts";
import { type Git, openGit } from "../../src/workspace/git/git.ts";
import { gitDirOf, Scratch } from "../drift/mirror.ts";

/** One line of the file of cases. */
export type CaseLine = {
  readonly case_id: string;
  readonly repo: string;
  readonly parent: string;
  readonly commit: string;
  readonly doc_files: readonly string[];
};

/** The code of a commit with the documents of its parent, and what the check finds in them. */
export type StaleCase = {
  readonly id: string;
  readonly git: Git;
  /** The commit with the old documents. */
  readonly head: string;
  readonly change: ChangeSource;
  /** Findings of all tiers in the documents that people changed. */
  readonly findings: readonly ReportedFinding[];
  /** A document as the parent has it, and as people left it; `null` where there is none. */
  before(path: string): string | null;
  after(path: string): string | null;
};

const scratches = new Map<string, Scratch>();

/** `null` where the clone is missing; a case that cannot be read says why on the console. */
export async function openStaleCase(
  one: CaseLine,
  mirror: string,
  { check = true }: { readonly check?: boolean } = {},
): Promise<StaleCase | null> {
  const gitDir = gitDirOf(mirror, one.repo);
  if (!existsSync(gitDir)) return null;
  const scratch =
    scratches.get(one.repo) ?? new Scratch({ gitDir, folder: mkdtempSync(join(tmpdir(), "suture-agents-")) });
  scratches.set(one.repo, scratch);
  try {
    return await readCase(one, { gitDir, scratch, check });
  } catch (error) {
    console.log(`${one.case_id}: left out: ${(error as Error).message.split("\n", 1)[0]}`);
    return null;
  }
}

/** Ends the processes that read the clones; without it a bench does not end. */
export function closeStaleCases(): void {
  for (const scratch of scratches.values()) scratch.close();
  scratches.clear();
}

/** Cases of many repositories: one of each in turn. */
export function spreadCases<T extends { readonly repo: string }>(all: readonly T[]): T[] {
  const byRepo = [...Map.groupBy(all, ({ repo }) => repo).values()];
  const longest = Math.max(...byRepo.map((own) => own.length));
  return Array.from({ length: longest }, (_, i) => byRepo.flatMap((own) => own[i] ?? [])).flat();
}

async function readCase(
  one: CaseLine,
  { gitDir, scratch, check }: { gitDir: string; scratch: Scratch; check: boolean },
): Promise<StaleCase | null> {
  const { parent, commit, doc_files } = one;
  const read = readerOf(scratch);
  const pages = await Promise.all(
    doc_files.map(
      async (path) => [path, [await read(parent, path), await read(commit, path)] as const] as const,
    ),
  );
  const texts = new Map(pages);
  const changes = await scratch.compare(parent, commit);
  const head = await scratch.commitPart(parent, changes, (path) => !doc_files.includes(path));
  const git = await openGit(scratch.folder);
  if (git === null) return null;
  const checked = check ? await checkDrift(git, null, { base: parent, head }) : null;
  if (checked && !checked.ok) return null;
  const code = changes.map(({ path }) => path).filter((path) => !doc_files.includes(path));
  return {
    id: one.case_id,
    git,
    head,
    change: {
      messages: [await messageOf(scratch, commit)],
      files: patchesBetween(gitDir, { parent, commit, paths: code }),
      read: (path) => read(commit, path),
    },
    findings: (checked?.value.findings ?? []).filter(
      ({ kind, path }) => !isAboutPage(kind) && doc_files.includes(path),
    ),
    before: (path) => texts.get(path)?.[0] ?? null,
    after: (path) => texts.get(path)?.[1] ?? null,
  };
}

/** Reads files of commits through the one process of a scratch repository. */
export function readerOf({ objects }: Scratch) {
  return async (commit: string, path: string): Promise<string | null> =>
    (await objects.read(`${commit}:${path}`))?.bytes.toString("utf8") ?? null;
}

/** Subject and body of a commit. */
export async function messageOf({ objects }: Scratch, commit: string): Promise<string> {
  const text = (await objects.read(commit))?.bytes.toString("utf8") ?? "";
  return text.slice(text.indexOf("\n\n") + 2).trim();
}

/** The diff of each path, from one call of git. */
export function patchesBetween(
  gitDir: string,
  { parent, commit, paths }: { parent: string; commit: string; paths: readonly string[] },
): { path: string; patch: string }[] {
  const args = ["--git-dir", gitDir, "diff", "--no-renames", "-U5", parent, commit];
  const whole = execFileSync("git", args, { encoding: "utf8", stdio: "pipe", maxBuffer: 1 << 28 });
  const parts = whole.split(/^(?=diff --git )/m);
  return paths.flatMap((path) => {
    const patch = parts.find((part) => part.startsWith(`diff --git a/${path} b/${path}\n`));
    return patch === undefined ? [] : [{ path, patch }];
  });
}
