import type { Connection, WorkDoneProgressServerReporter } from "vscode-languageserver/node";
import { editorText } from "../wording/lsp.ts";
import type { Repository } from "./repository.ts";

/** A check that takes longer than this, in milliseconds, is shown to the person who waits. */
const soon = 700;

/** Shows checks that take long. Most of them end before anything is shown. */
export class CheckProgress {
  readonly #connection: Connection;
  readonly #isWanted: () => boolean;
  readonly #running = new Map<Repository, Running>();

  constructor(connection: Connection, isWanted: () => boolean) {
    this.#connection = connection;
    this.#isWanted = isWanted;
  }

  report(repository: Repository, done: number, total: number): void {
    if (!this.#isWanted()) return;
    const running = this.#running.get(repository) ?? { since: Date.now() };
    this.#running.set(repository, running);
    if (Date.now() - running.since < soon) return;
    running.reporter ??= this.#begin();
    void running.reporter.then((reporter) =>
      reporter?.report(Math.round((100 * done) / total), editorText.rules(done, total)),
    );
  }

  end(repository: Repository): void {
    const running = this.#running.get(repository);
    this.#running.delete(repository);
    void running?.reporter?.then((reporter) => reporter?.done());
  }

  async #begin(): Promise<WorkDoneProgressServerReporter | null> {
    try {
      const reporter = await this.#connection.window.createWorkDoneProgress();
      reporter.begin(editorText.checking, 0, undefined, false);
      return reporter;
    } catch {
      return null;
    }
  }
}

type Running = { readonly since: number; reporter?: Promise<WorkDoneProgressServerReporter | null> };
