import { defined } from "../../text/model/defined.ts";
import type { DeclarationKind, Parameter } from "../source/declaration.ts";
import { readRustImports } from "../source/imports.ts";
import type { Node } from "../source/tree.ts";
import { SLASH_COMMENTS } from "./comments.ts";
import {
  DEEPEST_HOLDER,
  type DeclarationScope,
  eachWithLead,
  type Lead,
  type Leading,
  type LedNode,
  type ParsedLanguage,
  type SourceFile,
  type Visibility,
} from "./language.ts";
import { CHARACTER, SLASHES } from "./literals.ts";

const RAW = /\bb?r(?:"[^"]*"?|#"[\s\S]*?(?:"#|(?![\s\S]))|##"[\s\S]*?(?:"##|(?![\s\S])))/;
/** A string that may span lines. */
const LONG = /"(?:\\[\s\S]|[^"\\])*"?/;

export const rust: ParsedLanguage = {
  name: "rust",
  extensions: ["rs"],
  grammar: {
    name: "rust",
    maker: "2017 Maxim Sokolov",
    sha256: "dc7f9b4d182af6b8332b44cfb8d24c0b25892900b006af5ce7eafdef8c976d5a",
  },
  comments: SLASH_COMMENTS,
  literals: [SLASHES, RAW, LONG, CHARACTER],
  documentation: { "doc.rust-lang.org": ["/"] },
  libraries: {
    environment: {
      calls: [/\benv::var(?:_os)?\s*\(/g, /\b(?:option_)?env!\s*\(/g, /\bget_env(?:_os)?\s*\(/g],
    },
    raises: /\b(?:anyhow!|bail!|panic!|Error::new)\s*\(/g,
    routes: [
      /\.(route)\s*\((?=\s*"\/?\u0001)/g,
      /\bweb::(resource)\s*\(/g,
      /#\[(get|post|put|patch|delete)\s*\(/g,
    ],
  },
  samples: {
    imports: readRustImports,
    writesModules: true,
    notation: "name: type",
    unwraps: /^(?:unwrap|expect|unwrap_or_default|clone|as_ref|as_mut|to_owned)$/,
    macros: /\b(?:e?print(?:ln)?|format|panic|assert(?:_eq|_ne)?|dbg)!(?=\()/g,
  },
  merging: {
    members: {
      source_file: [
        "use_declaration",
        "mod_item",
        "function_item struct_item enum_item impl_item trait_item type_item const_item static_item",
      ],
      declaration_list: ["use_declaration", "function_item const_item type_item function_signature_item"],
    },
    lists: {
      use_list: ["identifier scoped_identifier scoped_use_list use_as_clause use_list self"],
      field_declaration_list: ["field_declaration"],
      field_initializer_list: ["field_initializer shorthand_field_initializer"],
      enum_variant_list: ["enum_variant"],
      where_clause: ["where_predicate"],
      struct_pattern: ["field_pattern"],
    },
  },
  declare,
};

const leading: Leading = {
  comment: ({ type }) => type === "line_comment" || type === "block_comment",
  isDoc: (words) => /^(?:\/\/\/(?!\/)|\/\*\*(?!\/))/.test(words),
  attribute: ({ type }) => type === "attribute_item",
};

function declare(root: Node, file: SourceFile): void {
  declareItems(root, file, "public", 0);
}

function declareItems(block: Node | null, file: SourceFile, holder: Visibility, depth: number): void {
  if (!block || depth > DEEPEST_HOLDER) return;
  eachWithLead(file, block.namedChildren, leading, (node, lead) =>
    declareItem(node, lead, { file, holder, depth }),
  );
}

function declareItem(node: Node, lead: Lead, scope: DeclarationScope): void {
  const { file, holder, depth } = scope;
  const name = node.childForFieldName("name");
  const body = node.childForFieldName("body");
  if (node.type === "impl_item") declareImplementation(node, file, holder, depth);
  else if (node.type === "foreign_mod_item") declareItems(body, file, holder, depth + 1);
  const kind = ITEMS.get(node.type);
  if (!name || !kind) return;
  const visibility = kind === "macro" ? "unknown" : visibilityOf(node, file, holder);
  file.declare(
    {
      ...associated(kind, name, { whole: node, lead }, file),
      visibility,
      ...defined({ signatureEnd: kind === "macro" ? name.endIndex : undefined }),
    },
    () => {
      if (kind === "struct") declareFields(body, file, visibility);
      else if (kind === "enum") declareVariants(body, file, visibility);
      else if (kind === "trait") declareAssociated(body, file, visibility);
      else if (kind === "module") declareItems(body, file, visibility, depth + 1);
      else if (kind === "function") declareItems(body, file, "private", depth + 1);
    },
  );
}

const ITEMS: ReadonlyMap<string, DeclarationKind> = new Map([
  ["function_item", "function"],
  ["function_signature_item", "function"],
  ["struct_item", "struct"],
  ["union_item", "struct"],
  ["enum_item", "enum"],
  ["trait_item", "trait"],
  ["mod_item", "module"],
  ["macro_definition", "macro"],
  ["type_item", "type"],
  ["const_item", "constant"],
  ["static_item", "variable"],
]);

/** `pub` is public; `pub(crate)` and its like are not; without either, private. */
function visibilityOf(node: Node, file: SourceFile, holder: Visibility): Visibility {
  const modifier = node.namedChildren.find(({ type }) => type === "visibility_modifier");
  return modifier && file.textOf(modifier) === "pub" ? holder : "private";
}

/** Methods belong to the type they are implemented for; those of a trait are as visible as the trait makes them. */
function declareImplementation(node: Node, file: SourceFile, holder: Visibility, depth: number): void {
  const type = node.childForFieldName("type");
  const named = type?.type === "generic_type" ? type.childForFieldName("type") : type;
  if (!named || depth > DEEPEST_HOLDER) return;
  const under = [file.textOf(named)];
  const ofTrait = node.childForFieldName("trait") !== null;
  eachWithLead(file, node.childForFieldName("body")?.namedChildren ?? [], leading, (item, lead) => {
    const name = item.childForFieldName("name");
    const kind = ASSOCIATED.get(item.type);
    if (!name || !kind) return;
    const visibility = ofTrait ? "unknown" : visibilityOf(item, file, holder);
    file.declare({ ...associated(kind, name, { whole: item, lead }, file), under, visibility });
  });
}

const ASSOCIATED: ReadonlyMap<string, DeclarationKind> = new Map([
  ["function_item", "method"],
  ["function_signature_item", "method"],
  ["const_item", "constant"],
  ["type_item", "type"],
  ["associated_type", "type"],
]);

function associated(kind: DeclarationKind, name: Node, { whole, lead }: LedNode, file: SourceFile) {
  const callable = kind === "function" || kind === "method";
  const typed = kind === "constant" || kind === "variable";
  return {
    kind,
    name,
    whole,
    lead,
    body: whole.childForFieldName("body"),
    ...(callable && {
      parameters: findParameters(whole.childForFieldName("parameters"), file),
      returns: whole.childForFieldName("return_type"),
    }),
    ...(typed && { type: whole.childForFieldName("type"), value: whole.childForFieldName("value") }),
    ...defined({ value: kind === "type" ? whole.childForFieldName("type") : undefined }),
  };
}

function declareAssociated(body: Node | null, file: SourceFile, visibility: Visibility): void {
  eachWithLead(file, body?.namedChildren ?? [], leading, (item, lead) => {
    const name = item.childForFieldName("name");
    const kind = ASSOCIATED.get(item.type);
    if (name && kind) file.declare({ ...associated(kind, name, { whole: item, lead }, file), visibility });
  });
}

function declareFields(body: Node | null, file: SourceFile, holder: Visibility, inVariant = false): void {
  eachWithLead(file, body?.namedChildren ?? [], leading, (node, lead) => {
    const name = node.type === "field_declaration" ? node.childForFieldName("name") : null;
    if (!name) return;
    const visibility = inVariant ? holder : visibilityOf(node, file, holder);
    file.declare({
      kind: "property",
      name,
      whole: node,
      lead,
      visibility,
      type: node.childForFieldName("type"),
    });
  });
}

function declareVariants(body: Node | null, file: SourceFile, visibility: Visibility): void {
  eachWithLead(file, body?.namedChildren ?? [], leading, (node, lead) => {
    const name = node.type === "enum_variant" ? node.childForFieldName("name") : null;
    const fields = node.childForFieldName("body");
    if (name)
      file.declare(
        { kind: "member", name, whole: node, lead, visibility, value: node.childForFieldName("value") },
        () => declareFields(fields, file, visibility, true),
      );
  });
}

function findParameters(list: Node | null, file: SourceFile): Parameter[] {
  return (list?.namedChildren ?? []).flatMap((node) => {
    const name = node.type === "parameter" ? node.childForFieldName("pattern") : null;
    const type = node.childForFieldName("type");
    // `self: &mut Self` is the receiver.
    return name && file.textOf(name) !== "self" ? [file.parameter(node, { name, type })] : [];
  });
}
