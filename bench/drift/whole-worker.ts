/** A process that asks `check --all` about one clone, prints the answer as JSON and ends: its memory is that check's. */
import { askWhole } from "./ask.ts";
import { Scratch } from "./mirror.ts";

const [gitDir = "", folder = "", repo = ""] = process.argv.slice(2);
const scratch = new Scratch({ gitDir, folder, origin: `https://github.com/${repo}.git` });
const asked = await askWhole(scratch);
scratch.close();
console.log(JSON.stringify({ ...asked, megabytes: process.resourceUsage().maxRSS / 1024 }));
