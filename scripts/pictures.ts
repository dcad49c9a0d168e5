/** The pictures of the documents, taken from the real thing: `npm run pictures`. The page needs Debian's Chromium. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { makeExample } from "./example.ts";
import { drawRecording } from "./recorded-session.ts";

const house = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "suture-pictures-"));
const root = join(folder, "postbox");
const images = join(house, "docs", "images");
const suture = join(house, "bin", "suture.cjs");
const chromiumPath = "/usr/bin/chromium";

try {
  mkdirSync(images, { recursive: true });
  makeExample(root);
  for (const [name, drawing] of Object.entries(drawRecording({ root, suture })))
    writeFileSync(join(images, name), drawing);
  if (existsSync(chromiumPath)) await photographReview();
  else console.error(`review.png is left as it is: there is no ${chromiumPath}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function photographReview(): Promise<void> {
  const server = spawn(process.execPath, [suture, "review", "--base", "HEAD~1", "--no-open"], {
    cwd: root,
  });
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
  try {
    const address = await new Promise<string>((resolve, reject) => {
      const look = (data: Buffer): void => {
        const found = /Open (\S+\.html)/.exec(data.toString());
        if (found) resolve(`file://${found[1]}`);
      };
      server.stdout.on("data", look);
      server.stderr.on("data", look);
      server.once("exit", () => reject(new Error("the review ended")));
    });
    const page = await browser.newPage({ viewport: { width: 1360, height: 860 }, colorScheme: "light" });
    await page.goto(address);
    await page.getByText("Evidence").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(images, "review.png") });
  } finally {
    await browser.close();
    server.kill();
  }
}
