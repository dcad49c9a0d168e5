import type { Manifest, ManifestItem, ManifestKind } from "./item.ts";

export const dockerfile: Manifest = {
  name: "Dockerfile",
  files: /(?:^|\/)(?:[\w.-]+\.)?(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?$/i,
  demands: true,
  read: readDockerfile,
};

function readDockerfile(text: string): ManifestItem[] {
  const items: ManifestItem[] = [];
  for (const line of text.matchAll(/^[ \t]*(FROM|ENV|ARG|EXPOSE)[ \t]+([^\r\n]*)/gim)) {
    const verb = line[1]!.toUpperCase();
    const start = line.index + line[0].length - line[2]!.length;
    if (verb === "FROM")
      items.push(
        ...words(line[2]!, start)
          .filter(([word]) => !word.startsWith("--"))
          .slice(0, 1)
          .map(fromImage),
      );
    else if (verb === "EXPOSE")
      items.push(...words(line[2]!, start).map(([word, at]) => make("port", word, word, at)));
    else items.push(...assignments(verb === "ENV" ? "env" : "arg", line[2]!, start));
  }
  return items;
}

function words(line: string, start: number): [string, number][] {
  return Array.from(line.matchAll(/\S+/g), (match) => [match[0], start + match.index]);
}

/** `node:22-slim` is the image `node` at `22-slim`. */
function fromImage([word, at]: [string, number]): ManifestItem {
  const colon = word.lastIndexOf(":");
  const tagged = colon > word.lastIndexOf("/");
  return make(
    "image",
    tagged ? word.slice(0, colon) : word,
    tagged ? word.slice(colon + 1) : "",
    tagged ? at + colon + 1 : at + word.length,
  );
}

/** `KEY=value …`, or the old `KEY value`. */
function assignments(kind: ManifestKind, line: string, start: number): ManifestItem[] {
  const old = /^(\w+)[ \t]+(?!=)(\S[^\r\n]*)$/.exec(line);
  if (old && kind === "env")
    return [make(kind, old[1]!, old[2]!.trimEnd(), start + line.length - old[2]!.length)];
  return Array.from(line.matchAll(/(\w+)(?:=("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"']*))?/g), (match) => {
    const raw = match[2] ?? "";
    const quoted = raw.length > 1 && (raw[0] === '"' || raw[0] === "'");
    const value = quoted ? raw.slice(1, -1) : raw;
    return make(
      kind,
      match[1]!,
      value,
      start + match.index + match[0].length - raw.length + (quoted ? 1 : 0),
    );
  });
}

function make(kind: ManifestKind, key: string, value: string, at: number): ManifestItem {
  return { kind, key, value, region: { start: at, end: at + value.length } };
}
