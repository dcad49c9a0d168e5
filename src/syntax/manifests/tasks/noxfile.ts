import { type Manifest, type ManifestItem, namedItem } from "../item.ts";

/** The sessions of nox: functions under `@nox.session`, by their own names or the ones the decorator gives them. */
export const noxfile: Manifest = { name: "noxfile.py", files: /(?:^|\/)noxfile\.py$/, read };

function read(text: string): ManifestItem[] {
  const items: ManifestItem[] = [];
  let inSession = false;
  let named: ManifestItem | undefined;
  const steps =
    /^@(?:nox\.)?session\b|^(?:async[ \t]+)?def[ \t]+(\w+)|\bname[ \t]*=[ \t]*["']([^"'\r\n]+)["']/gm;
  for (const match of text.matchAll(steps)) {
    if (match[1] !== undefined) {
      const start = match.index + match[0].length - match[1].length;
      if (inSession) items.push(named ?? namedItem("script", match[1], start));
      inSession = false;
      named = undefined;
    } else if (match[2] === undefined) inSession = true;
    else if (inSession)
      named ??= namedItem("script", match[2], match.index + match[0].length - 1 - match[2].length);
  }
  return items;
}
