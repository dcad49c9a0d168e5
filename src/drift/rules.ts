import { type ClaimKind, kinds } from "./claims/registry.ts";

/**
 * One class of drift. Its name is the kind in reports, the key in the configuration, the id in SARIF and the row in
 * the documentation.
 */
export type Rule<Name extends string = RuleName> = {
  readonly name: Name;
  /** One sentence for the documentation: what the rule reports. */
  readonly docs: string;
  /** Whether it may propose an edit. */
  readonly mayEdit: boolean;
  /** Its findings are about a whole page, not about a passage. */
  readonly wholePage?: true;
  /** Rules of earlier versions that it replaces: their names stay valid keys of the configuration. */
  readonly rules?: readonly string[];
  /** Names from earlier versions, each with its present one; the configuration still accepts them. */
  readonly formerly?: Readonly<Record<string, string>>;
};

export type RuleName = ClaimKind | "translation";

/** Found from the findings of the pages that were translated, after all claims. */
const translation: Rule<"translation"> = {
  name: "translation",
  docs: "The page that this one translates became false or was edited, and the translation did not change.",
  mayEdit: false,
  formerly: { translations: "translation" },
  wholePage: true,
};

/** The kinds of claims, and what follows from them. Names, the configuration and the documentation derive from this list. */
export const rules: readonly Rule[] = [translation, ...(kinds as readonly Rule[])];
