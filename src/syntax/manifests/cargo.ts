import { scanToml } from "../data/toml-scan.ts";
import { itemOf, listItems, type Manifest, type ManifestItem, versionNode } from "./item.ts";

export const cargo: Manifest = {
  name: "Cargo.toml",
  files: /(?:^|\/)Cargo\.toml$/,
  namesPackages: true,
  read: readCargo,
};

/** The aliases of Cargo's configuration: `cargo NAME`. */
export const cargoConfig: Manifest = {
  name: ".cargo/config.toml",
  files: /(?:^|\/)\.cargo\/config(?:\.toml)?$/,
  read: (text) =>
    scanToml(text).flatMap(({ path: [table, key], keyRegion, node }): ManifestItem[] =>
      table === "alias" && key !== undefined
        ? [{ kind: "script", key, value: node.value ?? "", region: node.region, keyRegion }]
        : [],
    ),
};

function readCargo(text: string): ManifestItem[] {
  return scanToml(text).flatMap(({ path, keyRegion, node }): ManifestItem[] => {
    const key = path.at(-1)!;
    const table = path.slice(0, -1).join(".");
    if (table === "package" || table === "workspace.package") {
      if (key === "name" || key === "version") return itemOf(key, key, node, keyRegion);
      if (key === "rust-version") return itemOf("engine", "rust", node, keyRegion);
      if (key === "edition") return itemOf("engine", "edition", node, keyRegion);
    }
    if (table === "features") return [{ kind: "feature", key, value: "", region: node.region, keyRegion }];
    if (table === "bin" && key === "name") return itemOf("bin", node.value ?? "", node, node.region);
    if (table === "workspace" && key === "members") return listItems("workspace", node);
    if (/(?:^|\.)(?:dev-|build-)?dependencies$/.test(table))
      return itemOf("dependency", key, versionNode(node), keyRegion);
    return [];
  });
}
