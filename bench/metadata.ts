/**
 * What an edit, an undo and a removal leave of a file's owner, mode, access control list and attributes, as the table of
 * docs/reliability.md: `npm run bench:metadata`. Needs root and GNU tar.
 */
import { measureMatrix, whyNotHere } from "./metadata/matrix.ts";

const why = whyNotHere();
if (why !== null) console.log(`metadata matrix skipped: ${why}`);
else {
  console.log("| The file | Edited | Then undone | Deleted or moved |\n| --- | --- | --- | --- |");
  for (const { what, edit, undo, remove } of measureMatrix())
    console.log(`| ${what} | ${edit} | ${undo} | ${remove} |`);
}
