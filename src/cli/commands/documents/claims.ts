import { type Claims, explainClaims, readProjectClaims } from "../../../docs/claims/claims.ts";
import { joinFindings } from "../../../docs/claims/join-findings.ts";
import type { ClaimsReport, JoinedFinding } from "../../../docs/claims/report.ts";
import type { Project } from "../../../docs/project.ts";
import { accept, type Outcome } from "../../../text/model/outcome.ts";
import {
  claimText,
  claimWords,
  countsTable,
  countsText,
  explainedLines,
  onlyUndecidable,
  undecidableLines,
} from "../../../wording/claims.ts";
import { unknownText } from "../../../wording/findings.ts";
import { writeReportFile } from "../../../workspace/files/report-file.ts";
import { placeIn } from "../../../workspace/paths/place-in.ts";
import { type Call, type Command, exit, isSet, textOf } from "../../command.ts";
import { readInput } from "../../terminal/input.ts";
import { whileSlow } from "../../terminal/while-slow.ts";
import { usageError } from "../../usage-error.ts";
import { decline, docsOption, withProject } from "../../with-project.ts";

export const command: Command = {
  name: "claims",
  group: "documentation",
  summary: "show what the documents say about the project, and what of it can be checked",
  usage: ["[PATH...]", "--at PATH:LINE"],
  operands: [0, 10_000],
  options: [
    docsOption,
    {
      name: "at",
      value: "PATH:LINE",
      text: "explain one line: what is read, what it is bound to, what is missing",
    },
    { name: "undecidable", text: "show the claims that cannot be decided, by reason" },
    { name: "html", value: "FILE", text: "write the claims beside the text of the pages, as one HTML file" },
    {
      name: "join",
      value: "FILE",
      text: "show the findings of another program beside the claims: SARIF or our JSON",
    },
  ],
  examples: [
    ["coverage of all documents", "suture claims"],
    ["one folder", "suture claims docs/"],
    ["why is nothing said about this line?", "suture claims --at README.md:12"],
    ["what cannot be decided, and why", "suture claims --undecidable"],
    ["to read in a browser", "suture claims --html claims.html"],
  ],
  run,
};

function run(call: Call): Promise<number> {
  const at = textOf(call.options, "at");
  if (at === undefined)
    return withProject(call, "claims", (project) => showClaims(call, project), { paths: call.operands });
  const place = /^(.+):([1-9]\d*)$/.exec(at);
  if (!place) return Promise.resolve(usageError(call.terminal, claimWords.badPlace(at)));
  return withProject(call, "claims", (project) =>
    explain(call, project, { path: place[1]!, line: Number(place[2]) }),
  );
}

async function explain(
  { terminal, options }: Call,
  project: Project,
  { path, line }: { readonly path: string; readonly line: number },
): Promise<number> {
  const { root } = project.docs ?? project;
  const from = textOf(options, "docs") ?? textOf(options, "root") ?? ".";
  const explained = await explainClaims(project, { path: placeIn(root, { path, from }) ?? path, line });
  if (!explained.ok) return decline(terminal, "claims", explained.refusal);
  if (terminal.json) terminal.printJson(explained.value);
  else for (const text of explainedLines(explained.value)) terminal.print(text);
  return exit.done;
}

async function showClaims(call: Call, project: Project): Promise<number> {
  const { terminal, options } = call;
  const joined = await readJoined(project, textOf(options, "join"));
  if (!joined.ok) return decline(terminal, "claims", joined.refusal);
  const read = await whileSlow(terminal, claimWords.reading, () =>
    readProjectClaims(project, joined.value ? { joined: joined.value } : {}),
  );
  if (!read.ok) return decline(terminal, "claims", read.refusal);
  const { report } = read.value;
  const file = textOf(options, "html");
  if (file !== undefined) {
    const written = await writePage(read.value, file, project.root);
    if (!written.ok) return decline(terminal, "claims", written.refusal);
    terminal.remark(claimWords.written(file));
  }
  if (terminal.json) terminal.printJson(isSet(options, "undecidable") ? onlyUndecidable(report) : report);
  else for (const text of linesOf(call, report)) terminal.print(text);
  for (const one of report.unknown) terminal.remark(unknownText(one));
  terminal.remark(countsText(report.totals));
  return report.unknown.length > 0 ? exit.failed : exit.done;
}

async function writePage(claims: Claims, file: string, root: string): Promise<Outcome<true>> {
  const [{ builtPages, readAssets }, { printClaims }] = [
    await import("../../../http/assets.ts"),
    await import("../../../web/claims/print-claims.ts"),
  ];
  const assets = readAssets(builtPages(import.meta.url));
  if (!assets.ok) return assets;
  const name = process.getBuiltinModule("node:path").basename(root);
  const html = await printClaims(assets.value, claims, name);
  return writeReportFile(file, html, {
    own: /^<!doctype html>[\s\S]*<script type="application\/json" id="run">/,
    root,
  });
}

/** The findings of the file that the caller names, if any. */
async function readJoined(
  project: Project,
  file: string | undefined,
): Promise<Outcome<ReadonlyMap<string, readonly JoinedFinding[]> | null>> {
  if (file === undefined) return accept(null);
  const text = await readInput(file);
  return text.ok ? joinFindings(project, text.value) : text;
}

function linesOf({ options, terminal }: Call, report: ClaimsReport): string[] {
  if (isSet(options, "undecidable")) return undecidableLines(report);
  const claims = report.pages.flatMap(({ path, claims: own }) =>
    own.filter(({ truth }) => terminal.verbose || truth === "false").map((claim) => claimText(path, claim)),
  );
  return [...countsTable(report), ...(claims.length > 0 ? ["", ...claims] : [])];
}
