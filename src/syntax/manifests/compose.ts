import { type DataNode, dataAt } from "../data/data.ts";
import { scanYaml } from "../data/yaml.ts";
import { entryItem, itemOf, itemsOf, type Manifest, type ManifestItem } from "./item.ts";

export const compose: Manifest = {
  name: "compose.yaml",
  files: /(?:^|\/)(?:docker-)?compose(?:\.[\w.-]+)?\.ya?ml$/,
  demands: true,
  read: readCompose,
};

function readCompose(text: string): ManifestItem[] {
  const { root } = scanYaml(text);
  return (dataAt(root, "services")?.entries ?? []).flatMap((entry) => [
    entryItem("service", entry),
    ...itemOf("image", entry.key, dataAt(entry.node, "image")),
    ...(dataAt(entry.node, "ports")?.items ?? []).flatMap((port) => itemOf("port", port.value ?? "", port)),
    ...environment(dataAt(entry.node, "environment"), text),
  ]);
}

/** A map of names to values, or a list of `NAME=value`. */
function environment(node: DataNode | undefined, text: string): ManifestItem[] {
  if (node?.kind === "map") return itemsOf("env", node);
  return (node?.items ?? []).flatMap(({ region }) => {
    const words = text.slice(region.start, region.end);
    const equals = words.indexOf("=");
    const start = equals < 0 ? region.end : region.start + equals + 1;
    const value = equals < 0 ? "" : words.slice(equals + 1);
    return [
      {
        kind: "env",
        key: equals < 0 ? words : words.slice(0, equals),
        value,
        region: { start, end: region.end },
      },
    ];
  });
}
