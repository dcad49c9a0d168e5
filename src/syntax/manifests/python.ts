import type { DataNode } from "../data/data.ts";
import { scanToml } from "../data/toml-scan.ts";
import { itemOf, type ManifestItem, requirement } from "./item.ts";

export function readPyproject(text: string): ManifestItem[] {
  return scanToml(text).flatMap(({ path, keyRegion, node }) => {
    const key = path.at(-1)!;
    const table = path.slice(0, -1).join(".");
    if (table === "project" || table === "tool.poetry") {
      if (key === "name" || key === "version") return itemOf(key, key, node);
      if (key === "requires-python") return itemOf("engine", "python", node);
      if (key === "dependencies") return requirements(text, node);
    }
    if (table === "tool.poetry.dependencies")
      return itemOf(key === "python" ? "engine" : "dependency", key, versionOf(node), keyRegion);
    if (/^tool\.poetry\.group\.[^.]+\.dependencies$/.test(table))
      return itemOf("dependency", key, versionOf(node), keyRegion);
    if (/^(?:project\.(?:gui-)?scripts|tool\.poetry\.scripts)$/.test(table))
      return itemOf("bin", key, node, keyRegion);
    if (/^(?:project\.optional-dependencies|tool\.poetry\.extras|dependency-groups)$/.test(table))
      return [
        { kind: "feature", key, value: "", region: node.region, keyRegion },
        ...requirements(text, node),
      ];
    return [];
  });
}

function requirements(text: string, node: DataNode): ManifestItem[] {
  return (node.items ?? []).flatMap((item) => (item.kind === "scalar" ? requirement(text, item.region) : []));
}

/** Poetry writes `{ version = "1", extras = [] }` where more than the version is asked. */
function versionOf(node: DataNode): DataNode | undefined {
  return node.kind === "map" ? node.entries?.find(({ key }) => key === "version")?.node : node;
}

export function readSetupCfg(text: string): ManifestItem[] {
  const items: ManifestItem[] = [];
  let section = "";
  let key = "";
  for (const line of text.matchAll(/^[^\r\n]*/gm)) {
    const words = line[0];
    const header = /^\[([^\]]+)\]/.exec(words);
    const pair = /^([\w.-]+)[ \t]*[=:](.*)$/.exec(words);
    if (header) section = header[1]!;
    if (pair) key = pair[1]!;
    const value = pair ? pair[2]!.trim() : /^[ \t]/.test(words) ? words.trim() : "";
    if (value === "" || value.startsWith("#")) continue;
    const start = line.index + words.lastIndexOf(value);
    items.push(...setupItem(`${section}.${key}`, value, { start, end: start + value.length }, text));
  }
  return items;
}

function setupItem(
  path: string,
  value: string,
  region: { start: number; end: number },
  text: string,
): ManifestItem[] {
  if (path === "metadata.name") return [{ kind: "name", key: "name", value, region }];
  if (path === "metadata.version") return [{ kind: "version", key: "version", value, region }];
  if (path === "options.python_requires") return [{ kind: "engine", key: "python", value, region }];
  if (path === "options.install_requires") return requirement(text, region);
  const script =
    path === "options.entry_points.console_scripts" ? /^([\w.-]+)\s*=\s*(.*)$/.exec(value) : null;
  return script ? [{ kind: "bin", key: script[1]!, value: script[2]!, region }] : [];
}
