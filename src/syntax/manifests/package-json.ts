import { type DataNode, dataAt } from "../data/data.ts";
import { scanJson } from "../data/json.ts";
import { entryItem, itemOf, itemsOf, type ManifestItem } from "./item.ts";

export function readPackageJson(text: string): ManifestItem[] {
  const { root } = scanJson(text);
  const name = dataAt(root, "name");
  return [
    ...itemOf("name", "name", name),
    ...itemOf("version", "version", dataAt(root, "version")),
    ...itemOf("engine", "packageManager", dataAt(root, "packageManager")),
    ...itemsOf("engine", dataAt(root, "engines")),
    ...bins(dataAt(root, "bin"), name?.value ?? ""),
    ...itemsOf("script", dataAt(root, "scripts")),
    ...exportsOf(dataAt(root, "exports")),
    ...["dependencies", "peerDependencies", "optionalDependencies", "devDependencies"].flatMap((field) =>
      itemsOf("dependency", dataAt(root, field)),
    ),
  ];
}

/** A command without a name of its own has the package's, without its scope. */
function bins(node: DataNode | undefined, name: string): ManifestItem[] {
  return node?.kind === "scalar" ? itemOf("bin", name.replace(/^@[^/]*\//, ""), node) : itemsOf("bin", node);
}

/** Subpaths of the package; conditions at the top mean that there is only the main one. */
function exportsOf(node: DataNode | undefined): ManifestItem[] {
  if (node?.kind === "scalar") return itemOf("export", ".", node);
  return (node?.entries ?? [])
    .filter(({ key }) => key.startsWith("."))
    .map((entry) => entryItem("export", entry));
}

export function readDenoJson(text: string): ManifestItem[] {
  const { root } = scanJson(text, { comments: true });
  return [
    ...itemOf("name", "name", dataAt(root, "name")),
    ...itemOf("version", "version", dataAt(root, "version")),
    ...itemsOf("script", dataAt(root, "tasks")),
    ...exportsOf(dataAt(root, "exports")),
    ...itemsOf("dependency", dataAt(root, "imports")),
  ];
}

export function readComposerJson(text: string): ManifestItem[] {
  const { root } = scanJson(text);
  const required = itemsOf("dependency", dataAt(root, "require"));
  return [
    ...itemOf("name", "name", dataAt(root, "name")),
    ...itemOf("version", "version", dataAt(root, "version")),
    ...required.map((item) => (item.key === "php" ? { ...item, kind: "engine" as const } : item)),
    ...itemsOf("dependency", dataAt(root, "require-dev")),
    ...itemsOf("script", dataAt(root, "scripts")),
  ];
}
