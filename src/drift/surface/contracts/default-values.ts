import type { DataNode } from "../../../syntax/data/data.ts";
import { scanIni } from "../../../syntax/data/ini.ts";
import { scanToml } from "../../../syntax/data/toml-scan.ts";
import { scanYaml } from "../../../syntax/data/yaml.ts";
import { defined } from "../../../text/model/defined.ts";
import type { Region } from "../../../text/model/region.ts";
import { CodeText, DATA_CODE } from "../read/code-text.ts";
import type { Thing } from "../thing.ts";

const DEEPEST = 8;

/** Files of values that a user overrides: those of a Helm chart, and the defaults that a program ships. */
export const DEFAULT_VALUES = new RegExp(
  [
    /(?:^|\/)values\.ya?ml$/,
    /(?:^|\/)config\/default\.(?:ya?ml|toml)$/,
    /(?:defaults|default[-_](?:config|settings|values))\.(?:ya?ml|toml|cfg|ini)$/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** The values of such a file: each key with its path as the owner, and the comment above it. */
export function readDefaultValues(path: string, text: string): Thing[] {
  const code = new CodeText(path, text, DATA_CODE);
  if (/\.(?:cfg|ini)$/.test(path))
    return scanIni(text).items.map(({ section, key, ...item }) =>
      flatThing(code, [...(section ? [section] : []), key], item),
    );
  if (path.endsWith(".toml"))
    return scanToml(text).map(({ path: keys, keyRegion, node: { value, region } }) =>
      flatThing(code, keys, { keyRegion, value, region }),
    );
  const { root } = scanYaml(text);
  return root ? entryThings(code, root, []) : [];
}

type FlatItem = { readonly keyRegion: Region; readonly region: Region; readonly value?: string | undefined };

function flatThing(code: CodeText, path: readonly string[], { keyRegion, region, value }: FlatItem): Thing {
  const description = commentAbove(code.text, keyRegion.start);
  return code.thing({
    kind: "setting",
    name: path.at(-1)!,
    owner: path.slice(0, -1),
    at: keyRegion.start,
    region: { start: keyRegion.start, end: region.end },
    ...defined({
      value: value !== undefined && value.length <= 300 ? value : undefined,
      description: description || undefined,
    }),
  });
}

function entryThings(code: CodeText, node: DataNode, owner: readonly string[]): Thing[] {
  if (owner.length > DEEPEST) return [];
  return (node.entries ?? []).flatMap(({ key, keyRegion, node: held }) => {
    const written =
      held.value ?? (held.kind === "list" ? code.text.slice(held.region.start, held.region.end) : undefined);
    const description = commentAbove(code.text, keyRegion.start);
    return [
      code.thing({
        kind: "setting",
        name: key,
        owner,
        at: keyRegion.start,
        region: { start: keyRegion.start, end: held.region.end },
        ...defined({
          value: written !== undefined && written.length <= 300 ? written : undefined,
          description: description || undefined,
        }),
      }),
      ...(held.kind === "map" ? entryThings(code, held, [...owner, key]) : []),
    ];
  });
}

/** `# -- The port` directly above a key. */
function commentAbove(text: string, at: number): string | undefined {
  const lines = text
    .slice(Math.max(0, at - 1000), at)
    .split("\n")
    .slice(0, -1);
  const first = lines.findLastIndex((line) => !/^\s*#/.test(line)) + 1;
  const words = lines.slice(first).map((line) => line.replace(/^\s*#+\s*(?:--\s*)?/, "").trim());
  return words.join(" ").trim() || undefined;
}
