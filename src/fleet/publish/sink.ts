import type { CheckReport } from "../../docs/check/report.ts";
import type { FixedPages } from "../../docs/fix/fix-commit.ts";
import type { Outcome } from "../../text/model/outcome.ts";
import type { PublicationKind } from "../store/publications.ts";
import type { Repository } from "../store/repositories.ts";

/** Edits on their way to people. */
export type Publishing = {
  readonly repository: Repository;
  readonly commit: string;
  readonly report: CheckReport;
  readonly mended: FixedPages;
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
