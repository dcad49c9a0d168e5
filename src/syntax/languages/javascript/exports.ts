import type { Node } from "../../source/tree.ts";
import type { SourceFile } from "../language.ts";

/** Names the file offers to others, by the names they have inside it; `undefined` when it exports nothing at all. */
export type Exports = ReadonlyMap<string, string> | undefined;

export function findExports(statements: readonly Node[], file: SourceFile): Exports {
  const exports = new Map<string, string>();
  let any = false;
  for (const statement of statements) {
    if (statement.type === "export_statement") {
      any = true;
      for (const clause of statement.namedChildren) {
        if (clause.type === "identifier") exports.set(file.textOf(clause), "default");
        if (clause.type !== "export_clause" || statement.childForFieldName("source")) continue;
        for (const specifier of clause.namedChildren) {
          const name = specifier.childForFieldName("name");
          if (name) exports.set(file.textOf(name), file.textOf(specifier.childForFieldName("alias") ?? name));
        }
      }
    } else if (statement.type === "expression_statement") {
      const exported = commonJsExport(statement, file);
      if (!exported) continue;
      any = true;
      if (exported.name === "" && exported.value.type === "identifier")
        exports.set(file.textOf(exported.value), "default");
      if (exported.value.type === "object")
        for (const member of exported.value.namedChildren)
          if (member.type === "shorthand_property_identifier")
            exports.set(file.textOf(member), file.textOf(member));
    }
  }
  return any ? exports : undefined;
}

/** `module.exports = value` with an empty name; `exports.name = value` and `module.exports.name = value` with theirs. */
export function commonJsExport(
  statement: Node,
  file: SourceFile,
): { readonly name: string; readonly value: Node; readonly left: Node } | undefined {
  const assignment = statement.namedChildren[0];
  if (assignment?.type !== "assignment_expression") return undefined;
  const left = assignment.childForFieldName("left");
  const value = assignment.childForFieldName("right");
  if (!left || !value || left.type !== "member_expression") return undefined;
  const target = /^(?:module\s*\.\s*exports|exports)(?:\s*\.\s*([\w$]+))?$/.exec(file.textOf(left));
  if (!target || (target[1] === undefined && !file.textOf(left).startsWith("module"))) return undefined;
  return { name: target[1] ?? "", value, left };
}
