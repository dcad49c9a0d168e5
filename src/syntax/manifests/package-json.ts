import { type DataNode, dataAt } from "../data/data.ts";
import { scanJson } from "../data/json.ts";
import {
  entryItem,
  fieldItem,
  itemOf,
  itemsOf,
  listItems,
  type Manifest,
  type ManifestItem,
} from "./item.ts";

export const packageJson: Manifest = {
  name: "package.json",
  files: /(?:^|\/)package\.json$/,
  namesPackages: true,
  read(text) {
    const { root } = scanJson(text);
    const workspaces = dataAt(root, "workspaces");
    return [
      ...fieldItem("name", root, "name"),
      ...fieldItem("version", root, "version"),
      ...fieldItem("engine", root, "packageManager"),
      ...itemsOf("engine", dataAt(root, "engines")),
      ...binItems(dataAt(root, "bin"), dataAt(root, "name")?.value ?? ""),
      ...itemsOf("script", dataAt(root, "scripts")),
      ...exportItems(dataAt(root, "exports")),
      ...["dependencies", "peerDependencies", "optionalDependencies", "devDependencies"].flatMap((field) =>
        itemsOf("dependency", dataAt(root, field)),
      ),
      ...listItems("workspace", workspaces?.kind === "map" ? dataAt(workspaces, "packages") : workspaces),
    ];
  },
};

/** A command without a name of its own has the package's, without its scope. */
function binItems(node: DataNode | undefined, name: string): ManifestItem[] {
  return node?.kind === "scalar" ? itemOf("bin", name.replace(/^@[^/]*\//, ""), node) : itemsOf("bin", node);
}

/** Subpaths of the package; conditions at the top mean that there is only the main one. */
export function exportItems(node: DataNode | undefined): ManifestItem[] {
  if (node?.kind === "scalar") return itemOf("export", ".", node);
  return (node?.entries ?? [])
    .filter(({ key }) => key.startsWith("."))
    .map((entry) => entryItem("export", entry));
}
