import type { Manifest } from "../item.ts";

/** The targets of a Makefile; the value of a target is the list of its prerequisites. */
export const makefile: Manifest = {
  name: "Makefile",
  files: /(?:^|\/)(?:GNU)?makefile$/i,
  read: (text) =>
    Array.from(
      text.matchAll(/^([A-Za-z][\w./-]*)(?:[ \t]+[\w="'-]+)*[ \t]*::?(?!=)([^\r\n]*)/gm),
      (match) => {
        const start = match.index + match[0].length - match[2]!.length;
        return {
          kind: "script",
          key: match[1]!,
          value: match[2]!,
          region: { start, end: start + match[2]!.length },
          keyRegion: { start: match.index, end: match.index + match[1]!.length },
        };
      },
    ),
};
