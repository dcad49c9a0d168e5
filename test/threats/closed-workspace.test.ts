import { expect, inject, test } from "vitest";
import { countHarm } from "../../torture/closing.ts";
import { closeAgain, misuseNames } from "../../torture/closing-again.ts";
import { createRandom } from "../../torture/random.ts";
import { newTally } from "../../torture/tally.ts";

// The short form of `npm run torture -- --only close-again`, which plays 1,000 rounds of each misuse.
test.each(misuseNames)("other roots and files of the process are untouched: %s", async (misuse) => {
  const tally = newTally();
  await closeAgain(tally, { random: createRandom(inject("seed")), rounds: 5, only: [misuse] });
  expect(tally.bad).toEqual([]);
  expect(tally.counts).toMatchObject({
    [misuse]: 5,
    "written elsewhere": 0,
    "read elsewhere": 0,
    "foreign descriptors closed": 0,
  });
});

test("a workspace that goes on with the numbers of its descriptors is caught", async () => {
  // On a busy machine a number may be taken again too late to be met, so a few seeds are tried.
  let harm = 0;
  for (let seed = inject("seed"); harm === 0 && seed < inject("seed") + 10; seed++)
    harm = await countHarm(seed, "read and edit through a closed workspace");
  expect(harm).toBeGreaterThan(0);
});
