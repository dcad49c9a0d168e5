import type { Thing } from "../thing.ts";
import type { CodeText } from "./code-text.ts";
import type { OfferedDeclaration } from "./symbols.ts";

/** Names that a Python module still provides through its own `__getattr__`, usually deprecated ones. */
export function readForwardedNames(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  return offered.flatMap(({ declaration: { name, path, region } }) => {
    if (name !== "__getattr__" || path.length > 1) return [];
    const strings = code.code.slice(region.start, region.end).matchAll(/(["'])(\u0001+)\1/g);
    return [...strings].flatMap((match) => {
      const at = region.start + match.index + 1;
      const forwarded = code.text.slice(at, at + match[2]!.length);
      return /^[A-Za-z]\w*$/.test(forwarded) ? [code.thing({ kind: "symbol", name: forwarded, at })] : [];
    });
  });
}
