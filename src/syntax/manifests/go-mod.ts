import type { Manifest, ManifestItem } from "./item.ts";

export const goMod: Manifest = {
  name: "go.mod",
  files: /(?:^|\/)go\.mod$/,
  namesPackages: true,
  read: readGoMod,
};

/** The modules of a Go workspace. */
export const goWork: Manifest = { name: "go.work", files: /(?:^|\/)go\.work$/, read: readGoMod };

function readGoMod(text: string): ManifestItem[] {
  const items: ManifestItem[] = [];
  let block = "";
  for (const line of text.matchAll(/^[^\r\n]*/gm)) {
    const words = line[0].replace(/\/\/.*$/, "").trimEnd();
    const opening = /^(\w+)[ \t]*\($/.exec(words);
    if (opening) block = opening[1]!;
    else if (words.trim() === ")") block = "";
    else {
      const [first = "", second = "", third] = words.trim().split(/[ \t]+/);
      const [verb, name, version] = block ? [block, first, second] : [first, second, third];
      const item = itemOfLine(verb, name, version);
      if (!item) continue;
      const start = line.index + words.lastIndexOf(item.value);
      items.push({ ...item, region: { start, end: start + item.value.length } });
    }
  }
  return items;
}

function itemOfLine(
  verb: string,
  name: string,
  version: string | undefined,
): Omit<ManifestItem, "region"> | undefined {
  if (verb === "module" && name) return { kind: "name", key: "module", value: name };
  if (verb === "go" && name) return { kind: "engine", key: "go", value: name };
  if (verb === "toolchain" && name) return { kind: "engine", key: "toolchain", value: name };
  if (verb === "use" && name) return { kind: "workspace", key: name, value: name };
  return verb === "require" && version ? { kind: "dependency", key: name, value: version } : undefined;
}
