import { type RuleName, rules } from "../drift/rules.ts";

export type ConfigurableRule = RuleName | "subject" | (string & {});

/**
 * Every key under which a project can switch findings off: the kinds, and the narrower rules of earlier versions. The
 * configuration and its schema read this list.
 */
export const ruleNames: readonly ConfigurableRule[] = [
  ...rules.flatMap(({ name, rules: narrower = [] }) => [name, ...narrower]),
  "subject",
];

/** Names that older configurations use, and what each is called now. They are accepted with a warning. */
export const oldRuleNames: Readonly<Record<string, ConfigurableRule>> = {
  ...Object.fromEntries(rules.flatMap(({ formerly = {} }) => Object.entries(formerly))),
  subjects: "subject",
};
