import { defined } from "../../../text/model/defined.ts";
import type { Manifest, ManifestItem } from "../item.ts";

/** The tasks of a Rakefile and of `x/tasks.rb`, which users of a gem take in, with the namespaces they are in: `db:migrate`. */
export const rakefile: Manifest = {
  name: "Rakefile",
  files: /(?:^|\/)(?:Rakefile|tasks\.rb|tasks\/[^/]+\.rb)$|\.rake$/i,
  read,
};

const STEP =
  /^([ \t]*)(?:(end)\b|(namespace|task|multitask)[ \t]*\(?[ \t]*(?::?["']([\w:-]+)["']|:(\w+)|(\w+):))/gm;

function read(text: string): ManifestItem[] {
  const items: ManifestItem[] = [];
  // The namespaces that are open, by the indentation of the lines that opened them.
  const open: { readonly indent: string; readonly name: string }[] = [];
  for (const match of text.matchAll(STEP)) {
    const [, indent = "", end, verb] = match;
    if (end) {
      if (open.at(-1)?.indent === indent) open.pop();
      continue;
    }
    const name = (match[4] ?? match[5] ?? match[6])!;
    if (verb === "namespace") open.push({ indent, name });
    else {
      const start = match.index + match[0].lastIndexOf(name);
      const region = { start, end: start + name.length };
      const key = [...open.map((each) => each.name), name].join(":");
      items.push({
        kind: "script",
        key,
        value: name,
        region,
        ...defined({ keyRegion: open.length === 0 ? region : undefined }),
      });
    }
  }
  return items;
}
