// The sentences that a change made false, for two trees in memory.
import { driftBetween } from "suture/drift";

const code = (flag: string) => `export const flag = "${flag}";\n`;
const before = new Map([["cli.js", code("--retries")], ["README.md", "# Tool\n\nPass `--retries` to try again.\n"]]);
const { findings } = await driftBetween(before, new Map([...before, ["cli.js", code("--attempts")]]));
console.log(findings.map(({ path, startLine }) => `${path}:${startLine}`)); // prints: [ 'README.md:3' ]
