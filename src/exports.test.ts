import { existsSync, readFileSync } from "node:fs";
import { parseSync } from "vite";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };

// Everything a user can import, types included. A new name here is a promise: keep it, or leave it out.
const promised: Record<string, string> = {
  ".": `
    CheckReport Context ContextOptions Edit Fixed Git Outcome Plan Project Range Reader Refusal RefusalError
    ReportedFinding     Result Workspace callTool catalog check checkDrift fix fixFindings openContext openGit openProject openReader
    openWorkspace planEdits textOf toolsFor verify
  `,
  "./text": `
    Change Decoded Difference Edit Encoding Ending Evidence FileMode Fit Found Hunk HunkLine
    HunksTarget Landing LineTarget Lines Located Miss MissCause Note Outcome Passage Place Plan
    Proof QuoteTarget Refusal RefusalError Region RegionTarget Rival Snapshot Splice Versions accept applySplices
    byteOrderMark checkProof compareTexts compose contain contentEnd decode detect encode endingAt
    explainMiss findQuote indexLines insertLines invert lineAt lineContent lineEnd lineNumber
    locateQuote mapOffset mergeThreeWay nearestName overlap parseEdits parseUnified pathsOf
    placeHunks planEdits printDiff printPlanDiff prove rebase refuse spliceBytes tidy
  `,
  "./workspace": `
    CommitOptions Committed EditRecord Entry FileEditTracker FileRecord FileSnapshot FileState Files
    GatedPath GcReport Git HistoryItem HistoryQuery LineRegion ListOptions Listing MemoryDisk
    Notice PathPolicy Reader ReaderOptions RecordedEdit StateProblem UndoOptions UndoTarget Workspace
    WorkspaceOptions createFileEditTracker createMemoryDisk diskFiles gate openGit openReader openWorkspace
  `,
  "./drift": `
    Attention AttentionEvidence ChangedFile DocumentClass DocumentText DriftInput Finding Lineage
    Message PastCommit Rule RuleName Tier TouchedFile Unknown documentClass findAttention findDrift
    isDocumentPath isGenerated learnPriors rules
  `,
  "./tools": `
    Access Applied AuditArticle AuditRecord CheckReport Context ContextOptions FileContext
    FixOptions FixRequest Fixed FixedReport LineRegion Mode Profile Project ProjectPlace Range ReportedEdit
    ReportedFinding Result SnippetInput Tool UnknownDocument VerifiedEdit applyEdits callTool catalog check
    checkDrift fix fixFindings inputSchema openContext openProject patchSnippet textOf toolsFor verify verifyRun
  `,
  "./ai": `
    BoundTools FileContext Mode Profile Result SnippetInput ToolsOptions createPatchFileTool
    createTools
  `,
  "./mcp": `
    HttpDoor HttpOptions McpDoor McpOptions openMcp serveHttp serveStdio
  `,
};

for (const [entry, door] of Object.entries(manifest.exports)) {
  if (typeof door === "string") continue;
  const source = door.default.replace("./dist/", "src/").replace(/\.js$/, ".ts");
  if (existsSync(source))
    test(`suture${entry.slice(1)} exports what was decided and no more`, () => {
      expect(findExports(source)).toEqual((promised[entry] ?? "").split(/\s+/).filter(Boolean).sort());
    });
  else test.skip(`suture${entry.slice(1)}: ${source} is not written yet`);
}

/** The names an entry lists. It may only list: a name defined there, or a star, would hide what is promised. */
function findExports(source: string): string[] {
  const { module } = parseSync(source, readFileSync(source, "utf8"));
  return module.staticExports
    .flatMap(({ entries }) => entries)
    .map(({ exportName, moduleRequest }) =>
      moduleRequest ? (exportName.name ?? "*") : `${exportName.name} (own)`,
    )
    .sort();
}
