import { engine, found } from "./demands/build-tools.ts";
import type { Manifest, ManifestItem } from "./item.ts";

/** A project of .NET: its target frameworks, its name and its version. */
export const dotnetProject: Manifest = {
  name: ".NET project",
  files: /\.(?:cs|fs|vb)proj$|(?:^|\/)Directory\.Build\.props$/,
  demands: true,
  read: (text) => [
    ...readFrameworks(text),
    ...readField(text, "PackageId", "name"),
    ...readField(text, "Version", "version"),
  ],
};

function readFrameworks(text: string): ManifestItem[] {
  return found(text, /<TargetFrameworks?>([^<]*)</g, "dotnet").flatMap((item) =>
    Array.from(
      item.value.matchAll(/(?<=^|;)\s*net(?:coreapp)?(\d+\.\d+)/g),
      ({ 0: word, 1: version, index }) =>
        engine("dotnet", version!, item.region.start + index + word.length - version!.length),
    ),
  );
}

function readField(text: string, tag: string, kind: "name" | "version"): ManifestItem[] {
  return found(text, new RegExp(`<${tag}>\\s*([^<]+?)\\s*</${tag}>`, "g"), kind)
    .slice(0, 1)
    .map((item) => ({ ...item, kind }));
}
