import type { Evidence } from "../../text/model/edit.ts";
import type { Region } from "../../text/model/region.ts";
import type { BoundTo } from "../binding/bound-by.ts";
import type { Since } from "../change/change.ts";
import type { ChangeModel, DocumentPage } from "../change/change-model.ts";
import type { Message, Tier } from "../findings.ts";
import type { State } from "../state/state.ts";
import type { States } from "../state/states.ts";

/** What a passage says about the project, read from the page alone. Each kind adds what is said. */
export type Claim = {
  readonly page: DocumentPage;
  /** The words that would have to change if the claim were false. */
  readonly region: Region;
  /** The lines that say it, where they are more than the first one of the region; the newest of them dates the claim. */
  readonly words?: Region;
};

/**
 * Whether a claim is so in a state of the project, and the thing that it is about where one was found. Words about nothing
 * of the project, or about somebody else's thing, are no claim (`none`).
 */
export type Truth = (
  | { readonly is: "true" }
  | { readonly is: "false"; readonly evidence: readonly Evidence[]; readonly now?: string }
  | { readonly is: "undecidable" | "none"; readonly why: string }
) &
  Partial<BoundTo>;

/** A claim that was true at the base and is false at the head. */
export type Drift<C extends Claim = Claim> = {
  readonly claim: C;
  /** What was proved about the binding; see `Tier`. */
  readonly tier: Tier;
  /** The tier in `check --all`, where reading showed that it is less sure there than beside a change. */
  readonly tierWithoutChange?: Tier;
  readonly message: Message;
  readonly evidence: readonly Evidence[];
  /** The words of the claim's region after which it is true; absent where a person has to write. */
  readonly repair?: string;
  /** The part of the claim's region that is false, and that the repair replaces; the whole region where it is absent. */
  readonly where?: Region;
  /** All passages of one cause are decided together. */
  readonly cause: string;
  /** The rule of an earlier version that reported such passages: one of `rules` of the kind. */
  readonly rule?: string;
  /** The commit since which it is false, where the state knows it. */
  readonly since?: Since;
};

/**
 * One kind of claim. Its name is the kind in reports, the key in the configuration and the id in SARIF.
 *
 * `read` finds the claims of a page. `touched` says which claims of the pages a change can have made false, in time that
 * grows with the change. `judge` binds a claim at the base and asks both states: `null` where it was not true at the
 * base or is not false at the head. `check --all` asks the same question: the base is the state in which the words of
 * the line were written. Kinds whose claims need no past (`timeless`) get no base there.
 */
export type Kind<Name extends string = string, C extends Claim = Claim> = {
  readonly name: Name;
  /** One sentence for the documentation: what the kind reports. */
  readonly docs: string;
  readonly mayEdit: boolean;
  /** The rules of earlier versions that this kind replaces. Their names stay valid in the configuration, and are narrower. */
  readonly rules?: readonly string[];
  /** Names from before those rules, each with its present one. The configuration accepts them with a warning. */
  readonly formerly?: Readonly<Record<string, string>>;
  readonly read: (page: DocumentPage) => readonly C[] | Promise<readonly C[]>;
  /** The names that evaluating the claim looks up. They are looked up together. */
  readonly names?: (claim: C) => readonly string[];
  readonly touched: (change: ChangeModel, states: States) => Promise<readonly C[]>;
  readonly judge: (claim: C, states: PastStates) => Promise<Drift<C> | null>;
  /** A quick answer: false where the past need not be asked, because the claim surely became false by no change. */
  readonly isSuspect?: (claim: C, state: State) => Promise<boolean>;
  /** A false claim is drift whatever the past was: a dead link, a fence that is not closed. */
  readonly timeless?: (claim: C) => boolean;
  /** Where it is true, it says no more than that its subject exists: it does not count beside that claim. */
  readonly isImplied?: (claim: C) => boolean;
  /** Whether the claim is so in this state, without a past. */
  readonly evaluate: (claim: C, state: State) => Promise<Truth>;
};

/** Both states; the base is absent where no past is needed. */
export type PastStates = { readonly base: State | null; readonly head: State };

/** Any kind, as the registry holds it. */
// biome-ignore lint/suspicious/noExplicitAny: a kind only ever gets its own claims back.
export type AnyKind<Name extends string = string> = Kind<Name, any>;

/** What a claim says, on one line. */
export function wordsOf({ page, region }: Pick<Claim, "page" | "region">): string {
  const says = page.text.slice(region.start, region.end).replace(/\s+/g, " ").trim();
  return says.length > LONGEST ? `${says.slice(0, LONGEST).toWellFormed()}…` : says;
}

const LONGEST = 200;
