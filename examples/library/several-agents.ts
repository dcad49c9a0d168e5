// Two agents on one folder: other lines are merged, the same lines are a conflict, and undo is one's own.
import { openSession, unwrap } from "suture";

await using ann = unwrap(await openSession({ root: ".", author: "ann", task: "title", run: "r1" }));
await using bob = unwrap(await openSession({ root: ".", author: "bob", task: "name", run: "r1" }));
const edit = { path: "README.md", old_content: "# Postbox", new_content: "# Mailbox" };
await ann.call("edit_file", edit);
const second = await bob.call("edit_file", { ...edit, old_content: "# Mailbox", new_content: "# Letters" });
if (!second.success) console.log(second.code, second.with?.[0]?.task); // prints: conflict title
await bob.call("write_file", { path: "bob.md", content: "Bob\n" });
console.log(unwrap(await ann.undo()).files[0]?.path); // prints: README.md
