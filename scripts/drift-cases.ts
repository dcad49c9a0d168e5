/**
 * Writes `expected.json` of the drift cases from what the library finds, for review with git diff:
 * `npm run drift-cases`, or `npm run drift-cases -- 003` for one of them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkDrift, openGit, openReader } from "../src/index.ts";
import { createDriftRepository, driftFolder, loadDriftCases, toExpected } from "../test/scenarios/drift.ts";

const words = process.argv.slice(2);
const chosen = loadDriftCases().filter(
  ({ name }) => words.length === 0 || words.some((word) => name.startsWith(word)),
);

for (const each of chosen) {
  const { root, remove } = createDriftRepository(each);
  const reader = await openReader(root);
  if (!reader.ok) throw new Error(JSON.stringify(reader.refusal));
  const checked = await checkDrift(await openGit(root), reader.value, { base: "HEAD~1" });
  if (!checked.ok) throw new Error(JSON.stringify(checked.refusal));
  const findings = toExpected(checked.value.findings);
  writeFileSync(join(driftFolder, each.name, "expected.json"), `${JSON.stringify({ findings }, null, 2)}\n`);
  console.log(`${each.name}: ${findings.map(({ kind, tier }) => `${tier} ${kind}`).join(", ") || "nothing"}`);
  await reader.value.close();
  remove();
}
