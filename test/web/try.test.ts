import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildTryPage } from "../../scripts/build-page.ts";
import { artefacts, launchBrowser, withoutBrowser } from "./review-fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "suture-try-"));
const types: Readonly<Record<string, string>> = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  wasm: "application/wasm",
};
const asked: string[] = [];
let server: Server;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  if (withoutBrowser !== null) return;
  await buildTryPage(folder);
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const path = request.url === "/try/" ? "index.html" : (request.url ?? "").replace("/try/", "");
    response.writeHead(200, { "content-type": types[path.split(".").at(-1)!] ?? "image/svg+xml" });
    response.end(path === "/icon.svg" ? "" : readFileSync(join(folder, path)));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = server.address();
  browser = await launchBrowser();
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/try/`);
});
afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(withoutBrowser !== null)("the page on which visitors try Suture, in a browser", () => {
  const result = async (): Promise<string> => (await page.getByLabel("Result").textContent()) ?? "";

  test("shows the claims of the page with their truth, what became false, and the repair", async () => {
    await page.getByRole("heading", { name: "The repair" }).waitFor();
    const row = page.getByRole("row").filter({ hasText: "value" }).first();
    expect((await row.getByRole("cell").allTextContents()).slice(-2)).toEqual(["true", "false"]);
    expect(await page.getByLabel("The repair").textContent()).toContain("openChannel(host)");
    await page.screenshot({ path: join(artefacts, "try.png") });
  });

  test("a flag is repaired; where no rule can write the new words, the page says so", async () => {
    await page.getByRole("button", { name: "A command's flag" }).click();
    await page.getByLabel("The repair").getByText("--preview").first().waitFor();
    await page.getByRole("button", { name: "A variable is gone" }).click();
    await page.getByText("No rule can write the new words").waitFor();
  });

  test("follows what is typed, and shows hostile text as text", async () => {
    const code = "export const LIMIT = 10;\n";
    await page.getByRole("button", { name: "A default and a name" }).click();
    await page.getByRole("textbox", { name: "client.ts, before" }).fill(code);
    await page.getByRole("textbox", { name: "client.ts, after" }).fill(code.replace("10", "20"));
    const hostile = "<img src=x onerror=document.title='owned'>";
    await page.getByRole("textbox", { name: "client.md" }).fill(`${hostile}\n\nThe limit \`LIMIT\` is 10.\n`);
    await page.getByRole("heading", { name: "1 passage no longer true" }).waitFor();
    expect(await page.getByLabel("The repair").textContent()).toContain("is 20.");
    await page.getByRole("textbox", { name: "client.ts, after" }).fill(code);
    await page.getByRole("heading", { name: "Nothing became false" }).waitFor();
    expect(await result()).not.toContain("The repair");
    expect(await page.title()).toBe("Try Suture");
  });

  test("has the head of the site, and fits a phone", async () => {
    expect(await page.getByRole("link", { name: "Suture" }).getAttribute("href")).toBe("../");
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    // All columns that it has are in sight, the truth after the change among them.
    const hidden =
      "(() => { const box = document.querySelector('.wide'); return box.scrollWidth - box.clientWidth; })()";
    expect(await page.evaluate(hidden)).toBe(0);
  });

  test("sends nothing: the browser only reads the files of the page", () => {
    const own = /^GET \/(icon\.svg|try\/((assets|grammars)\/[\w.-]+)?)$/;
    expect(asked.filter((request) => !own.test(request))).toEqual([]);
  });
});
