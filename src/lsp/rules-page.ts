import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The address of the page that explains the rules; null where the package came without it. */
export function findRulesPage(): string | null {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const page = join(folder, "docs", "rules.md");
    if (existsSync(join(folder, "package.json"))) return existsSync(page) ? pathToFileURL(page).href : null;
    if (dirname(folder) === folder) return null;
    folder = dirname(folder);
  }
}
