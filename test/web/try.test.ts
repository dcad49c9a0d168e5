import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildTryPage } from "../../scripts/build-page.ts";
import { artefacts, launchBrowser, withoutBrowser } from "./review-fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "suture-try-"));
const types: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript", css: "text/css" };
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
    response.end(readFileSync(join(folder, path)));
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

describe.skipIf(withoutBrowser !== null)("the page on which visitors try the text core, in a browser", () => {
  test("shows what is applied, what is refused and why", async () => {
    await page.getByRole("heading", { name: "Applied" }).waitFor();
    expect(await page.getByLabel("The change").textContent()).toContain("60");
    await page.getByRole("button", { name: "A quotation that is there twice" }).click();
    await page.getByRole("heading", { name: "Refused: ambiguous" }).waitFor();
    expect(await page.getByLabel("Result").textContent()).toContain("2 places");
    await page.screenshot({ path: join(artefacts, "try.png") });
  });

  test("follows each key, and shows hostile text as text", async () => {
    const hostile = "<img src=x onerror=document.title='owned'>";
    await page.getByRole("textbox", { name: "The file" }).fill(`${hostile}\nold\n`);
    await page
      .getByRole("textbox", { name: "The patch" })
      .fill('[{ "path": "a", "old_string": "old", "new_string": "<script>1</script>" }]');
    await page.getByRole("heading", { name: "Applied" }).waitFor();
    expect(await page.getByLabel("The change").textContent()).toContain("<script>1</script>");
    expect(await page.title()).toBe("Try Suture's text core");
  });

  test("leads back to the front page", async () => {
    expect(await page.getByRole("link", { name: "Suture" }).getAttribute("href")).toBe("../");
  });

  test("sends nothing: the browser only reads the files of the page", () => {
    expect(asked.filter((request) => !/^GET \/try\/(assets\/[\w.-]+)?$/.test(request))).toEqual([]);
  });
});
