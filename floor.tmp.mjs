import { measureFloor } from "./bench/protocol-floor.ts"; import { mkdtempSync, rmSync } from "node:fs";
const page = Array.from({ length: 200 }, (_, i) => `Line ${i} of a small page.\n`).join("");
for (const base of ["/dev/shm", "/tmp"]) { const r = mkdtempSync(base + "/floor-"); console.log(base, (await measureFloor(r, page, 1500)).toFixed(3), "ms"); rmSync(r, {recursive:true}); }
import * as fs from "node:fs"; import { promisify } from "node:util";
const fd = fs.openSync("/dev/shm/x", "w"); const af = promisify(fs.fsync);
for (const [n, f] of [["sync", () => fs.fsyncSync(fd)], ["async", () => af(fd)], ["async5", () => Promise.all([af(fd),af(fd),af(fd),af(fd),af(fd)])]]) { for (let i=0;i<500;i++) await f(); const c=process.cpuUsage(); for (let i=0;i<5000;i++) await f(); const d=process.cpuUsage(c); console.log(n, (d.user+d.system)/5000, "us"); }
