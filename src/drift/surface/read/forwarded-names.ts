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
  const named = Array.from(code.find(/^export\s+(?:type\s+)?\{([^{}]*)\}\s*from\b/gm)).flatMap((match) => {
    const from = match.index + match[0].indexOf("{") + 1;
    return Array.from(
      match[1]!.matchAll(/(?:\b(?:type\s+)?[\w$]+\s+as\s+)?([A-Za-z_$][\w$]*)\s*(?=,|$)/g),
      (each) => ({
        name: each[1]!,
        at: from + each.index + each[0].lastIndexOf(each[1]!),
      }),
    );
  });
  const spaces = Array.from(code.find(/^export\s+\*\s+as\s+([\w$]+)\s+from\b/gm), (match) => ({
    name: match[1]!,
    at: match.index + match[0].indexOf(match[1]!, 10),
  }));
  return [...named, ...spaces].flatMap(({ name, at }) =>
    name === "default" ? [] : [code.thing({ kind: "symbol", name, at })],
  );
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
      const [own = "", alias] = name.split(/\s+as\s+/);
      const shown = alias ?? own;
      if (!/^[A-Za-z]\w*$/.test(shown) || shown === "self") return [];
      const held = declared.get(`${path}::${own}`);
      const marked = held ? { region: held.declaration.region, ...marks(held) } : {};
      return [code.thing({ kind: "symbol", name: shown, at: match.index, ...marked })];
    });
  });
}
