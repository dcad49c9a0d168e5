import type { TextDocumentEdit, TextEdit, WorkspaceEdit } from "vscode-languageserver";
import type { ReportedFinding } from "../docs/check/report.ts";
import { fix } from "../docs/fix/fix-report.ts";
import type { Change } from "../text/model/plan.ts";
import { hidesReturns } from "./open-document.ts";
import type { PageViews } from "./page-views.ts";
import { uriOf } from "./places.ts";

export type WantedFixes = {
  readonly findings: readonly ReportedFinding[];
  /** A person chose these findings, so likely edits and pages that instruct agents are edited too. */
  readonly agreed: boolean;
};

/** The edits that `suture fix` would make for these findings, for an editor to make; null where there are none. */
export async function editFindings(
  views: PageViews,
  { findings, agreed }: WantedFixes,
  { versioned }: { readonly versioned: boolean },
): Promise<WorkspaceEdit | null> {
  const { outcome } = views.checked;
  const context = views.context();
  if (!outcome.ok || context === null) return null;
  const fixed = await fix(
    context,
    { ...outcome.value, findings },
    {
      tiers: ["certain"],
      agreed,
      run: "editor",
      time: new Date(0).toISOString(),
      dryRun: true,
    },
  );
  const changes = fixed.ok ? (fixed.value.byRule.applied?.plan.changes ?? []) : [];
  if (changes.length === 0) return null;
  const edits = await Promise.all(changes.map((change) => editPage(views, change)));
  return versioned
    ? { documentChanges: edits }
    : {
        changes: Object.fromEntries(
          edits.map(({ textDocument, edits }) => [textDocument.uri, edits as TextEdit[]]),
        ),
      };
}

async function editPage(views: PageViews, { path, before, splices }: Change): Promise<TextDocumentEdit> {
  const { repository, checked } = views;
  const positions = (await views.positions(path))!;
  const shown = repository.documents.get(path)?.text;
  const isFolded = shown !== undefined && hidesReturns(shown, before.text ?? "");
  return {
    textDocument: { uri: uriOf({ repository, path }), version: checked.versions.get(path) ?? null },
    edits: splices.map(({ region, text }) => ({
      range: positions.range(region),
      newText: isFolded ? text.replaceAll("\r\n", "\n") : text,
    })),
  };
}
