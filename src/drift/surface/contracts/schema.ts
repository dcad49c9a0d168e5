import { type DataEntry, type DataNode, dataAt } from "../../../syntax/data/data.ts";
import { scanJson } from "../../../syntax/data/json.ts";
import { scanYaml } from "../../../syntax/data/yaml.ts";
import { defined } from "../../../text/model/defined.ts";
import { CodeText, DATA_CODE } from "../read/code-text.ts";
import type { Thing, ThingKind } from "../thing.ts";
import { asLimits } from "../values/limits.ts";

const DEEPEST = 12;

/** The keys of a JSON Schema, and the paths and schemas of an OpenAPI description; nothing for other data files. */
export function readSchema(path: string, text: string): Thing[] {
  const root = scan(path, text);
  if (!root) return [];
  const reader = new SchemaReader(new CodeText(path, text, DATA_CODE));
  const settings = dataAt(root, "contributes", "configuration");
  if (/(?:^|\/)package\.json$/.test(path)) {
    for (const part of settings?.items ?? (settings ? [settings] : [])) reader.readSchema(part, [], 0);
    return reader.things;
  }
  if (dataAt(root, "openapi") ?? dataAt(root, "swagger")) reader.readOpenApi(root);
  else if (isSchema(root)) reader.readSchema(root, [], 0);
  return reader.things;
}

function scan(path: string, text: string): DataNode | undefined {
  if (text.length > 1_000_000) return undefined;
  if (/\.(?:json|jsonc)$/.test(path))
    return /"(?:properties|openapi|swagger)"/.test(text)
      ? scanJson(text, { comments: true }).root
      : undefined;
  if (!/\.ya?ml$/.test(path)) return undefined;
  return /^(?:openapi|swagger|\$schema|properties)\s*:/m.test(text) ? scanYaml(text).root : undefined;
}

function isSchema(root: DataNode): boolean {
  const meta = dataAt(root, "$schema")?.value ?? "";
  if (/json-schema\.org/.test(meta)) return true;
  return (
    dataAt(root, "properties")?.kind === "map" && /^(?:object|)$/.test(dataAt(root, "type")?.value ?? "")
  );
}

class SchemaReader {
  readonly things: Thing[] = [];
  private readonly code: CodeText;

  constructor(code: CodeText) {
    this.code = code;
  }

  readSchema(schema: DataNode, owner: readonly string[], depth: number): void {
    if (depth > DEEPEST || this.things.length > 20_000) return;
    for (const entry of dataAt(schema, "properties")?.entries ?? []) this.readProperty(entry, owner, depth);
    for (const key of ["allOf", "anyOf", "oneOf"])
      for (const part of dataAt(schema, key)?.items ?? []) this.readSchema(part, owner, depth + 1);
    const items = dataAt(schema, "items") ?? dataAt(schema, "additionalProperties");
    if (items?.kind === "map") this.readSchema(items, owner, depth + 1);
    for (const key of ["definitions", "$defs"])
      for (const { key: name, node } of dataAt(schema, key)?.entries ?? []) {
        this.readValues(node, [name]);
        this.readSchema(node, [name], depth + 1);
      }
  }

  private readProperty(entry: DataEntry, owner: readonly string[], depth: number): void {
    const { key, node } = entry;
    this.add("setting", entry, owner);
    this.readValues(node, [...owner, key]);
    this.readSchema(node, [...owner, key], depth + 1);
  }

  private readValues(node: DataNode, owner: readonly string[]): void {
    const items = dataAt(node, "items");
    const options = [
      node,
      ...(items ? [items] : []),
      ...(dataAt(node, "anyOf")?.items ?? []),
      ...(dataAt(node, "oneOf")?.items ?? []),
    ];
    const seen = new Set<string>();
    for (const option of options)
      for (const value of [...(dataAt(option, "enum")?.items ?? []), ...listed(dataAt(option, "const"))])
        if (value.value !== undefined && value.kind === "scalar" && !seen.has(value.value)) {
          seen.add(value.value);
          this.things.push(
            this.code.thing({
              kind: "enum-value",
              name: value.value,
              owner,
              at: value.region.start,
              region: value.region,
            }),
          );
        }
  }

