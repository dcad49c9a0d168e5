/** One commit of the project's past: the paths it touched. */
export type PastCommit = { readonly paths: readonly string[] };

// A commit that touches more files than this does not relate any two of them.
const LARGEST_COMMIT = 40;

/**
 * How often a page changed in the same commit as a file, from 0 to 1, by the project's own log. Used only for ranking:
 * a common commit is not evidence of drift.
 */
export function learnPriors(
  log: readonly PastCommit[],
  isPage: (path: string) => boolean,
): (page: string, files: readonly string[] | ReadonlySet<string>) => number {
  const moved = new Map<string, number>();
  const together = new Map<string, Map<string, number>>();
  for (const { paths } of log) {
    if (paths.length > LARGEST_COMMIT) continue;
    const pages = paths.filter(isPage);
    for (const file of paths) {
      if (isPage(file)) continue;
      moved.set(file, (moved.get(file) ?? 0) + 1);
      for (const page of pages) {
        const files = together.get(page) ?? new Map<string, number>();
        together.set(page, files.set(file, (files.get(file) ?? 0) + 1));
      }
    }
  }
  return (page, files) => {
    const changed = files instanceof Set ? files : new Set(files);
    let most = 0;
    // One is added, so that a file seen once does not outrank one seen often.
    for (const [file, count] of together.get(page) ?? [])
      if (changed.has(file)) most = Math.max(most, count / (moved.get(file)! + 1));
    return most;
  };
}
