import type { VNode } from "preact";

/** An address that names nothing, or something that this person may not see. */
export function Missing({ what }: { what: string }): VNode {
  return (
    <main class="panel">
      <h2>No such {what}</h2>
      <p class="muted">It was removed, or you may not see it.</p>
    </main>
  );
}