  private add(kind: ThingKind, { key, keyRegion, node: whole }: DataEntry, owner: readonly string[]): void {
    // A parameter of OpenAPI 3 holds its schema, and its own description.
    const node = dataAt(whole, "schema") ?? whole;
    const value = dataAt(node, "default");
    const said = (field: string) => dataAt(whole, field)?.value ?? dataAt(node, field)?.value;
    const description = said("description") ?? said("markdownDescription");
    const type = typeOf(node);
    const deprecated = said("deprecated") ?? said("deprecationMessage");
    this.things.push(
      this.code.thing({
        kind,
        name: key,
        owner,
        at: keyRegion.start,
        region: { start: keyRegion.start, end: whole.region.end },
        ...(value &&
          value.region.end - value.region.start <= 300 && {
            value: value.value ?? this.code.text.slice(value.region.start, value.region.end),
          }),
        ...(description && { description: description.replace(/\s+/g, " ").trim().slice(0, 600) }),
        ...defined({ type: type || undefined }),
        ...asLimits({ least: bound(node, LEAST), most: bound(node, MOST) }),
        ...(deprecated && deprecated !== "false" && { deprecated: deprecated === "true" ? "" : deprecated }),
      }),
    );
  }

  readOpenApi(root: DataNode): void {
    for (const path of dataAt(root, "paths")?.entries ?? [])
      for (const operation of path.node.entries ?? [])
        if (/^(?:get|post|put|patch|delete|head|options)$/.test(operation.key))
          this.readOperation(path.key, operation);
    for (const { key, node } of dataAt(root, "components", "parameters")?.entries ?? [])
      this.readParameter(node, [key]);
    const schemas = dataAt(root, "components", "schemas") ?? dataAt(root, "definitions");
    for (const { key, node } of schemas?.entries ?? []) {
      this.readValues(node, [key]);
      this.readSchema(node, [key], 1);
    }
  }

  private readOperation(path: string, { key, keyRegion, node }: DataEntry): void {
    const method = key.toUpperCase();
    const description = dataAt(node, "summary")?.value ?? dataAt(node, "description")?.value;
    const deprecated = dataAt(node, "deprecated")?.value === "true";
    this.things.push(
      this.code.thing({
        kind: "route",
        name: path,
        owner: [method],
        at: keyRegion.start,
        region: { start: keyRegion.start, end: node.region.end },
        ...defined({ description: description || undefined, deprecated: deprecated ? "" : undefined }),
      }),
    );
    const operation = dataAt(node, "operationId");
    if (operation?.value)
      this.things.push(
        this.code.thing({ kind: "symbol", name: operation.value, at: operation.region.start }),
      );
    for (const parameter of dataAt(node, "parameters")?.items ?? [])
      this.readParameter(parameter, [method, path]);
    for (const { node: media } of dataAt(node, "requestBody", "content")?.entries ?? []) {
      const schema = dataAt(media, "schema");
      if (schema) this.readSchema(schema, [method, path], 1);
    }
  }

  private readParameter(parameter: DataNode, owner: readonly string[]): void {
    const name = dataAt(parameter, "name");
    if (!name?.value) return;
    this.add("parameter", { key: name.value, keyRegion: name.region, node: parameter }, owner);
    this.readValues(dataAt(parameter, "schema") ?? parameter, [...owner, name.value]);
  }
}

const LEAST = ["minimum", "minLength", "minItems"];
const MOST = ["maximum", "maxLength", "maxItems"];

function bound(node: DataNode, keys: readonly string[]): string | undefined {
  return keys.map((key) => dataAt(node, key)?.value).find((value) => value !== undefined);
}

/** The type of a schema: its name, the name behind a reference, or the types that it lists. */
function typeOf(node: DataNode): string | undefined {
  const type = dataAt(node, "type");
  const items = dataAt(node, "items");
  const inner = type?.value === "array" && items ? typeOf(items) : undefined;
  if (inner) return `${inner}[]`;
  const listed = type?.items?.map(({ value }) => value).join(" | ");
  return listed || (type?.value ?? dataAt(node, "$ref")?.value?.replace(/^.*\//, ""));
}

function listed(node: DataNode | undefined): DataNode[] {
  return node ? [node] : [];
}
