import { type DataNode, dataAt } from "../../../syntax/data/data.ts";
import { scanYaml } from "../../../syntax/data/yaml.ts";
import { defined } from "../../../text/model/defined.ts";
import { CodeText, DATA_CODE } from "../read/code-text.ts";
import type { Thing } from "../thing.ts";

/** The inputs and outputs of an action, or of a workflow that others call. */
export function readInputs(path: string, text: string): Thing[] {
  if (!/^[^\S\n]*(?:inputs|outputs)\s*:/m.test(text)) return [];
  const { root } = scanYaml(text);
  const code = new CodeText(path, text, DATA_CODE);
  const holders = [root, dataAt(root, "on", "workflow_call"), dataAt(root, "on", "workflow_dispatch")];
  return holders.flatMap((holder) => [
    ...inputThings(code, dataAt(holder, "inputs"), "inputs"),
    ...inputThings(code, dataAt(holder, "outputs"), "outputs"),
  ]);
}

function inputThings(code: CodeText, node: DataNode | undefined, owner: string): Thing[] {
  return (node?.entries ?? []).map(({ key, keyRegion, node: input }) => {
    const said = (field: string) => dataAt(input, field)?.value;
    const [value, type, description] = [said("default"), said("type"), said("description")];
    const deprecated = said("deprecationMessage");
    const choices = dataAt(input, "options")?.items?.flatMap((item) => item.value ?? []);
    return code.thing({
      kind: "setting",
      name: key,
      owner: [owner],
      at: keyRegion.start,
      region: { start: keyRegion.start, end: input.region.end },
      ...defined({
        value,
        type: type || undefined,
        description: description ? description.replace(/\s+/g, " ").trim() : undefined,
        deprecated,
        choices,
      }),
    });
  });
}
