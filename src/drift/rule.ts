import type { WholeInput } from "./change/change.ts";
import type { ChangeModel, DocumentPage } from "./change/change-model.ts";
import type { Notice } from "./findings.ts";
import type { RuleName } from "./rules.ts";

/** What a rule that judges documents as they stand may look at. */
export type Audit = { readonly pages: readonly DocumentPage[]; readonly input: WholeInput };

/**
 * One class of drift. Its name is the kind in reports, the key in the configuration, the id in SARIF and the row in
 * the documentation.
 */
export type Rule<Name extends string = RuleName> = {
  readonly name: Name;
  /** One sentence for the documentation: what the rule reports. */
  readonly docs: string;
  /** Whether the rule may propose the text that makes a passage true. */
  readonly mayEdit: boolean;
  /** Its findings speak of a whole page and point at no passage. */
  readonly wholePage?: true;
  /** Names that the rule had in earlier versions; the configuration still accepts them. */
  readonly formerly?: readonly string[];
  /** What the rule notices about a change. `found` is what the rules before it noticed. */
  readonly find?: (change: ChangeModel, found: readonly Notice[]) => Promise<readonly Notice[]>;
  /** What the rule notices about documents as they stand, without a change. */
  readonly audit?: (audit: Audit) => Promise<readonly Notice[]>;
};
