import { spawn } from "node:child_process";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import {
  type ClientCapabilities,
  type CodeAction,
  createConnection,
  createProtocolConnection,
  type Diagnostic,
  type DocumentDiagnosticReport,
  type InitializeResult,
  ProposedFeatures,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type Range,
  StreamMessageReader,
  StreamMessageWriter,
  type TextDocumentContentChangeEvent,
  type WorkspaceDiagnosticReport,
  type WorkspaceEdit,
} from "vscode-languageserver/node";
import { Positions } from "../../src/lsp/positions.ts";
import { LanguageServer } from "../../src/lsp/server.ts";

export const pulling: ClientCapabilities = {
  textDocument: { diagnostic: { dynamicRegistration: false } },
  workspace: {
    diagnostics: { refreshSupport: true },
    workspaceEdit: { documentChanges: true },
    didChangeWatchedFiles: { dynamicRegistration: true },
    workspaceFolders: true,
  },
  window: { workDoneProgress: true },
};

/** The two ends of a wire to a server, and how the server ends. */
export type Wire = {
  readonly reader: StreamMessageReader;
  readonly writer: StreamMessageWriter;
  /** The process of the server, where it has one of its own. */
  readonly pid?: number | undefined;
  /** Ends the server after `shutdown`, and gives the exit code of its process. */
  readonly end: (connection: ProtocolConnection) => Promise<number | null>;
};

/** A server in a process of its own, started as an editor starts it. */
export function startServer(command: readonly string[]): Wire {
  const [program, ...args] = command;
  const child = spawn(program!, args, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, CI: "" },
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return {
    pid: child.pid,
    reader: new StreamMessageReader(child.stdout),
    writer: new StreamMessageWriter(child.stdin),
    end: async (connection) => {
      await connection.sendNotification("exit");
      return ended;
    },
  };
}

/** The same server in this process, which starts at once. */
export function joinServer(): Wire {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const connection = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(there),
    new StreamMessageWriter(back),
  );
  new LanguageServer(connection, {
    version: "0",
    rulesPage: "file:///package/docs/rules.md",
    inThisThread: true,
  }).listen();
  return {
    reader: new StreamMessageReader(back),
    writer: new StreamMessageWriter(there),
    end: async () => {
      connection.dispose();
      return 0;
    },
  };
}

/** A client that a test controls, and that records the messages of the server. */
export class ScriptedClient {
  readonly connection: ProtocolConnection;
  readonly published = new Map<string, PublishDiagnosticsParams>();
  readonly status: { readonly text: string; readonly findings: number | null }[] = [];
  readonly log: string[] = [];
  readonly progress: unknown[] = [];
  readonly applied: WorkspaceEdit[] = [];
  readonly texts = new Map<string, { text: string; version: number }>();
  /** What a person picks when the server asks; nothing by default. */
  answer: string | null = null;
  initialized!: InitializeResult;
  readonly #folder: string;
  readonly #wire: Wire;

