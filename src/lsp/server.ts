import {
  type Connection,
  type Diagnostic,
  DidChangeWatchedFilesNotification,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  type Hover,
  type InitializeParams,
  type InitializeResult,
  LSPErrorCodes,
  MarkupKind,
  type Position,
  type Range,
  ResponseError,
  TextDocumentSyncKind,
  type WorkspaceDiagnosticReport,
} from "vscode-languageserver/node";
import type { ReportedClaim } from "../docs/claims/report.ts";
import { rules } from "../drift/rules.ts";
import { defined } from "../text/model/defined.ts";
import { groupByCause } from "../wording/findings.ts";
import { claimText, editorText, hoverText, statusText } from "../wording/lsp.ts";
import { refused, textOf } from "../wording/report.ts";
import { type ActionRequest, findActions, fixAllKind } from "./code-actions.ts";
import { commandNames, EditorCommands } from "./commands.ts";
import { diagnose, groupByLine, rangeOf } from "./diagnostics.ts";
import { OpenDocument } from "./open-document.ts";
import { PageViews } from "./page-views.ts";
import { Places, uriOf } from "./places.ts";
import { chooseEncoding, type PositionEncoding } from "./positions.ts";
import { CheckProgress } from "./progress.ts";
import type { Checked, Repository } from "./repository.ts";

export type LanguageServerOptions = {
  readonly version: string;
  /** The address of the page that explains the rules, where it is installed. */
  readonly rulesPage: string | null;
  /** Checks run in the thread of the server, which answers nothing meanwhile. For tests, which start many servers. */
  readonly inThisThread?: boolean;
};

type ClaimsParams = { readonly textDocument: { readonly uri: string } };

/** Milliseconds between two looks at the disk. */
const lookEvery = { watched: 2000, unwatched: 5000 };

/** The findings of every open repository, as a language server. It holds no rules: it asks `check` and `fix`. */
export class LanguageServer {
  readonly #connection: Connection;
  readonly #options: LanguageServerOptions;
  readonly #documents = new Map<string, OpenDocument>();
  readonly #places: Places;
  readonly #progress: CheckProgress;
  readonly #commands: EditorCommands;
  /** The diagnostics last published, by address, for clients that do not pull them. */
  readonly #published = new Map<Repository, Map<string, string>>();
  /** The views of the last check: requests about one report share what they read. */
  readonly #views = new WeakMap<Checked, PageViews>();
  readonly #diagnosed = new WeakMap<PageViews, Promise<Map<string, Diagnostic[]>>>();
  /** Resolves when all notifications of the client are handled. */
  #heard: Promise<void> = Promise.resolve();
  #client: ClientFeatures = featuresOf({});
  #timer: NodeJS.Timeout | undefined;

