import type { Mended } from "../forge/ci/mended.ts";
import type { Outcome } from "../text/outcome.ts";
import type { CheckReport } from "../tools/check.ts";
import type { PublicationKind } from "./publications.ts";
import type { Repository } from "./repositories.ts";

/** Edits on their way to people. */
export type Publishing = {
  readonly repository: Repository;
  readonly commit: string;
  readonly report: CheckReport;
  readonly mended: Mended;
  readonly patch: string;
  readonly request?: number;
};

/** Where edits are shown. Publishing the same edits again changes nothing: each sink looks before it adds. */
export type Sink = {
  kindFor(request: number | undefined): PublicationKind;
  publish(what: Publishing, signal: AbortSignal): Promise<Outcome<{ readonly url: string }>>;
};

/** The host wants to be left alone for a while. */
export class HostBusy extends Error {
  override readonly name = "HostBusy";
  readonly milliseconds: number;
  constructor(milliseconds: number) {
    super(`the host asks to wait ${Math.ceil(milliseconds / 1000)} seconds`);
    this.milliseconds = milliseconds;
  }
}
