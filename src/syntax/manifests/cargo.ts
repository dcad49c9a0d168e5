import type { DataNode } from "../data/data.ts";
import { scanToml } from "../data/toml-scan.ts";
import { itemOf, type ManifestItem } from "./item.ts";

export function readCargo(text: string): ManifestItem[] {
  return scanToml(text).flatMap(({ path, keyRegion, node }): ManifestItem[] => {
    const key = path.at(-1)!;
    const table = path.slice(0, -1).join(".");
    if (table === "package" || table === "workspace.package") {
      if (key === "name" || key === "version") return itemOf(key, key, node);
      if (key === "rust-version") return itemOf("engine", "rust", node);
      if (key === "edition") return itemOf("engine", "edition", node);
    }
    if (table === "features") return [{ kind: "feature", key, value: "", region: node.region, keyRegion }];
    if (table === "bin" && key === "name") return itemOf("bin", node.value ?? "", node);
    if (/(?:^|\.)(?:dev-|build-)?dependencies$/.test(table))
      return itemOf("dependency", key, versionOf(node), keyRegion);
    return [];
  });
}

function versionOf(node: DataNode): DataNode | undefined {
  return node.kind === "map" ? node.entries?.find(({ key }) => key === "version")?.node : node;
}
