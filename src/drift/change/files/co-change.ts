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
): (page: string, files: readonly string[]) => number {
  const moved = new Map<string, number>();
  const together = new Map<string, number>();
  for (const { paths } of log) {
    if (paths.length > LARGEST_COMMIT) continue;
    const pages = paths.filter(isPage);
    for (const file of paths) {
      if (isPage(file)) continue;
      moved.set(file, (moved.get(file) ?? 0) + 1);
      for (const page of pages) together.set(`${file}\0${page}`, (together.get(`${file}\0${page}`) ?? 0) + 1);
    }
  }
  // One is added below, so that a file seen once does not outrank one seen often.
  return (page, files) =>
    Math.max(
      0,
      ...files.map((file) => (together.get(`${file}\0${page}`) ?? 0) / ((moved.get(file) ?? 0) + 1)),
    );
}