  constructor(connection: Connection, options: LanguageServerOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#progress = new CheckProgress(connection, () => this.#client.progress);
    this.#places = new Places({
      inThisThread: options.inThisThread ?? false,
      base: () => this.#commands.base,
      onChecked: (repository, checked) => void this.#show(repository, checked),
      onProgress: (repository, done, total) => this.#progress.report(repository, done, total),
    });
    this.#commands = new EditorCommands({
      connection,
      places: this.#places,
      views: (repository) => this.#viewsOf(repository),
      versioned: () => this.#client.versioned,
    });
  }

  /** Answers requests until the client leaves. */
  listen(): void {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => this.#inOrder(() => this.#initialized()));
    this.#listenToDocuments();
    connection.onCodeAction((params, token) =>
      this.#at(params.textDocument.uri, token, (views, path) =>
        findActions(views, { ...this.#actionRequest(params), path }),
      ),
    );
    connection.onHover(({ textDocument, position }, token) =>
      this.#at(textDocument.uri, token, (views, path) => this.#hover(views, path, position)),
    );
    connection.onExecuteCommand(async (params) => {
      await this.#heard;
      return this.#commands.run(params.command, params.arguments ?? []);
    });
    connection.languages.diagnostics.on((params, token) => this.#pull(params.textDocument.uri, token));
    connection.languages.diagnostics.onWorkspace((_, token) => this.#pullAll(token));
    connection.onRequest("suture/claims", ({ textDocument }: ClaimsParams, token) =>
      this.#at(textDocument.uri, token, async (views, path) =>
        (await views.claims(path)).map(({ range, claim: { truth } }) => ({ range, truth })),
      ),
    );
    connection.onRequest("suture/report", () => this.#report());
    connection.onShutdown(() => this.close());
    connection.listen();
  }

  #listenToDocuments(): void {
    const connection = this.#connection;
    connection.onDidOpenTextDocument(({ textDocument }) =>
      this.#inOrder(() => this.#open(new OpenDocument(textDocument))),
    );
    connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) =>
      this.#inOrder(async () => {
        const { encoding } = this.#client;
        this.#documents.get(uri)?.change(contentChanges, { version, encoding });
        (await this.#places.locate(uri))?.repository.touch();
      }),
    );
    connection.onDidSaveTextDocument(({ textDocument }) =>
      this.#inOrder(() => this.#saved(textDocument.uri)),
    );
    connection.onDidCloseTextDocument(({ textDocument }) =>
      this.#inOrder(() => this.#closed(textDocument.uri)),
    );
    connection.onDidChangeWatchedFiles(({ changes }) =>
      this.#inOrder(() => this.#filesChanged(changes.map(({ uri }) => uri))),
    );
  }

  /** Handles notifications one after the other. A request is answered after all earlier notifications. */
  #inOrder(take: () => Promise<void>): void {
    this.#heard = this.#heard
      .then(take)
      .catch((error: unknown) => this.#connection.console.error(String(error)));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#places.close();
  }

  #initialize(params: InitializeParams): InitializeResult {
    this.#client = featuresOf(params.capabilities);
    const { base } = (params.initializationOptions ?? {}) as { base?: unknown };
    if (typeof base === "string" && base !== "") this.#commands.base = base;
    const folders = params.workspaceFolders ?? (params.rootUri ? [{ uri: params.rootUri, name: "" }] : []);
    this.#openFolders = folders.map(({ uri }) => uri);
    return {
      serverInfo: { name: "suture", version: this.#options.version },
      capabilities: {
        positionEncoding: this.#client.encoding,
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        codeActionProvider: { codeActionKinds: ["quickfix", fixAllKind] },
        hoverProvider: true,
        executeCommandProvider: { commands: [...commandNames] },
        ...(this.#client.pulls
          ? {
              diagnosticProvider: {
                identifier: "suture",
                interFileDependencies: true,
                workspaceDiagnostics: true,
              },
            }
          : {}),
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    };
  }

  #openFolders: readonly string[] = [];

  async #initialized(): Promise<void> {
    for (const uri of this.#openFolders) await this.#openFolder(uri);
    if (this.#client.folders)
      this.#connection.workspace.onDidChangeWorkspaceFolders(({ added }) => {
        this.#inOrder(async () => {
          for (const { uri } of added) await this.#openFolder(uri);
        });
      });
    if (this.#client.watches) this.#watchFiles();
    const files = !this.#client.watches;
    this.#timer = setInterval(
      () => void this.#lookAtDisk(files),
      files ? lookEvery.unwatched : lookEvery.watched,
    );
    this.#timer.unref();
  }

  /** Does not wait for the client's answer, because its requests are answered after its notifications. */
  #watchFiles(): void {
    const options = { watchers: [{ globPattern: "**/*" }] };
    const registered = this.#connection.client.register(DidChangeWatchedFilesNotification.type, options);
    registered.catch((error: unknown) => this.#connection.console.error(String(error)));
  }

  async #openFolder(uri: string): Promise<void> {
    const repository = await this.#places.openFolder(uri);
    if (repository === null) this.#connection.console.info(editorText.noRepository(uri));
    repository?.touch();
  }

  async #lookAtDisk(files: boolean): Promise<void> {
    for (const repository of await this.#places.repositories()) await repository.lookAtDisk({ files });
  }

  async #open(document: OpenDocument): Promise<void> {
    this.#documents.set(document.uri, document);
    const place = await this.#places.locate(document.uri);
    if (place === null) return void this.#connection.console.info(editorText.noRepository(document.uri));
    if (this.#documents.get(document.uri) !== document) return;
    place.repository.documents.set(place.path, document);
    place.repository.touchDisk();
  }

  async #saved(uri: string): Promise<void> {
    const document = this.#documents.get(uri);
    if (document) document.isEdited = false;
    (await this.#places.locate(uri))?.repository.touchDisk();
  }

  async #closed(uri: string): Promise<void> {
    const document = this.#documents.get(uri);
    this.#documents.delete(uri);
    const place = await this.#places.locate(uri);
    if (place === null || place.repository.documents.get(place.path) !== document) return;
    place.repository.documents.delete(place.path);
    place.repository.touchDisk();
  }

  async #filesChanged(uris: readonly string[]): Promise<void> {
    for (const repository of await this.#places.holding(uris)) repository.touchDisk();
  }

  /** Answers a request about the current document. A cancelled request gets no answer. */
  async #at<T>(
    uri: string,
    token: { readonly isCancellationRequested: boolean },
    ask: (views: PageViews, path: string) => Promise<T>,
  ): Promise<T | null> {
    await this.#heard;
    const place = await this.#places.locate(uri);
    const views = place && (await this.#viewsOf(place.repository));
    if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, "cancelled");
    return views && ask(views, place.path);
  }

  async #viewsOf(repository: Repository): Promise<PageViews> {
    return this.#viewsFor(repository, await repository.current());
  }

  #viewsFor(repository: Repository, checked: Checked): PageViews {
    const views = this.#views.get(checked) ?? new PageViews(repository, checked, this.#client.encoding);
    this.#views.set(checked, views);
    return views;
  }

  /** The diagnostics of one check. They are computed once for all documents. */
  #diagnose(views: PageViews): Promise<Map<string, Diagnostic[]>> {
    const known = this.#diagnosed.get(views) ?? diagnose(views, this.#options.rulesPage);
    this.#diagnosed.set(views, known);
    return known;
  }

  /** Tells the client what a check found: it is sent the findings, or told to ask for them. */
  async #show(repository: Repository, checked: Checked): Promise<void> {
    this.#progress.end(repository);
    const { outcome } = checked;
    const text = outcome.ok
      ? statusText(outcome.value)
      : editorText.failed(textOf(refused(outcome.refusal, { tool: "check", wording: "files" })));
    void this.#connection.sendNotification("suture/status", {
      uri: uriOf({ repository, path: "" }),
      text,
      findings: outcome.ok ? outcome.value.findings.filter(({ tier }) => tier !== "possible").length : null,
    });
    if (!outcome.ok) this.#connection.console.info(text);
    if (this.#client.pulls) return void this.#connection.languages.diagnostics.refresh();
    await this.#publish(repository, await this.#diagnose(this.#viewsFor(repository, checked)), checked);
  }

  async #publish(
    repository: Repository,
    found: Map<string, Diagnostic[]>,
    { versions }: Checked,
  ): Promise<void> {
    const before = this.#published.get(repository) ?? new Map<string, string>();
    const after = new Map<string, string>();
    const paths = new Map([...repository.documents.keys(), ...found.keys()].map((path) => [path, true]));
    for (const path of paths.keys()) {
      const uri = uriOf({ repository, path });
      const diagnostics = found.get(path) ?? [];
      const version = versions.get(path);
      after.set(uri, JSON.stringify([version, diagnostics]));
      if (before.get(uri) !== after.get(uri))
        void this.#connection.sendDiagnostics({
          uri,
          diagnostics,
          ...defined({ version }),
        });
    }
    for (const uri of before.keys())
      if (!after.has(uri)) void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
    this.#published.set(repository, after);
  }

  async #pull(
    uri: string,
    token: { readonly isCancellationRequested: boolean },
  ): Promise<DocumentDiagnosticReport> {
    const items = await this.#at(uri, token, async (views, path) => {
      return (await this.#diagnose(views)).get(path) ?? [];
    });
    return { kind: DocumentDiagnosticReportKind.Full, items: items ?? [] };
  }

  async #pullAll(token: { readonly isCancellationRequested: boolean }): Promise<WorkspaceDiagnosticReport> {
    await this.#heard;
    const reports: WorkspaceDiagnosticReport["items"] = [];
    for (const repository of await this.#places.repositories()) {
      const checked = await repository.current();
      if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, "cancelled");
      const found = await this.#diagnose(this.#viewsFor(repository, checked));
      for (const [path, items] of found)
        reports.push({
          kind: DocumentDiagnosticReportKind.Full,
          uri: uriOf({ repository, path }),
          version: checked.versions.get(path) ?? null,
          items,
        });
    }
    return { items: reports };
  }

  #actionRequest(params: {
    readonly textDocument: { readonly uri: string };
    readonly range: ActionRequest["range"];
    readonly context: { readonly only?: string[]; readonly diagnostics: Diagnostic[] };
  }): Omit<ActionRequest, "path"> {
    const { textDocument, range, context } = params;
    return {
      uri: textDocument.uri,
      range,
      only: context.only,
      diagnostics: context.diagnostics,
      versioned: this.#client.versioned,
    };
  }

  async #hover(views: PageViews, path: string, position: Position): Promise<Hover | null> {
    const { line } = position;
    const { outcome } = views.checked;
    if (!outcome.ok) return null;
    const here = outcome.value.findings.filter(
      (one) => one.path === path && one.startLine - 1 <= line && line <= one.endLine - 1,
    );
    const named = [...groupByLine(outcome.value.findings)].flatMap(([place, findings]) =>
      place.path === path && place.line === line ? findings : [],
    );
    const claims = (await views.claims(path)).filter(({ range }) => isWithin(range, position));
    // A finding says more about the words that are false.
    const told = here.length === 0 ? claims : claims.filter(({ claim }) => claim.truth !== "false");
    if (here.length + named.length + told.length === 0) return null;
    const docs = new Map(rules.map((rule) => [String(rule.name), rule.docs]));
    const value = [
      ...here.map((one) => hoverText(one, docs.get(one.kind))),
      ...named.map((one) => `\`${one.path}:${one.startLine}\` ${one.message}`),
      ...(await Promise.all(told.map(({ claim }) => claimHover(views, claim)))),
    ].join("\n\n---\n\n");
    const range = here[0] ? await rangeOf(views, here[0]) : (told[0]?.range ?? null);
    return { contents: { kind: MarkupKind.Markdown, value }, ...defined({ range: range ?? undefined }) };
  }

  /** The findings by cause, for a client that shows them as a list. */
  async #report(): Promise<unknown> {
    await this.#heard;
    const repositories = await this.#places.repositories();
    return Promise.all(
      repositories.map(async (repository) => {
        const { outcome } = await repository.current();
        if (!outcome.ok) return { uri: uriOf({ repository, path: "" }), causes: [] };
        const causes = groupByCause(outcome.value.findings).map(({ title, findings }) => ({
          title,
          findings: findings.map((finding) => ({
            ...finding,
            uri: uriOf({ repository, path: finding.path }),
          })),
        }));
        return {
          uri: uriOf({ repository, path: "" }),
          base: outcome.value.base,
          head: outcome.value.head,
          causes,
        };
      }),
    );
  }
}

