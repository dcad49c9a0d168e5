import { expect, test } from "vitest";
import { type ChangeTopic, findNearestPages } from "./nearest-pages.ts";

const filler = (words: string, length: number): string =>
  Array.from({ length: Math.ceil(length / 40) }, (_, i) => `Sentence ${i} tells of ${words} things.`).join(
    "\n",
  );

const topic = (names: readonly string[], more: Partial<ChangeTopic> = {}): ChangeTopic => ({
  names: new Map(names.map((name) => [name, 3])),
  words: "",
  prior: () => 0,
  ...more,
});

test("a short page is shown whole, with lines that hold no changed name", () => {
  const text = "# Proxies\n\n### trustProxy\n\n+ `true`: trust all.\n+ `number`: trust the nth hop.\n";
  const { shown } = findNearestPages([{ path: "a.md", text }], topic(["trustProxy"]));
  expect(shown).toEqual([{ path: "a.md", text, leftOut: 0 }]);
});

test("of a long page the sections that hold a changed name are shown whole, and the others are named", () => {
  const near = "## Options\n\nSee `pollDelay`.\n\nOptions are identical to those of the other link.\n\n";
  const text = `# Guide\n\n## Colours\n\n${filler("colour", 5000)}\n\n${near}## Sizes\n\n${filler("size", 5000)}\n`;
  const [page] = findNearestPages([{ path: "a.md", text }], topic(["pollDelay"])).shown;
  expect(page!.text).toContain(near.trim());
  expect(page!.text).toContain("(not shown: Colours)");
  expect(page!.text).not.toContain("tells of colour");
  expect(page!.text.length).toBeLessThan(9000);
  expect(page!.leftOut).toBeGreaterThan(1);
});

test("a very long section is shown in the part that holds the name", () => {
  const text = `# Guide\n\n${filler("colour", 20_000)}\n\nSet \`pollDelay\`.\n\n${filler("size", 20_000)}\n`;
  const [page] = findNearestPages([{ path: "a.md", text }], topic(["pollDelay"])).shown;
  expect(page!.text).toContain("Set `pollDelay`.");
  expect(page!.text.length).toBeLessThan(9000);
});

const pages = [
  { path: "names.md", text: "# Names\n\nCall `pollOften()`.\n" },
  { path: "words.md", text: "# Waiting\n\nThe broker waits for an acknowledgement of the mailbox.\n" },
  { path: "past.md", text: "# Upgrades\n\nNothing here has a name.\n" },
  { path: "other.md", text: "# Colours\n\nRed and blue.\n" },
];

test("pages are found by names, by the words of commits and comments, and by changing together", () => {
  const found = findNearestPages(
    pages,
    topic(["pollOften"], {
      words: "The broker no longer waits for an acknowledgement",
      prior: (path) => (path === "past.md" ? 0.8 : 0),
    }),
  );
  expect(found.shown.map(({ path }) => path).sort()).toEqual(["names.md", "past.md", "words.md"]);
});

test("near pages beyond the limit are named, and a page with nothing in common is not near", () => {
  const many = Array.from({ length: 12 }, (_, i) => ({ path: `${i}.md`, text: "# A\n\nUse `pollDelay`.\n" }));
  const { shown, notShown } = findNearestPages([...many, pages[3]!], topic(["pollDelay"]));
  expect(shown).toHaveLength(8);
  expect(notShown).toHaveLength(4);
  const long = many.map((page) => ({ ...page, text: page.text + filler("colour", 7000) }));
  expect(findNearestPages(long, topic(["pollDelay"])).shown).toHaveLength(5);
});
