import type { WholeInput } from "./change/change.ts";
import type { ChangeModel, DocumentPage } from "./change/change-model.ts";
import type { Notice } from "./findings.ts";
import type { RuleName } from "./rules.ts";

/** The input of a rule that checks documents without a change. */
export type Audit = { readonly pages: readonly DocumentPage[]; readonly input: WholeInput };

/**
 * One class of drift. Its name is the kind in reports, the key in the configuration, the id in SARIF and the row in
 * the documentation.
 */
export type Rule<Name extends string = RuleName> = {
  readonly name: Name;
  /** One sentence for the documentation: what the rule reports. */
  readonly docs: string;
  /** Whether the rule may propose an edit. */
  readonly mayEdit: boolean;
  /** Any file may prove its findings, also a test, an example, automation or data. */
  readonly anyEvidence?: true;
  /** It reads the declarations of build scripts: their tasks, their options, the versions they demand. */
  readonly readsBuildScripts?: true;
  /** Its findings are about a whole page, not about a passage. */
  readonly wholePage?: true;
  /** Rules of earlier versions that it replaces: their names stay valid keys of the configuration. */
  readonly rules?: readonly string[];
  /** Names from earlier versions, each with its present one; the configuration still accepts them. */
  readonly formerly?: Readonly<Record<string, string>>;
  /** The notices of the rule about a change. `found` has the notices of the rules before it. */
  readonly find?: (change: ChangeModel, found: readonly Notice[]) => Promise<readonly Notice[]>;
  /** The notices of the rule about documents, without a change. */
  readonly audit?: (audit: Audit) => Promise<readonly Notice[]>;
};
