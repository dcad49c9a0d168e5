import type { Manifest, ManifestItem } from "../item.ts";

/**
 * The targets of a Makefile or of a file that one includes, and the variables that a caller may set. The value of a
 * target is the list of its prerequisites.
 */
export const makefile: Manifest = {
  name: "Makefile",
  files: /(?:^|\/)(?:(?:GNU)?makefile(?:\.[\w-]+)?|[^/]+\.mk)$/i,
  read: (text) => [...readTargets(text), ...readVariables(text)],
};

const TARGETS = /^([A-Za-z][\w./-]*(?:[ \t]+[\w./="'-]+)*)[ \t]*::?(?!=)([^\r\n]*)/gm;

function readTargets(text: string): ManifestItem[] {
  return Array.from(text.matchAll(TARGETS)).flatMap((match) => {
    const start = match.index + match[0].length - match[2]!.length;
    const region = { start, end: start + match[2]!.length };
    return Array.from(
      match[1]!.matchAll(/(?<!\S)[A-Za-z][\w./-]*(?!\S)/g),
      ({ 0: key, index }): ManifestItem => {
        const at = match.index + index;
        return {
          kind: "script",
          key,
          value: match[2]!,
          region,
          keyRegion: { start: at, end: at + key.length },
        };
      },
    );
  });
}

/** `PORT ?= 3000`: a value that the environment of the caller replaces. */
function readVariables(text: string): ManifestItem[] {
  return Array.from(
    text.matchAll(/^([A-Z][A-Z0-9_]*)[ \t]*\?=[ \t]*([^\r\n#]*?)[ \t]*$/gm),
    (match): ManifestItem => {
      const start = match.index + match[0].trimEnd().length - match[2]!.length;
      const keyRegion = { start: match.index, end: match.index + match[1]!.length };
      const region = { start, end: start + match[2]!.length };
      return { kind: "env", key: match[1]!, value: match[2]!, region, keyRegion };
    },
  );
}
