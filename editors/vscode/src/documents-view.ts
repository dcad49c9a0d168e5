import * as vscode from "vscode";

/** A finding as the server reports it. */
export type Finding = {
  readonly id: string;
  readonly uri: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly tier: "certain" | "likely" | "possible";
  readonly message: string;
  readonly edits: readonly unknown[];
};

type Cause = { readonly title: string; readonly findings: readonly Finding[] };

/** The findings of one repository. */
export type Report = { readonly uri: string; readonly causes: readonly Cause[] };

const icons = { certain: "error", likely: "warning", possible: "info" } as const;

/** A passage in the list. */
export class FindingItem extends vscode.TreeItem {
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(`${finding.path}:${finding.startLine}`);
    this.finding = finding;
    this.tooltip = finding.message;
    this.contextValue = finding.edits.length > 0 ? "finding editable" : "finding";
    const line = finding.startLine - 1;
    const selection = new vscode.Range(line, 0, line, 0);
    this.command = {
      command: "vscode.open",
      title: "Open",
      arguments: [vscode.Uri.parse(finding.uri), { selection }],
    };
  }
}

class CauseItem extends vscode.TreeItem {
  readonly cause: Cause;

  constructor(cause: Cause) {
    super(cause.title, vscode.TreeItemCollapsibleState.Expanded);
    this.cause = cause;
    this.iconPath = new vscode.ThemeIcon(icons[cause.findings[0]?.tier ?? "possible"]);
  }
}

type Item = CauseItem | FindingItem;

/** The findings of all folders, by what the code did. */
export class DocumentsView implements vscode.TreeDataProvider<Item> {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #ask: () => Promise<Report[]>;

  constructor(ask: () => Promise<Report[]>) {
    this.#ask = ask;
  }

  refresh(): void {
    this.#changed.fire();
  }

  getTreeItem(item: Item): vscode.TreeItem {
    return item;
  }

  async getChildren(item?: Item): Promise<Item[]> {
    if (item instanceof CauseItem) return item.cause.findings.map((finding) => new FindingItem(finding));
    if (item) return [];
    const reports = await this.#ask();
    return reports.flatMap(({ causes }) => causes.map((cause) => new CauseItem(cause)));
  }
}
