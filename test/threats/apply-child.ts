/** Applies the edits on standard input to the folder it is given: `node apply-child.ts ROOT [stop | hungry]`. */
import { diskFiles } from "../../src/workspace/files/disk-files.ts";
import type { Files } from "../../src/workspace/files/files.ts";
import { commitEdits, quote, value } from "../../src/workspace/testing.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";

const [root, trouble] = process.argv.slice(2);
const inner = diskFiles();
const files: Files = {
  ...inner,
  rename: async (...place) => {
    // A page gets its new bytes after the commit record, with the lock held.
    const isPage = place[3].endsWith(".md");
    if (trouble === "stop" && isPage) {
      process.stdout.write("holding\n");
      process.kill(process.pid, "SIGSTOP");
    }
    if (trouble === "hungry" && isPage)
      for (const hoard: unknown[] = []; ; ) hoard.push(new Array(10_000).fill({}));
    return inner.rename(...place);
  },
};
let input = "";
for await (const piece of process.stdin) input += piece;
const edits = JSON.parse(input) as { path: string; old_string: string; new_string: string }[];
const workspace = value(await openWorkspace(root!, { files }));
process.stdout.write("begin\n");
value(
  await commitEdits(
    workspace,
    edits.map(({ path, old_string, new_string }) => quote(path, old_string, new_string)),
  ),
);
process.stdout.write("done\n");
await workspace.close();
