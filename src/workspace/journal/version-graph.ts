import { type IndexLine, shortVersion } from "./journal-index.ts";
import type { TransactionLog } from "./transaction-log.ts";
import { type DirectedStep, versionAfter } from "./versions.ts";

/** Entries lead from version to version. A route leads from bytes that are there to a wanted version. */
export type Route = { readonly bytes: Uint8Array; readonly steps: readonly DirectedStep[] };

export type RouteSource = {
  /** The transaction log of an entry. */
  readonly read: (number: number) => Promise<TransactionLog | null>;
  /** The saved copy of a version, if it is sound. */
  readonly copy: (version: string) => Promise<Uint8Array | null>;
};

const mostVersions = 10_000;

type Edge = { readonly number: number; readonly path: string; readonly toward: "before" | "after" };

/** The shortest route to a version over all entries and files; `null` where there is none. */
export async function findRoute(
  lines: readonly IndexLine[],
  version: string,
  source: RouteSource,
): Promise<Route | null> {
  const edges = edgesInto(lines);
  const seen = new Set([version]);
  let front: { readonly version: string; readonly steps: readonly DirectedStep[] }[] = [
    { version, steps: [] },
  ];
  while (front.length > 0 && seen.size < mostVersions) {
    const next: typeof front = [];
    for (const { version: reached, steps } of front) {
      const bytes = await source.copy(reached);
      if (bytes) return { bytes, steps };
      for (const edge of edges.get(shortVersion(reached)) ?? []) {
        const step = await stepOf(edge, reached, source);
        const other =
          step && versionAfter({ ...step, toward: edge.toward === "before" ? "after" : "before" });
        if (!step || !other || seen.has(other)) continue;
        seen.add(other);
        next.push({ version: other, steps: [step, ...steps] });
      }
    }
    front = next;
  }
  return null;
}

/** The entries that lead to each version: forward to the version they wrote, backward to the one they found. */
function edgesInto(lines: readonly IndexLine[]): ReadonlyMap<string, readonly Edge[]> {
  const edges = new Map<string, Edge[]>();
  const add = (version: string, edge: Edge): void => {
    const known = edges.get(version);
    if (known) known.push(edge);
    else edges.set(version, [edge]);
  };
  for (const { number, files, state } of lines)
    for (const { path, before, after } of state === "committed" ? files : []) {
      if (before === null || after === null) continue;
      add(before, { number, path, toward: "before" });
      add(after, { number, path, toward: "after" });
    }
  return edges;
}

async function stepOf(
  { number, path, toward }: Edge,
  version: string,
  { read }: RouteSource,
): Promise<DirectedStep | null> {
  const log = await read(number);
  const index = log?.intent?.files.findIndex((file) => file.path === path && file.from === undefined) ?? -1;
  return log && index >= 0 && versionAfter({ log, index, toward }) === version
    ? { log, index, toward }
    : null;
}
