import type { VNode } from "preact";

/** A moment in the reader's own words for time, and exactly where it matters. */
export function Time({ at }: { at: string }): VNode {
  const date = new Date(at);
  const shown = Number.isNaN(date.getTime())
    ? at
    : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return (
    <time dateTime={at} title={at}>
      {shown}
    </time>
  );
}
