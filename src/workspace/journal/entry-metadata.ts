import type { Edit } from "../../text/model/edit.ts";
import type { Request } from "../commit/commit.ts";
import type { Balance } from "./checkpoint.ts";
import type { Durability, Entry, RecordedEdit } from "./entries.ts";

/** Something true about a commit that its author should hear. */
export type Notice =
  | { readonly notice: "replayed" }
  | { readonly notice: "rebased"; readonly path: string; readonly over: readonly string[] }
  | { readonly notice: "quota"; readonly used: number; readonly limit: number }
  | { readonly notice: "outside-change"; readonly path: string; readonly kept: string }
  | { readonly notice: "durability"; readonly limit: Durability["limits"][number] };

/** Who writes, and why. */
type Who = {
  readonly author: string;
  readonly task?: string;
  readonly run?: string;
  readonly reason?: string;
  readonly idempotencyKey?: string;
};

export function noticesOf(
  { durability }: Entry,
  { used }: Balance,
  quota: number,
  outside: readonly { readonly path: string; readonly kept: string }[],
): Notice[] {
  return [
    ...outside.map(({ path, kept }): Notice => ({ notice: "outside-change", path, kept })),
    ...(durability.level === "full"
      ? durability.limits.map((limit): Notice => ({ notice: "durability", limit }))
      : []),
    ...(used > quota / 2 ? [{ notice: "quota", used, limit: quota } as const] : []),
  ];
}

type About = Request["about"];

export function aboutOf(
  time: string,
  kind: About["kind"],
  { author, task, run, reason, idempotencyKey }: Who,
  edits: readonly Edit[],
): About {
  const reasons = [...new Set(edits.map((edit) => edit.reason).filter((one) => one !== ""))];
  return {
    time,
    kind,
    author,
    ...(task === undefined ? {} : { task }),
    ...(run === undefined ? {} : { run }),
    reason: reason ?? reasons.join("; "),
    edits: edits.map(recordEdit),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
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
