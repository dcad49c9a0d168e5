import type { Manifest, ManifestItem } from "./item.ts";

/** Files that hold nothing but the version of a tool, and `.tool-versions`, which holds several by name. */
export const versionFile: Manifest = {
  name: "version file",
  files:
    /(?:^|\/)(?:\.nvmrc|\.node-version|\.python-version|\.ruby-version|\.go-version|\.tool-versions|rust-toolchain)$/,
  demands: true,
  pins: true,
  read: readVersionFile,
};

function readVersionFile(text: string, path: string): ManifestItem[] {
  const file = path.slice(path.lastIndexOf("/") + 1);
  const several = file === ".tool-versions";
  const named = NAMES.get(file) ?? file.replace(/^\.|-version$/g, "");
  const lines = text.matchAll(several ? /^([\w-]+)[ \t]+(\S+)/gm : /^()v?([\d.]+\S*|[a-z]\S*)/gm);
  return Array.from(lines, (match) => {
    const start = match.index + match[0].length - match[2]!.length;
    return {
      kind: "engine" as const,
      key: several ? match[1]! : named,
      value: match[2]!,
      region: { start, end: start + match[2]!.length },
    };
  });
}

const NAMES: ReadonlyMap<string, string> = new Map([
  [".nvmrc", "node"],
  ["rust-toolchain", "rust"],
]);
