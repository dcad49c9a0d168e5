import { DOUBLE, HASH, SLASHES } from "../../../syntax/languages/literals.ts";
import { closingAt } from "../../../syntax/source/brackets.ts";
import { defined } from "../../../text/model/defined.ts";
import { CodeText } from "../read/code-text.ts";
import type { Thing } from "../thing.ts";

/** The variables and outputs of a Terraform module. */
export function readTerraform(path: string, text: string): Thing[] {
  const code = new CodeText(path, text, { literals: [SLASHES, HASH, DOUBLE] });
  return Array.from(code.find(/^(variable|output)[ \t]+"\u0001+"[ \t]*\{/gm)).flatMap((match) => {
    const name = /"([^"]+)"/.exec(code.text.slice(match.index, match.index + match[0].length))?.[1];
    const close = closingAt(code.code, match.index + match[0].length - 1);
    const end = close < 0 ? code.code.length : close + 1;
    const body = { start: match.index + match[0].length, end };
    const read = (key: string) => attribute(code, body, key);
    const [value, type, description] = [read("default"), read("type"), read("description")];
    if (!name) return [];
    return [
      code.thing({
        kind: "setting",
        name,
        owner: [match[1] === "variable" ? "variables" : "outputs"],
        at: match.index + match[0].indexOf('"') + 1,
        region: { start: match.index, end },
        ...defined({
          value: value !== undefined && value.length <= 300 ? value : undefined,
          type,
          description: description === undefined ? undefined : description.replace(/^"|"$/g, ""),
        }),
      }),
    ];
  });
}

/** The value of an attribute of a block, up to the end of its line or of its brackets. */
function attribute(
  code: CodeText,
  { start, end }: { start: number; end: number },
  key: string,
): string | undefined {
  const sign = new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*`, "m").exec(code.code.slice(start, end));
  if (!sign) return undefined;
  const from = start + sign.index + sign[0].length;
  let depth = 0;
  let at = from;
  for (; at < end; at++) {
    const char = code.code[at]!;
    if ("([{".includes(char)) depth++;
    else if (")]}".includes(char)) depth--;
    if (depth < 0 || (char === "\n" && depth === 0)) break;
  }
  return code.text
    .slice(from, at)
    .replace(/(?<!\s)\s*#.*$/, "")
    .trim();
}