/** A claim with the line of code that declares its thing. */
async function claimHover(views: PageViews, claim: ReportedClaim): Promise<string> {
  const { thing } = claim;
  if (thing?.declaration !== undefined) return claimText(claim, thing.declaration);
  const code = thing ? await views.positions(thing.path) : null;
  const line = thing && code?.line(thing.line - 1);
  return claimText(claim, line && code ? code.text.slice(line.start, line.end).trim() : null);
}

function isWithin({ start, end }: Range, { line, character }: Position): boolean {
  const isBehind = line > start.line || (line === start.line && character >= start.character);
  return isBehind && (line < end.line || (line === end.line && character <= end.character));
}

/** The capabilities of a client that matter here. */
type ClientFeatures = {
  readonly encoding: PositionEncoding;
  /** It asks for diagnostics, and can be told when to ask again. */
  readonly pulls: boolean;
  readonly versioned: boolean;
  readonly watches: boolean;
  readonly progress: boolean;
  readonly folders: boolean;
};

function featuresOf({
  general,
  textDocument,
  workspace,
  window,
}: InitializeParams["capabilities"]): ClientFeatures {
  return {
    encoding: chooseEncoding(general?.positionEncodings),
    pulls: textDocument?.diagnostic !== undefined && workspace?.diagnostics?.refreshSupport === true,
    versioned: workspace?.workspaceEdit?.documentChanges === true,
    watches: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    progress: window?.workDoneProgress === true,
    folders: workspace?.workspaceFolders === true,
  };
}
