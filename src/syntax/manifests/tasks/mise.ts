import { scanToml } from "../../data/toml-scan.ts";
import { type Manifest, type ManifestItem, namedItem } from "../item.ts";

/** The tasks and variables of mise. */
export const mise: Manifest = {
  name: "mise.toml",
  files: /(?:^|\/)\.?mise(?:\.[\w-]+)?\.toml$/,
  read: (text) => {
    const items = scanToml(text).flatMap(({ path: [table, key], keyRegion, node }): ManifestItem[] => {
      if (key === undefined) return [];
      if (table === "env")
        return [{ kind: "env", key, value: node.value ?? "", region: node.region, keyRegion }];
      return table === "tasks" ? [namedItem("script", key, keyRegion.start)] : [];
    });
    return [...new Map(items.map((item) => [`${item.kind} ${item.key}`, item])).values()];
  },
};
