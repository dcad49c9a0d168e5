import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { buildPages } from "../../scripts/build-page.ts";
import type { CheckReport, ReportedFinding } from "../../src/docs/check/report.ts";
import { type Proposal, proposalOf, writeProposal } from "../../src/docs/fix/proposal.ts";
import { type Assets, readAssets } from "../../src/http/assets.ts";
import type { Outcome } from "../../src/text/model/outcome.ts";
import { openReview, type Review } from "../../src/web/review/open-review.ts";
import type { ReviewSession } from "../../src/web/review/review-session.ts";
import { type ReviewServer, serveReview } from "../../src/web/server.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";

/** A folder of pages with a review of it, served. */
export type Bench = {
  readonly root: string;
  readonly server: ReviewServer;
  readonly desk: ReviewSession;
  readonly review: Review;
  text(path: string): string;
  write(path: string, text: string): void;
  close(): Promise<void>;
};

export function value<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
  return outcome.value;
}

let built: Promise<Assets> | undefined;

/** The page, built once for a test file into a folder of its own. */
export function buildAssets(): Promise<Assets> {
  built ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), "suture-page-"));
    try {
      await buildPages(folder);
      return value(readAssets(folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  })();
  return built;
}

/** Puts the page where the command line looks for it, file by file, so that another test may be reading it. */
export async function installPage(): Promise<void> {
  const folder = join(import.meta.dirname, "..", "..", "dist", "web");
  mkdirSync(join(folder, "assets"), { recursive: true });
  const files = [...(await buildAssets())].sort(([a]) => (a.endsWith(".html") ? 1 : -1));
  for (const [address, { bytes }] of files) {
    const draft = join(folder, `${process.pid}.draft`);
    writeFileSync(draft, bytes);
    renameSync(draft, join(folder, address));
  }
}

/** The run of the default proposal. */
export const runId = "run-20260102T030405-0a1b2c3d";

export async function openBench(
  files: Readonly<Record<string, string>>,
  findings: readonly ReportedFinding[],
  about: Partial<Pick<Proposal, "source" | "model" | "unknown" | "progress">> = {},
  how: { readonly patience?: number } = {},
): Promise<Bench> {
  const root = mkdtempSync(join(tmpdir(), "suture-review-"));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const report: CheckReport = { base: "a".repeat(40), head: "b".repeat(40), findings, unknown: [] };
  const proposal = proposalOf(report, { id: runId, time: "2026-01-02T03:04:05.000Z", source: "fix" });
  const workspace = value(await openWorkspace(root));
  value(await writeProposal(workspace, { ...proposal, ...about }));
  await workspace.close();
  const review = value(
    await openReview({ root, run: runId, check: () => Promise.reject(new Error("no check")) }),
  );
  const assets = await buildAssets();
  const server = value(
    await serveReview({ assets, reader: review.context.reader, session: review.session, ...how }),
  );
  return {
    root,
    server,
    review,
    desk: value(await review.session),
    text: (path) => readFileSync(join(root, path), "utf8"),
    write,
    close: async () => {
      await server.close();
      await review.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

let next = 0;

/** A finding that replaces one quotation by another. */
export function finding(
  path: string,
  old_string: string,
  new_string: string,
  more: Partial<ReportedFinding> = {},
): ReportedFinding {
  const message = more.message ?? `\`${old_string}\` is now \`${new_string}\` (src/client.ts:7).`;
  return {
    id: `rename-${(++next).toString(16).padStart(16, "0")}`,
    path,
    startLine: 1,
    endLine: 1,
    tier: "certain",
    kind: "rename",
    evidence: [
      {
        path: "src/client.ts",
        revision: "b".repeat(40),
        startLine: 7,
        endLine: 7,
        before: `export const ${old_string.replace(/\W/g, "")} = 1;`,
        after: `export const ${new_string.replace(/\W/g, "")} = 1;`,
      },
    ],
    edits: old_string === "" ? [] : [{ path, old_string, new_string, reason: message }],
    message,
    ...more,
  };
}

const executable = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);

/** Why browser tests are skipped, if they are. */
export const withoutBrowser: string | null = executable === undefined ? "there is no chromium here" : null;
if (withoutBrowser !== null) console.log(`skipped: ${withoutBrowser}`);

export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: executable!,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", ...more],
  });
}

/** Where pictures of the page go, to be looked at. */
export const artefacts = join(import.meta.dirname, "artefacts");
mkdirSync(artefacts, { recursive: true });
