import type { Outcome } from "../../text/model/outcome.ts";
import type { FileSnapshot, Reader } from "../../workspace/workspace.ts";
import { check } from "../check/check.ts";
import { CheckMemory } from "../check/memory.ts";
import type { Range } from "../check/range.ts";
import { GitAnswers, rememberGit } from "../check/remembered-git.ts";
import type { CheckReport } from "../check/report.ts";
import { openProject, type Project } from "../project.ts";
import { type Overlay, overlay, type Sides } from "./overlay.ts";

/**
 * A project that is checked again and again while people type. Unsaved texts count, and what a check has learnt is kept
 * for the next one. The answer is that of `check` on a repository where the texts are saved.
 *
 * Git and the files on disk are asked once, until `forgetDisk` says that they may have changed.
 */
export class CheckSession {
  readonly project: Project;
  readonly #answers = new GitAnswers();
  readonly #memory = new CheckMemory();
  readonly #read = new Map<string, Promise<Outcome<FileSnapshot>>>();

  constructor(project: Project) {
    this.project = project;
  }

  /** Forgets refs, the index and the work tree. What is known about blobs and commits stays true. */
  forgetDisk(): void {
    this.#answers.forget();
    this.#read.clear();
    this.#memory.texts.forgetAbsent();
  }

  async check(
    range: Range,
    { texts, signal }: { readonly texts: Overlay; readonly signal?: AbortSignal },
  ): Promise<Outcome<CheckReport>> {
    const project = await this.withTexts(texts);
    return check(project, range, { memory: this.#memory, ...(signal ? { signal } : {}) });
  }

  /** The project as it would be if these texts were saved. */
  async withTexts(texts: Overlay): Promise<Project> {
    const { project } = this;
    const sides = this.#sides();
    if (sides === null) return project;
    return { ...project, ...(await overlay(sides, texts)) };
  }

  #sides(): Sides | null {
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

/** Opens the project of a folder for checks that follow each other. */
export async function openSession(root: string): Promise<Outcome<CheckSession>> {
  const opened = await openProject({ root });
  return opened.ok ? { ok: true, value: new CheckSession(opened.value) } : opened;
}
