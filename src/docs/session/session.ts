import type { Outcome } from "../../text/model/outcome.ts";
import type { FileSnapshot, Reader } from "../../workspace/workspace.ts";
import { type CheckOptions, check } from "../check/check.ts";
import { CheckMemory } from "../check/memory.ts";
import type { Range } from "../check/range.ts";
import { GitAnswers, rememberGit } from "../check/remembered-git.ts";
import type { CheckReport } from "../check/report.ts";
import { readPageClaims } from "../claims/claims.ts";
import type { ReportedPage } from "../claims/report.ts";
import type { Project } from "../project.ts";
import type { CheckThread } from "./check-thread.ts";
import { type Overlay, overlay, type RepositorySides } from "./overlay.ts";

/**
 * A project that is checked repeatedly while people type. Unsaved texts count as if they were saved, and each check
 * reuses what the one before learnt. The result is that of `check` after saving.
 *
 * Git and the files on disk are asked once, until `forgetDisk` says that they may have changed.
 */
export class CheckSession {
  readonly project: Project;
  readonly #answers = new GitAnswers();
  readonly #memory = new CheckMemory();
  readonly #read = new Map<string, Promise<Outcome<FileSnapshot>>>();
  readonly #thread: CheckThread | null;

  /** With `thread`, checks run there, and this thread only reads pages. */
  constructor(project: Project, thread: CheckThread | null = null) {
    this.project = project;
    this.#thread = thread;
  }

  /** Forgets refs, the index and the work tree. What is known about blobs and commits stays true. */
  forgetDisk(): void {
    this.#thread?.forgetDisk();
    this.#answers.forget();
    this.#read.clear();
    this.#memory.texts.forgetAbsent();
  }

  /**
   * A text that changes when git records a change and, with `files`, when a changed or untracked file has other bytes. It
   * does not use or change the cache.
   */
  async diskStamp({ files }: { readonly files: boolean }): Promise<string> {
    const { git, reader } = this.project;
    if (git === null || reader === null) return "";
    const recorded = await git.stamp();
    if (!files || (await git.resolve("HEAD")) === null) return recorded;
    const changed = (await git.changes("HEAD", "worktree")).map(({ path }) => path);
    const versions: string[] = [];
    for (const path of [...changed, ...(await git.untracked())]) {
      const read = await reader.read(path);
      versions.push(`${path}\0${read.ok ? read.value.version : read.refusal.code}`);
    }
    return [recorded, ...versions].join("\n");
  }

  /** The text of a file on disk; null where there is no file, or no text. */
  async diskText(path: string): Promise<string | null> {
    const { reader } = this.project;
    const read = reader === null ? null : await this.#readOnce(reader)(path);
    return read?.ok ? read.value.text : null;
  }

  /** Runs `check` on the project with these texts. */
  async check(
    range: Range | "all",
    { texts, ...options }: Omit<CheckOptions, "memory"> & { readonly texts: Overlay },
  ): Promise<SessionReport> {
    const project = await this.#withTexts(texts);
    const outcome = this.#thread
      ? await this.#thread.check({ range, texts: [...texts] }, options)
      : await check(project, range, { memory: this.#memory, ...options });
    return { project, outcome };
  }

  /** The claims of one page of the project with these texts; null where it claims nothing about today. */
  async claims(
    path: string,
    { texts, signal }: { readonly texts: Overlay; readonly signal?: AbortSignal },
  ): Promise<Outcome<ReportedPage | null>> {
    const options = signal ? { signal } : {};
    return this.#thread
      ? this.#thread.claims({ path, texts: [...texts] }, options)
      : readPageClaims(await this.#withTexts(texts), path, options);
  }

  /** Ends the thread. The project stays open. */
  async close(): Promise<void> {
    await this.#thread?.close();
  }

  async #withTexts(texts: Overlay): Promise<Project> {
    const sides = this.#sides();
    return sides === null ? this.project : { ...this.project, ...(await overlay(sides, texts)) };
  }

  #sides(): RepositorySides | null {
    const { git, reader } = this.project;
    if (git === null || reader === null) return null;
    return { git: rememberGit(git, this.#answers), reader: { ...reader, read: this.#readOnce(reader) } };
  }

  #readOnce(reader: Reader): Reader["read"] {
    return (path, options) => {
      if (options?.strayBytes) return reader.read(path, options);
      const known = this.#read.get(path) ?? reader.read(path);
      this.#read.set(path, known);
      return known;
    };
  }
}

/** The result of a check, and the project with the unsaved texts that was checked. */
export type SessionReport = { readonly outcome: Outcome<CheckReport>; readonly project: Project };
