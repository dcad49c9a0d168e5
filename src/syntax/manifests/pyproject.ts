import { defined } from "../../text/model/defined.ts";
import type { DataNode } from "../data/data.ts";
import { scanToml, type TomlItem } from "../data/toml-scan.ts";
import {
  itemOf,
  listItems,
  type Manifest,
  type ManifestItem,
  requirement,
  shiftItems,
  versionNode,
} from "./item.ts";
import { readTox } from "./tasks/tox.ts";

export const pyproject: Manifest = {
  name: "pyproject.toml",
  files: /(?:^|\/)pyproject\.toml$/,
  namesPackages: true,
  read(text) {
    const items = scanToml(text);
    return [
      ...items.flatMap((item) => projectItems(item, text)),
      ...firstOfEach(items.flatMap((item) => [...taskItems(item), ...toxItems(item, text)])),
    ];
  },
};

/** A task with a table of settings has an item for each setting; the first represents the task. */
function firstOfEach(items: readonly ManifestItem[]): ManifestItem[] {
  return [...new Map(items.toReversed().map((item) => [item.key, item])).values()].reverse();
}

function projectItems({ path, keyRegion, node }: TomlItem, text: string): ManifestItem[] {
  const key = path.at(-1)!;
  const table = path.slice(0, -1).join(".");
  if (table === "project" || table === "tool.poetry") {
    if (key === "name" || key === "version") return itemOf(key, key, node, keyRegion);
    if (key === "requires-python") return itemOf("engine", "python", node, keyRegion);
    if (key === "dependencies") return requirements(text, node);
  }
  if (table === "tool.poetry.dependencies")
    return itemOf(key === "python" ? "engine" : "dependency", key, versionNode(node), keyRegion);
  if (/^tool\.poetry\.group\.[^.]+\.dependencies$/.test(table))
    return itemOf("dependency", key, versionNode(node), keyRegion);
  if (/^(?:project\.(?:gui-)?scripts|tool\.poetry\.scripts)$/.test(table))
    return itemOf("bin", key, node, keyRegion);
  if (/^(?:project\.entry-points|tool\.poetry\.plugins)\./.test(table))
    return itemOf("entry-point", key, node, keyRegion);
  if (/^(?:project\.optional-dependencies|tool\.poetry\.extras|dependency-groups)$/.test(table))
    return [{ kind: "feature", key, value: "", region: node.region, keyRegion }, ...requirements(text, node)];
  if (table === "tool.uv.workspace" && key === "members") return listItems("workspace", node);
  return [];
}

function requirements(text: string, node: DataNode): ManifestItem[] {
  return (node.items ?? []).flatMap((item) => (item.kind === "scalar" ? requirement(text, item.region) : []));
}

const TASK_TABLES =
  /^tool\.(?:poe\.tasks|pdm\.scripts|taskipy\.tasks|rye\.scripts|pixi\.tasks|hatch\.envs\.[^.]+\.scripts)$/;

/** Tasks of the runners that keep them in this file: one value each, or a table of settings. */
function taskItems({ path, keyRegion, node }: TomlItem): ManifestItem[] {
  for (let at = 3; at < path.length; at++) {
    if (!TASK_TABLES.test(path.slice(0, at).join("."))) continue;
    const key = path[at]!;
    const own = at === path.length - 1;
    const { region, value = "" } = node;
    return [{ kind: "script", key, value, region, ...defined({ keyRegion: own ? keyRegion : undefined }) }];
  }
  return [];
}

function toxItems({ path, node }: TomlItem, text: string): ManifestItem[] {
  const [tool, name, key, environment] = path;
  if (tool !== "tool" || name !== "tox") return [];
  if (key === "legacy_tox_ini")
    return shiftItems(readTox(text.slice(node.region.start, node.region.end)), node.region.start);
  if (key === "env_list") return listItems("script", node);
  return key === "env" && environment !== undefined
    ? [{ kind: "script", key: environment, value: "", region: node.region }]
    : [];
}
