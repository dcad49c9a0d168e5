import type { RuleName } from "../drift/findings.ts";

/** Every rule whose findings a project can switch off. The one list: the configuration and its schema read it. */
export const ruleNames = Object.keys({
  rename: true,
  removal: true,
  deprecation: true,
  signature: true,
  default: true,
  enumeration: true,
  flag: true,
  setting: true,
  path: true,
  phrase: true,
  sample: true,
  snippet: true,
  sibling: true,
  unsupported: true,
  version: true,
  translation: true,
  subject: true,
} satisfies Record<RuleName | "subject", true>) as readonly (RuleName | "subject")[];

/** Names that older pages and files used, and what each is called now. Accepted with a warning until the next minor version. */
export const oldRuleNames: Readonly<Record<string, RuleName | "subject">> = {
  renames: "rename",
  removals: "removal",
  deprecations: "deprecation",
  defaults: "default",
  enumerations: "enumeration",
  flags: "flag",
  settings: "setting",
  script: "setting",
  scripts: "setting",
  paths: "path",
  link: "path",
  links: "path",
  phrases: "phrase",
  samples: "sample",
  snippets: "snippet",
  siblings: "sibling",
  parameter: "signature",
  rewrite: "signature",
  member: "rename",
  versions: "version",
  translations: "translation",
  subjects: "subject",
};
