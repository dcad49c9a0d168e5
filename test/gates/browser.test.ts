import { marked } from "marked";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judgeAddress } from "../../src/agents/gates/addresses.ts";
import { launchBrowser, withoutBrowser } from "../web/review-fixture.ts";
import { before, judge } from "./gate.ts";
import { addresses, hostileTexts, inMarkdown, inTags } from "./hostile.ts";

const site = "https://page.invalid";
let browser: Browser | undefined;
let page: Page;
let foreign: string[] = [];

beforeAll(async () => {
  if (withoutBrowser !== null) return;
  browser = await launchBrowser();
  page = await (await browser.newContext({ serviceWorkers: "block" })).newPage();
  page.on("dialog", (dialog) => {
    foreign.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url === `${site}/docs/page`)
      return route.fulfill({ contentType: "text/html; charset=utf-8", body: shown });
    if (!url.startsWith(`${site}/`)) foreign.push(url);
    return route.abort();
  });
});
afterAll(() => browser?.close());

let shown = "";

/** The requests to other hosts, and the dialogs, that a page of this Markdown causes. */
async function requestsOf(markdown: string): Promise<string[]> {
  foreign = [];
  shown = `<!doctype html><meta charset=utf-8>${marked.parse(markdown, { async: false })}`;
  await page.goto(`${site}/docs/page`, { waitUntil: "load" }).catch(() => undefined);
  return foreign;
}

test("the corpus is hostile: most of its texts that fetch do fetch from another host", async ({ skip }) => {
  if (withoutBrowser !== null) skip(withoutBrowser);
  const fetching = hostileTexts.filter(({ kind }) => kind === "fetch").slice(0, 400);
  let reached = 0;
  for (const { text } of fetching.filter((_, i) => i % 4 === 0))
    if ((await requestsOf(`${before}\n${text}\n`)).length > 0) reached++;
  console.log(`${reached} of ${Math.ceil(fetching.length / 4)} texts fetch in Chromium`);
  expect(reached).toBeGreaterThan(fetching.length / 12);
});

test("no text that the gates let pass fetches from another host or runs code in Chromium", async ({
  skip,
}) => {
  if (withoutBrowser !== null) skip(withoutBrowser);
  let [tried, passed] = [0, 0];
  for (const text of variants()) {
    tried++;
    const after = `${before}\n${text}\n`;
    if ((await judge(after)).length > 0) continue;
    passed++;
    expect(await requestsOf(after), text).toEqual([]);
  }
  console.log(`${tried} variants, ${passed} let pass, none of them fetches`);
  expect(tried).toBeGreaterThan(900);
});

test("an address is judged as Chromium's own parser reads it", async ({ skip }) => {
  if (withoutBrowser !== null) skip(withoutBrowser);
  await requestsOf("");
  // An attribute resolves character references before the address is parsed.
  const links = addresses.map((address) => `<a href="${address.replaceAll('"', "&quot;")}">x</a>`);
  const read = (await page.evaluate(`(() => {
    document.body.innerHTML = ${JSON.stringify(links.join("\n"))};
    return Array.from(document.links, ({ protocol, hostname }) => ({ protocol, hostname }));
  })()`)) as { readonly protocol: string; readonly hostname: string }[];
  expect(read).toHaveLength(addresses.length);
  for (const [i, address] of addresses.entries()) {
    const judged = judgeAddress(address);
    const { protocol, hostname } = read[i]!;
    const isForeign = /^https?:$/.test(protocol) && hostname !== "page.invalid";
    // `https:host` is a place of this site, and another host on a page that was loaded by http.
    if (isForeign) expect(judged.is, address).toBe("remote");
    if (isForeign && judged.is === "remote") expect(judged.url.hostname).toBe(hostname);
  }
});

/** Every address in every place, written in several ways; every third of them, so that the test stays short. */
function* variants(): Generator<string> {
  let count = 0;
  for (const address of addresses)
    for (const place of [...inTags, ...inMarkdown])
      for (const write of writings) if (count++ % 9 === 0) yield write(place(address));
  for (const write of writings) for (const { text } of hostileTexts.slice(-80)) yield write(text);
}

const writings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `- item\n\n  ${text}`,
  (text) => `> ${text}`,
  (text) => `> \`\`\`\n${text}`,
  (text) => `| a | b |\n| - | - |\n| \`x | ${text}\` |`,
  (text) => `\`\`\` a\`b\n${text}\n\`\`\``,
  (text) => `- \`x\n- ${text}\``,
  (text) => `<details>\n\n${text}\n\n</details>`,
  (text) => `\\\`${text}\\\``,
  (text) => `    \`\`\`\n${text}\n`,
  (text) => text.replace(/<(\w+) /, "<$1/alt=x\t"),
  (text) => text.replace("<img ", `<img alt="${"a".repeat(5000)}" `),
  (text) => text.toUpperCase(),
];
