import type { CheckReport } from "../docs/check/report.ts";
import type { ReportedClaim } from "../docs/claims/report.ts";
import type { CheckSession, SessionReport } from "../docs/session/session.ts";
import { type Outcome, refuse } from "../text/model/outcome.ts";
import type { OpenDocument } from "./open-document.ts";

/** The findings of a check, and its input. */
export type Checked = SessionReport & {
  /** The versions that the open documents had, by path. */
  readonly versions: ReadonlyMap<string, number>;
};

export type RepositoryEvents = {
  readonly inThisThread: boolean;
  /** The revision that a repository is compared with when it is opened; `null`: the one that `check` chooses. */
  readonly base: () => string | null;
  /** Called after every check that is not stale. */
  readonly onChecked: (repository: Repository, checked: Checked) => void;
  /** Called while a check runs, with how many rules are done. */
  readonly onProgress: (repository: Repository, done: number, total: number) => void;
};

/** A check begins this many milliseconds after the last change of a document. */
const quiet = 40;

/** One repository with the documents that are open in it. It is checked again whenever one of them changes. */
export class Repository {
  /** The folder of the work tree as the client spells it. */
  readonly root: string;
  readonly session: CheckSession;
  /** Documents that are open, by path. */
  readonly documents = new Map<string, OpenDocument>();
  readonly #events: RepositoryEvents;
  /** Documents whose text was compared with the disk after they were opened. */
  readonly #compared = new WeakSet<OpenDocument>();
  #base: string | null;
  #wanted = 0;
  #quietAt = 0;
  #running: Promise<Checked> | null = null;
  #checked: Checked | null = null;
  #abort = new AbortController();
  #stamp: string | null = null;
  #isClosed = false;

  constructor(place: { readonly root: string; readonly session: CheckSession }, events: RepositoryEvents) {
    this.root = place.root;
    this.session = place.session;
    this.#events = events;
    this.#base = events.base();
  }

  /** Compares with this revision from now on; `null`: with what `check` finds. */
  compareWith(base: string | null): void {
    this.#base = base;
    this.touch();
  }

  /** A document changed: the running check is stale, and another one follows soon. */
  touch(): void {
    if (this.#isClosed) return;
    this.#wanted++;
    this.#quietAt = Date.now() + quiet;
    this.#abort.abort();
    void this.current();
  }

  /** Something on disk may have changed. */
  touchDisk(): void {
    this.session.forgetDisk();
    this.touch();
  }

  /**
   * Checks again if the disk has changed since the last look. If the client watches files, it reports their changes, and
   * only git's own records are compared here.
   */
  async lookAtDisk({ files }: { readonly files: boolean }): Promise<void> {
    const stamp = await this.session.diskStamp({ files }).catch(() => null);
    const hasChanged = stamp !== null && this.#stamp !== null && stamp !== this.#stamp;
    this.#stamp = stamp ?? this.#stamp;
    if (hasChanged) this.touchDisk();
  }

  /** The findings for the documents as they are now. */
  current(): Promise<Checked> {
    if (this.#running) return this.#running;
    if (this.#checked && this.#wanted === 0) return Promise.resolve(this.#checked);
    this.#running = this.#checkUntilFresh();
    return this.#running;
  }

  /** The claims of a page, for the documents as they are now; none where they cannot be read, or changed meanwhile. */
  async claims(path: string): Promise<readonly ReportedClaim[]> {
    const { signal } = this.#abort;
    try {
      const page = await this.session.claims(path, { texts: await this.#unsavedTexts(), signal });
      return page.ok && page.value ? page.value.claims : [];
    } catch (error) {
      if (signal.aborted) return [];
      throw error;
    }
  }

  /** Ends the running check, whose caller gets a refusal, and begins no other. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#abort.abort();
    await this.#running;
    await this.session.close();
    await this.session.project.close();
  }

  async #checkUntilFresh(): Promise<Checked> {
    for (;;) {
      await this.#untilQuiet();
      if (this.#isClosed) return this.#closed();
      this.#wanted = 0;
      this.#abort = new AbortController();
      const checked = await this.#checkOnce(this.#abort.signal);
      if (checked === null || this.#wanted > 0 || this.#isClosed) continue;
      this.#checked = checked;
      this.#running = null;
      this.#events.onChecked(this, checked);
      return checked;
    }
  }

  async #untilQuiet(): Promise<void> {
    for (let left = this.#quietAt - Date.now(); left > 0; left = this.#quietAt - Date.now())
      await new Promise((resolve) => setTimeout(resolve, left));
  }

  /** `null`: the check became stale before it ended. */
  async #checkOnce(signal: AbortSignal): Promise<Checked | null> {
    try {
      const versions = new Map([...this.documents].map(([path, { version }]) => [path, version]));
      const texts = await this.#unsavedTexts();
      const onProgress = (done: number, total: number): void => this.#events.onProgress(this, done, total);
      const report = await this.session.check({ base: this.#base }, { texts, signal, onProgress });
      return { ...report, versions };
    } catch (error) {
      return signal.aborted ? null : { ...this.#failed(error), versions: new Map() };
    }
  }

  #closed(): Checked {
    this.#running = null;
    return { outcome: refuse({ code: "closed" }), project: this.session.project, versions: new Map() };
  }

  #failed(error: unknown): SessionReport {
    const detail = error instanceof Error ? error.message : String(error);
    const outcome: Outcome<CheckReport> = refuse({ code: "unavailable", detail });
    return { outcome, project: this.session.project };
  }

  /** Texts of editors that differ from what they opened or saved. */
  async #unsavedTexts(): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    for (const [path, document] of this.documents) {
      const disk = await this.session.diskText(path);
      const text = document.asSaved(disk);
      // An editor that restores a session opens texts that were never saved.
      if (!this.#compared.has(document) && text !== (disk ?? "")) document.isEdited = true;
      this.#compared.add(document);
      if (document.isEdited) texts.set(path, text);
    }
    return texts;
  }
}
