import { type DataEntry, dataAt } from "../../data/data.ts";
import { scanYaml } from "../../data/yaml.ts";
import { entryItem, fieldItem, itemsOf, listItems, type Manifest, type ManifestItem } from "../item.ts";

/** The tasks of go-task, with their aliases; the value of a task is its description. */
export const taskfile: Manifest = {
  name: "Taskfile",
  files: /(?:^|\/)Taskfile(?:\.dist)?\.ya?ml$/i,
  read(text) {
    const { root } = scanYaml(text);
    return [
      ...(dataAt(root, "tasks")?.entries ?? []).flatMap(taskItems),
      ...itemsOf("env", dataAt(root, "env")),
    ];
  },
};

function taskItems(entry: DataEntry): ManifestItem[] {
  const [description] = fieldItem("script", entry.node, "desc", entry.key);
  return [
    description ? { ...description, keyRegion: entry.keyRegion } : entryItem("script", entry),
    ...listItems("script", dataAt(entry.node, "aliases")),
  ];
}
