import { type RuleName, rules } from "../drift/rules.ts";

export type ConfigurableRule = RuleName | "subject";

/** Every rule whose findings a project can switch off. The configuration and its schema read this list. */
export const ruleNames: readonly ConfigurableRule[] = [...rules.map(({ name }) => name), "subject"];

/** Names that older configurations use, and what each is called now. They are accepted with a warning. */
export const oldRuleNames: Readonly<Record<string, ConfigurableRule>> = {
  ...Object.fromEntries(
    rules.flatMap(({ name, formerly = [] }) => formerly.map((old) => [old, name] as const)),
  ),
  subjects: "subject",
};
