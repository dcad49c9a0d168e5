import type { Manifest, ManifestItem, ManifestKind } from "./item.ts";

const FIELD =
  /^[ \t]*\w+\.(name|version|required_ruby_version|executables|add(?:_runtime|_development)?_dependency)\b([^\r\n]*)/gm;

/** The name, version, commands and dependencies of a gem, where they are written as literals. */
export const gemspec: Manifest = {
  name: "gemspec",
  files: /\.gemspec$/,
  namesPackages: true,
  read: (text) =>
    Array.from(text.matchAll(FIELD)).flatMap((line): ManifestItem[] => {
      const strings = literals(line[2]!, line.index + line[0].length - line[2]!.length);
      const [first, ...rest] = strings;
      if (!first) return [];
      switch (line[1]) {
        case "name":
        case "version":
          return [item(line[1], line[1], first)];
        case "required_ruby_version":
          return [item("engine", "ruby", first)];
        case "executables":
          return strings.map((string) => item("bin", string.value, string));
        default:
          return [dependency(first, rest)];
      }
    }),
};

/** The gems and the version of Ruby that a Gemfile asks for. */
export const gemfile: Manifest = {
  name: "Gemfile",
  files: /(?:^|\/)(?:Gemfile|gems\.rb)$/,
  namesPackages: true,
  read: (text) =>
    Array.from(text.matchAll(/^[ \t]*(gem|ruby)\b([^\r\n]*)/gm)).flatMap((line): ManifestItem[] => {
      const [first, ...rest] = literals(line[2]!, line.index + line[0].length - line[2]!.length);
      if (!first) return [];
      return [line[1] === "ruby" ? item("engine", "ruby", first) : dependency(first, rest)];
    }),
};

type RubyString = { readonly value: string; readonly start: number };

/** Strings in quotes, and the words of `%w[…]`. */
function literals(line: string, at: number): RubyString[] {
  const words = /%w[[({]([^\])}]*)/.exec(line);
  const inside = words ? words[1]! : line;
  const from = words ? words.index + words[0].length - inside.length : 0;
  return Array.from(inside.matchAll(words ? /()(\S+)/g : /(["'])([^"'\r\n]*)\1/g), (match) => ({
    value: match[2]!,
    start: at + from + match.index + match[1]!.length,
  }));
}

function item(kind: ManifestKind, key: string, { value, start }: RubyString): ManifestItem {
  return { kind, key, value, region: { start, end: start + value.length } };
}

function dependency(name: RubyString, versions: readonly RubyString[]): ManifestItem {
  const keyRegion = { start: name.start, end: name.start + name.value.length };
  const version = versions[0] ?? { value: "", start: keyRegion.end };
  return { ...item("dependency", name.value, version), keyRegion };
}
