/** The pictures of the documents, taken from the real thing: `npm run pictures`. Needs Debian's Chromium. */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { makeExample } from "./example.ts";

const house = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "suture-pictures-"));
const root = join(folder, "postbox");
const images = join(house, "docs", "images");
const suture = [join(house, "bin", "suture.cjs")];

const colours: Readonly<Record<string, string>> = {
  "1": 'font-weight="bold"',
  "2": 'fill="#8b949e"',
  "31": 'fill="#ff7b72"',
  "32": 'fill="#7ee787"',
  "33": 'fill="#e3b341"',
  "36": 'fill="#79c0ff"',
};

try {
  mkdirSync(images, { recursive: true });
  makeExample(root);
  writeFileSync(join(images, "check.svg"), drawTerminal("suture check --base HEAD~1", capture(), 13));
  await photographReview();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function capture(): string[] {
  const env = { ...process.env, FORCE_COLOR: "1" };
  const { stdout } = spawnSync(process.execPath, [...suture, "check", "--base", "HEAD~1"], {
    cwd: root,
    encoding: "utf8",
    env,
  });
  return stdout.split("\n");
}

/** A terminal as a drawing: the command and the first lines it printed, in their colours. */
function drawTerminal(command: string, printed: readonly string[], most: number): string {
  const lines = [`\u001b[2m$\u001b[22m ${command}`, ...printed.slice(0, most), "…"];
  const height = 36 + lines.length * 20;
  const texts = lines.map(
    (line, i) => `<text x="20" y="${38 + i * 20}" xml:space="preserve">${drawLine(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="920" height="${height}" viewBox="0 0 920 ${height}" role="img" aria-label="What suture check prints">
<rect width="920" height="${height}" rx="10" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13.5" fill="#e6edf3">
${texts.join("\n")}
</g>
</svg>
`;
}

function drawLine(line: string): string {
  let style = "";
  let drawn = "";
  for (const part of line.split(/(\u001b\[\d+m)/)) {
    const code = /^\u001b\[(\d+)m$/.exec(part)?.[1];
    if (code !== undefined) style = colours[code] ?? "";
    else if (part !== "") drawn += style === "" ? plain(part) : `<tspan ${style}>${plain(part)}</tspan>`;
  }
  return drawn;
}

function plain(text: string): string {
  const cut = text.length > 104 ? `${text.slice(0, 103)}…` : text;
  return cut.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

async function photographReview(): Promise<void> {
  const server = spawn(process.execPath, [...suture, "review", "--base", "HEAD~1", "--no-open"], {
    cwd: root,
  });
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
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
