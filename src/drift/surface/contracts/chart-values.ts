import type { DataNode } from "../../../syntax/data/data.ts";
import { scanYaml } from "../../../syntax/data/yaml.ts";
import { CodeText, DATA_CODE } from "../read/code-text.ts";
import type { Thing } from "../thing.ts";

const DEEPEST = 8;

/** The values of a Helm chart: each key with its path as the owner, and the comment above it. */
export function readChartValues(path: string, text: string): Thing[] {
  const { root } = scanYaml(text);
  return root ? entryThings(new CodeText(path, text, DATA_CODE), root, []) : [];
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
        ...(written !== undefined && written.length <= 300 && { value: written }),
        ...(description && { description }),
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
