import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkDrift, openGit, openReader } from "../../src/index.ts";
import { createDriftRepository, loadDriftCases } from "../scenarios/drift.ts";

type FormerIds = {
  /** By case, the ids that the engine before claims gave its certain and likely findings. */
  readonly found: Readonly<Record<string, readonly string[]>>;
  /** Ids that no finding answers to, because it states another fact now. */
  readonly lost: readonly { readonly case: string; readonly id: string; readonly why: string }[];
};

const former: FormerIds = JSON.parse(readFileSync("test/drift/former-ids.json", "utf8"));

test("a decision about a finding of the engine before claims holds", async () => {
  const answered = new Set<string>();
  for (const one of loadDriftCases()) {
    if (!(one.name in former.found) && !former.lost.some(({ case: name }) => name === one.name)) continue;
    const { root, remove } = createDriftRepository(one);
    const reader = await openReader(root);
    if (!reader.ok) throw new Error(JSON.stringify(reader.refusal));
    const checked = await checkDrift(await openGit(root), reader.value, { base: "HEAD~1" });
    if (!checked.ok) throw new Error(JSON.stringify(checked.refusal));
    for (const { id, formerIds = [] } of checked.value.findings)
      for (const each of [id, ...formerIds]) answered.add(`${one.name} ${each}`);
    await reader.value.close();
    remove();
  }
  const found = Object.entries(former.found).flatMap(([name, ids]) => ids.map((id) => `${name} ${id}`));
  expect(found.filter((id) => !answered.has(id))).toEqual([]);
  const lost = former.lost.map(({ case: name, id }) => `${name} ${id}`);
  expect(lost.filter((id) => answered.has(id))).toEqual([]);
  console.log(`${found.length} former ids found again, ${lost.length} lost with a reason`);
});
