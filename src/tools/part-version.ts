const mark = "+part";

/** Marks the version of a file of which only a part was shown. It is valid for edits, not for replacing the file. */
export function markPart(version: string): string {
  return version + mark;
}

export function isPart(version: string | undefined): boolean {
  return version?.endsWith(mark) ?? false;
}

export function unmarked(version: string): string {
  return isPart(version) ? version.slice(0, -mark.length) : version;
}

/** A version by as many digits as `base_version` needs, with its mark. */
export function shortMark(version: string): string {
  return unmarked(version).slice(0, 16) + (isPart(version) ? mark : "");
}
