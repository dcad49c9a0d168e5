import { type DataEntry, type DataNode, dataAt } from "../data/data.ts";
import { scanYaml } from "../data/yaml.ts";
import { entryItem, itemOf, itemsOf, type Manifest, type ManifestItem, type ManifestKind } from "./item.ts";

/** An action's inputs with their defaults, its outputs, and the engine it runs on. */
export const githubAction: Manifest = {
  name: "action.yml",
  files: /(?:^|\/)action\.ya?ml$/,
  read: readGitHubAction,
};

function readGitHubAction(text: string): ManifestItem[] {
  const { root } = scanYaml(text);
  return [
    ...itemOf("name", "name", dataAt(root, "name")),
    ...described("input", dataAt(root, "inputs")),
    ...described("output", dataAt(root, "outputs")),
    ...itemOf("engine", "using", dataAt(root, "runs", "using")),
  ];
}

/** A workflow's inputs and outputs when called, its environment, and the actions and versions it pins. */
export const githubWorkflow: Manifest = {
  name: "GitHub workflow",
  files: /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/,
  read: readGitHubWorkflow,
};

function readGitHubWorkflow(text: string): ManifestItem[] {
  const { root } = scanYaml(text);
  const triggers = ["workflow_call", "workflow_dispatch"].map((name) => dataAt(root, "on", name));
  return [
    ...itemOf("name", "name", dataAt(root, "name")),
    ...triggers.flatMap((trigger) => [
      ...described("input", dataAt(trigger, "inputs")),
      ...described("output", dataAt(trigger, "outputs")),
    ]),
    ...itemsOf("env", dataAt(root, "env")),
    ...(dataAt(root, "jobs")?.entries ?? []).flatMap(jobItems),
  ];
}

/** The value of an input is its default. */
function described(kind: ManifestKind, node: DataNode | undefined): ManifestItem[] {
  return (node?.entries ?? []).flatMap((entry) => {
    const fallback = dataAt(entry.node, "default");
    return fallback
      ? itemOf(kind, entry.key, fallback, entry.keyRegion)
      : [{ ...entryItem(kind, entry), value: "" }];
  });
}

function jobItems({ node }: DataEntry): ManifestItem[] {
  return (dataAt(node, "steps")?.items ?? []).flatMap((step) => {
    const uses = dataAt(step, "uses");
    const [action, version] = uses?.value?.split("@") ?? [];
    const engines = (dataAt(step, "with")?.entries ?? []).filter(({ key }) => key.endsWith("-version"));
    const pin =
      uses && action && version
        ? [
            {
              kind: "dependency" as const,
              key: action,
              value: version,
              region: { start: uses.region.end - version.length, end: uses.region.end },
            },
          ]
        : [];
    return [
      ...pin,
      ...engines.map((entry) => ({ ...entryItem("engine", entry), key: entry.key.replace(/-version$/, "") })),
    ];
  });
}
