import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AskedFinding } from "./ask.ts";
import type { Answer } from "./pool.ts";

export type Judgement = "right" | "trivial" | "wrong";

/** A reader's verdict on one cause, with page and code open. */
export type Label = {
  readonly repo: string;
  readonly commit: string;
  readonly kind: string;
  /** The names that the finding is about, as `causeOf` prints them. */
  readonly cause: string;
  /** Where it was read; a label that has it also judges another cause on the same line. */
  readonly page?: string;
  readonly startLine?: number;
  readonly verdict: Judgement;
  readonly edit: "right" | "wrong" | "none";
  readonly reason: string;
};

/**
 * The normalised cause of a finding: the names that its message quotes, without the place. It outlives a rewording of
 * the message and a shift of the evidence.
 */
export function causeOf({ message }: { readonly message: string }): string {
  const quoted = [...message.matchAll(/`([^`]*)`/g)].map(([, name]) => name!.trim());
  return quoted.length > 0 ? quoted.join(" | ") : message.replace(/ \([^()]*:\d+\)\.?$/, "").trim();
}

/** A label, and how it was found; a label found by name or line may be about another cause. */
export type Joined = { readonly label: Label; readonly by: "cause" | "name" | "place" };

/** Labels found by commit and cause; a later label takes the place of an earlier one. */
export class Labels {
  readonly #byCause = new Map<string, Label>();
  readonly #byName = new Map<string, Label>();
  readonly #byPlace = new Map<string, Label>();

  constructor(labels: readonly Label[]) {
    for (const label of labels) this.#add(label);
  }

  /** The label of a finding: of its cause, else of the same first name, else of the same line. */
  find({ repo, commit }: Answer, finding: AskedFinding): Joined | null {
    const at = `${repo} ${commit}`;
    const cause = causeOf(finding);
    const byCause =
      this.#byCause.get(`${at} ${finding.kind} ${cause}`) ?? this.#byCause.get(`${at} ${cause}`);
    if (byCause) return { label: byCause, by: "cause" };
    const byName = this.#byName.get(`${at} ${firstName(cause)}`);
    if (byName) return { label: byName, by: "name" };
    const byPlace = this.#byPlace.get(`${at} ${finding.path}:${finding.startLine}`);
    return byPlace ? { label: byPlace, by: "place" } : null;
  }

  #add(label: Label): void {
    const at = `${label.repo} ${label.commit}`;
    this.#byCause.set(`${at} ${label.kind} ${label.cause}`, label);
    this.#byCause.set(`${at} ${label.cause}`, label);
    this.#byName.set(`${at} ${firstName(label.cause)}`, label);
    if (label.page !== undefined) this.#byPlace.set(`${at} ${label.page}:${label.startLine}`, label);
  }
}

/** The labels of a seed file and of a folder; where both judge a cause, the folder's counts. */
export function loadLabels(seed: string, folder: string): Labels {
  const own = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".jsonl")) : [];
  const files = [...(existsSync(seed) ? [seed] : []), ...own.sort().map((name) => join(folder, name))];
  return new Labels(files.flatMap(readLabels));
}

/** What a reader thought of a hunk of the benchmark set: whether the page was false without it. */
export type HunkVerdict = "false" | "valid" | "wording" | "capture" | "other";

/** The verdicts on the hunks of each case, by their position. */
export function loadHunkLabels(path: string): Map<string, Map<number, HunkVerdict>> {
  const rows = existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
  const byCase = new Map<string, Map<number, HunkVerdict>>();
  for (const line of rows) {
    const row = JSON.parse(line) as { case: string; hunk: number; verdict: HunkVerdict };
    const own = byCase.get(row.case) ?? new Map<number, HunkVerdict>();
    byCase.set(row.case, own.set(row.hunk, row.verdict));
  }
  return byCase;
}

type Row = Omit<Label, "cause"> & { readonly cause?: string; readonly message?: string };

/** One label on each line; a line without a cause has the message that it judges. */
function readLabels(path: string): Label[] {
  const rows = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return rows.map((line) => {
    const row = JSON.parse(line) as Row;
    return { ...row, cause: row.cause ?? causeOf({ message: row.message ?? "" }) };
  });
}

function firstName(cause: string): string {
  return cause.split(" | ")[0]!;
}
