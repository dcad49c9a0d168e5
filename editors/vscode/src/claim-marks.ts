import * as vscode from "vscode";

/** A claim of a page as the server places it. */
type PlacedClaim = {
  readonly range: { readonly start: vscode.Position; readonly end: vscode.Position };
  readonly truth: "true" | "false" | "undecidable";
};

type AskClaims = (uri: string) => Thenable<readonly PlacedClaim[] | null>;

const pages = ["markdown", "mdx", "restructuredtext", "asciidoc"];

/** Underlines the claims of the visible pages by their truth, where the setting asks for it. */
export class ClaimMarks implements vscode.Disposable {
  readonly #ask: AskClaims;
  readonly #marks = {
    true: mark("dotted", "testing.iconPassed"),
    false: mark("solid", "testing.iconFailed"),
    undecidable: mark("dashed", "testing.iconQueued"),
  };
  readonly #listeners: readonly vscode.Disposable[];

  constructor(ask: AskClaims) {
    this.#ask = ask;
    this.#listeners = [
      vscode.window.onDidChangeVisibleTextEditors(() => this.refresh()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("suture.showClaims")) this.refresh();
      }),
    ];
  }

  /** Asks again, as after a check. */
  refresh(): void {
    for (const editor of vscode.window.visibleTextEditors) void this.#show(editor);
  }

  dispose(): void {
    for (const one of [...this.#listeners, ...Object.values(this.#marks)]) one.dispose();
  }

  async #show(editor: vscode.TextEditor): Promise<void> {
    const { document } = editor;
    const { version } = document;
    const isShown = vscode.workspace.getConfiguration("suture", document).get<boolean>("showClaims", false);
    const isPage = document.uri.scheme === "file" && pages.includes(document.languageId);
    const claims = isShown && isPage ? ((await this.#ask(document.uri.toString())) ?? []) : [];
    if (document.version !== version) return;
    for (const [marked, type] of Object.entries(this.#marks))
      editor.setDecorations(type, claims.filter(({ truth }) => truth === marked).map(rangeOf));
  }
}

function rangeOf({ range: { start, end } }: PlacedClaim): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

function mark(style: "dotted" | "solid" | "dashed", color: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    borderWidth: "0 0 1px 0",
    borderStyle: style,
    borderColor: new vscode.ThemeColor(color),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}
