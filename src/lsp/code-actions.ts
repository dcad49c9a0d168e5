import { type CodeAction, CodeActionKind, type Diagnostic, type Range } from "vscode-languageserver";
import type { ReportedFinding } from "../docs/check/report.ts";
import { countEdits } from "../docs/fix/choose.ts";
import { editorText } from "../wording/lsp.ts";
import { rangeOf } from "./diagnostics.ts";
import { editFindings } from "./edits.ts";
import type { PageViews } from "./page-views.ts";

/** Fixes every passage of a page that a rule is certain of. Editors can run it on save. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.suture`;

export type ActionRequest = {
  readonly uri: string;
  readonly path: string;
  readonly range: Range;
  readonly only: readonly string[] | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** The client takes edits that name the version they are for. */
  readonly versioned: boolean;
};

/** The code actions for the findings at a place of a page. */
export async function findActions(views: PageViews, request: ActionRequest): Promise<CodeAction[]> {
  const { outcome } = views.checked;
  if (!outcome.ok) return [];
  const all = outcome.value.findings;
  const here = all.filter(({ path }) => path === request.path);
  const actions: CodeAction[] = [];
  if (isAsked(request, CodeActionKind.QuickFix)) {
    const touched: ReportedFinding[] = [];
    for (const finding of here) if (await isTouched(views, finding, request.range)) touched.push(finding);
    for (const finding of touched) actions.push(...(await quickFixes(views, { finding, all, request })));
  }
  if (isAsked(request, fixAllKind)) actions.push(...(await fixAll(views, here, request)));
  return actions;
}

/** A client asks for a kind and means everything below it. */
function isAsked({ only }: ActionRequest, kind: string): boolean {
  return only === undefined || only.some((one) => kind === one || kind.startsWith(`${one}.`) || one === "");
}

async function isTouched(
  views: PageViews,
  finding: ReportedFinding,
  { start, end }: Range,
): Promise<boolean> {
  const own = await rangeOf(views, finding);
  if (own === null) return false;
  const first = Math.min(own.start.line, finding.startLine - 1);
  const last = Math.max(own.end.line, finding.endLine - 1);
  return first <= end.line && start.line <= last;
}

type FixSubject = {
  readonly finding: ReportedFinding;
  readonly all: readonly ReportedFinding[];
  readonly request: ActionRequest;
};

async function quickFixes(views: PageViews, { finding, all, request }: FixSubject): Promise<CodeAction[]> {
  const diagnostics = request.diagnostics.filter(
    ({ data }) => (data as { id?: unknown } | undefined)?.id === finding.id,
  );
  const shared = { kind: CodeActionKind.QuickFix, diagnostics };
  const one = await editFindings(views, { findings: [finding], agreed: true }, request);
  const siblings = all.filter(
    ({ cause, edits }) => cause !== undefined && cause === finding.cause && edits.length > 0,
  );
  const pages = new Set(siblings.map(({ path }) => path)).size;
  const group =
    one && siblings.length > 1
      ? await editFindings(views, { findings: siblings, agreed: true }, request)
      : null;
  return [
    ...(one
      ? [
          {
            ...shared,
            title: editorText.fixOne(finding.message),
            isPreferred: finding.tier === "certain",
            edit: one,
          },
        ]
      : []),
    ...(group ? [{ ...shared, title: editorText.fixCause(siblings.length, pages), edit: group }] : []),
    {
      ...shared,
      title: editorText.dismiss,
      command: {
        title: editorText.dismiss,
        command: "suture.dismiss",
        arguments: [{ uri: request.uri, id: finding.id }],
      },
    },
  ];
}

async function fixAll(
  views: PageViews,
  here: readonly ReportedFinding[],
  request: ActionRequest,
): Promise<CodeAction[]> {
  const { outcome } = views.checked;
  const edit = await editFindings(views, { findings: here, agreed: false }, request);
  if (edit === null || !outcome.ok) return [];
  const { made } = countEdits({ ...outcome.value, findings: here });
  return [{ title: editorText.fixFile(made), kind: fixAllKind, edit }];
}
