import type { Manifest, ManifestItem, ManifestKind } from "./item.ts";

/** A project of .NET: its framework, its name and its version. */
export const dotnetProject: Manifest = {
  name: ".NET project",
  files: /\.(?:cs|fs|vb)proj$/,
  read: readProject,
};

const FIELDS: readonly (readonly [tag: string, kind: ManifestKind, key: string])[] = [
  ["TargetFramework", "engine", "dotnet"],
  ["TargetFrameworks", "engine", "dotnet"],
  ["PackageId", "name", "name"],
  ["Version", "version", "version"],
];

function readProject(text: string): ManifestItem[] {
  return FIELDS.flatMap(([tag, kind, key]) => {
    const pattern = new RegExp(`(<${tag}>\\s*(?:net(?=\\d)|netcoreapp)?)([^<;]+?)\\s*(?:;[^<]*)?</${tag}>`);
    const [whole = "", before = "", value = ""] = pattern.exec(text) ?? [];
    if (value === "") return [];
    const start = text.indexOf(whole) + before.length;
    return [{ kind, key, value, region: { start, end: start + value.length } }];
  });
}
