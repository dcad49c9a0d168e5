import type { VNode } from "preact";

/** A time in the reader's locale, with the exact time as its title. */
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
