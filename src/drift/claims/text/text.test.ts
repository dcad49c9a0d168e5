import { expect, test } from "vitest";
import { applySplices } from "../../../text/model/splice.ts";
import { driftBetween } from "../../drift-between.ts";

type Code = readonly [path: string, before: string, after: string];

const PAGE = "docs/page.md";
const go = (before: string, after: string): Code => [
  "cmd/run.go",
  `package cmd\n\nfunc run() {\n\tfmt.Println(${before})\n}\n`,
  `package cmd\n\nfunc run() {\n\tfmt.Println(${after})\n}\n`,
];

/** The page after the edits of the findings about texts; null where there are none. */
async function repaired([path, before, after]: Code, page: string, rest: Record<string, string> = {}) {
  const same = [[PAGE, page], ...Object.entries(rest)] as const;
  const { findings } = await driftBetween(
    new Map([[path, before], ...same]),
    new Map([[path, after], ...same]),
  );
  const said = findings.filter(({ kind, tier }) => kind === "text" && tier !== "possible");
  if (said.length === 0) return null;
  const splices = said
    .flatMap(({ edits }) => edits)
    .flatMap((edit) =>
      "region" in edit.target && "text" in edit ? [{ region: edit.target.region, text: edit.text }] : [],
    );
  return applySplices(page, splices);
}

const WAS = `"nothing to pull today"`;
const IS = `"already up to date"`;

test("words that the code still has in a form that is no plain text are not gone", async () => {
  const page = "Output:\n\n```\nnothing to pull from there today\n```\n";
  const [plain, nested] = [
    "`nothing to pull from there today`",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is code that is read.
    "`${block(`nothing to pull from there today`)}`",
  ];
  const code = (text: string): string => `export const help = ${text};\n`;
  expect(await repaired(["src/help.ts", code(plain), code(nested)], page)).toBe(null);
  expect(await repaired(["src/help.ts", code(plain), code("`done`")], page)).not.toBe(null);
});

test.each<[title: string, code: Code, page: string, repaired: string]>([
  [
    "in quotes",
    go(WAS, IS),
    `It prints "nothing to pull today" then.\n`,
    `It prints "already up to date" then.\n`,
  ],
  [
    "in quotes over two lines",
    go(WAS, IS),
    `It prints "nothing to\npull today".\n`,
    `It prints "already up to date".\n`,
  ],
  ["as code", go(WAS, IS), "It prints `nothing to pull today`.\n", "It prints `already up to date`.\n"],
  [
    "as output behind other words",
    go(WAS, IS),
    "```\n12:00 INFO nothing to pull today\n```\n",
    "```\n12:00 INFO already up to date\n```\n",
  ],
  [
    "as a value of JSON",
    go(WAS, IS),
    '```json\n{ "error": "nothing to pull today" }\n```\n',
    '```json\n{ "error": "already up to date" }\n```\n',
  ],
  [
    "with its holes filled",
    go(`"listening on port %d"`, `"now serving port %d"`),
    "```\nlistening on port 8080\n```\n",
    "```\nnow serving port 8080\n```\n",
  ],
  [
    "as a cell",
    [
      "cli.py",
      'parser.add_argument("--prune", help="delete all merged branches")\n',
      'parser.add_argument("--prune", help="delete all closed branches")\n',
    ],
    "| Flag | Use |\n| --- | --- |\n| `--prune` | delete all merged branches |\n",
    "| Flag | Use |\n| --- | --- |\n| `--prune` | delete all closed branches |\n",
  ],
  [
    "as an item",
    [
      "cli.py",
      'parser.add_argument("--prune", help="delete all merged branches")\n',
      'parser.add_argument("--prune", help="delete all closed branches")\n',
    ],
    "- `--prune`: delete all merged branches\n",
    "- `--prune`: delete all closed branches\n",
  ],
  [
    "joined from several literals",
    ["run.py", 'say("nothing to "\n    "pull today")\n', 'say("already up "\n    "to date")\n'],
    "```\nnothing to pull today\n```\n",
    "```\nalready up to date\n```\n",
  ],
  [
    "as a line of a longer text",
    [
      "main.go",
      "package main\n\nconst usage = `boat\n  --sail NAME  set a sail\n`\n",
      "package main\n\nconst usage = `boat\n  --sail NAME  hoist a sail\n`\n",
    ],
    "```\n  --sail NAME  set a sail\n```\n",
    "```\n  --sail NAME  hoist a sail\n```\n",
  ],
])("a text that the page repeats %s follows the code", async (_title, code, page, expected) => {
  expect(await repaired(code, page)).toBe(expected);
});

test.each<[title: string, code: Code, page: string, rest?: Record<string, string>]>([
  [
    "that moved to a constant",
    go(WAS, `nothing)\n}\n\nconst nothing = ${WAS}\n\nfunc f() {\n\tg(`),
    `It prints "nothing to pull today".\n`,
  ],
  [
    "that another file still says",
    go(WAS, IS),
    `It prints "nothing to pull today".\n`,
    { "cmd/other.go": `package cmd\n\nvar text = ${WAS}\n` },
  ],
  [
    "that is now put together",
    go(WAS, `"nothing to " + verb + " today"`),
    `It prints "nothing to pull today".\n`,
  ],
  [
    "whose placeholder is written otherwise",
    go(`"no file %s here"`, `"no file %q here"`),
    `It prints "no file a.txt here".\n`,
  ],
  ["that only got a full stop", go(WAS, `"nothing to pull today."`), `It prints "nothing to pull today".\n`],
  ["in the page's own words", go(WAS, IS), "There is nothing to pull today, then.\n"],
  ["that the reader types", go(`"npm run all tests"`, `"npm run every test"`), "Type `npm run all tests`.\n"],
  ["in a sample of a program", go(WAS, IS), '```ts\nconsole.log("nothing to pull today");\n```\n'],
  [
    "that a test said",
    ["cmd/run_test.go", `package cmd\n\nvar a = ${WAS}\n`, `package cmd\n\nvar a = ${IS}\n`],
    `It prints "nothing to pull today".\n`,
  ],
  [
    "that data said",
    ["deploy.yaml", "restart: always on\n", "restart: unless stopped\n"],
    "```\nrestart: always on\n```\n",
  ],
])("a text %s stays as it is", async (_title, code, page, rest) => {
  expect(await repaired(code, page, rest)).toBeNull();
});

test("holes that changed leave the words to a person", async () => {
  const code = go(`"copied %d of %d files"`, `"copied %d files into %s"`);
  const page = "```\ncopied 3 of 4 files\n```\n";
  expect(await repaired(code, page)).toBe(page);
});

test("a help text over several lines of a capture is told, and left to the program", async () => {
  const code: Code = [
    "src/cli.py",
    'add("--sail", help="Hoists the sail that is named, "\n    "which the anchor holds back.")\n',
    'add("--sail", help="Hoists the sail that is named; "\n    "see --anchor, too.")\n',
  ];
  const page =
    "```\n  --sail NAME   Hoists the sail that is named, which\n                the anchor holds back.\n```\n";
  expect(await repaired(code, page)).toBe(page);
});

test("a part of a message is told without an edit", async () => {
  const code = go(`"cannot reach the server at this time"`, `"the network is down at this time"`);
  const page = 'It says "cannot reach the server".\n';
  expect(await repaired(code, page)).toBe(page);
});
