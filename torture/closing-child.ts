/**
 * `node closing-child.ts SEED [MISUSE]`: runs a part with a workspace that keeps working after `close`, and prints its
 * counts. With a misuse it is `close-again`, otherwise `close`.
 */
import { closeEverywhere } from "./closing.ts";
import { closeAgain, type MisuseName } from "./closing-again.ts";
import { createRandom } from "./random.ts";
import { believingLock } from "./stop.ts";
import { newTally } from "./tally.ts";
import { unguarded } from "./unguarded.ts";
import { locateWorkload } from "./workloads.ts";

const [seed, misuse] = process.argv.slice(2);
const tally = newTally();
const isDuringCommit = misuse === "close during a commit";
// A commit that asks for its lock finds that the folder is another one, and ends. So this one believes its lock.
const believing = { ...unguarded, files: () => believingLock(unguarded.files()) };
const how = { random: createRandom(Number(seed)), opener: isDuringCommit ? believing : unguarded };
if (misuse === undefined) await closeEverywhere(locateWorkload("edit 2"), tally, { ...how, oneIn: 4 });
// A close during a commit harms others only at some moments, so it gets more rounds.
else
  await closeAgain(tally, {
    ...how,
    only: [misuse as MisuseName],
    rounds: isDuringCommit ? 60 : 8,
  });
console.log(JSON.stringify(tally.counts));
