import { dataAt } from "../data/data.ts";
import { scanJson } from "../data/json.ts";
import { fieldItem, itemsOf, listItems, type Manifest } from "./item.ts";

export const composerJson: Manifest = {
  name: "composer.json",
  files: /(?:^|\/)composer\.json$/,
  namesPackages: true,
  read(text) {
    const { root } = scanJson(text);
    const required = itemsOf("dependency", dataAt(root, "require"));
    return [
      ...fieldItem("name", root, "name"),
      ...fieldItem("version", root, "version"),
      ...required.map((item) => (item.key === "php" ? { ...item, kind: "engine" as const } : item)),
      ...itemsOf("dependency", dataAt(root, "require-dev")),
      ...itemsOf("script", dataAt(root, "scripts")),
      ...listItems("bin", dataAt(root, "bin")).map((item) => ({
        ...item,
        key: item.value.replace(/^.*\//, ""),
      })),
    ];
  },
};
