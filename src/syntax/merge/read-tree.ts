import type { MergeNode, MergeText } from "../../text/merge/merge-tree.ts";
import { defined } from "../../text/model/defined.ts";
import type { Region } from "../../text/model/region.ts";
import type { Merging } from "../languages/language.ts";
import { type Node, withTree } from "../source/tree.ts";
import type { MergeGrammar } from "./grammar.ts";

/** A text with its tree, opened where it touches one of the regions; null where the grammar does not understand it. */
export async function readMergeTree(
  { grammar, merging = {}, overloads, code }: MergeGrammar,
  text: string,
  regions: readonly Region[],
): Promise<MergeText | null> {
  const outcome = await withTree(grammar, code?.(text) ?? text, (root) =>
    root.hasError ? null : openNode(root, { text, merging, overloads, regions }),
  );
  // The root may leave out the white space around the text.
  return outcome.ok && outcome.value
    ? { text, root: { ...outcome.value, start: 0, end: text.length } }
    : null;
}

type Reading = {
  readonly text: string;
  readonly merging: Merging;
  readonly overloads: true | undefined;
  readonly regions: readonly Region[];
};

function openNode(node: Node, reading: Reading): MergeNode {
  const { startIndex: start, type: kind } = node;
  const end = trimmedEnd(reading.text, node);
  const role = !node.isNamed ? "token" : kind.includes("comment") ? "comment" : "part";
  // Lines that are added after a node begin past the line ending that follows it.
  const isTouched = reading.regions.some((region) => region.start <= end + 2 && region.end >= start);
  if (!isTouched || node.childCount === 0) return { kind, start, end, role, children: [] };
  const { members, lists } = reading.merging;
  const groups = (members?.[kind] ?? lists?.[kind])?.map((kinds) => kinds.split(" "));
  const children = node.children.map((child) => openChild(child, groups, reading));
  return { kind, start, end, role, children, ...defined({ separator: lists?.[kind] ? "," : undefined }) };
}

/** Some grammars count the line ending after a part to it. */
function trimmedEnd(text: string, { startIndex, endIndex }: Node): number {
  const length = text.slice(startIndex, endIndex).trimEnd().length;
  return length === 0 ? endIndex : startIndex + length;
}

function openChild(
  child: Node,
  groups: readonly (readonly string[])[] | undefined,
  reading: Reading,
): MergeNode {
  const opened = openNode(child, reading);
  if (opened.role === "comment") return opened;
  const group = groups?.findIndex((kinds) => kinds.includes(child.type)) ?? -1;
  const key = child.isNamed ? keyOf(child, reading) : undefined;
  if (group < 0) return key === undefined ? opened : { ...opened, key };
  // What has no name is known by its words.
  const words = textOf(child, reading).split(/\s+/).join(" ");
  return { ...opened, role: "part", key: key ?? words, group: String(group) };
}

const DEEPEST_NAME = 5;

/** The name or key by which a part is known among its siblings. */
function keyOf(node: Node, reading: Reading): string | undefined {
  const { named = "" } = reading.merging;
  let at: Node | null = node;
  for (let depth = 0; at && depth < DEEPEST_NAME; depth++) {
    const name: Node | null = at.childForFieldName("name") ?? at.childForFieldName("key");
    const parameters = reading.overloads && at.childForFieldName("parameters");
    if (name && parameters) return `${textOf(name, reading)}(${typesOf(parameters, reading)})`;
    if (name) return textOf(name, reading);
    const isNamed = named.split(" ").includes(at.type);
    if (isNamed && at.firstNamedChild?.namedChildCount === 0) return textOf(at.firstNamedChild, reading);
    at = isNamed
      ? at.firstNamedChild
      : (at.childForFieldName("declaration") ??
        at.childForFieldName("definition") ??
        at.childForFieldName("declarator"));
  }
  return undefined;
}

function typesOf(parameters: Node, reading: Reading): string {
  const types = parameters.namedChildren.map((parameter) => parameter.childForFieldName("type"));
  return types.map((type) => (type ? textOf(type, reading) : "")).join();
}

function textOf({ startIndex, endIndex }: Node, { text }: Reading): string {
  return text.slice(startIndex, endIndex);
}
