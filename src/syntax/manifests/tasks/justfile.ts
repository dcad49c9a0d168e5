import type { Manifest } from "../item.ts";

// A parameter may have a default in quotes; a colon that is not followed by an equals sign ends the header.
const RECIPE =
  /^(?:\ufeff)?@?([A-Za-z][\w-]*)((?:[ \t]+[*+$]*[\w-]+(?:=(?:"[^"\r\n]*"|'[^'\r\n]*'|`[^`\r\n]*`|[^\s:"'`]+))?)*)[ \t]*:(?!=)|^alias[ \t]+([\w-]+)[ \t]*:=[ \t]*([\w:-]+)/gm;

/** The recipes and aliases of a justfile; the value of a recipe is its parameters, of an alias its recipe. */
export const justfile: Manifest = {
  name: "justfile",
  files: /(?:^|\/)\.?justfile$|\.just$/i,
  read: (text) =>
    Array.from(text.matchAll(RECIPE), (match) => {
      const key = match[1] ?? match[3]!;
      const value = (match[2] ?? match[4]!).trim();
      const keyStart = match.index + match[0].indexOf(key, match[3] === undefined ? 0 : "alias".length);
      const start = match.index + match[0].indexOf(value, keyStart - match.index + key.length);
      return {
        kind: "script",
        key,
        value,
        region: { start, end: start + value.length },
        keyRegion: { start: keyStart, end: keyStart + key.length },
      };
    }),
};