  constructor(folder: string, wire: Wire = joinServer()) {
    this.#folder = folder;
    this.#wire = wire;
    this.connection = createProtocolConnection(wire.reader, wire.writer);
    const { connection } = this;
    connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
      this.published.set(params.uri, params);
    });
    connection.onNotification("suture/status", (params: (typeof this.status)[number]) => {
      this.status.push(params);
    });
    connection.onNotification("window/logMessage", ({ message }: { message: string }) => {
      this.log.push(message);
    });
    connection.onNotification("$/progress", (params: unknown) => {
      this.progress.push(params);
    });
    for (const method of [
      "client/registerCapability",
      "workspace/diagnostic/refresh",
      "window/workDoneProgress/create",
    ])
      connection.onRequest(method, () => null);
    connection.onRequest("window/showMessageRequest", () =>
      this.answer === null ? null : { title: this.answer },
    );
    connection.onRequest("workspace/applyEdit", ({ edit }: { edit: WorkspaceEdit }) => {
      this.applied.push(edit);
      return { applied: this.apply(edit) };
    });
    connection.listen();
  }

  async start(capabilities: ClientCapabilities = {}, options: object = {}): Promise<void> {
    this.initialized = await this.connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri: null,
      capabilities,
      workspaceFolders: [{ uri: pathToFileURL(this.#folder).href, name: "folder" }],
      initializationOptions: options,
    });
    await this.connection.sendNotification("initialized", {});
  }

  uri(path: string): string {
    return pathToFileURL(join(this.#folder, path)).href;
  }

  async open(path: string, text: string): Promise<void> {
    this.texts.set(path, { text, version: 1 });
    const textDocument = { uri: this.uri(path), languageId: "plaintext", version: 1, text };
    await this.connection.sendNotification("textDocument/didOpen", { textDocument });
  }

  /** Replaces the first occurrence of a text, as an editor that sends what changed. */
  async replace(path: string, old: string, fresh: string): Promise<void> {
    const { text } = this.texts.get(path)!;
    const start = text.indexOf(old);
    if (start < 0) throw new Error(`${path} does not hold ${old}`);
    const range = this.positions(text).range({ start, end: start + old.length });
    await this.change(
      path,
      [{ range, text: fresh }],
      text.replace(old, () => fresh),
    );
  }

  async change(path: string, contentChanges: TextDocumentContentChangeEvent[], text: string): Promise<void> {
    const version = this.texts.get(path)!.version + 1;
    this.texts.set(path, { text, version });
    const textDocument = { uri: this.uri(path), version };
    await this.connection.sendNotification("textDocument/didChange", { textDocument, contentChanges });
  }

  async write(path: string, text: string): Promise<void> {
    await this.change(path, [{ text }], text);
  }

  async save(path: string): Promise<void> {
    await this.connection.sendNotification("textDocument/didSave", { textDocument: { uri: this.uri(path) } });
  }

  async closeDocument(path: string): Promise<void> {
    this.texts.delete(path);
    await this.connection.sendNotification("textDocument/didClose", {
      textDocument: { uri: this.uri(path) },
    });
  }

  async changedOnDisk(...paths: string[]): Promise<void> {
    const changes = paths.map((path) => ({ uri: this.uri(path), type: 2 }));
    await this.connection.sendNotification("workspace/didChangeWatchedFiles", { changes });
  }

  async pull(path: string): Promise<Diagnostic[]> {
    const report: DocumentDiagnosticReport = await this.connection.sendRequest("textDocument/diagnostic", {
      textDocument: { uri: this.uri(path) },
    });
    return report.kind === "full" ? report.items : [];
  }

  /** Every diagnostic of the folder, in the order of addresses. */
  async pullAll(): Promise<WorkspaceDiagnosticReport["items"]> {
    const { items }: WorkspaceDiagnosticReport = await this.connection.sendRequest("workspace/diagnostic", {
      previousResultIds: [],
    });
    return items.sort((a, b) => (a.uri < b.uri ? -1 : 1));
  }

  async actions(path: string, range: Range, only?: string[]): Promise<CodeAction[]> {
    const diagnostics = this.initialized.capabilities.diagnosticProvider ? await this.pull(path) : [];
    const found: CodeAction[] | null = await this.connection.sendRequest("textDocument/codeAction", {
      textDocument: { uri: this.uri(path) },
      range,
      context: { diagnostics, ...(only ? { only } : {}) },
    });
    return found ?? [];
  }

  command(command: string, argument: object = {}): Promise<unknown> {
    return this.connection.sendRequest("workspace/executeCommand", { command, arguments: [argument] });
  }

  /** Applies edits to the open documents. An edit for another version than the document has is refused whole. */
  apply({ documentChanges = [] }: WorkspaceEdit): boolean {
    const edits = documentChanges.flatMap((one) => ("edits" in one ? one : []));
    const pathOf = (uri: string) => [...this.texts.keys()].find((path) => this.uri(path) === uri);
    const isStale = edits.some(({ textDocument: { uri, version } }) => {
      const path = pathOf(uri);
      return path !== undefined && version !== null && this.texts.get(path)!.version !== version;
    });
    if (isStale) return false;
    for (const { textDocument, edits: changes } of edits) {
      const path = pathOf(textDocument.uri);
      if (path === undefined) continue;
      const { text } = this.texts.get(path)!;
      const positions = this.positions(text);
      const splices = changes
        .flatMap((one) => ("newText" in one ? one : []))
        .map(({ range, newText }) => ({
          start: positions.offset(range.start),
          end: positions.offset(range.end),
          newText,
        }))
        .sort((a, b) => b.start - a.start);
      let result = text;
      for (const { start, end, newText } of splices)
        result = result.slice(0, start) + newText + result.slice(end);
      void this.write(path, result);
    }
    return true;
  }

  positions(text: string): Positions {
    const encoding = this.initialized.capabilities.positionEncoding ?? "utf-16";
    return new Positions(text, encoding as "utf-16" | "utf-8", { marked: true });
  }

  /** Waits until something holds; the time limit of the test ends an endless wait. */
  async until<T>(look: () => T | undefined | false | null, every = 10): Promise<T> {
    for (;;) {
      const found = look();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, every));
    }
  }

  async close(): Promise<number | null> {
    await this.connection.sendRequest("shutdown");
    const code = await this.#wire.end(this.connection);
    this.connection.dispose();
    return code;
  }
}
