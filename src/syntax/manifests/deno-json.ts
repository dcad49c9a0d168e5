import { dataAt } from "../data/data.ts";
import { scanJson } from "../data/json.ts";
import { fieldItem, itemsOf, listItems, type Manifest } from "./item.ts";
import { exportItems } from "./package-json.ts";

export const denoJson: Manifest = {
  name: "deno.json",
  files: /(?:^|\/)(?:deno|jsr)\.jsonc?$/,
  namesPackages: true,
  read(text) {
    const { root } = scanJson(text, { comments: true });
    return [
      ...fieldItem("name", root, "name"),
      ...fieldItem("version", root, "version"),
      ...itemsOf("script", dataAt(root, "tasks")),
      ...exportItems(dataAt(root, "exports")),
      ...itemsOf("dependency", dataAt(root, "imports")),
      ...listItems("workspace", dataAt(root, "workspace")),
    ];
  },
};
