import type { Node } from "../source/tree.ts";
import { HASH_COMMENTS } from "./comments.ts";
import { eachWithLead, type Lead, type Leading, type ParsedLanguage, type SourceFile } from "./language.ts";
import { HASH_LITERALS } from "./literals.ts";

export const bash: ParsedLanguage = {
  name: "bash",
  extensions: ["sh", "bash", "zsh", "ksh"],
  interpreters: ["bash", "zsh", "sh"],
  grammar: {
    name: "bash",
    maker: "2017 Max Brunsfeld",
    sha256: "5daf3f2ac1cea01a64cfd6878ef7d247310925a4c62238eb4b8c1feb5dce355a",
  },
  comments: HASH_COMMENTS,
  literals: HASH_LITERALS,
  libraries: {
    environment: { names: [/\$\{([A-Z][A-Z0-9_]+):?[-=]/g, /\[\s+-z\s+"?\$\{?([A-Z][A-Z0-9_]+)/g] },
  },
  declare,
};

const leading: Leading = {
  comment: ({ type }) => type === "comment",
  isDoc: (words) => !words.startsWith("#!"),
};

function declare(root: Node, file: SourceFile): void {
  eachWithLead(file, root.namedChildren, leading, (node, lead) => {
    if (node.type === "function_definition") declareFunction(node, lead, file);
    else if (node.type === "variable_assignment") declareVariable(node, node, lead, file);
    else if (node.type === "declaration_command")
      for (const child of node.namedChildren)
        if (child.type === "variable_assignment") declareVariable(child, node, lead, file);
  });
}

function declareFunction(node: Node, lead: Lead, file: SourceFile): void {
  const name = node.childForFieldName("name");
  const visibility = name && file.textOf(name).startsWith("_") ? "private" : "public";
  if (name)
    file.declare({
      kind: "function",
      name,
      whole: node,
      lead,
      body: node.childForFieldName("body"),
      visibility,
    });
}

/** An exported variable is public; of any other it is not known. */
function declareVariable(node: Node, whole: Node, lead: Lead, file: SourceFile): void {
  const name = node.childForFieldName("name");
  const words = file.textOf(whole);
  if (!name) return;
  file.declare({
    kind: /^(?:readonly|declare\s+-\w*r)\b/.test(words) ? "constant" : "variable",
    name,
    whole,
    lead,
    visibility: /^(?:export|declare\s+-\w*x)\b/.test(words) ? "public" : "unknown",
    value: node.childForFieldName("value"),
  });
}
