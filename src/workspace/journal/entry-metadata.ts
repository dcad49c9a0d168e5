import { createRedact, secretsIn } from "../../text/match/secrets.ts";
import { defined } from "../../text/model/defined.ts";
import type { Edit } from "../../text/model/edit.ts";
import type { JournalCheckpoint } from "./checkpoint.ts";
import type { Durability, Entry, Origin, RecordedEdit } from "./entries.ts";

/** Information about a commit for its author. */
export type CommitNotice =
  | { readonly notice: "replayed" }
  | { readonly notice: "rebased"; readonly path: string; readonly over: readonly string[] }
  | { readonly notice: "quota"; readonly used: number; readonly limit: number }
  | { readonly notice: "outside-change"; readonly path: string; readonly kept: string }
  | { readonly notice: "durability"; readonly limit: Durability["limits"][number] };

/** The author of an entry, and the reason for it. */
type Author = {
  readonly author: string;
  readonly task?: string;
  readonly run?: string;
  readonly origin?: Origin;
  readonly reason?: string;
  readonly idempotencyKey?: string;
};

const longestName = 200;

export type NoticeOptions = {
  readonly checkpoint: JournalCheckpoint;
  readonly quota: number;
  readonly outside: readonly { readonly path: string; readonly kept: string }[];
};

export function noticesOf(
  { durability }: Entry,
  { checkpoint, quota, outside }: NoticeOptions,
): CommitNotice[] {
  const { used } = checkpoint;
  return [
    ...outside.map(({ path, kept }): CommitNotice => ({ notice: "outside-change", path, kept })),
    ...(durability.level === "full"
      ? durability.limits.map((limit): CommitNotice => ({ notice: "durability", limit }))
      : []),
    ...(used > quota / 2 ? [{ notice: "quota", used, limit: quota } as const] : []),
  ];
}

/** The fields of an entry that the caller decides. */
export type EntryMetadata = Omit<Entry, "id" | "state" | "files" | "durability">;

export type MetadataOptions = {
  readonly time: string;
  readonly kind: EntryMetadata["kind"];
  readonly edits?: readonly Edit[];
};

export function metadataOf(
  { author, task, run, origin = {}, reason, idempotencyKey }: Author,
  { time, kind, edits = [] }: MetadataOptions,
): EntryMetadata {
  // A model can put a secret that it has seen into a reason.
  const redact = createRedact(() => secretsIn(process.env));
  const known = Object.entries(origin).filter(([, name]) => name !== "");
  const reasons = [...new Set(edits.map((edit) => edit.reason).filter((one) => one !== ""))];
  return {
    time,
    kind,
    author: redact(author),
    ...defined({ task, run }),
    ...(known.length === 0
      ? {}
      : {
          origin: Object.fromEntries(known.map(([key, name]) => [key, redact(name.slice(0, longestName))])),
        }),
    reason: redact(reason ?? reasons.join("; ")),
    edits: edits.map((edit) => recordEdit({ ...edit, reason: redact(edit.reason) })),
    ...defined({ idempotencyKey }),
  };
}

function recordEdit({ path, target, reason, evidence }: Edit): RecordedEdit {
  const kind =
    "file" in target
      ? target.file
      : "quote" in target
        ? "quote"
        : "line" in target
          ? "line"
          : "region" in target
            ? "region"
            : "hunks";
  return { path, target: kind, reason, evidence };
}
