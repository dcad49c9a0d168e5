import type { Parameter } from "../../source/declaration.ts";
import type { Node } from "../../source/tree.ts";
import { afterColon, type SourceFile } from "../language.ts";

export function findParameters(list: Node, file: SourceFile): Parameter[] {
  return list.namedChildren.flatMap((node) => (node.type === "comment" ? [] : [parameterOf(node, file)]));
}

/** `x => …` has no list of parameters. */
export function soleParameter(node: Node, file: SourceFile): Parameter[] {
  const parameter = node.childForFieldName("parameter");
  return parameter ? [file.parameter(parameter, { name: parameter })] : [];
}

function parameterOf(node: Node, file: SourceFile): Parameter {
  const assigned = node.type === "assignment_pattern";
  const pattern = (assigned ? node.childForFieldName("left") : node.childForFieldName("pattern")) ?? node;
  const value = node.childForFieldName(assigned ? "right" : "value");
  const type = afterColon(file, node.childForFieldName("type"));
  const rest = pattern.type === "rest_pattern";
  const named = rest ? (pattern.namedChildren[0] ?? pattern) : pattern;
  const optional = value !== null || node.type === "optional_parameter";
  return file.parameter(node, { name: named, type, value, optional, rest });
}

export function findPatternNames(
  pattern: Node,
): { readonly name: Node; readonly whole: Node; readonly value: Node | null }[] {
  return pattern.namedChildren.flatMap((node) => {
    switch (node.type) {
      case "identifier":
      case "shorthand_property_identifier_pattern":
        return [{ name: node, whole: node, value: null }];
      case "object_assignment_pattern":
      case "assignment_pattern": {
        const name = node.childForFieldName("left");
        const named = name && /identifier/.test(name.type);
        return named ? [{ name, whole: node, value: node.childForFieldName("right") }] : [];
      }
      case "pair_pattern": {
        const key = node.childForFieldName("key");
        const value = node.childForFieldName("value");
        const fallback = value?.type === "assignment_pattern" ? value.childForFieldName("right") : null;
        return key?.type === "property_identifier" ? [{ name: key, whole: node, value: fallback }] : [];
      }
      default:
        return [];
    }
  });
}
