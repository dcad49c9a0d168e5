// Gathers what the site is made of in `pages/`: the documents as they are, the front page, the logo, and the page on which
// visitors try it.
import { execFileSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";

const house = join(import.meta.dirname, "..");
const pages = join(import.meta.dirname, "pages");

// Pages that were renamed or removed since the last time must not stay.
rmSync(pages, { recursive: true, force: true });
cpSync(join(house, "docs"), pages, { recursive: true });
cpSync(join(import.meta.dirname, "index.md"), join(pages, "index.md"));
cpSync(join(house, "src/web/page/look/icon.svg"), join(pages, "public/icon.svg"));
const build = [join(house, "scripts/build-page.ts"), "--site", join(pages, "public/try")];
execFileSync(process.execPath, build, { stdio: "inherit" });
