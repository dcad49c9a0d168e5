import { dataAt } from "../data/data.ts";
import { scanYaml } from "../data/yaml.ts";
import { listItems, type Manifest } from "./item.ts";

/** The folders whose packages belong to the workspace. */
export const pnpmWorkspace: Manifest = {
  name: "pnpm-workspace.yaml",
  files: /(?:^|\/)pnpm-workspace\.ya?ml$/,
  read: (text) => listItems("workspace", dataAt(scanYaml(text).root, "packages")),
};
