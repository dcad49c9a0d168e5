// `node swap-child.ts ROOT OUTSIDE` swaps `d` for a link to a directory outside and `f.md` for a link to a file outside,
// and back, in a loop. Ends when its input is closed.
import * as fs from "node:fs";
import { join } from "node:path";

const [root, outside] = process.argv.slice(2) as [string, string];
process.stdin.resume().on("end", () => process.exit());

fs.writeSync(1, "ready\n");
swapOnAndOn();

function swapOnAndOn(): void {
  for (let i = 0; i < 50; i++) {
    swap("d", outside);
    swap("f.md", join(outside, "page.md"));
  }
  setImmediate(swapOnAndOn);
}

function swap(name: string, target: string): void {
  const [here, away] = [join(root, name), join(root, `${name}.away`)];
  fs.renameSync(here, away);
  try {
    fs.symlinkSync(target, here);
    fs.unlinkSync(here);
  } catch {
    // The engine has created a file there; the original file replaces it below.
  }
  fs.renameSync(away, here);
}
