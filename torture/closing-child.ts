/** `node closing-child.ts PART SEED`: runs a part with a workspace that keeps working after `close`. Prints its counts. */
import { closeEverywhere } from "./closing.ts";
import { closeAgain } from "./closing-again.ts";
import { createRandom } from "./random.ts";
import { newTally } from "./tally.ts";
import { unguarded } from "./unguarded.ts";
import { locateWorkload } from "./workloads.ts";

const [part, seed, rounds = "3"] = process.argv.slice(2);
const tally = newTally();
const how = { random: createRandom(Number(seed)), opener: unguarded };
if (part === "close") await closeEverywhere(locateWorkload("edit 2"), tally, { ...how, oneIn: 4 });
else await closeAgain(tally, { ...how, rounds: Number(rounds) });
console.log(JSON.stringify(tally.counts));
