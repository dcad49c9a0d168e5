import type { Manifest, ManifestItem } from "./item.ts";

/** `NAME=value` lines; a name in a comment is documented too. */
export const envFile: Manifest = {
  name: ".env.example",
  files: /(?:^|\/)\.env\.(?:example|sample|template|dist|defaults)$|(?:^|\/)(?:example|sample)\.env$/,
  read: readEnvFile,
};

function readEnvFile(text: string): ManifestItem[] {
  return Array.from(
    text.matchAll(/^[ \t]*(?:#[ \t]*)?(?:export[ \t]+)?([A-Z][A-Z0-9_]*)=([^\r\n]*)/gm),
    (match) => {
      const raw = match[2]!;
      const quoted = /^(["'])(.*?)\1/.exec(raw);
      const value = quoted ? quoted[2]! : beforeComment(raw);
      const start = match.index + match[0].length - raw.length + (quoted ? 1 : 0);
      const keyStart = match.index + match[0].length - raw.length - 1 - match[1]!.length;
      return {
        kind: "env" as const,
        key: match[1]!,
        value,
        region: { start, end: start + value.length },
        keyRegion: { start: keyStart, end: keyStart + match[1]!.length },
      };
    },
  );
}

function beforeComment(raw: string): string {
  const comment = raw.search(/[ \t]#/);
  return (comment < 0 ? raw : raw.slice(0, comment)).trimEnd();
}
