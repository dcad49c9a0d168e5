import type { Declaration } from "../../../syntax/source/declaration.ts";
import type { CodeText } from "./code-text.ts";

type NestedDeclaration = { readonly declaration: Declaration; readonly parent: Declaration | undefined };

/** Whether a declaration is a key that a reader writes: a property of an options type, a table of defaults. */
export function isSetting({ declaration, parent }: NestedDeclaration, code: CodeText): boolean {
  const { kind, path } = declaration;
  if (path.length === 1) return kind !== "member" && isSettingConstant(path[0]!, code.path);
  if (code.family === "go" || parent?.kind === "function" || parent?.kind === "method") return false;
  if (kind === "method") return isOptionsType(parent) && /^(?:interface|type|property)$/.test(parent!.kind);
  if (kind !== "property" || path.includes("model_config")) return false;
  const owners = path.slice(0, -1);
  return (
    isOptionsType(parent) ||
    owners.some((owner) => DEFAULTS.test(owner)) ||
    isSchema(parent) ||
    isSettingsClass(parent, code)
  );
}

function isSettingConstant(name: string, path: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(name) && (/^DEFAULT_/.test(name) || isSettingsFile(path));
}

function isOptionsType(parent: Declaration | undefined): boolean {
  if (!parent) return false;
  // A property of an options type may hold an object type of its own.
  return /^(?:interface|type|class|struct|property)$/.test(parent.kind) && TYPE_SUFFIX.test(parent.path[0]!);
}

/** Types whose properties are options that a user sets. */
const TYPE_SUFFIX =
  /(?:Options?|Opts|Config|Configuration|Settings|Props|Preferences|Args|_options|_config|_settings|Properties)$/;

/** Tables of defaults. */
const DEFAULTS = /^(?:defaults?|DEFAULTS?)(?:[A-Z_]\w*)?$|\w(?:Defaults|_DEFAULTS|_defaults)$/;

function isSettingsFile(path: string): boolean {
  return /(?:^|\/)[\w.-]*(?:settings|defaults?|config|configuration)[\w-]*\.(?:py|rb|php|js|ts|mjs)$/i.test(
    path,
  );
}

/** `z.object({ … })` and its like declare the keys of a file. */
function isSchema(parent: Declaration | undefined): boolean {
  return (
    parent?.value !== undefined &&
    /^(?:z|v|yup|joi|Joi|Type|t|vol|Schema)\b\s*\.?\s*(?:object|strictObject|looseObject|Object|type|shape)?\s*\(/.test(
      parent.value,
    )
  );
}

/** Classes that libraries fill from a file or the environment. */
function isSettingsClass(parent: Declaration | undefined, code: CodeText): boolean {
  if (parent?.kind !== "class" && parent?.kind !== "struct") return false;
  const head = code.text.slice(
    parent.region.start,
    Math.min(parent.signature.end, parent.region.start + 2000),
  );
  return /\b(?:BaseSettings|BaseModel|TypedDict|msgspec\.Struct)\b|@ConfigurationProperties\b|@(?:dataclasses\.)?dataclass\b(?=[\s\S]*(?:Config|Settings|Options))/.test(
    head,
  );
}
