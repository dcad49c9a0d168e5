/** Cases of drift as data: `scenarios/drift/NNN-rule-case/`, each a repository of two commits and the findings in it. */
import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ReportedFinding } from "../../src/index.ts";
import { loadTree, type Tree } from "./tree.ts";

export const driftFolder = "scenarios/drift";

export type DriftCase = {
  readonly name: string;
  /** The first commit, in which code and documents agree. */
  readonly before: Tree;
  /** The files that the second commit adds or replaces: code only. */
  readonly after: Tree;
  /** The paths that it deletes. */
  readonly deleted: readonly string[];
  /** The findings of every door today. */
  readonly expected: readonly ExpectedFinding[];
  /** Why the expected findings are not yet the wanted ones; absent if they are. */
  readonly open?: string;
};

/** The part of a finding that every door shows alike; its wording has tests of its own. */
export type ExpectedFinding = Pick<ReportedFinding, "path" | "startLine" | "endLine" | "kind" | "tier"> & {
  readonly edits: readonly { readonly old_string: string; readonly new_string: string }[];
};

/** A case as a repository in a folder of its own, named after the case. */
export type DriftRepository = {
  readonly root: string;
  git(...words: string[]): string;
  read(path: string): string;
  remove(): void;
};

export function loadDriftCases(): DriftCase[] {
  return readdirSync(driftFolder).sort().map(loadDriftCase);
}

function loadDriftCase(name: string): DriftCase {
  const at = (file: string) => join(driftFolder, name, file);
  const read = (file: string): unknown =>
    existsSync(at(file)) ? JSON.parse(readFileSync(at(file), "utf8")) : {};
  const { deleted = [], open } = read("case.json") as { deleted?: string[]; open?: string };
  const { findings = [] } = read("expected.json") as { findings?: ExpectedFinding[] };
  return {
    name,
    before: loadTree(at("before")),
    after: loadTree(at("after")),
    deleted,
    expected: findings,
    ...(open !== undefined && { open }),
  };
}

export function createDriftRepository({ name, before, after, deleted }: DriftCase): DriftRepository {
  const folder = mkdtempSync(join(tmpdir(), "suture-drift-case-"));
  const root = join(folder, name);
  mkdirSync(root);
  const git = (...words: string[]): string =>
    execFileSync("git", [...identity, ...words], {
      cwd: root,
      encoding: "utf8",
      env: quietEnvironment,
    }).trim();
  const commit = (message: string): void => {
    git("add", "--all");
    git("commit", "--quiet", "--allow-empty", "--message", message);
  };
  git("init", "--quiet", "--initial-branch=main");
  writeTree(root, before);
  commit("before");
  writeTree(root, after);
  for (const path of deleted) rmSync(join(root, path));
  commit("after");
  return {
    root,
    git,
    read: (path) => readFileSync(join(root, path), "utf8"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What a door found, in the form of `expected.json`. */
export function toExpected(findings: readonly ReportedFinding[]): ExpectedFinding[] {
  return findings.map(({ path, startLine, endLine, kind, tier, edits }) => ({
    path,
    startLine,
    endLine,
    kind,
    tier,
    edits: edits.map(({ old_string, new_string }) => ({ old_string, new_string })),
  }));
}

/** The pages of a repository after the edits of the given tiers. */
export function applyExpected(
  { expected }: DriftCase,
  { read }: DriftRepository,
  tiers: readonly string[],
): Record<string, string> {
  const pages: Record<string, string> = {};
  for (const { path, tier, edits } of expected) {
    if (!tiers.includes(tier)) continue;
    for (const { old_string, new_string } of edits) {
      const text = pages[path] ?? read(path);
      const at = text.indexOf(old_string);
      if (at < 0) throw new Error(`${path} does not contain ${JSON.stringify(old_string)}`);
      pages[path] = text.slice(0, at) + new_string + text.slice(at + old_string.length);
    }
  }
  return pages;
}

const identity = ["-c", "user.name=case", "-c", "user.email=case@example.com", "-c", "commit.gpgsign=false"];

const quietEnvironment = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };

function writeTree(root: string, tree: Tree): void {
  for (const [path, bytes] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
}

export type Ran = { readonly code: number; readonly out: string; readonly err: string };

/** The command line, with nothing of this environment but the path. */
export function commandIn(program: readonly string[]) {
  return (cwd: string, words: readonly string[], env: Record<string, string> = {}): Promise<Ran> => {
    const clean = { PATH: process.env.PATH ?? "", HOME: cwd, NO_COLOR: "1", ...env };
    return new Promise((resolve) => {
      execFile(process.execPath, [...program, ...words], { cwd, env: clean }, (error, out, err) =>
        resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err }),
      );
    });
  };
}
