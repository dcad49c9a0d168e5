import { type Outcome, refuse } from "../../text/model/outcome.ts";
import { checkWords } from "../../wording/findings.ts";
import type { CheckOptions } from "../check/check.ts";
import type { Range } from "../check/range.ts";
import type { CheckReport } from "../check/report.ts";
import type { ReportedPage } from "../claims/report.ts";
import type { Project } from "../project.ts";
import { ProgramThread, toJsonSafe } from "./program-thread.ts";

export type SessionRequest = {
  /** The folders of the project. */
  readonly root: string;
  readonly docs?: string | undefined;
  readonly only?: readonly string[] | undefined;
  /** What is asked: the check of a change or of everything, or the claims of one page. */
  readonly range: Range | "all" | { readonly claimsOf: string };
  /** Texts that are not saved, by path. */
  readonly texts: readonly (readonly [path: string, text: string])[];
  /** Whether the disk may have changed since the request before. */
  readonly forgets: boolean;
};

const programs = [
  "./check-program.ts",
  "./session-check-program.cjs",
  "./cli/session-check-program.cjs",
  "../cli/session-check-program.cjs",
].map((path) => new URL(path, import.meta.url));

const longest = 120;

/** Checks a project in a thread, so that a server answers everything else meanwhile. */
export class CheckThread {
  readonly #place: Pick<SessionRequest, "root" | "docs" | "only">;
  readonly #seconds: number;
  readonly #thread: ProgramThread<SessionRequest, Outcome<CheckReport | ReportedPage | null>>;
  #forgets = false;

  private constructor({ root, docs, only }: Project, seconds: number) {
    this.#place = { root, docs: docs?.root, only };
    this.#seconds = seconds;
    this.#thread = new ProgramThread({ programs, seconds });
  }

  /** `null` where the program of the thread is missing, as in a bundle of another program. */
  static for(project: Project, seconds = longest): CheckThread | null {
    const thread = new CheckThread(project, seconds);
    return thread.#thread.isThere ? thread : null;
  }

  forgetDisk(): void {
    this.#forgets = true;
  }

  check(
    asked: { readonly range: Range | "all" } & Pick<SessionRequest, "texts">,
    options: Pick<CheckOptions, "signal" | "onProgress"> = {},
  ): Promise<Outcome<CheckReport>> {
    return this.#ask(asked, options) as Promise<Outcome<CheckReport>>;
  }

  claims(
    { path, texts }: { readonly path: string } & Pick<SessionRequest, "texts">,
    options: Pick<CheckOptions, "signal"> = {},
  ): Promise<Outcome<ReportedPage | null>> {
    return this.#ask({ range: { claimsOf: path }, texts }, options) as Promise<Outcome<ReportedPage | null>>;
  }

  async #ask(
    asked: Pick<SessionRequest, "range" | "texts">,
    { signal, onProgress }: Pick<CheckOptions, "signal" | "onProgress">,
  ): Promise<Outcome<CheckReport | ReportedPage | null>> {
    const forgets = this.#forgets;
    this.#forgets = false;
    const request = toJsonSafe({ ...this.#place, ...asked, forgets });
    const answer = await this.#thread.call(request, { signal, onProgress });
    return answer ?? refuse({ code: "unavailable", detail: checkWords.tookTooLong(this.#seconds) });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
