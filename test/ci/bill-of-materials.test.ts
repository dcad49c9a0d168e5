import { expect, test } from "vitest";
import { type Bill, billOf } from "../../scripts/bill-of-materials.ts";

const component = (name: string, more: object = {}) => ({
  "bom-ref": `${name}@1.0.0`,
  type: "library",
  name,
  ...more,
});

const folder: Bill = {
  metadata: { component: component("trial") },
  components: [
    component("zod"),
    component("suture", {
      hashes: [{ alg: "SHA-512", content: "00" }],
      externalReferences: [{ url: "file:/tmp/suture.tgz" }, { url: "https://example.org" }],
    }),
  ],
  dependencies: [
    { ref: "trial@1.0.0", dependsOn: ["suture@1.0.0"] },
    { ref: "suture@1.0.0", dependsOn: ["zod@1.0.0"] },
    { ref: "zod@1.0.0", dependsOn: [] },
  ],
};
const preact = { name: "preact", version: "11.2.0", licence: "MIT" };

test("the bill is that of the package, not of the folder in which it was tried", () => {
  const { metadata, components } = billOf({ name: "suture", bundled: [] }, folder);
  expect(metadata.component).toEqual(
    component("suture", { externalReferences: [{ url: "https://example.org" }] }),
  );
  expect(components.map(({ name }) => name)).toEqual(["zod"]);
  expect(JSON.stringify(billOf({ name: "suture", bundled: [] }, folder))).not.toMatch(/trial|file:/);
});

test("bundled parts are components, and the package depends on them", () => {
  const { components, dependencies } = billOf({ name: "suture", bundled: [preact] }, folder);
  expect(components.at(-1)).toMatchObject({ name: "preact", purl: "pkg:npm/preact@11.2.0" });
  expect(dependencies).toEqual([
    { ref: "suture@1.0.0", dependsOn: ["zod@1.0.0", "bundled:preact@11.2.0"] },
    { ref: "zod@1.0.0", dependsOn: [] },
    { ref: "bundled:preact@11.2.0", dependsOn: [] },
  ]);
});

test("a folder without the package has no bill", () => {
  expect(() => billOf({ name: "suture", bundled: [] }, { ...folder, components: [] })).toThrow(
    "suture was not installed",
  );
});
