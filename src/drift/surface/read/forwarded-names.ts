import { defined } from "../../../text/model/defined.ts";
import type { Thing } from "../thing.ts";
import type { CodeText } from "./code-text.ts";
import { marks, type OfferedDeclaration } from "./symbols.ts";

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

/** Names that a module of JavaScript offers from another one: `export { open, close as shut } from "./file.js"`. */
export function readReexports(code: CodeText): Thing[] {
  const pattern = /^export\s+(?:type\s+)?\{([^{}]*)\}\s*from\s*["']/gm;
  const named = Array.from(code.find(pattern)).flatMap((match) => {
    // The declaration of the project that has the same name is the thing already.
    const isOwn = code.text[match.index + match[0].length] === ".";
    const from = match.index + match[0].indexOf("{") + 1;
    const names = match[1]!.matchAll(/(?:\b([\w$]+)\s+as\s+)?([A-Za-z_$][\w$]*)\s*(?=,|$)/g);
    return Array.from(names).flatMap(({ 0: whole, 1: alias, 2: name = "", index }) =>
      name === "default" || (isOwn && alias === undefined)
        ? []
        : [
            {
              name,
              at: from + index + whole.lastIndexOf(name),
              ...defined({ alias: alias && alias !== "default" ? alias : undefined }),
            },
          ],
    );
  });
  const spaces = Array.from(code.find(/^export\s+\*\s+as\s+([\w$]+)\s+from\b/gm), (match) => ({
    name: match[1]!,
    at: match.index + match[0].indexOf(match[1]!, "export * as".length),
  }));
  return [...named, ...spaces].map((each) => code.thing({ kind: "symbol", ...each }));
}

/** Names that a Rust module offers from another one: `pub use inner::{open, close as shut};`. */
export function readPublicUses(code: CodeText, offered: readonly OfferedDeclaration[]): Thing[] {
  const declared = new Map(offered.map((each) => [each.declaration.path.join("::"), each] as const));
  return Array.from(
    code.find(/(?<![\w(])pub use\s+([\w:]+?)::(\w+(?:\s+as\s+\w+)?|\{[^{}]*\})\s*;/gm),
  ).flatMap((match) => {
    const path = (match[1] ?? "").replace(/^(?:self|crate)::/, "");
    const names = (match[2] ?? "")
      .replace(/[{}]/g, "")
      .split(",")
      .map((name) => name.trim());
    return names.flatMap((name) => {
      const [own = "", alias] = name.split(/(?<!\s)\s+as\s+/);
      const shown = alias ?? own;
      if (!/^[A-Za-z]\w*$/.test(shown) || shown === "self") return [];
      const held = declared.get(`${path}::${own}`);
      const marked = held ? { region: held.declaration.region, ...marks(held) } : {};
      return [code.thing({ kind: "symbol", name: shown, at: match.index, ...marked })];
    });
  });
}
