import { existsSync, readFileSync } from "node:fs";
import { parseSync } from "vite";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };

// Everything a user can import, types included. A new name here is a promise: keep it, or leave it out.
const promised: Record<string, string> = {
  ".": `
    AiTool AiTools AnthropicKit AnthropicTool Approve CallOptions CheckReport CommitProgress Committed Context ContextOptions
    ChangeConcern Edit Fixed Git McpHandler McpHandlerOptions NewEdit OpenAiKit OpenAiOptions Outcome PathPolicy Plan Project
    ProposedChange Range Reader Refusal RefusalCode RefusalError ReportedFinding Result ReversalOptions ReversalTarget Session
    SessionCommitOptions SessionOptions SessionTool SessionTools ToolAnswers ToolInputs ToolName ToolRefusal ToolResult
    ToolSuccess Workspace callTool catalog check checkDrift describeRefusal fix fixFindings openContext openGit openProject
    openReader openSession openWorkspace planEdits readFindings textOf toolsFor unwrap verify
  `,
  "./text": `
    ApplyPatchOptions Change Clash Decoded Difference Edit Encoding Ending Evidence FileDiff FileMode FindOptions Fit Found
    Hunk HunkLine HunksTarget Landing LineTarget Lines Located MergeConflict Merged Miss MissCause Note Outcome Passage
    PatchFormat Place Plan Proof QuoteTarget Rebased Refusal RefusalCode RefusalError Region RegionTarget Rival Snapshot
    Splice Versions accept applyPatch applySplices byteOrderMark checkProof compareTexts compose composeSplices contain
    contentEnd createPatch createProof decode describeRefusal detect detectFormat diffTexts encode endingAt explainMiss findQuote indexLines
    insertLines invert invertSplices lineAt lineContent lineEnd lineNumber locateQuote mapOffset mergeThreeWay nearestName
    ok overlap parseEdits parseUnified pathsOf placeHunks planEdits printDiff printPlanDiff prove rebase rebaseSplices
    refuse spliceBytes tidy
  `,
  "./workspace": `
    CommitOptions CommitProgress Committed Concern EditRecord Entry FileEditTracker FileRecord FileSnapshot FileState Files
    GatedPath GcReport Git HistoryItem HistoryQuery LineRegion ListOptions Listing MemoryDisk
    Notice PathPolicy Reader ReaderOptions RecordedEdit StateProblem UndoOptions UndoTarget Workspace
    WorkspaceOptions createFileEditTracker createMemoryDisk diskFiles gate openGit openReader openWorkspace
  `,
  "./drift": `
    Attention AttentionEvidence ChangedFile DocumentClass DocumentText DriftInput EvaluateOptions EvaluatedClaim
    Finding Lineage Message PageClaims PastCommit ReadClaim Rule RuleName Tier TouchedFile Tree Unknown Unread WholeInput
    documentClass driftBetween evaluateClaims findAttention findDrift isDocumentPath isGenerated learnPriors readClaims
    rules
  `,
  "./tools": `
    Access Applied Approve AuditArticle AuditRecord CheckReport Context ContextOptions FailedEdit FileContext
    FixOptions FixRequest Fixed FixedReport Gate LineRegion Mode Profile Project ProjectPlace ChangeConcern ProposedChange Range
    ReportedEdit ReportedFinding Result SnippetInput Tool UnknownDocument VerifiedEdit WriterOptions applyEdits callTool
    catalog check checkDrift fix fixFindings inputSchema openContext openProject patchSnippet readFindings textOf toolsFor
    verify verifyRun
  `,
  "./ai": `
    BoundTools FileContext Mode Profile Result SnippetInput ToolsOptions createPatchFileTool
    createTools
  `,
  "./mcp": `
    FetchGuards FetchOptions HttpDoor HttpOptions McpDoor McpFetch McpOptions openMcp serveHttp serveStdio
  `,
  "./service": `
    AgentRun Assets Call Closable CodeHost Command CommentResult Dir Environment Exchange FixedPage FixedPages
    FleetSettings GitRepository Guard HeldLock HostApp HostKind HostOptions HostedRepository KnownHost KnownHosts
    LimitedServer ModelRun OpenAgentRun Options PullRequest RepositoryInfo RepositorySettings RequestHead Schedule
    TokenSource TrustedComment Webhook WebhookEvent Weekday WriteComment acquireLock branchPrefix builtPages
    closable code codeOf configPath createGuard createPrivateFile decline deliver deliveryId deny digestOf exit
    fixCommit fixWithModel fleetSettingsSchema gating hasModels hostKinds hosts isBinaryPath isHostKind isJson isSet
    mayWritePage nearest newRunId newToken numberOf openAgentRun openEventStream optionText ownerForms parseConfig
    parsePath parseWebhook patchOf plural privatePath prose readAll readAssets readBody readInput readKnownHosts
    redirect refuseSettings refused rememberSuccess replaceHidden sameBytes send sendJson serveAsset unknownWords
    untilStopped usageError variableOf writeAll
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
