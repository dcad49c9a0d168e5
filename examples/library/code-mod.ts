// Renames a function in 200 files: one transaction, with progress and one undo. Every failure is reported at once.
import { describeRefusal, openSession, unwrap } from "suture";
import { createMemoryDisk } from "suture/workspace";

const disk = createMemoryDisk();
for (let i = 0; i < 200; i++) disk.put(`src/${i}.ts`, `before();\nrun${i}(oldName());\n`);
await using session = unwrap(await openSession({ root: "/", files: disk.process(), author: "rename oldName" }));

const found = await session.call("search_files", { query: "oldName", limit: 1000 });
if (!found.success) throw new Error(found.error);
const rename = (quote: string) => found.matches.map(({ path }) => ({ path, target: { quote }, text: "newName" }));
const plan = unwrap(await session.plan(rename("oldName")));
let percent = 0;
const onProgress = ({ done, total }: { done: number; total: number }) => void (percent = (100 * done) / total);
const entry = unwrap(await session.commit(plan, { reason: "oldName is newName now", onProgress }));
console.log(entry.files.length, percent); // prints: 200 100
const again = await session.plan(rename("oldName").slice(0, 3));
if (!again.ok) console.log(describeRefusal(again.refusal).message.match(/not found/g)?.length); // prints: 3
unwrap(await session.undo());
console.log(new TextDecoder().decode(disk.read("src/7.ts")?.bytes).includes("oldName")); // prints: true
