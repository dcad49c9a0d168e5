import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createRepository, type Repository } from "../drift/repository.ts";

const extension = resolve("editors/vscode/suture.vsix");
/** The program of code-server (`out/node/entry.js`), which is VS Code in a browser. */
const { SUTURE_CODE_SERVER: codeServer = "", SUTURE_SCREENSHOTS: pictures } = process.env;
const missing = !existsSync(codeServer)
  ? "SUTURE_CODE_SERVER does not name code-server; the test of the VS Code extension is skipped"
  : !existsSync(extension)
    ? "editors/vscode/suture.vsix is not built; the test of the VS Code extension is skipped"
    : !existsSync("/usr/bin/chromium")
      ? "Chromium is not installed; the test of the VS Code extension is skipped"
      : null;
if (missing) console.log(missing);

const code = "export function fetchUser(id, limit = 30) {\n  return id;\n}\n";
const guide = "# Guide\n\nCall `fetchUser` with an id.\n\nIt is `fetchUser` again.\n";
const port = 8400 + (process.pid % 500);

let repository: Repository;
let folder: string;
let server: ChildProcess;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  if (missing) return;
  folder = mkdtempSync(join(tmpdir(), "suture-code-server-"));
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});

afterAll(async () => {
  if (missing) return;
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  if (missing) return;
  repository = createRepository();
  repository.commit({
    "client.js": code,
    "docs/guide.md": guide,
    "README.md": "# Shop\n\nUse `fetchUser`.\n",
  });
  repository.commit({ "package.json": '{"name":"shop"}\n' });
  startEditor();
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(180_000);
  await openEditor();
});

afterEach(async () => {
  if (missing) return;
  await page.close();
  server.kill();
  repository.remove();
});

function startEditor(): void {
  const shared = ["--config", "config.yaml", "--user-data-dir", "data", "--extensions-dir", "extensions"].map(
    (word) => (word.startsWith("--") ? word : join(folder, word)),
  );
  spawnSync(process.execPath, [codeServer, ...shared, "--install-extension", extension]);
  const options = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-workspace-trust"];
  server = spawn(
    process.execPath,
    [codeServer, ...shared, ...options, "--disable-telemetry", "--disable-update-check"],
    { stdio: "ignore", env: { ...process.env, CI: "" } },
  );
}

async function openEditor(): Promise<void> {
  const address = `http://127.0.0.1:${port}/?folder=${encodeURIComponent(repository.folder)}`;
  while (!(await page.goto(address).catch(() => null))) await page.waitForTimeout(500);
  await page.locator('.activitybar [aria-label*="Suture"]').first().waitFor();
}

async function openFile(name: string): Promise<void> {
  await page.keyboard.press("Control+P");
  await page.locator(".quick-input-widget input").first().fill(name);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click();
  await page.locator(`.tab[data-resource-name="${name}"].active`).waitFor();
  await page.locator(".editor-instance .view-lines").first().click();
}

async function picture(name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

async function saved(path: string, text: string): Promise<void> {
  while (repository.read(path) !== text) await page.waitForTimeout(200);
}

/** Opens the list of quick fixes. While other extensions start, the editor offers less than there is. */
async function askUntilOffered(title: string): Promise<void> {
  const offered = page.locator(".action-widget .monaco-list-row", { hasText: title }).first();
  for (;;) {
    await page.keyboard.press("Control+Period");
    const isThere = await offered.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await picture("no-quick-fix");
    await page.keyboard.press("Escape");
  }
}

test.skipIf(missing)(
  "VS Code shows the passages, fixes them byte for byte, and lists them by cause",
  async () => {
    await openFile("client.js");
    await page.keyboard.press("Control+Home");
    for (let step = 0; step < "export function ".length; step++) await page.keyboard.press("ArrowRight");
    for (let step = 0; step < "fetch".length; step++) await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.type("load");
    await page.locator('.activitybar [aria-label*="Suture"]').first().click();
    await page.locator(".pane-body .monaco-list-row", { hasText: "guide.md:3" }).first().waitFor();
    await picture("documents");
    await openFile("guide.md");
    await page.locator(".squiggly-error").first().waitFor();
    await picture("passages");
    await page.locator(".view-line", { hasText: "with an id" }).first().click();
    await askUntilOffered("Fix all 3 passages");
    await picture("quick-fix");
    await page.locator(".action-widget .monaco-list-row", { hasText: "Fix all 3 passages" }).first().click();
    await page.locator(".squiggly-error").first().waitFor({ state: "detached" });
    await page.keyboard.press("Control+S");
    const fixed = guide.replaceAll("fetchUser", "loadUser");
    await saved("docs/guide.md", fixed);
    await picture("fixed");
    await page.keyboard.press("Control+Z");
    await page.keyboard.press("Control+S");
    await saved("docs/guide.md", guide);
    expect(repository.read("docs/guide.md")).toBe(guide);
  },
);
