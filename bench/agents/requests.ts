import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChangeSource } from "../../src/agents/context/change-context.ts";
import { findExcerpts, type OpenFinding } from "../../src/agents/fix/excerpts.ts";
import { termsOf } from "../../src/agents/fix/notice-terms.ts";
import { buildQuestion, sourcesOf } from "../../src/agents/fix/section-question.ts";
import type { SectionPlace } from "../../src/agents/gates/post-conditions.ts";
import { fixSection } from "../../src/agents/prompts/fix-section.ts";
import { checkDrift } from "../../src/docs/check/check.ts";
import { indexLines, lineAt } from "../../src/text/model/lines.ts";
import { openGit } from "../../src/workspace/git/git.ts";
import { gitDirOf, Scratch } from "../drift/mirror.ts";

/** One line of the file of cases. */
export type CaseLine = {
  readonly case_id: string;
  readonly repo: string;
  readonly parent: string;
  readonly commit: string;
  readonly doc_files: readonly string[];
};

/** What the scorer needs of a request. */
export type RequestFacts = {
  readonly case: string;
  readonly path: string;
  readonly section: string;
  /** The whole page as people left it. */
  readonly human: string;
  readonly notices: readonly SectionPlace[];
  readonly sources: readonly string[];
};

export type CaseRequest = { readonly text: string; readonly facts: RequestFacts };

const scratches = new Map<string, Scratch>();

/** The questions of one commit: its code, with the documents of its parent. */
export async function buildCaseRequests(one: CaseLine, mirror: string): Promise<CaseRequest[]> {
  const gitDir = gitDirOf(mirror, one.repo);
  if (!existsSync(gitDir)) return [];
  const scratch =
    scratches.get(one.repo) ?? new Scratch({ gitDir, folder: mkdtempSync(join(tmpdir(), "suture-agents-")) });
  scratches.set(one.repo, scratch);
  try {
    return await askCase(one, gitDir, scratch);
  } catch (error) {
    console.log(`${one.case_id}: left out: ${(error as Error).message.split("\n", 1)[0]}`);
    return [];
  }
}

async function askCase(one: CaseLine, gitDir: string, scratch: Scratch): Promise<CaseRequest[]> {
  const { parent, commit, doc_files } = one;
  const show = (...args: string[]): string =>
    execFileSync("git", ["--git-dir", gitDir, ...args], {
      encoding: "utf8",
      stdio: "pipe",
      maxBuffer: 1 << 28,
    });
  const changes = await scratch.compare(parent, commit);
  const head = await scratch.commitPart(parent, changes, (path) => !doc_files.includes(path));
  const git = await openGit(scratch.folder);
  const checked = await checkDrift(git, null, { base: parent, head });
  if (!checked.ok) return [];
  const findings = checked.value.findings.filter(
    ({ kind, tier, path }) => kind !== "subject" && tier !== "possible" && doc_files.includes(path),
  );
  const code = changes.map(({ path }) => path).filter((path) => !doc_files.includes(path));
  const change: ChangeSource = {
    messages: [show("log", "-n1", "--format=%B", commit).trim()],
    files: code.map((path) => ({
      path,
      patch: show("diff", "--no-renames", "-U5", parent, commit, "--", path),
    })),
    read: async (path) => fileAt(show, commit, path),
  };
  const requests: CaseRequest[] = [];
  for (const [path, here] of Map.groupBy(findings, (finding) => finding.path)) {
    const text = fileAt(show, parent, path) ?? "";
    for (const excerpt of findExcerpts(path, text, here)) {
      const { region } = excerpt;
      const question = await buildQuestion(excerpt, { path, text, region }, { change, redact: String });
      const { instructions, prompt } = fixSection(question);
      requests.push({
        text: `${instructions}\n\n----------\n\n${prompt}\n`,
        facts: {
          case: one.case_id,
          path,
          section: text.slice(region.start, region.end),
          human: fileAt(show, commit, path) ?? "",
          notices: excerpt.findings.map((finding) =>
            placeOf(finding, lineAt(indexLines(text), region.start)),
          ),
          sources: sourcesOf(question),
        },
      });
    }
  }
  return requests;
}

function placeOf(finding: OpenFinding, first: number): SectionPlace {
  const { startLine, endLine } = finding;
  return { firstLine: startLine - 1 - first, lastLine: endLine - 1 - first, terms: termsOf(finding) };
}

function fileAt(show: (...args: string[]) => string, commit: string, path: string): string | null {
  try {
    return show("show", `${commit}:${path}`);
  } catch {
    return null;
  }
}
