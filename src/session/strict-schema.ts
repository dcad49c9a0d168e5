import { defined } from "../text/model/defined.ts";
/** A JSON Schema, as far as these functions need to know it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * A schema that OpenAI accepts for `strict: true`: every property is required, an optional one may be null, and
 * keywords without a meaning there are left out.
 */
export function strictSchema(schema: JsonSchema): JsonSchema {
  const { default: _, ...kept } = schema;
  if (schema.type === "array") return { ...kept, items: strictSchema(schema.items as JsonSchema) };
  if (schema.type !== "object") return kept;
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = new Set((schema.required ?? []) as readonly string[]);
  return {
    ...kept,
    properties: Object.fromEntries(
      properties.map(([name, property]) => {
        const strict = strictSchema(property);
        return [name, required.has(name) ? strict : orNull(strict)];
      }),
    ),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  };
}

function orNull({ type, ...schema }: JsonSchema): JsonSchema {
  const values = schema.enum as readonly unknown[] | undefined;
  return { ...schema, type: [type, "null"], ...defined({ enum: values ? [...values, null] : undefined }) };
}

/** The input without the nulls by which a strict caller says "nothing". */
export function withoutNulls(input: unknown): unknown {
  if (Array.isArray(input)) return input.map(withoutNulls);
  if (typeof input !== "object" || input === null) return input;
  const kept = Object.entries(input).filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutNulls(value)]));
}
