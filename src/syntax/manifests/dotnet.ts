import type { Manifest, ManifestItem } from "./item.ts";

/** A project of .NET: its frameworks, its name and its version. */
export const dotnetProject: Manifest = {
  name: ".NET project",
  files: /\.(?:cs|fs|vb)proj$|(?:^|\/)Directory\.Build\.props$/,
  demands: true,
  read: (text) => [
    ...fieldsOf(text, /<TargetFrameworks?>([^<]*)</g, "engine", "dotnet").flatMap(frameworksOf),
    ...fieldsOf(text, /<PackageId>\s*([^<\s]+)/g, "name", "name"),
    ...fieldsOf(text, /<Version>\s*([^<\s]+)/g, "version", "version"),
    ...fieldsOf(text, /<(?:AssemblyName|ToolCommandName)>\s*([^<\s]+)/g, "bin", "").map((item) => ({
      ...item,
      key: item.value,
    })),
  ],
};

function fieldsOf(text: string, tag: RegExp, kind: ManifestItem["kind"], key: string): ManifestItem[] {
  return Array.from(text.matchAll(tag), (match) => {
    const end = match.index + match[0].length - (kind === "engine" ? 1 : 0);
    return { kind, key, value: match[1]!, region: { start: end - match[1]!.length, end } };
  });
}

/** `net6.0;net8.0` are two frameworks; the standard library and the old framework of Windows are none of them. */
function frameworksOf(item: ManifestItem): ManifestItem[] {
  const versions = item.value.matchAll(/(?<=^|;)\s*net(?:coreapp)?(\d+\.\d+)/g);
  return Array.from(versions, ({ 0: word, 1: version = "", index }) => {
    const end = item.region.start + index + word.length;
    return { ...item, value: version, region: { start: end - version.length, end } };
  });
}
