import { join } from "node:path";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";
import { ClaimMarks } from "./claim-marks.ts";
import { DocumentsView, type Finding, type FindingItem, type Report } from "./documents-view.ts";
import { openReview } from "./review.ts";

let client: LanguageClient | undefined;

/** Starts the server and connects it with the problems, the view, the status bar and the commands. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const command = serverCommand(context);
  client = new LanguageClient("suture", "Suture", serverOptions(command), clientOptions());
  const view = new DocumentsView(() => client!.sendRequest<Report[]>("suture/report"));
  const marks = new ClaimMarks((uri) => client!.sendRequest("suture/claims", { textDocument: { uri } }));
  const status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left, 0);
  status.command = "suture.documents.focus";
  client.onNotification("suture/status", ({ text, findings }: { text: string; findings: number | null }) => {
    status.text = `$(book) ${findings === null ? "–" : findings}`;
    status.tooltip = `Suture: ${text}`;
    status.show();
    view.refresh();
    marks.refresh();
  });
  context.subscriptions.push(
    client,
    status,
    marks,
    vscode.window.registerTreeDataProvider("suture.documents", view),
    ...registerCommands(client, command),
  );
  await client.start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** The words that start Suture: the person's, or those of the package inside the extension. */
function serverCommand(context: vscode.ExtensionContext): readonly string[] {
  const own = vscode.workspace.getConfiguration("suture").get<string[]>("command", []);
  if (own.length > 0) return own;
  return [
    process.execPath,
    join(context.extensionPath, "server", "node_modules", "suture", "bin", "suture.cjs"),
  ];
}

function serverOptions([program = "", ...args]: readonly string[]) {
  // The editor's own program is a Node where this variable says so.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1" };
  return { command: program, args: [...args, "lsp"], options: { env } };
}

function clientOptions(): LanguageClientOptions {
  const base = vscode.workspace.getConfiguration("suture").get<string>("base", "");
  return {
    // Code counts as it is typed, so the server hears of every file.
    documentSelector: [{ scheme: "file" }],
    initializationOptions: { base },
    middleware: {
      executeCommand: async (command, args, next) => {
        const [wanted] = args as [{ reason?: string } | undefined];
        if (command !== "suture.dismiss" || wanted?.reason !== undefined) return next(command, args);
        const reason = await askReason();
        return reason === undefined ? null : next(command, [{ ...wanted, reason }]);
      },
    },
  };
}

function askReason(): Thenable<string | undefined> {
  return vscode.window.showInputBox({ prompt: "Why is this passage right as it is?", ignoreFocusOut: true });
}

function registerCommands(server: LanguageClient, command: readonly string[]): vscode.Disposable[] {
  const run = (name: string, argument: object = {}): Promise<unknown> =>
    server.sendRequest("workspace/executeCommand", { command: name, arguments: [argument] });
  const register = vscode.commands.registerCommand;
  return [
    register("suture.checkNow", () => run("suture.check")),
    register("suture.fixAll", () => run("suture.fixWorkspace")),
    register("suture.undoLast", () => run("suture.undo")),
    register("suture.review", () => openReview(command, currentFolder())),
    register("suture.compareWith", async () => {
      const base = await vscode.window.showInputBox({ prompt: "A revision; empty for the usual one" });
      if (base !== undefined)
        vscode.window.setStatusBarMessage(String(await run("suture.setBase", { base })), 4000);
    }),
    register("suture.reject", async ({ finding }: FindingItem) => {
      const reason = await askReason();
      if (reason) await run("suture.dismiss", { uri: finding.uri, id: finding.id, reason });
    }),
    register("suture.accept", ({ finding }: FindingItem) => fixOne(finding)),
  ];
}

/** Makes the edit of a finding as its quick fix does. */
async function fixOne({ uri, startLine, id }: Finding): Promise<void> {
  const address = vscode.Uri.parse(uri);
  const document = await vscode.workspace.openTextDocument(address);
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    address,
    document.lineAt(startLine - 1).range,
    "quickfix",
  );
  const isOwn = ({ diagnostics = [] }: vscode.CodeAction): boolean =>
    diagnostics.some((one) => (one as { data?: { id?: string } }).data?.id === id);
  const action = actions.find((one) => one.edit && isOwn(one)) ?? actions.find((one) => one.edit);
  if (action?.edit) await vscode.workspace.applyEdit(action.edit);
}

function currentFolder(): string | undefined {
  const { activeTextEditor } = vscode.window;
  const active = activeTextEditor && vscode.workspace.getWorkspaceFolder(activeTextEditor.document.uri);
  return (active ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath;
}
