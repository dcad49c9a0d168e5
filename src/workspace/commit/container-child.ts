/** `container-child.ts ROOT`: takes the lock of a folder, says so, and keeps it. */
import { diskFiles } from "../files/disk-files.ts";
import { value } from "../testing.ts";
import { acquireLock } from "./lock.ts";

const files = diskFiles();
const dir = await files.openRoot(process.argv[2]!);
value(await acquireLock(files, dir, { patience: 1000 }));
console.log("held");
setInterval(() => {}, 1000);
