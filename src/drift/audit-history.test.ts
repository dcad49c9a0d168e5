import { expect, test } from "vitest";
import { auditDocuments } from "./audit.ts";
import type { ChangedFile, History, Loss } from "./change/change.ts";
import { toInput } from "./test-case.ts";

type Files = Record<string, string>;

/** A history of two commits over files in memory. */
function historyOf(before: Files, after: Files, docs: Files): History {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const files: ChangedFile[] = paths
    .map((path) => ({ path, before: before[path] ?? null, after: after[path] ?? null }))
    .filter((file) => file.before !== file.after);
  const since: Loss = { commit: "b".repeat(40), date: "2026-01-02", subject: "it goes", path: "" };
  return {
    losses: async ({ keys, mayHold, keysOf }) => {
      const namesIn = async (tree: Files): Promise<Set<string>> => {
        const files = Object.entries(tree).filter(([path]) => mayHold(path));
        const found = await Promise.all(files.map(([path, text]) => keysOf(path, text)));
        return new Set(found.flatMap((some) => [...some]));
      };
      const [then, now] = [await namesIn(before), await namesIn(after)];
      return new Map(keys.filter((key) => then.has(key) && !now.has(key)).map((key) => [key, since]));
    },
    changeOf: async () => ({ base: "a".repeat(40), head: since.commit, files, pages: [] }),
    pathsAt: async () => null,
    blame: async () => null,
    stateAt: async () => null,
    touching: async () => [],
    summary: async () => null,
    documentsAt: async () => new Map(Object.entries(docs)),
  };
}

async function audit(page: string, [before, after]: readonly [before: Files, after: Files]) {
  const docs = { "docs/page.md": page };
  const { tree, documents, occurrences } = toInput({ files: {}, docs, rest: after });
  const { findings } = await auditDocuments({
    tree,
    documents,
    occurrences,
    repository: ["acme/tool"],
    read: async (path) => after[path] ?? null,
    history: historyOf(before, after, docs),
  });
  return findings
    .filter(({ tier }) => tier !== "possible")
    .map(({ kind, message, edits }) => `${kind} ${message.old} ${message.new ?? "-"} ${edits.length}`);
}

const BODY = "(id: string): string {\n  const key = id.trim();\n  return key.toLowerCase();\n}\n";
const renamed: readonly [Files, Files] = [
  { "src/user.ts": `export function fetchUserById${BODY}` },
  { "src/user.ts": `export function loadUser${BODY}` },
];
const variable: readonly [Files, Files] = [
  { "src/cache.ts": "export const folder = process.env.TOOL_CACHE_FOLDER ?? '/tmp';\n" },
  { "src/cache.ts": "export const folder = '/tmp';\n" },
];

const rows: [name: string, page: string, change: readonly [Files, Files], found: string[]][] = [
  [
    "a function that got another name",
    "Call `fetchUserById()`.",
    renamed,
    ["rename fetchUserById loadUser 1"],
  ],
  ["a line that tells of the past", "`loadUser()` was called `fetchUserById()`.", renamed, []],
  [
    "a page that says that its subject came to an end",
    "Call `fetchUserById()`.\n\n# Deprecated\n\nSince 2.0.",
    renamed,
    [],
  ],
  [
    "a sample that takes the name from another package",
    '```ts\nimport { fetchUserById } from "other";\nfetchUserById(1);\n```',
    renamed,
    [],
  ],
  [
    "a sample that takes the name as a member of another module",
    "```py\nimport other\n\nother.fetchUserById(1)\n```",
    renamed,
    [],
  ],
  ["a sentence that names another package", "Take `fetchUserById` from `other`.", renamed, []],
  [
    "a sample that takes the name from this package",
    '```ts\nimport { fetchUserById } from "@acme/tool";\n```',
    renamed,
    ["rename fetchUserById loadUser 1"],
  ],
  [
    "a new name that is not public",
    "Call `fetchUserById()`.",
    [renamed[0], { "src/user.ts": `function loadUser${BODY}export const limit = 1;\n` }],
    ["removal fetchUserById - 0"],
  ],
  [
    "a variable that is no longer read",
    "Set `TOOL_CACHE_FOLDER`.",
    variable,
    ["removal TOOL_CACHE_FOLDER - 0"],
  ],
  [
    "a variable that the sample reads itself",
    "Set `TOOL_CACHE_FOLDER`.\n\n```ts\nopen(process.env.TOOL_CACHE_FOLDER);\n```",
    variable,
    [],
  ],
  ["a word that the code never declared", "Call `otherName()` with `--other-flag`.", renamed, []],
];

test.each(rows)("%s", async (_, page, change, found) => {
  expect(await audit(`# Page\n\n${page}\n`, change)).toEqual(found);
});
