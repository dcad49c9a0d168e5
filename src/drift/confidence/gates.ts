import type { RuleName } from "../rules.ts";
import type { Features } from "./features.ts";

/** Why a notice may be shown on request only, whatever else speaks for it. */
export type EvidenceGate = {
  readonly name: string;
  readonly closes: (kind: RuleName, features: Features) => boolean;
};

const ANY_EVIDENCE: ReadonlySet<RuleName> = new Set([
  "path",
  "anchor",
  "snippet",
  "script",
  "flag",
  "version",
  "translation",
]);

/** Rules that ask a build script for what it declares: its tasks, its options, the versions it demands. */
const OF_BUILD_SCRIPTS: ReadonlySet<RuleName> = new Set([
  "script",
  "flag",
  "version",
  "path",
  "anchor",
  "snippet",
]);

/** Ways in which a mention is known to mean the project's own thing, and not any thing of that name. */
const RESOLVED = ["claim by role", "claim by owner", "claim by entry", "rename: member"];

const has = (features: Features, name: string): boolean => (features[name] ?? 0) > 0;

/** Conditions without which nothing is said, in the order they are asked. */
export const GATES: readonly EvidenceGate[] = [
  {
    name: "the evidence is only tests, examples, automation or data",
    closes: (kind, features) =>
      !ANY_EVIDENCE.has(kind) &&
      !has(features, "evidence product") &&
      !has(features, "evidence manifest") &&
      !has(features, "thing lost"),
  },
  {
    name: "the name is still used in the product",
    // A flag is written with its dashes: where no file has it so, the bare word means something else.
    closes: (kind, features) =>
      kind === "removal" &&
      (has(features, "name used still") || has(features, "name declared still")) &&
      !(has(features, "literal gone") && has(features, "surface flag")),
  },
  {
    name: "the name is still there, and the mention may mean what is left",
    closes: (kind, features) =>
      kind === "rename" &&
      (has(features, "name used still") || has(features, "name declared still")) &&
      (has(features, "surface never had it") || !RESOLVED.some((way) => has(features, way))),
  },
  {
    name: "the project never offered the word, and still uses it",
    closes: (kind, features) =>
      kind === "phrase" &&
      has(features, "surface never had it") &&
      (has(features, "name used still") || has(features, "name declared still")),
  },
  {
    name: "the deprecated word is nothing that the project offered",
    closes: (kind, features) => kind === "deprecation" && has(features, "surface never had it"),
  },
  {
    name: "a page that tells of the end of a thing may go on naming it",
    closes: (kind, features) => kind === "removal" && has(features, "page tells its history"),
  },
  {
    name: "an everyday word in a sample is not the project's",
    closes: (kind, features) =>
      kind === "removal" &&
      has(features, "mention in code") &&
      has(features, "mention bare") &&
      !has(features, "name distinct") &&
      !has(features, "no name") &&
      !RESOLVED.some((way) => has(features, way)),
  },
  {
    name: "the page means the lost name elsewhere, and may mean another thing here",
    closes: (_, features) => has(features, "further mention"),
  },
  {
    name: "the words of a build script are the build tool's",
    closes: (kind, features) =>
      (!OF_BUILD_SCRIPTS.has(kind) &&
        has(features, "evidence is a build script") &&
        !has(features, "variable of a build script") &&
        !(has(features, "thing lost") && has(features, "name distinct"))) ||
      (kind === "rename" && has(features, "only manifest") && !has(features, "thing lost")) ||
      has(features, "name of a life cycle"),
  },
  {
    name: "the name is another project's",
    closes: (_, features) =>
      has(features, "name lent by another project") ||
      has(features, "owner from elsewhere now") ||
      has(features, "mention links elsewhere") ||
      (has(features, "name from elsewhere") &&
        !has(features, "evidence manifest") &&
        !has(features, "thing lost") &&
        !has(features, "file of that name gone")),
  },
  {
    name: "the page may mean a package that the code itself no longer imports",
    closes: (_, features) => has(features, "module dropped"),
  },
  {
    name: "the sample imports a package that the project itself no longer needs",
    closes: (kind, features) =>
      (kind === "removal" || kind === "default") &&
      has(features, "only manifest") &&
      has(features, "sample imports it"),
  },
  {
    name: "the sample declares a variable of the name",
    // Lines of a sample that change together are another matter.
    closes: (kind, features) => kind !== "sample" && has(features, "sample declares the name"),
  },
  {
    name: "a file has the name",
    closes: (kind, features) => kind === "removal" && has(features, "name is a file"),
  },
  {
    name: "the page names the version and does not demand it",
    closes: (kind, features) => kind === "version" && has(features, "rule says possible"),
  },
  {
    name: "the code puts the name together from parts",
    closes: (_, features) => has(features, "name composed"),
  },
  {
    name: "the variable of the environment is still read",
    closes: (kind, features) =>
      (kind === "rename" || kind === "removal") && has(features, "variable read still"),
  },
  {
    name: "the project never offered the everyday word",
    closes: (kind, features) =>
      (kind === "rename" || kind === "removal") &&
      has(features, "surface never had it") &&
      !has(features, "name distinct") &&
      (kind === "rename" || has(features, "name everyday")) &&
      !has(features, "rename: member"),
  },
  {
    name: "an everyday member is any variable's",
    closes: (kind, features) =>
      (kind === "phrase" || kind === "sample") &&
      has(features, "surface never had it") &&
      has(features, "name everyday") &&
      has(features, "mention member"),
  },
  {
    name: "every program has a name like that",
    closes: (kind, features) =>
      (kind === "rename" || kind === "phrase") &&
      has(features, "name of every program") &&
      !has(features, "thing lost") &&
      (!has(features, "rename: member") || has(features, "surface has it still")),
  },
  {
    name: "a manifest without a version says nothing about the reader's",
    closes: (kind, features) => kind === "removal" && has(features, "surface version"),
  },
  {
    name: "the name lives on in another spelling",
    closes: (kind, features) => kind === "removal" && has(features, "name spelt otherwise"),
  },
  {
    name: "the code still says it of another thing",
    closes: (kind, features) => kind === "description" && has(features, "text said still"),
  },
  {
    name: "a generator fills the passage in, and the name is still there",
    closes: (_, features) =>
      has(features, "mention filled in") &&
      (has(features, "name declared still") || has(features, "name used still")),
  },
  {
    name: "files that the change left alone use the name",
    closes: (kind, features) =>
      kind === "rename" && has(features, "thing symbol") && has(features, "name elsewhere"),
  },
  {
    name: "the change wrote the line itself",
    closes: (kind, features) =>
      kind !== "path" &&
      kind !== "anchor" &&
      has(features, "line is new") &&
      (!has(features, "renamed and marked") || has(features, "page knows the new name")),
  },
  {
    name: "the name is part of an address elsewhere",
    closes: (kind, features) => kind !== "path" && has(features, "mention in address"),
  },
  {
    name: "readers may have a file of that path in their own project",
    closes: (_, features) => has(features, "reader may own the path"),
  },
  {
    name: "an import of the project says nothing about the reader's",
    closes: (kind, features) =>
      has(features, "evidence is an import") &&
      (((kind === "sample" || kind === "phrase") && has(features, "surface never had it")) ||
        (kind === "signature" && has(features, "no name"))),
  },
  {
    name: "a link to lines of a branch goes astray with every commit",
    closes: (_, features) => has(features, "link to lines"),
  },
  {
    name: "only the scheme of the address changed",
    closes: (_, features) => has(features, "scheme only"),
  },
  {
    name: "only the case of letters changed",
    closes: (kind, features) => kind !== "path" && has(features, "case only"),
  },
  {
    name: "an address that the code no longer gives may still be right",
    closes: (kind, features) => kind === "removal" && has(features, "value is an address"),
  },
  {
    name: "a manifest of the project is no sample for its readers",
    closes: (kind, features) => kind === "signature" && has(features, "only manifest"),
  },
  {
    name: "only punctuation changed",
    closes: (_, features) => has(features, "punctuation only"),
  },
  {
    name: "a comment in a sample is the page's own",
    closes: (kind, features) =>
      kind === "signature" && has(features, "signature: rewritten") && has(features, "evidence is a comment"),
  },
  {
    name: "the value is a mark that stands everywhere",
    closes: (kind, features) => kind === "default" && has(features, "value tiny"),
  },
  {
    name: "the addition is nothing that readers are offered",
    closes: (kind, features) => kind === "sibling" && !has(features, "addition offered"),
  },
  {
    name: "the change writes of the addition elsewhere",
    closes: (_, features) => has(features, "addition told elsewhere"),
  },
  {
    name: "the new word is no name",
    closes: (kind, features) => kind !== "default" && kind !== "path" && has(features, "new word is no name"),
  },
  {
    name: "the anchor is of a page of releases",
    closes: (_, features) => has(features, "target is history"),
  },
];

/** The first gate that holds a notice back; null where it may be said. */
export function closedGate(kind: RuleName, features: Features): string | null {
  return GATES.find(({ closes }) => closes(kind, features))?.name ?? null;
}
