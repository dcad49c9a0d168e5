import type { ManifestItem } from "./item.ts";

/** Targets of a Makefile and recipes of a justfile: what a reader is told to run. */
export function readMakefile(text: string): ManifestItem[] {
  return Array.from(
    text.matchAll(/^([A-Za-z][\w./-]*)(?:[ \t]+[\w="'-]+)*[ \t]*::?(?!=)([^\r\n]*)/gm),
    (match) => {
      const start = match.index + match[0].length - match[2]!.length;
      return {
        kind: "script" as const,
        key: match[1]!,
        value: match[2]!,
        region: { start, end: start + match[2]!.length },
        keyRegion: { start: match.index, end: match.index + match[1]!.length },
      };
    },
  );
}
