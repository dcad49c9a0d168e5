import { type RuleName, rules } from "../drift/rules.ts";

export type ConfigurableRule = RuleName | "subject";

/** Every rule whose findings a project can switch off. The configuration and its schema read this list. */
export const ruleNames: readonly ConfigurableRule[] = [...rules.map(({ name }) => name), "subject"];

/** Names that older configurations use, and what each is called now. They are accepted with a warning. */
export const oldRuleNames: Readonly<Record<string, ConfigurableRule>> = {
  ...Object.fromEntries(
    rules.flatMap(({ name, formerly = [] }) => formerly.map((old) => [old, name] as const)),
  ),
  renames: "rename",
  removals: "removal",
  deprecations: "deprecation",
  defaults: "default",
  enumerations: "enumeration",
  flags: "flag",
  settings: "script",
  scripts: "script",
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
