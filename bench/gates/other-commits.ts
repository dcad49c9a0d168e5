import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { documentClass, isDocumentPath } from "../../src/drift/pages/policies.ts";
import { isSourcePath } from "../../src/syntax/file-kinds.ts";
import type { CaseLine } from "../agents/stale-case.ts";
import { gitDirOf } from "../drift/mirror.ts";

/** Commits that change code and pages together, of the clones that a file of cases does not name. */
export function findOtherCommits({ mirror, known, each, skip = 0 }: OtherCommits): CaseLine[] {
  return readdirSync(mirror, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.includes("+"))
    .map(({ name }) => name.replace("+", "/"))
    .filter((repo) => !known.has(repo))
    .sort()
    .flatMap((repo) => commitsOf(mirror, repo).slice(skip, skip + each));
}

type OtherCommits = {
  readonly mirror: string;
  readonly known: ReadonlySet<string>;
  /** The most commits of one repository. */
  readonly each: number;
  /** How many of the newest commits of each repository are left out. */
  readonly skip?: number;
};

/** A commit that touches more files than this does several things at once. */
const mostFiles = 30;

/** How far back the history of a clone is read. */
const deepest = 6000;

/** The newest such commits of a clone first. */
function commitsOf(mirror: string, repo: string): CaseLine[] {
  const log = [
    "log",
    "--no-merges",
    "--no-renames",
    "--format=%x00%H %P",
    "--name-status",
    `-${deepest}`,
    "HEAD",
  ];
  const ran = spawnSync("git", ["--git-dir", gitDirOf(mirror, repo), ...log], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return ran.stdout.split("\0").flatMap((part) => {
    const [head = "", ...rows] = part.trim().split("\n");
    const [commit, parent] = head.split(" ");
    const files = rows.flatMap((row) => (row.includes("\t") ? [row.split("\t") as [string, string]] : []));
    const doc_files = files.map(([, path]) => path).filter(isDocumentPath);
    const hasCode = files.some(([, path]) => isSourcePath(path));
    const hasPage = files.some(([status, path]) => status === "M" && isPage(path));
    if (!commit || !parent || !hasCode || !hasPage || files.length > mostFiles) return [];
    return [
      { case_id: `${repo.replace("/", "__")}-${commit.slice(0, 10)}`, repo, parent, commit, doc_files },
    ];
  });
}

function isPage(path: string): boolean {
  return isDocumentPath(path) && documentClass(path) === "page";
}
