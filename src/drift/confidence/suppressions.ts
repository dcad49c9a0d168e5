import type { Rule } from "../rule.ts";
import { type RuleName, rules } from "../rules.ts";
import type { Features } from "./features.ts";

/** A condition under which a notice is shown only on request, whatever its confidence. */
export type Suppression = {
  readonly reason: string;
  readonly applies: (kind: RuleName, features: Features) => boolean;
};

const RULES: ReadonlyMap<RuleName, Rule> = new Map(rules.map((rule) => [rule.name, rule]));

/** Features which show that a mention means the project's own thing, and not any thing of that name. */
const RESOLVED = ["claim by role", "claim by owner", "claim by entry", "rename: member"];

const has = (features: Features, name: string): boolean => (features[name] ?? 0) > 0;

/** Every suppression. The first one that applies gives the reason. */
export const SUPPRESSIONS: readonly Suppression[] = [
  {
    reason: "the evidence is only tests, examples, automation or data",
    applies: (kind, features) =>
      !RULES.get(kind)?.anyEvidence &&
      !has(features, "evidence product") &&
      !has(features, "evidence manifest") &&
      !has(features, "thing lost"),
  },
  {
    reason: "the name is still used in the product",
    // Code writes a flag with its dashes. If no file does, the bare word means something else.
    applies: (kind, features) =>
      kind === "removal" &&
      (has(features, "name used still") || has(features, "name declared still")) &&
      !(has(features, "literal gone") && has(features, "surface flag")),
  },
  {
    reason: "the name still exists, and the mention may mean a remaining use",
    applies: (kind, features) =>
      kind === "rename" &&
      (has(features, "name used still") || has(features, "name declared still")) &&
      (has(features, "surface never had it") || !RESOLVED.some((way) => has(features, way))),
  },
  {
    reason: "the project never offered the word, and still uses it",
    applies: (kind, features) =>
      kind === "phrase" &&
      has(features, "surface never had it") &&
      (has(features, "name used still") || has(features, "name declared still")),
  },
  {
    reason: "a page that announces the removal of a thing may still name it",
    applies: (kind, features) => kind === "removal" && has(features, "page tells its history"),
  },
  {
    reason: "an everyday word in a sample is not the project's",
    applies: (kind, features) =>
      kind === "removal" &&
      has(features, "mention in code") &&
      has(features, "mention bare") &&
      !has(features, "name distinct") &&
      !has(features, "no name") &&
      !RESOLVED.some((way) => has(features, way)),
  },
  {
    reason: "the page means the lost name elsewhere, and may mean another thing here",
    applies: (_, features) => has(features, "further mention"),
  },
  {
    reason: "the words of a build script are the build tool's",
    applies: (kind, features) =>
      (!RULES.get(kind)?.readsBuildScripts &&
        has(features, "evidence is a build script") &&
        !has(features, "variable of a build script") &&
        !(has(features, "thing lost") && has(features, "name distinct"))) ||
      (kind === "rename" && has(features, "only manifest") && !has(features, "thing lost")) ||
      has(features, "name of a life cycle"),
  },
  {
    reason: "the name is another project's",
    applies: (_, features) =>
      has(features, "name lent by another project") ||
      has(features, "owner from elsewhere now") ||
      has(features, "mention links elsewhere") ||
      (has(features, "name from elsewhere") &&
        !has(features, "evidence manifest") &&
        !has(features, "thing lost") &&
        !has(features, "file of that name gone")),
  },
  {
    reason: "the page may mean a package that the code itself no longer imports",
    applies: (_, features) => has(features, "module dropped"),
  },
  {
    reason: "the page uses a package that the project itself no longer needs",
    applies: (kind, features) =>
      kind === "removal" &&
      has(features, "only manifest") &&
      (has(features, "sample imports it") || has(features, "mention in a command that installs")),
  },
  {
    reason: "the sample declares a variable of the name",
    // The rule `sample` changes all lines of a sample together, so the variable stays consistent.
    applies: (kind, features) => kind !== "sample" && has(features, "sample declares the name"),
  },
  {
    reason: "a file has the name",
    applies: (kind, features) => kind === "removal" && has(features, "name is a file"),
  },
  {
    reason: "the code puts the name together from parts",
    applies: (_, features) => has(features, "name composed"),
  },
  {
    reason: "the variable of the environment is still read",
    applies: (kind, features) =>
      (kind === "rename" || kind === "removal") && has(features, "variable read still"),
  },
  {
    reason: "the project never offered the everyday word",
    applies: (kind, features) =>
      (kind === "rename" || kind === "removal") &&
      has(features, "surface never had it") &&
      !has(features, "name distinct") &&
      (kind === "rename" || has(features, "name everyday")) &&
      !has(features, "rename: member"),
  },
  {
    reason: "any variable may have a member of this everyday name",
    applies: (kind, features) =>
      (kind === "phrase" || kind === "sample") &&
      has(features, "surface never had it") &&
      has(features, "name everyday") &&
      has(features, "mention member"),
  },
  {
    reason: "every program has a name like that",
    applies: (kind, features) =>
      (kind === "rename" || kind === "phrase") &&
      has(features, "name of every program") &&
      !has(features, "thing lost") &&
      (!has(features, "rename: member") || has(features, "surface has it still")),
  },
  {
    reason: "a manifest without a version says nothing about the reader's",
    applies: (kind, features) => kind === "removal" && has(features, "surface version"),
  },
  {
    reason: "the name lives on in another spelling",
    applies: (kind, features) => kind === "removal" && has(features, "name spelt otherwise"),
  },
  {
    reason: "a generator fills in the passage, and the name still exists",
    applies: (_, features) =>
      has(features, "mention filled in") &&
      (has(features, "name declared still") || has(features, "name used still")),
  },
  {
    reason: "files that the change left alone use the name",
    applies: (kind, features) =>
      kind === "rename" && has(features, "thing symbol") && has(features, "name elsewhere"),
  },
  {
    reason: "the change itself wrote the line",
    applies: (_, features) =>
      has(features, "line is new") &&
      (!has(features, "renamed and marked") || has(features, "page knows the new name")),
  },
  {
    reason: "the name is part of an address elsewhere",
    applies: (_, features) => has(features, "mention in address"),
  },
  {
    reason: "an import of the project says nothing about the reader's",
    applies: (kind, features) =>
      has(features, "evidence is an import") &&
      (((kind === "sample" || kind === "phrase") && has(features, "surface never had it")) ||
        (kind === "signature" && has(features, "no name"))),
  },
  {
    reason: "any commit can shift the lines that a link to a branch shows",
    applies: (_, features) => has(features, "link to lines"),
  },
  {
    reason: "only the scheme of the address changed",
    applies: (_, features) => has(features, "scheme only"),
  },
  {
    reason: "only the case of letters changed",
    applies: (_, features) => has(features, "case only"),
  },
  {
    reason: "an address that the code no longer has may still be right",
    applies: (kind, features) => kind === "removal" && has(features, "value is an address"),
  },
  {
    reason: "a manifest of the project is no sample for its readers",
    applies: (kind, features) => kind === "signature" && has(features, "only manifest"),
  },
  {
    reason: "only punctuation changed",
    applies: (_, features) => has(features, "punctuation only"),
  },
  {
    reason: "a comment in a sample is the page's own",
    applies: (kind, features) =>
      kind === "signature" && has(features, "signature: rewritten") && has(features, "evidence is a comment"),
  },
  {
    reason: "the code names one of several such things more narrowly",
    applies: (kind, features) =>
      kind === "phrase" && has(features, "new name is narrower") && has(features, "name used still"),
  },
  {
    reason: "the new word belongs to the language",
    applies: (kind, features) =>
      (kind === "sample" || kind === "phrase" || kind === "rename") && has(features, "new word is a keyword"),
  },
  {
    reason: "the new word is not a name",
    applies: (_, features) => has(features, "new word is no name"),
  },
];

/** The reason why a notice is suppressed; null if it may be reported. */
export function suppressionOf(kind: RuleName, features: Features): string | null {
  return SUPPRESSIONS.find(({ applies }) => applies(kind, features))?.reason ?? null;
}
