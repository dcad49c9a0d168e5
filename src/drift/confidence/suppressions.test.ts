import { expect, test } from "vitest";
import type { RuleName } from "../rules.ts";
import { suppressionOf } from "./suppressions.ts";

const features = (...names: string[]): Record<string, number> =>
  Object.fromEntries(["evidence product", ...names].map((name) => [name, 1]));

test.each<[string, RuleName, string[], string | null]>([
  [
    "a rename whose old name is gone is said",
    "rename",
    ["name distinct", "name gone", "surface lost it"],
    null,
  ],
  [
    "a rename whose old name is still used is not",
    "rename",
    ["name distinct", "name used still", "surface lost it"],
    "the name still exists, and the mention may mean a remaining use",
  ],
  [
    "unless the mention says whose it is",
    "rename",
    ["name distinct", "name used still", "surface lost it", "claim by owner"],
    null,
  ],
  [
    "a removed flag whose bare word is still used is not said",
    "removal",
    ["name used still", "surface lost it", "surface flag", "thing lost", "claim by role"],
    "the name is still used in the product",
  ],
  [
    "unless no file has it with its dashes any more",
    "removal",
    ["name used still", "surface lost it", "surface flag", "literal gone"],
    null,
  ],
  [
    "a package that readers install is not said because the project no longer needs it",
    "removal",
    ["evidence manifest", "only manifest", "mention in a command that installs"],
    "the page uses a package that the project itself no longer needs",
  ],
  [
    "a variable that got a narrower name is not said",
    "phrase",
    ["name used still", "surface has it still", "new name is narrower"],
    "the code names one of several such things more narrowly",
  ],
  [
    "another way to export is not said",
    "sample",
    ["name used still", "new word is a keyword"],
    "the new word belongs to the language",
  ],
  [
    "an address that a message no longer gives is not said",
    "removal",
    ["no name", "literal gone", "value is an address"],
    "an address that the code no longer has may still be right",
  ],
  [
    "a removed line of a manifest that a sample also has is not said",
    "signature",
    ["no name", "signature: rewritten", "evidence manifest", "only manifest"],
    "a manifest of the project is no sample for its readers",
  ],
  [
    "a sentence that lost its full stop is not said",
    "phrase",
    ["no name", "punctuation only"],
    "only punctuation changed",
  ],
  [
    "a reworded comment that a sample repeats is not said",
    "signature",
    ["no name", "signature: rewritten", "evidence is a comment"],
    "a comment in a sample is the page's own",
  ],
  [
    "a name of another project is not said",
    "removal",
    ["name distinct", "name gone", "name from elsewhere"],
    "the name is another project's",
  ],
  [
    "unless the project had a copy of it and removed the copy",
    "removal",
    ["name distinct", "name gone", "name from elsewhere", "file of that name gone"],
    null,
  ],
  [
    "a key that the project's own manifest dropped is no key of the reader's",
    "removal",
    ["evidence manifest", "name gone", "surface lost it", "surface version", "surface exported"],
    "a manifest without a version says nothing about the reader's",
  ],
  [
    "a flag that is now derived from the name of a field is not gone",
    "removal",
    ["name distinct", "name gone", "name spelt otherwise"],
    "the name lives on in another spelling",
  ],
  [
    "a member with a word of every program, which the project has still, is not renamed",
    "rename",
    ["name of every program", "rename: member", "surface has it still", "name used still"],
    "every program has a name like that",
  ],
  [
    "a package that the code no longer imports is shown on request only",
    "removal",
    ["module dropped", "evidence manifest"],
    "the page may mean a package that the code itself no longer imports",
  ],
  [
    "a removed name that its page calls deprecated is not said again",
    "removal",
    ["name distinct", "name gone", "page tells its history"],
    "a page that announces the removal of a thing may still name it",
  ],
  [
    "an everyday word of a sample is not the removed class",
    "removal",
    ["name gone", "surface lost it", "mention in code", "mention bare", "claim by name"],
    "an everyday word in a sample is not the project's",
  ],
  [
    "a member of a sample may be",
    "removal",
    ["name gone", "surface lost it", "mention in code", "mention member"],
    null,
  ],
  [
    "a sample that imports what the code no longer imports is the reader's own",
    "signature",
    ["no name", "evidence is an import"],
    "an import of the project says nothing about the reader's",
  ],
  [
    "a sample may import a package that the project itself no longer needs",
    "removal",
    ["name distinct", "name gone", "only manifest", "sample imports it"],
    "the page uses a package that the project itself no longer needs",
  ],
  [
    "the member of a variable is not the project's",
    "phrase",
    ["name everyday", "surface never had it", "mention in code", "mention member"],
    "any variable may have a member of this everyday name",
  ],
  [
    "a word of a Makefile is the build tool's",
    "removal",
    ["name distinct", "name gone", "evidence is a build script"],
    "the words of a build script are the build tool's",
  ],
  [
    "a task that a Makefile lost is its own",
    "script",
    ["name distinct", "evidence is a build script", "task gone"],
    null,
  ],
  [
    "a name that links to another project is that project's",
    "rename",
    ["name distinct", "surface lost it", "thing lost", "mention links elsewhere"],
    "the name is another project's",
  ],
  [
    "an address that changed only to https still works",
    "phrase",
    ["no name", "scheme only"],
    "only the scheme of the address changed",
  ],
  [
    "a test is no evidence for a text",
    "phrase",
    ["no name", "evidence test"],
    "the evidence is only tests, examples, automation or data",
  ],
])("%s", (_, kind, names, reason) => {
  const given = names.includes("evidence test")
    ? { ...features(...names), "evidence product": 0 }
    : features(...names);
  expect(suppressionOf(kind, given)).toBe(reason);
});
