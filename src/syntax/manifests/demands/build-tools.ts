import type { Manifest, ManifestItem } from "../item.ts";

/** The Java that a Maven build compiles for. */
export const maven: Manifest = {
  name: "pom.xml",
  files: /(?:^|\/)pom\.xml$/,
  demands: true,
  read: (text) => found(text, /<(?:maven\.compiler\.(?:release|source)|java\.version)>\s*([\d.]+)/g, "java"),
};

export const cmake: Manifest = {
  name: "CMakeLists.txt",
  files: /(?:^|\/)CMakeLists\.txt$/,
  demands: true,
  read: (text) => found(text, /^[ \t]*cmake_minimum_required\s*\(\s*VERSION\s+([\d.]*\d)/gim, "cmake"),
};

export const mix: Manifest = {
  name: "mix.exs",
  files: /(?:^|\/)mix\.exs$/,
  demands: true,
  read: (text) => found(text, /^[^#\n]*\belixir:\s*"([^"]+)"/gm, "elixir"),
};

export const terraform: Manifest = {
  name: "versions.tf",
  files: /(?:^|\/)(?:versions?|main|terraform|providers?)\.tf$/,
  demands: true,
  read: (text) => found(text, /^[ \t]*required_version\s*=\s*"([^"]+)"/gm, "terraform"),
};

/** The Java that a Gradle build compiles for. */
export function readGradleJava(text: string): ManifestItem[] {
  const forms = [
    /\bJavaLanguageVersion\.of\(\s*(\d+)/g,
    /\b(?:source|target)Compatibility\s*=?\s*["']?([\d.]+)/g,
    /\bJavaVersion\.VERSION_(?:1_)?(\d+)/g,
    /\bjvmToolchain\(\s*(\d+)/g,
  ];
  return forms.flatMap((form) => found(text, form, "java"));
}

function found(text: string, pattern: RegExp, key: string): ManifestItem[] {
  return Array.from(text.matchAll(pattern), (match) =>
    engine(key, match[1]!, match.index + match[0].lastIndexOf(match[1]!)),
  );
}

function engine(key: string, value: string, start: number): ManifestItem {
  return { kind: "engine", key, value, region: { start, end: start + value.length } };
}
