/**
 * `node closing-child.ts SEED [MISUSE]`: runs a part with a workspace that keeps working after `close`, and prints its
 * counts. With a misuse it is `close-again`, otherwise `close`.
 */
import { closeEverywhere } from "./closing.ts";
import { closeAgain, type MisuseName } from "./closing-again.ts";
import { createRandom } from "./random.ts";
import { newTally } from "./tally.ts";
import { unguarded } from "./unguarded.ts";
import { locateWorkload } from "./workloads.ts";

const [seed, misuse] = process.argv.slice(2);
const tally = newTally();
const how = { random: createRandom(Number(seed)), opener: unguarded };
if (misuse === undefined) await closeEverywhere(locateWorkload("edit 2"), tally, { ...how, oneIn: 4 });
// A close during a commit harms others only at some moments, so it gets more rounds.
else
  await closeAgain(tally, {
    ...how,
    only: [misuse as MisuseName],
    rounds: misuse === "close during a commit" ? 60 : 8,
  });
console.log(JSON.stringify(tally.counts));
