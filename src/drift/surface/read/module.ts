import { defined } from "../../../text/model/defined.ts";
import type { Thing } from "../thing.ts";
import type { CodeText } from "./code-text.ts";
import { sketchNames } from "./sketch.ts";

/** A module of Python under the name that readers import it by. Other languages import packages, which manifests name. */
export function readModule(code: CodeText, declared: readonly Thing[]): Thing[] {
  if (!/\.pyi?$/.test(code.path)) return [];
  const parts = code.path
    .replace(/^(?:.*\/)?(?:src|lib)\//, "")
    .replace(/(?:\/__init__)?\.pyi?$/, "")
    .split("/");
  if (parts.length < 2 && !/__init__\.py$/.test(code.path)) return [];
  if (!parts.every((part) => /^[A-Za-z_]\w*$/.test(part))) return [];
  const hidden = parts.some((part) => part.startsWith("_"));
  const names = declared
    .filter(({ kind, owner }) => kind === "symbol" && owner.length === 0)
    .map(({ name }) => name);
  const sketch = sketchNames(names);
  const region = { start: 0, end: 0 };
  return [
    code.thing({
      kind: "package",
      name: parts.join("."),
      at: 0,
      region,
      exported: hidden ? "no" : "yes",
      ...defined({ sketch }),
    }),
  ];
}
