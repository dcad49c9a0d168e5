import { expect, test } from "vitest";
import { checkDrift, openGit, openReader } from "../../src/index.ts";
import { createDriftRepository, loadDriftCases, toExpected } from "./drift.ts";

const cases = loadDriftCases();

test.each(cases.map((each) => [each.name, each] as const))("the library reports %s", async (_, each) => {
  const repository = createDriftRepository(each);
  const reader = await openReader(repository.root);
  if (!reader.ok) throw new Error(JSON.stringify(reader.refusal));
  try {
    const git = await openGit(repository.root);
    const checked = await checkDrift(git, reader.value, { base: "HEAD~1" });
    expect(checked.ok && toExpected(checked.value.findings)).toEqual(each.expected);
  } finally {
    await reader.value.close();
    repository.remove();
  }
});

test("cases in which the wanted finding is not yet made say why", () => {
  const open = cases.filter((each) => each.open !== undefined);
  for (const { name, open: why } of open) console.log(`open: ${name}: ${why}`);
  expect(open.every((each) => each.open!.length > 5)).toBe(true);
  expect(open.length).toBeLessThanOrEqual(16);
});
